//! Signals that terminate the program, and the signal of the file size limit.

/// Makes writes beyond the file size limit fail with an error. By default, a signal would terminate the program.
pub fn handle_file_size_limit() {
    #[cfg(unix)]
    unix::handle_file_size();
}

/// Removes partial files before a signal terminates the program.
pub fn handle_termination() {
    #[cfg(unix)]
    unix::handle_end();
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::sync::Arc;
    use std::sync::mpsc::{Sender, channel};
    use std::thread;

    use maquette::output::remove_partial_files;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};

    pub fn handle_file_size() {
        flag::register(SIGXFSZ, Arc::default()).ok();
    }

    pub fn handle_end() {
        // The new thread registers the signals. If it cannot start, the signals keep their default effect.
        let (send, ready) = channel();
        if thread::Builder::new().name("signals".to_owned()).spawn(move || wait(&send)).is_ok() {
            ready.recv().ok();
        }
    }

    fn wait(ready: &Sender<()>) {
        // Signals that the parent process ignores stay ignored. If it is unknown which signals are ignored, handle only
        // SIGTERM.
        let wanted = ignored().map_or(vec![SIGTERM], |ignored| {
            let is_wanted = |signal: &i32| ignored & (1 << (signal - 1)) == 0;
            [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(is_wanted).collect()
        });
        let signals = Signals::new(wanted);
        ready.send(()).ok();
        let Ok(mut signals) = signals else { return };
        for signal in &mut signals {
            remove_partial_files();
            low_level::emulate_default_handler(signal).ok();
        }
    }

    /// Returns the signals that the parent process ignores (`nohup`) as a bit mask, with signal 1 in bit 0. Only Linux
    /// reports them (proc(5), `SigIgn`).
    fn ignored() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    }
}
