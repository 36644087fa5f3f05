//! UCI as programs with boards speak it.

use endspiel_search::protocol::uci;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A session whose input comes line by line.
struct Program {
    input: Option<Sender<String>>,
    output: Receiver<String>,
    thread: JoinHandle<io::Result<()>>,
}

/// Reads what a channel sends.
struct Lines {
    lines: Receiver<String>,
    rest: Vec<u8>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            // A closed channel is the end of the input.
            self.rest = self.lines.recv().map(String::into_bytes).unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// Sends every line to a channel.
struct Told {
    lines: Sender<String>,
    line: Vec<u8>,
}

impl Write for Told {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            match byte {
                b'\n' => {
                    let line = String::from_utf8(std::mem::take(&mut self.line)).expect("it is text");
                    self.lines.send(line).map_err(io::Error::other)?;
                }
                _ => self.line.push(byte),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Program {
    fn start() -> Self {
        let ((input, lines), (told, output)) = (channel(), channel());
        let thread = thread::spawn(move || {
            let output = Told { lines: told, line: Vec::new() };
            uci(BufReader::new(Lines { lines, rest: Vec::new() }), output)
        });
        Self { input: Some(input), output, thread }
    }

    fn say(&self, line: &str) {
        let input = self.input.as_ref().expect("it is open");
        input.send(format!("{line}\n")).expect("the session goes on");
    }

    /// The lines up to one that begins with a word.
    fn until(&self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.output.recv_timeout(Duration::from_secs(60)).expect("there is an answer");
            let is_last = line.starts_with(word);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// Asks whether the program is ready, and returns what it says before it is.
    fn ready(&self) -> Vec<String> {
        self.say("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    fn quit(self) {
        self.say("quit");
        self.thread.join().expect("no panic").expect("input and output work");
    }
}

/// Everything that the program answers to a whole input.
fn answers(input: &str) -> String {
    let mut output = Vec::new();
    uci(input.as_bytes(), &mut output).expect("input and output work");
    String::from_utf8(output).expect("it is text")
}

#[test]
fn the_program_introduces_itself() {
    let text = answers("uci\nisready\nquit\n");
    assert!(text.starts_with("id name Endspiel") && text.ends_with("uciok\nreadyok\n"), "{text}");
    for option in ["Hash", "Threads", "MultiPV", "Ponder", "TablebasePath", "SyzygyPath", "UCI_Chess960"] {
        assert!(text.contains(&format!("option name {option} type ")), "{option}");
    }
}

#[test]
fn a_search_tells_its_lines_and_its_best_move() {
    let text = answers("position startpos moves e2e4 e7e5\ngo depth 6\n");
    let last = text.lines().rfind(|line| line.starts_with("info depth 6 ")).expect("there is a last depth");
    for word in ["seldepth", "multipv 1", "score cp", "nodes", "nps", "hashfull", "tbhits 0", "time", "pv"] {
        assert!(last.contains(&format!(" {word} ")) || last.contains(&format!(" {word}")), "{word}: {last}");
    }
    assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{text}");
}

#[test]
fn mates_are_counted_in_moves() {
    let mate = answers("position fen 7k/R7/6K1/8/8/8/8/8 w - - 0 1\ngo depth 5\n");
    assert!(mate.contains("score mate 1 ") && mate.contains("bestmove a7a8"), "{mate}");
    let mated = answers("position fen 8/8/8/8/8/1k6/7r/K7 w - - 0 1\ngo depth 6\n");
    assert!(mated.contains("score mate -1 "), "{mated}");
    let over = answers("position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1\ngo depth 6\n");
    assert_eq!(over, "bestmove (none)\n");
}

#[test]
fn castling_is_written_as_the_variant_wants() {
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo depth 1 searchmoves";
    assert!(answers(&format!("{position} e1g1\n")).contains("bestmove e1g1"));
    let chess960 = format!("setoption name UCI_Chess960 value true\n{position} e1h1\n");
    assert!(answers(&chess960).contains("bestmove e1h1"));
}

#[test]
fn several_lines_are_told() {
    let text = answers("setoption name MultiPV value 3\nposition startpos\ngo depth 4\n");
    for number in 1..=3 {
        assert!(text.contains("info depth 4 seldepth ") && text.contains(&format!("multipv {number} ")));
    }
}

#[test]
fn sequences_of_moves_are_counted() {
    let text = answers("position startpos\ngo perft 3\n");
    assert!(text.contains("e2e4: 600\n") && text.ends_with("\nNodes searched: 8902\n"), "{text}");
}

#[test]
fn what_is_wrong_is_answered() {
    for (line, answer) in [
        ("castle", "info string `castle` is no command"),
        ("go depth", "info string `depth` needs a number"),
        ("go slowly", "info string `go` does not know `slowly`"),
        ("setoption Hash 3", "info string `setoption` needs `name` and a name"),
        ("setoption name Speed value 3", "info string there is no option `Speed`"),
        ("setoption name Hash value 0", "info string Hash is a number from 1 to 1048576, not `0`"),
        ("setoption name Ponder value maybe", "info string Ponder is `true` or `false`, not `maybe`"),
        ("position fen 8/8/8/8 w - - 0 1", "info string "),
        ("position startpos moves e2e5", "info string move 1: `e2e5` is not a legal move here"),
        ("setoption name SyzygyPath value /no/such/folder", "info string no Syzygy tables are used: "),
    ] {
        let text = answers(&format!("{line}\nisready\n"));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 2 && lines[0].starts_with(answer) && lines[1] == "readyok", "{line}: {text}");
    }
    // Neither an unreadable text nor an endless line ends the session.
    let mut output = Vec::new();
    let hostile = [&b"\xff\xfe go\n\0\n"[..], &[b'x'; 100_000], b"\nisready\n"].concat();
    uci(&hostile[..], &mut output).expect("input and output work");
    assert!(String::from_utf8_lossy(&output).ends_with("readyok\n"));
}

#[test]
fn an_endless_search_waits_for_stop() {
    let program = Program::start();
    // It is mate in one, and soon there is nothing left to search.
    program.say("position fen 7k/R7/6K1/8/8/8/8/8 w - - 0 1");
    program.say("go infinite");
    thread::sleep(Duration::from_millis(300));
    assert!(program.ready().iter().all(|line| line.starts_with("info ")));
    program.say("stop");
    assert_eq!(program.until("bestmove").last().map(String::as_str), Some("bestmove a7a8"));
    program.quit();
}

#[test]
fn pondering_ends_after_the_hit() {
    let program = Program::start();
    program.say("position startpos moves e2e4 e7e5");
    program.say("go ponder wtime 400 btime 400");
    thread::sleep(Duration::from_millis(700));
    assert!(program.ready().iter().all(|line| line.starts_with("info ")), "the clock does not run yet");
    let hit = Instant::now();
    program.say("ponderhit");
    program.until("bestmove");
    assert!(hit.elapsed() < Duration::from_secs(5));
    // A miss is a stop.
    program.say("go ponder wtime 400 btime 400");
    program.say("stop");
    program.until("bestmove");
    program.quit();
}

#[test]
fn quit_ends_a_search() {
    let program = Program::start();
    program.say("go infinite");
    program.quit();
    let program = Program::start();
    program.say("go infinite");
    let Program { input, thread, .. } = program;
    drop(input);
    thread.join().expect("no panic").expect("the end of the input is no error");
}
