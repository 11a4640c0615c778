//! The streaming costs of many assets at once.

use lodger_core::cost::streaming::{AssetColumns, Streaming};

/// The [streaming cost](Streaming::cost) of each asset, with the widest vectors that the processor
/// has.
///
/// The results are those of [`Streaming::costs`], to the last bit: wider vectors do the same
/// additions, products and quotients, only more of them at a time.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{AssetColumns, Lods, Rules, Streaming};
/// use lodger_mesh_asset::streaming_costs;
///
/// let viewer = Streaming::<f32>::new(Rules::VIEWER)?;
/// let bytes = Lods { lowest: &[391][..], low: &[561], medium: &[901], high: &[2498] };
/// let mut costs = [0.0];
/// streaming_costs(&viewer, AssetColumns { radius: &[0.5], bytes }, &mut costs);
/// assert!(costs[0] > 0.0);
/// # Ok::<(), lodger_core::Error>(())
/// ```
pub fn streaming_costs(
    streaming: &Streaming<f32>,
    assets: AssetColumns<'_, f32, i32>,
    out: &mut [f32],
) {
    pulp::Arch::new().dispatch(Batch { streaming, assets, out });
}

/// The work of [`streaming_costs`], to be compiled once for each kind of vector.
struct Batch<'a> {
    streaming: &'a Streaming<f32>,
    assets: AssetColumns<'a, f32, i32>,
    out: &'a mut [f32],
}

impl pulp::WithSimd for Batch<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // or it is not compiled for the vectors that it was called for
    fn with_simd<S: pulp::Simd>(self, _: S) {
        self.streaming.costs(self.assets, self.out);
    }
}
