//! The measured machine: its processor, and the number of actors that fit into its memory.

use std::fs;

use lodger_terminal::{Diagnostic, Severity};

use super::MIN_ACTORS;
use super::suite::BenchCase;

pub(super) fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    name_in(&text).unwrap_or_else(|| format!("{} of unknown name", std::env::consts::ARCH))
}

fn name_in(text: &str) -> Option<String> {
    let named = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        let (_, name) = line.split_once(':')?;
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    };
    named("model name").or_else(|| named("Model")).or_else(|| named("Hardware"))
}

/// Available memory in bytes, if the system reports it.
fn free_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let free = kibibytes(&text, "MemAvailable:")?;
    // A container may have less than its machine.
    let of_container = |name| fs::read_to_string(name).ok()?.trim().parse::<u64>().ok();
    let max = of_container("/sys/fs/cgroup/memory.max");
    let taken = of_container("/sys/fs/cgroup/memory.current").unwrap_or(0);
    Some(max.map_or(free, |max| free.min(max.saturating_sub(taken))))
}

fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The default number of actors: without a sweep, and at the end of a sweep.
pub(super) const ALONE: u32 = 1_000_000;
pub(super) const SWEPT: u32 = 10_000_000;

#[derive(Clone, Copy, Debug)]
pub(super) struct MachineMemory {
    /// Available bytes; `None` if the system does not report them.
    free: Option<u64>,
    /// Bytes for each actor.
    per_actor: u64,
}

impl MachineMemory {
    /// Estimates an upper bound of the bytes of an actor in these cases, with one more scene while
    /// scenes are made.
    pub(super) fn from_cases(cases: &[BenchCase]) -> Self {
        const SCENE: u64 = 128;
        let bytes = |case: &BenchCase| match case {
            BenchCase::Textbook | BenchCase::TextbookChurned => 120,
            BenchCase::TextbookColumns => 48,
            BenchCase::Incremental(_, change) if !change.is_first() => 0,
            _ => SCENE,
        };
        Self { free: free_memory(), per_actor: SCENE + cases.iter().map(bytes).sum::<u64>() }
    }

    /// Checks that actors fit; returns a warning if little memory is left.
    pub(super) fn alone(self, actors: u32) -> Result<Option<Diagnostic>, Diagnostic> {
        if u64::from(actors) > self.capacity() {
            let (takes, has) = (self.takes(actors), self.has());
            let message = format!("{actors} actors take about {takes}, and {has} are free");
            let fits =
                format!("{} fit: give --actors, or measure fewer with --policy", self.capacity());
            return Err(Diagnostic::error(message).help(fits));
        }
        let is_tight = u64::from(actors) > self.capacity() / 4 * 3;
        Ok(is_tight.then(|| {
            let (takes, has) = (self.takes(actors), self.has());
            let message = format!("{actors} actors take about {takes} of {has} free");
            Diagnostic::new(Severity::Warning, message)
                .help("other programs may be slowed down, and slow this one down")
        }))
    }

    /// The sizes 100, 1000 and so on up to `actors`, as far as they fit; with a warning if not all
    /// do.
    pub(super) fn sweep(self, actors: u32) -> Result<(Vec<u32>, Option<Diagnostic>), Diagnostic> {
        let powers = std::iter::successors(Some(MIN_ACTORS), |size| size.checked_mul(10));
        let mut sizes: Vec<_> = powers.take_while(|&size| size < actors).chain([actors]).collect();
        sizes.retain(|&size| u64::from(size) <= self.capacity());
        let Some(&last) = sizes.last() else {
            return self.alone(MIN_ACTORS).map(|_| (sizes, None));
        };
        let warning = (last < actors).then(|| {
            let (takes, has) = (self.takes(actors), self.has());
            Diagnostic::new(Severity::Warning, format!("the sweep ends at {last} actors"))
                .help(format!("{actors} take about {takes}, and {has} are free"))
        });
        Ok((sizes, warning))
    }

    fn capacity(self) -> u64 {
        self.free.map_or(u64::MAX, |free| free / self.per_actor.max(1))
    }

    fn takes(self, actors: u32) -> String {
        gibibytes(self.per_actor.saturating_mul(actors.into()))
    }

    fn has(self) -> String {
        self.free.map_or("an unknown number of GiB".to_owned(), gibibytes)
    }
}

#[expect(clippy::cast_precision_loss, reason = "for eyes")]
fn gibibytes(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
}

#[cfg(test)]
mod tests {
    use super::super::workload::BenchPolicy;
    use super::*;

    #[test]
    fn the_format_of_linux_is_read() {
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
        let bytes = |all| {
            MachineMemory::from_cases(&BenchCase::for_policies(&BenchPolicy::ALL, all)).per_actor
        };
        let (all, drawn) = (bytes(true), bytes(false));
        assert!(drawn < all && all < 4_608, "{drawn} {all}");
    }

    const fn memory(free: u64) -> MachineMemory {
        MachineMemory { free: Some(free), per_actor: 1 << 10 }
    }

    #[test]
    fn too_many_actors_are_rejected_with_the_number_that_fits() {
        assert!(memory(4 << 30).alone(1 << 20).expect("it fits").is_none());
        let warning = memory((1 << 30) + 4096).alone(1 << 20).expect("it fits").expect("a warning");
        assert_eq!(warning.message, "1048576 actors take about 1.0 GiB of 1.0 GiB free");
        let error = memory(1 << 29).alone(1 << 20).expect_err("it does not fit");
        assert_eq!(error.message, "1048576 actors take about 1.0 GiB, and 0.5 GiB are free");
        assert_eq!(error.help, ["524288 fit: give --actors, or measure fewer with --policy"]);
        let unknown = MachineMemory { free: None, per_actor: 1 << 10 };
        assert!(unknown.alone(u32::MAX).expect("unknown").is_none());
    }

    #[test]
    fn a_sweep_goes_as_far_as_memory() {
        let (sizes, text) = memory(1 << 30).sweep(20_000).expect("it fits");
        assert_eq!((sizes, text.is_none()), (vec![100, 1_000, 10_000, 20_000], true));
        let (sizes, text) = memory(1 << 30).sweep(SWEPT).expect("some fit");
        assert_eq!(sizes, [100, 1_000, 10_000, 100_000, 1_000_000]);
        let text = text.expect("a warning");
        assert_eq!(text.message, "the sweep ends at 1000000 actors");
        assert_eq!(text.help, ["10000000 take about 9.5 GiB, and 1.0 GiB are free"]);
        assert!(memory(1 << 10).sweep(1_000).is_err());
        let (sizes, text) = memory(1 << 30).sweep(100).expect("it fits");
        assert_eq!((sizes, text.is_none()), (vec![100], true));
    }
}
