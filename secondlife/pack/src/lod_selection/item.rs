//! The options of an object: candidates of each level, with cost and loss.

use lodger_core::cost::streaming::{MeshLod, PerLod, StreamingModel};

use crate::lod_chain::LodCandidate;
use crate::lod_selection::{SelectionInput, importances};

/// The levels, the highest first.
pub(crate) const DOWNWARD: [MeshLod; 4] =
    [MeshLod::High, MeshLod::Medium, MeshLod::Low, MeshLod::Lowest];

pub(super) type OptionIndices = [usize; 4];

#[derive(Clone, Copy, Debug)]
pub(super) struct LodOption {
    pub(super) candidate: usize,
    pub(super) bytes: i32,
    triangles: usize,
    pub(super) loss: f64,
    /// Its share of the streaming cost.
    pub(super) cost: f64,
}

impl LodOption {
    /// Whether it is no heavier than another, in bytes and triangles.
    fn is_below(&self, above: &Self) -> bool {
        self.bytes <= above.bytes && self.triangles <= above.triangles
    }
}

/// The options of each level of an object, from the high level down: the best first, each lighter
/// than the previous.
#[derive(Debug)]
pub(super) struct ObjectOptions {
    pub(super) radius: f64,
    pub(super) forms: [Vec<LodOption>; 4],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OptionFilter {
    /// The high level may be other than the source.
    pub(super) high: bool,
    pub(super) authored: bool,
}

impl ObjectOptions {
    pub(super) fn new(
        object: &SelectionInput<'_>,
        streaming: &StreamingModel<f64>,
        freedom: OptionFilter,
    ) -> Self {
        let radius = super::radius(object.frame);
        let (importances, shares) =
            (importances(streaming, object.frame), streaming.area_shares(radius));
        let form = |lod: MeshLod, candidate: usize| {
            let LodCandidate { level, bytes, error, .. } = &object.chain.candidates()[candidate];
            let bytes = i32::try_from(*bytes).unwrap_or(i32::MAX);
            // The cost of all four levels with as many bytes, times the share of the area of this one.
            let everywhere = PerLod { lowest: bytes, low: bytes, medium: bytes, high: bytes };
            LodOption {
                candidate,
                bytes,
                triangles: level.triangle_count(),
                loss: importances.of(lod) * error,
                cost: shares.of(lod) * streaming.cost(radius, everywhere),
            }
        };
        let made = object.chain.generated().len();
        let fixed = DOWNWARD.map(|lod| match lod {
            MeshLod::High => (!freedom.high).then_some(0),
            lod => object.chain.authored(lod).filter(|_| freedom.authored),
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

    /// Removes options that may not be above or below a fixed level.
    fn fit_around(&mut self, place: usize, form: &dyn Fn(MeshLod, usize) -> LodOption) {
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

    fn at(&self, selected: &OptionIndices) -> [&LodOption; 4] {
        std::array::from_fn(|place| &self.forms[place][selected[place]])
    }

    pub(super) fn loss(&self, selected: &OptionIndices) -> f64 {
        self.at(selected).iter().map(|form| form.loss).sum()
    }

    pub(super) fn cost(&self, selected: &OptionIndices) -> f64 {
        self.at(selected).iter().map(|form| form.cost).sum()
    }

    pub(super) fn bytes(&self, selected: &OptionIndices) -> PerLod<i32> {
        self.lods(selected, |form| form.bytes)
    }

    pub(super) fn lods<T>(
        &self,
        selected: &OptionIndices,
        of: impl Fn(&LodOption) -> T,
    ) -> PerLod<T> {
        let [high, medium, low, lowest] = self.at(selected).map(of);
        PerLod { lowest, low, medium, high }
    }

    pub(super) fn lightest(&self) -> OptionIndices {
        std::array::from_fn(|place| self.forms[place].len() - 1)
    }

    /// For each level the option nearest to a ratio to the triangles of the best high level; of
    /// equals the one with fewer.
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 triangles")]
    pub(super) fn nearest(&self, parts: [f64; 4]) -> OptionIndices {
        let all = self.forms[0].first().map_or(0, |form| form.triangles) as f64;
        std::array::from_fn(|place| {
            let off = |form: &LodOption| (form.triangles as f64 - all / parts[place]).abs();
            let forms = self.forms[place].iter().enumerate().rev();
            let nearest = forms.min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
            nearest.map_or(0, |(index, _)| index)
        })
    }

    /// The first option of the next level that is no heavier; 0 below the lowest.
    pub(super) fn first_below(&self, place: usize, pick: usize) -> Option<usize> {
        let above = self.forms[place][pick];
        let Some(forms) = self.forms.get(place + 1) else { return Some(0) };
        forms.iter().position(|form| form.is_below(&above))
    }

    /// Makes levels lighter until none is heavier than the one above; `None` if that is impossible.
    pub(super) fn repaired(&self, mut selected: OptionIndices) -> Option<OptionIndices> {
        for place in 0..3 {
            let first = self.first_below(place, selected[place])?;
            selected[place + 1] = selected[place + 1].max(first);
        }
        Some(selected)
    }
}
