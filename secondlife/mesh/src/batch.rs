//! Costs and radii of many assets with the widest vector instructions of the processor.

use lodger_core::Real;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::{AssetColumns, StreamingModel};

/// [Streaming cost](Streaming::cost) of each asset, with the widest vector instructions of the processor.
///
/// The results are bit-identical to [`StreamingModel::costs`].
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{AssetColumns, Lods, Rules, StreamingModel};
/// use lodger_mesh_asset::streaming_costs;
///
/// let viewer = StreamingModel::<f32>::new(Rules::VIEWER)?;
/// let bytes = Lods { lowest: &[391][..], low: &[561], medium: &[901], high: &[2498] };
/// let mut costs = [0.0];
/// streaming_costs(&viewer, AssetColumns { radius: &[0.5], bytes }, &mut costs);
/// assert!(costs[0] > 0.0);
/// # Ok::<(), lodger_core::AssetError>(())
/// ```
pub fn streaming_costs<N: Real>(
    streaming: &StreamingModel<N>,
    assets: AssetColumns<'_, N, i32>,
    out: &mut [N],
) {
    pulp::Arch::new().dispatch(Costs { streaming, assets, out });
}

/// [Radius](ObjectScale::radius) of each size, with the widest vector instructions of the processor. The results are
/// bit-identical to [`ObjectScale::radii`].
pub fn radii<N: Real>(sides: [&[N]; 3], out: &mut [N]) {
    pulp::Arch::new().dispatch(Radii { sides, out });
}

/// Inputs of [`streaming_costs`], compiled once for each vector width.
struct Costs<'a, N: Real> {
    streaming: &'a StreamingModel<N>,
    assets: AssetColumns<'a, N, i32>,
    out: &'a mut [N],
}

impl<N: Real> pulp::WithSimd for Costs<'_, N> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // required to compile for the vector width of the caller
    fn with_simd<S: pulp::Simd>(self, _: S) {
        self.streaming.costs(self.assets, self.out);
    }
}

/// Inputs of [`radii`].
struct Radii<'a, N> {
    sides: [&'a [N]; 3],
    out: &'a mut [N],
}

impl<N: Real> pulp::WithSimd for Radii<'_, N> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // required to compile for the vector width of the caller
    fn with_simd<S: pulp::Simd>(self, _: S) {
        ObjectScale::radii(self.sides, self.out);
    }
}
