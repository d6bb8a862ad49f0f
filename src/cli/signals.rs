//! What the system tells the program: to end, or that a file must not grow.

/// Has the program remove what is partly written before it ends, and has a file that must not grow cost a message. On systems
/// without such signals it does nothing.
pub fn handle() {
    #[cfg(unix)]
    unix::handle();
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::sync::Arc;
    use std::thread;

    use maquette::output::abandon_parts;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};

    pub fn handle() {
        // Unhandled, it ends the program; handled, the write fails and says why.
        flag::register(SIGXFSZ, Arc::default()).ok();
        // Only where a thread waits for them: signals that are handled and not heard would be lost.
        thread::Builder::new().name("signals".to_owned()).spawn(wait).ok();
    }

    fn wait() {
        let ignored = ignored().unwrap_or_default();
        let is_wanted = |signal: &i32| ignored & (1 << (signal - 1)) == 0;
        let wanted = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(is_wanted);
        let Ok(mut signals) = Signals::new(wanted) else { return };
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
