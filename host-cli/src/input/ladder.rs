//! What the work of an actor must be like, in every format.

/// LODs are counted in a byte.
const MOST_LEVELS: usize = 256;
/// Costs are whole nanoseconds in 32 bits.
const HIGHEST_COST_NS: f64 = 4_294_967_295.0;
const NS_PER_MS: f64 = 1e6;

/// Says what is wrong with the work at LOD 0, 1, 2…, as the end of a sentence.
pub(super) fn check(work: &[u32], unit_cost_ms: f64) -> Result<(), String> {
    let Some(&highest) = work.last() else {
        return Err("is empty, but must have the units at LOD 0 at least".to_owned());
    };
    if work.len() > MOST_LEVELS {
        return Err(format!("has {} LODs, but at most {MOST_LEVELS} are possible", work.len()));
    }
    if let Some(lod) = work.windows(2).position(|pair| pair[1] < pair[0]) {
        return Err(format!(
            "decreases from {} at LOD {lod} to {} at LOD {}, but higher LODs cannot cost less",
            work[lod],
            work[lod + 1],
            lod + 1
        ));
    }
    if (unit_cost_ms * NS_PER_MS * f64::from(highest)).ceil() > HIGHEST_COST_NS {
        return Err(format!(
            "of {highest} units at {unit_cost_ms:?} ms a unit costs more than the 4.29 s that one actor may cost"
        ));
    }
    Ok(())
}
