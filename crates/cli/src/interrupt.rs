//! Interruptions: Ctrl-C, and the signals that end a program.

use crate::failure::{Failure, tell};
use std::io;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Calls `stop` at the first Ctrl-C or, on Unix, at the first request to end: SIGINT, SIGTERM or SIGHUP. A second one ends the
/// program.
pub fn on_interrupt(stop: impl Fn() + Send + Sync + 'static) -> Result<(), Failure> {
    static ASKED: AtomicBool = AtomicBool::new(false);
    static SET: Once = Once::new();
    let mut result = Ok(());
    SET.call_once(|| {
        result = on_signal(move |exit_code| {
            if ASKED.swap(true, Ordering::Relaxed) {
                std::process::exit(exit_code);
            }
            // Before the sentence, which waits if nobody reads it.
            stop();
            tell("stopping as soon as possible; a second Ctrl-C or signal ends it at once");
        });
    });
    result.map_err(Failure::Io)
}

/// Calls `handle` at each signal, in a thread of its own. It gets the exit code of a program that the signal ends.
#[cfg(unix)]
fn on_signal(handle: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let status = std::fs::read_to_string("/proc/self/status").ok();
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| is_heard(signal, status.as_deref()));
    let mut signals = signal_hook::iterator::Signals::new(heard)?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(|signal| handle(128 + signal)))?;
    Ok(())
}

#[cfg(not(unix))]
fn on_signal(handle: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handle(130)).map_err(io::Error::other)
}

/// Returns whether a signal is to be handled. A program that was started with a signal ignored must keep ignoring it: `nohup`
/// does this with SIGHUP. Only Linux tells, in the status of the process, which signals are ignored. Elsewhere, SIGHUP is left
/// as it is, and so ends a program that does not ignore it.
#[cfg(unix)]
fn is_heard(signal: i32, status: Option<&str>) -> bool {
    let ignored = status.and_then(|status| status.lines().find_map(|line| line.strip_prefix("SigIgn:")));
    match ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
        Some(mask) => mask & 1 << (signal - 1) == 0,
        None => signal != signal_hook::consts::SIGHUP,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    #[test]
    fn ignored_signals_stay_ignored() {
        let heard = |status| [SIGINT, SIGTERM, SIGHUP].map(|signal| is_heard(signal, status));
        assert_eq!(heard(Some("Name:\tendspiel\nSigIgn:\t0000000000001000\n")), [true, true, true]);
        assert_eq!(heard(Some("SigIgn:\t0000000000001001\nSigCgt:\t0\n")), [true, true, false]);
        assert_eq!(heard(Some("SigIgn:\t0000000000000002\n")), [false, true, true]);
        assert_eq!(heard(None), [true, true, false]);
    }
}
