//! For how many actors it is measured, and whether they fit into memory.

use lodger_terminal::{Diagnostic, Severity};

use crate::options::LEAST_ACTORS;

/// How many actors, unless it is said: alone, and at the end of a sweep.
pub(crate) const ALONE: u32 = 1_000_000;
pub(crate) const SWEPT: u32 = 10_000_000;

/// What actors take and what there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// In bytes; none where it is not told.
    pub(crate) free: Option<u64>,
    /// Bytes for each actor.
    pub(crate) per_actor: u64,
}

impl Memory {
    /// How many actors fit.
    fn most(self) -> u64 {
        self.free.map_or(u64::MAX, |free| free / self.per_actor.max(1))
    }

    fn takes(self, actors: u32) -> String {
        gibibytes(self.per_actor.saturating_mul(actors.into()))
    }

    fn has(self) -> String {
        self.free.map_or("an unknown number of GiB".to_owned(), gibibytes)
    }
}

/// So many actors, if they fit; a warning where little would be left.
pub(crate) fn alone(actors: u32, memory: Memory) -> Result<Option<Diagnostic>, Diagnostic> {
    if u64::from(actors) > memory.most() {
        let (takes, has) = (memory.takes(actors), memory.has());
        let message = format!("{actors} actors take about {takes}, and {has} are free");
        let fits = format!("{} fit: give --actors, or measure fewer with --policy", memory.most());
        return Err(Diagnostic::error(message).help(fits));
    }
    let is_tight = u64::from(actors) > memory.most() / 4 * 3;
    Ok(is_tight.then(|| {
        let message =
            format!("{actors} actors take about {} of {} free", memory.takes(actors), memory.has());
        Diagnostic::new(Severity::Warning, message)
            .help("what else runs may be slowed down, and slow this down")
    }))
}

/// 100, 1000 and so on up to so many actors, as far as they fit; a warning where they do not.
pub(crate) fn sweep(
    actors: u32,
    memory: Memory,
) -> Result<(Vec<u32>, Option<Diagnostic>), Diagnostic> {
    let powers = std::iter::successors(Some(LEAST_ACTORS), |size| size.checked_mul(10));
    let mut sizes: Vec<_> = powers.take_while(|&size| size < actors).chain([actors]).collect();
    sizes.retain(|&size| u64::from(size) <= memory.most());
    let Some(&last) = sizes.last() else {
        return alone(LEAST_ACTORS, memory).map(|_| (sizes, None));
    };
    let told = (last < actors).then(|| {
        let (takes, has) = (memory.takes(actors), memory.has());
        let message = format!("the sweep ends at {last} actors");
        Diagnostic::new(Severity::Warning, message)
            .help(format!("{actors} take about {takes}, and {has} are free"))
    });
    Ok((sizes, told))
}

#[expect(clippy::cast_precision_loss, reason = "for eyes")]
fn gibibytes(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn memory(free: u64) -> Memory {
        Memory { free: Some(free), per_actor: 1 << 10 }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_does() {
        assert!(alone(1 << 20, memory(4 << 30)).expect("it fits").is_none());
        let warning =
            alone(1 << 20, memory((1 << 30) + 4096)).expect("it fits").expect("a warning");
        assert_eq!(warning.message, "1048576 actors take about 1.0 GiB of 1.0 GiB free");
        let error = alone(1 << 20, memory(1 << 29)).expect_err("it does not fit");
        assert_eq!(error.message, "1048576 actors take about 1.0 GiB, and 0.5 GiB are free");
        assert_eq!(error.help, ["524288 fit: give --actors, or measure fewer with --policy"]);
        let unknown = Memory { free: None, per_actor: 1 << 10 };
        assert!(alone(u32::MAX, unknown).expect("nobody knows").is_none());
    }

    #[test]
    fn a_sweep_goes_as_far_as_memory() {
        let (sizes, told) = sweep(20_000, memory(1 << 30)).expect("it fits");
        assert_eq!((sizes, told.is_none()), (vec![100, 1_000, 10_000, 20_000], true));
        let (sizes, told) = sweep(SWEPT, memory(1 << 30)).expect("some fit");
        assert_eq!(sizes, [100, 1_000, 10_000, 100_000, 1_000_000]);
        let told = told.expect("a warning");
        assert_eq!(told.message, "the sweep ends at 1000000 actors");
        assert_eq!(told.help, ["10000000 take about 9.5 GiB, and 1.0 GiB are free"]);
        assert!(sweep(1_000, memory(1 << 10)).is_err());
        let (sizes, told) = sweep(100, memory(1 << 30)).expect("it fits");
        assert_eq!((sizes, told.is_none()), (vec![100], true));
    }
}
