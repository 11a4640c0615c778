//! An object whose levels are chosen: the forms that each may take, what they cost and what they lose.

use lodger_core::cost::streaming::{Lods, MeshLod, Streaming};

use super::{Choosing, weights};
use crate::chain::Candidate;

/// The levels as they follow each other here: from the high one down.
pub(super) const DOWNWARD: [MeshLod; 4] =
    [MeshLod::High, MeshLod::Medium, MeshLod::Low, MeshLod::Lowest];

/// The form of each level, as a place in its list, from the high one down.
pub(super) type Picks = [usize; 4];

/// What a level may become.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// Which candidate of the chain.
    pub(super) candidate: usize,
    pub(super) bytes: i32,
    triangles: usize,
    /// Weight times error.
    pub(super) loss: f64,
    /// Its part of the streaming cost.
    pub(super) cost: f64,
}

impl Form {
    /// Whether it may stand below another: it is no heavier, in bytes and in triangles.
    fn is_below(&self, above: &Self) -> bool {
        self.bytes <= above.bytes && self.triangles <= above.triangles
    }
}

/// An object, and for each level from the high one down the forms that it may take: the best first, each lighter than
/// those before it.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) radius: f64,
    pub(super) forms: [Vec<Form>; 4],
}

/// Which forms levels may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Freedom {
    /// Whether the high level may be another than the source.
    pub(super) high: bool,
    /// Whether a level that the model brings stays.
    pub(super) given: bool,
}

impl Item {
    pub(super) fn new(object: &Choosing<'_>, streaming: &Streaming<f64>, freedom: Freedom) -> Self {
        let radius = super::radius(object.frame);
        let (weights, shares) = (weights(streaming, object.frame), streaming.area_shares(radius));
        let form = |lod: MeshLod, candidate: usize| {
            let Candidate { level, bytes, error, .. } = &object.chain.candidates()[candidate];
            let bytes = i32::try_from(*bytes).unwrap_or(i32::MAX);
            // What all four levels cost with as many bytes, by the part of the area in which this one is shown.
            let everywhere = Lods { lowest: bytes, low: bytes, medium: bytes, high: bytes };
            Form {
                candidate,
                bytes,
                triangles: level.triangle_count(),
                loss: weights.of(lod) * error,
                cost: shares.of(lod) * streaming.cost(radius, everywhere),
            }
        };
        let made = object.chain.made().len();
        let fixed = DOWNWARD.map(|lod| match lod {
            MeshLod::High => (!freedom.high).then_some(0),
            lod => object.chain.given(lod).filter(|_| freedom.given),
        });
        let list = |place: usize| match fixed[place] {
            Some(only) => vec![form(DOWNWARD[place], only)],
            None => (0..made).map(|candidate| form(DOWNWARD[place], candidate)).collect(),
        };
        let mut this = Self { radius, forms: std::array::from_fn(list) };
        for place in (0..4).filter(|&place| fixed[place].is_some()) {
            this.fit_around(place, &form);
        }
        this
    }

    /// Leaves the other levels only forms that may be above or below the one that is fixed.
    fn fit_around(&mut self, place: usize, form: &dyn Fn(MeshLod, usize) -> Form) {
        let fixed = self.forms[place][0];
        let (above, rest) = self.forms.split_at_mut(place);
        for forms in above {
            forms.retain(|one| fixed.is_below(one));
        }
        for (lod, forms) in DOWNWARD[place..].iter().zip(rest).skip(1) {
            forms.retain(|one| one.is_below(&fixed));
            if forms.is_empty() {
                forms.push(form(*lod, fixed.candidate));
            }
        }
    }

    fn at(&self, picks: &Picks) -> [&Form; 4] {
        std::array::from_fn(|place| &self.forms[place][picks[place]])
    }

    /// Weight times error, of all levels.
    pub(super) fn loss(&self, picks: &Picks) -> f64 {
        self.at(picks).iter().map(|form| form.loss).sum()
    }

    /// The streaming cost, but for what sums round.
    pub(super) fn cost(&self, picks: &Picks) -> f64 {
        self.at(picks).iter().map(|form| form.cost).sum()
    }

    pub(super) fn bytes(&self, picks: &Picks) -> Lods<i32> {
        self.lods(picks, |form| form.bytes)
    }

    /// Something of each level's form.
    pub(super) fn lods<T>(&self, picks: &Picks, of: impl Fn(&Form) -> T) -> Lods<T> {
        let [high, medium, low, lowest] = self.at(picks).map(of);
        Lods { lowest, low, medium, high }
    }

    /// The lightest of all forms.
    pub(super) fn lightest(&self) -> Picks {
        std::array::from_fn(|place| self.forms[place].len() - 1)
    }

    /// For each level the form that has about so small a part of the triangles of the high one's best: of equally near
    /// ones that with fewer.
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 triangles")]
    pub(super) fn nearest(&self, parts: [f64; 4]) -> Picks {
        let all = self.forms[0].first().map_or(0, |form| form.triangles) as f64;
        std::array::from_fn(|place| {
            let off = |form: &Form| (form.triangles as f64 - all / parts[place]).abs();
            let forms = self.forms[place].iter().enumerate().rev();
            let nearest = forms.min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
            nearest.map_or(0, |(index, _)| index)
        })
    }

    /// The first form of the next level that is no heavier than a form of one; 0 below the lowest.
    pub(super) fn first_below(&self, place: usize, pick: usize) -> Option<usize> {
        let above = self.forms[place][pick];
        let Some(forms) = self.forms.get(place + 1) else { return Some(0) };
        forms.iter().position(|form| form.is_below(&above))
    }

    /// Makes levels lighter until none is heavier than the one above; `None` if one cannot be.
    pub(super) fn repaired(&self, mut picks: Picks) -> Option<Picks> {
        for place in 0..3 {
            let first = self.first_below(place, picks[place])?;
            picks[place + 1] = picks[place + 1].max(first);
        }
        Some(picks)
    }
}
