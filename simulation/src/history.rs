//! What a candidate did, frame by frame.

use crate::decide::{Belief, Choice, Decide, Why};

/// What a candidate did, frame by frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// What each frame took and, where there was a plan, was planned to take, in milliseconds.
    pub(crate) took_ms: Vec<f32>,
    pub(crate) planned_ms: Vec<f32>,
    /// How many actors changed their level in each frame.
    pub(crate) changed: Vec<u32>,
    /// The assumed unit cost of each module, as a share of the true one: raw, then applied. Of each frame if it is
    /// watched, else of the last.
    pub(crate) beliefs: Vec<[f32; 2]>,
    /// The words for why.
    pub(crate) whys: Vec<Why>,
    /// The levels of each actor that is shown.
    pub(crate) lives: Vec<Life>,
}

/// The levels of an actor, as runs of equal ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Life {
    /// The runs that have ended: how many frames, the level, the number of the reason, and the benefit with
    /// which it began in 2⁻¹⁶. The first and the last are written in groups of 7 bits.
    bytes: Vec<u8>,
    run: Option<Run>,
}

#[derive(Debug, Clone, Copy)]
struct Run {
    frames: u32,
    level: u8,
    why: u8,
    benefit: f64,
}

impl History {
    /// Keeps what is known of every frame, and for a page what was believed in it.
    #[expect(clippy::cast_possible_truncation, reason = "for pictures")]
    pub(crate) fn note(
        &mut self,
        choice: &Choice,
        took_ns: f64,
        beliefs: &[Belief],
        true_ns: &[f64],
        is_watched: bool,
    ) {
        self.took_ms.push((took_ns / 1e6) as f32);
        self.planned_ms.extend(choice.planned_ns.map(|ns| (ns / 1e6) as f32));
        if !is_watched {
            self.beliefs.clear();
        }
        let parts = beliefs.iter().zip(true_ns);
        let parts = parts.map(|(belief, ns)| [belief.raw_ns / ns, belief.applied_ns / ns]);
        self.beliefs.extend(parts.map(|part| part.map(|part| part as f32)));
    }

    /// Keeps the levels of those that are shown.
    pub(crate) fn watch(
        &mut self,
        shown: impl Iterator<Item = usize>,
        choice: &Choice,
        benefits: &[f64],
        decider: &dyn Decide,
    ) {
        for (index, actor) in shown.enumerate() {
            let why = decider.why(actor).map_or(0, |why| self.number(why));
            if self.lives.len() == index {
                self.lives.push(Life::default());
            }
            self.lives[index].live(choice.levels[actor], why, benefits[actor]);
        }
    }

    fn number(&mut self, why: Why) -> u8 {
        let known = self.whys.iter().position(|known| *known == why);
        let number = known.unwrap_or_else(|| {
            self.whys.push(why);
            self.whys.len() - 1
        });
        u8::try_from(number).unwrap_or(0)
    }
}

impl Life {
    fn live(&mut self, level: u8, why: u8, benefit: f64) {
        match &mut self.run {
            Some(run) if (run.level, run.why) == (level, why) => run.frames += 1,
            _ => {
                let ended = self.run.replace(Run { frames: 1, level, why, benefit });
                if let Some(ended) = ended {
                    ended.write(&mut self.bytes);
                }
            }
        }
    }

    /// All runs, in bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        if let Some(run) = self.run {
            run.write(&mut bytes);
        }
        bytes
    }
}

impl Run {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^24")]
    fn write(self, bytes: &mut Vec<u8>) {
        groups(self.frames, bytes);
        bytes.extend([self.level, self.why]);
        groups((self.benefit * 65_536.0) as u32, bytes);
    }
}

/// Groups of 7 bits, the lowest first; all but the last have the highest bit set.
#[expect(clippy::cast_possible_truncation, reason = "the lowest bits are meant")]
fn groups(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
