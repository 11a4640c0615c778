//! What it is measured on.

use std::fs;

use crate::contest::Contender;

/// The name of the processor.
pub(crate) fn cpu() -> String {
    let told = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    name_in(&told).unwrap_or_else(|| format!("{} of unknown name", std::env::consts::ARCH))
}

/// The first name in Linux's list of processors.
fn name_in(told: &str) -> Option<String> {
    let named = |key: &str| {
        let line = told.lines().find(|line| line.starts_with(key))?;
        let (_, name) = line.split_once(':')?;
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    };
    named("model name").or_else(|| named("Model")).or_else(|| named("Hardware"))
}

/// The memory in bytes that can be had without taking it from others, where that is told.
pub(crate) fn free_memory() -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let free = kibibytes(&told, "MemAvailable:")?;
    // A container may have less than its machine.
    let of_container = |name| fs::read_to_string(name).ok()?.trim().parse::<u64>().ok();
    let most = of_container("/sys/fs/cgroup/memory.max");
    let taken = of_container("/sys/fs/cgroup/memory.current").unwrap_or(0);
    Some(most.map_or(free, |most| free.min(most.saturating_sub(taken))))
}

fn kibibytes(told: &str, key: &str) -> Option<u64> {
    let line = told.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// About how many bytes these take for each actor, measured with some to spare: a scene of the scheduler,
/// boxed objects with their allocator's part, and columns. One more scene is there while all are made.
pub(crate) fn bytes_per_actor(contenders: &[Contender]) -> u64 {
    const SCENE: u64 = 128;
    let bytes = |contender: &Contender| match contender {
        Contender::Textbook | Contender::TextbookChurned => 120,
        Contender::TextbookColumns => 48,
        Contender::Incremental(_, change) if !change.is_first() => 0,
        _ => SCENE,
    };
    SCENE + contenders.iter().map(bytes).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::PolicyName;

    #[test]
    fn what_linux_tells_is_read() {
        let cpu = "processor\t: 0\nmodel name\t: AMD EPYC\nprocessor\t: 1\nmodel name\t: other\n";
        assert_eq!(name_in(cpu).as_deref(), Some("AMD EPYC"));
        let board = "processor\t: 0\nBogoMIPS\t: 108\n\nHardware\t: BCM2835\nModel\t\t: Pi 4\n";
        assert_eq!(name_in(board).as_deref(), Some("Pi 4"));
        assert_eq!([name_in(""), name_in("model name:  \n")], [None, None]);
        let memory = "MemTotal: 9 kB\nMemAvailable:   2048 kB\n";
        assert_eq!(kibibytes(memory, "MemAvailable:"), Some(2 << 20));
        assert_eq!([kibibytes("", "MemAvailable:"), kibibytes(memory, "SwapFree:")], [None, None]);
    }

    #[test]
    fn a_sweep_takes_less_than_all() {
        let all = bytes_per_actor(&Contender::of(&PolicyName::ALL, true));
        let drawn = bytes_per_actor(&Contender::of(&PolicyName::ALL, false));
        assert!(drawn < all && all < 4_096, "{drawn} {all}");
    }
}
