//! A sweep as a table.

use clap::builder::styling::Style;
use comfy_table::Cell;
use lodger_core::cost::physics::Representation;
use lodger_input::figures::weights;
use lodger_opensim::pricing::{Bend, Mark};

use super::super::report::{Point, Sweep};
use lodger_terminal::layout::{Column, empty, number};
use lodger_terminal::{Look, hint, length, plain};

/// Both ends, and all sizes between them at which something changes.
pub(crate) fn sweep(sweep: &Sweep, look: Look) -> String {
    let name = look.paint(Style::new().bold(), &plain(&sweep.file));
    let mut text = format!("{name} from small to large: {}\n", variable(sweep));
    let note =
        "Only where something changes; --format csv shows all sizes, --plot FILE.svg a picture.";
    text += &(hint(note, look) + "\n");
    let numbers = ["Size m", "Streaming", "Physics", "Server", "Impact"].map(Column::Number);
    let mut table = empty(look, &[&numbers[..], &[Column::Words("What changes")]].concat());
    let digits = |of: fn(&Point) -> f64| weights(sweep.points.iter().map(of));
    let digits = [digits(|at| at.streaming), digits(|at| at.physics), digits(|at| at.server)];
    let last = sweep.points.len().saturating_sub(1);
    for (index, point) in sweep.points.iter().enumerate() {
        let is_end = index == 0 || index == last;
        if !is_end && matches!(point.mark, None | Some(Mark::Bend(Bend::Shut(_)))) {
            continue;
        }
        let mut cells = vec![number(length(point.size))];
        let costs = [point.streaming, point.physics, point.server].into_iter().zip(digits);
        cells.extend(costs.map(|(cost, column)| number(column.show(cost))));
        cells.push(number(point.land_impact.to_string()));
        cells.push(Cell::new(point.mark.as_ref().map(Mark::to_string).unwrap_or_default()));
        table.add_row(cells);
    }
    text += &(table.trim_fmt() + "\n");
    if let Some(why) = without_flip(sweep) {
        text += &hint(&why, look);
    }
    text
}

/// What the size is the size of.
pub(super) fn variable(sweep: &Sweep) -> String {
    let [x, y, z] = sweep.proportions.map(length);
    if [&x, &y, &z].iter().all(|side| side.as_str() == "1") {
        "a cube of this side".to_owned()
    } else {
        format!("longest side; proportions {x} : {y} : {z}")
    }
}

/// Why there is no flip of the physics, if there is none.
pub(super) fn without_flip(sweep: &Sweep) -> Option<String> {
    if sweep.points.iter().any(|point| point.mark == Some(Mark::Flip)) {
        return None;
    }
    let first = sweep.points.first()?.representation;
    let always = sweep.points.iter().all(|point| point.representation == first);
    always.then(|| match first {
        Representation::None => "no 0.5 m flip: no physics".to_owned(),
        used => format!("no 0.5 m flip: physics is a {used} at every size"),
    })
}
