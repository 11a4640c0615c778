//! Costs and radii of many assets, with the widest vector instructions of the processor.

use lodger_core::Real;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::{AssetColumns, StreamingModel};
use lodger_cpu::{SimdKernel, SimdLevel};

/// Computes the streaming cost of each asset with the widest vector instructions of the processor. The results are
/// bit-identical to [`StreamingModel::costs`].
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{AssetColumns, PerLod, StreamingRules, StreamingModel};
/// use lodger_mesh_asset::streaming_costs;
///
/// let viewer = StreamingModel::<f32>::new(StreamingRules::VIEWER)?;
/// let bytes = PerLod { lowest: &[391][..], low: &[561], medium: &[901], high: &[2498] };
/// let mut costs = [0.0];
/// streaming_costs(&viewer, AssetColumns { radius: &[0.5], bytes }, &mut costs);
/// let sizes = PerLod { lowest: 391, low: 561, medium: 901, high: 2498 };
/// assert_eq!(costs[0], viewer.cost(0.5, sizes));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn streaming_costs<N: Real>(
    streaming: &StreamingModel<N>,
    assets: AssetColumns<'_, N, i32>,
    out: &mut [N],
) {
    SimdLevel::Widest.run(Costs { streaming, assets, out });
}

/// Computes the [radius](ObjectScale::radius) of each size in metres with the widest vector instructions of the
/// processor. The results are bit-identical to [`ObjectScale::radii`].
///
/// # Examples
/// ```
/// use lodger_mesh_asset::radii;
///
/// let mut out = [0.0; 2];
/// radii([&[10.0_f64, 3.0], &[10.0, 4.0], &[10.0, 0.0]], &mut out);
/// // The linkability document: "radius_A = 8.66m (This is a 10x10x10m prim ...)".
/// assert!((out[0] - 8.66).abs() < 0.001);
/// assert_eq!(out[1], 2.5);
/// ```
pub fn radii<N: Real>(sides: [&[N]; 3], out: &mut [N]) {
    SimdLevel::Widest.run(Radii { sides, out });
}

struct Costs<'a, N: Real> {
    streaming: &'a StreamingModel<N>,
    assets: AssetColumns<'a, N, i32>,
    out: &'a mut [N],
}

impl<N: Real> SimdKernel for Costs<'_, N> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // required to compile for the vector width of the caller
    fn run(self) {
        self.streaming.costs(self.assets, self.out);
    }
}

struct Radii<'a, N> {
    sides: [&'a [N]; 3],
    out: &'a mut [N],
}

impl<N: Real> SimdKernel for Radii<'_, N> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // required to compile for the vector width of the caller
    fn run(self) {
        ObjectScale::radii(self.sides, self.out);
    }
}
