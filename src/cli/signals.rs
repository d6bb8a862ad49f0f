//! What the system tells the program: to end, or that a file must not grow.

/// From now on a file that must not grow costs a message, and not the program.
pub fn keep_running_where_files_must_not_grow() {
    #[cfg(unix)]
    unix::handle_file_size();
}

/// From now on the program removes what is partly written before a signal ends it. Of what is only read nothing is left anyway.
pub fn leave_nothing_when_told_to_end() {
    #[cfg(unix)]
    unix::handle_end();
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::sync::Arc;
    use std::sync::mpsc::{Sender, channel};
    use std::thread;

    use maquette::output::abandon_parts;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};

    pub fn handle_file_size() {
        // Unhandled, it ends the program; handled, the write fails and says why.
        flag::register(SIGXFSZ, Arc::default()).ok();
    }

    pub fn handle_end() {
        // Only where a thread waits for them: signals that are handled and not heard would be lost.
        let (send, ready) = channel();
        if thread::Builder::new().name("signals".to_owned()).spawn(move || wait(&send)).is_ok() {
            ready.recv().ok();
        }
    }

    /// Waits for signals; tells that they are handled from now on.
    fn wait(ready: &Sender<()>) {
        // What the starter has ignored stays so; where that is not known, only what nobody ignores is handled.
        let wanted = ignored().map_or(vec![SIGTERM], |ignored| {
            let is_wanted = |signal: &i32| ignored & (1 << (signal - 1)) == 0;
            [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(is_wanted).collect()
        });
        let signals = Signals::new(wanted);
        ready.send(()).ok();
        let Ok(mut signals) = signals else { return };
        for signal in &mut signals {
            abandon_parts();
            low_level::emulate_default_handler(signal).ok();
        }
    }

    /// The signals that whoever started the program has it ignore (`nohup`), as bits from the first; known on Linux (proc(5),
    /// `SigIgn`).
    fn ignored() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    }
}
