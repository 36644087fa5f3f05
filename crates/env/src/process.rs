//! A program that answers lines with lines: GNU Backgammon, or an agent in any language.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time that a process has to end by itself after its input is closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// The longest line that is read, in bytes. No answer reaches a hundredth of it.
const LONGEST_LINE: u64 = 1 << 20;

/// A running program. When it is dropped, its input is closed, which makes it end. If it does not end in time, it is killed.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// `None` when nothing more can be sent.
    input: Option<ChildStdin>,
    lines: Receiver<io::Result<String>>,
}

/// Why there is no line.
#[derive(Debug)]
pub(crate) enum NoLine {
    /// The program has ended, or has closed its output.
    Ended,
    /// Nothing came in time.
    Silent,
    /// The line is not a text, or cannot be read.
    Unreadable(io::Error),
}

impl Process {
    /// Starts a program whose input and output are lines.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take();
        let lines = lines(child.stdout.take().expect("the output is a pipe"));
        Ok(Self { child, input, lines })
    }

    /// Sends a line, without its end.
    pub(crate) fn send(&mut self, mut line: Vec<u8>) -> Result<(), NoLine> {
        line.push(b'\n');
        let input = self.input.as_mut().ok_or(NoLine::Ended)?;
        input.write_all(&line).and_then(|()| input.flush()).map_err(|_| NoLine::Ended)
    }

    /// Waits for the next line, which has no end.
    pub(crate) fn line_within(&self, patience: Duration) -> Result<String, NoLine> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => line.map_err(NoLine::Unreadable),
            Err(RecvTimeoutError::Timeout) => Err(NoLine::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(NoLine::Ended),
        }
    }

    /// Closes the input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Ends the program at once. Otherwise a late answer would be taken for the answer to the next line.
    pub(crate) fn kill(&mut self) {
        self.close();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close();
        let deadline = Instant::now() + FAREWELL;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        self.kill();
    }
}

/// The lines of a process. A separate thread reads them, because a pipe cannot be read with a time limit. The thread ends
/// with the output, or when the receiver is dropped.
fn lines(output: ChildStdout) -> Receiver<io::Result<String>> {
    let (sender, receiver) = sync_channel(1);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = String::new();
            let read = output.by_ref().take(LONGEST_LINE).read_line(&mut line);
            let line = match read {
                Ok(0) => return,
                Ok(_) => Ok(line.trim_end().to_owned()),
                Err(error) => Err(error),
            };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
