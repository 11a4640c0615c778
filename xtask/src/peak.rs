//! The most memory that a program had at a time.

/// The most resident memory, in bytes, in a process's status as proc(5) has it: none before lodger has
/// taken the place of what starts it, which for a moment has all of our own memory.
pub(crate) fn peak(status: &str) -> Option<u64> {
    status.strip_prefix("Name:")?.trim_start().strip_prefix("lodger")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::peak;

    #[test]
    fn the_peak_is_read_from_the_status_of_lodger() {
        let status =
            |name: &str| format!("Name:\t{name}\nVmPeak:\t  999 kB\nVmHWM:\t    2048 kB\n");
        assert_eq!(peak(&status("lodger")), Some(2 << 20));
        assert_eq!(peak(&status("lodger-board")), Some(2 << 20));
        assert_eq!(peak(&status("prlimit")), None);
        assert_eq!(peak("Name:\tlodger\n"), None);
    }
}
