//! Simulator cost, server weight and land impact.

/// Simulator cost of a linkset: factor, active cost high and low, linkset factor.
#[must_use]
pub fn cost(parameters: [f64; 4], objects: u32, active: bool) -> f64 {
    let [factor, high, low, linkset] = parameters;
    let objects = f64::from(objects);
    factor * (if active { high } else { low }) * (objects + linkset / objects)
}

/// Server weight.
#[must_use]
pub fn server(prims: u32, scripts: u32, one_free: bool) -> f64 {
    let (prims, mut scripts) = (f64::from(prims), f64::from(scripts));
    if one_free && scripts > 0.0 {
        scripts -= 1.0;
    }
    (prims / 2.0 + scripts / 4.0).min(prims)
}

/// Land impact and what limits it.
#[must_use]
pub fn land_impact(streaming: f64, physics: f64, server: f64) -> (f64, &'static str) {
    let greatest = streaming.max(physics).max(server);
    let by = if streaming >= greatest {
        "streaming"
    } else if physics >= greatest {
        "physics"
    } else {
        "server"
    };
    (greatest.round().max(1.0), by)
}
