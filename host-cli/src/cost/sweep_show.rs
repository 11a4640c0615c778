//! A sweep as a table or as JSON.

use clap::builder::styling::Style;
use comfy_table::Cell;
use serde::Serialize;

use super::conditions::Conditions;
use super::mesh::longest_side;
use super::sweep::{Mark, Point};
use super::words::{self, length, weight};
use lodger_terminal::layout::{Column, empty, number};
use lodger_terminal::{Look, plain};

/// A sweep, and what is shown of it besides the numbers.
pub(super) struct Shown<'a> {
    /// The file.
    pub(super) name: &'a str,
    /// What was not swept.
    pub(super) conditions: &'a Conditions,
    /// By size.
    pub(super) points: &'a [Point],
}

/// A sweep as JSON of schema 1.
#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
    schema: u32,
    file: &'a str,
    rules: &'static str,
    variable: &'static str,
    proportions: [f64; 3],
    points: &'a [Point],
}

impl Shown<'_> {
    /// What JSON shows.
    pub(super) fn document(&self) -> Document<'_> {
        Document {
            schema: 1,
            file: self.name,
            rules: self.conditions.rules(),
            variable: "size: the longest side in metres",
            proportions: self.proportions(),
            points: self.points,
        }
    }

    /// The sides for a longest of 1.
    fn proportions(&self) -> [f64; 3] {
        let longest = longest_side(self.conditions.scale);
        self.conditions.scale.sides().map(|side| side / longest)
    }

    /// What the size is the size of.
    pub(super) fn variable(&self) -> String {
        let [x, y, z] = self.proportions().map(length);
        if [&x, &y, &z].iter().all(|side| side.as_str() == "1") {
            "a cube of this side".to_owned()
        } else {
            format!("longest side; proportions {x} : {y} : {z}")
        }
    }

    /// Why there is no flip of the physics, if there is none.
    pub(super) fn without_flip(&self) -> Option<String> {
        if self.points.iter().any(|point| point.mark == Some(Mark::Flip)) {
            return None;
        }
        let first = self.points.first()?.representation;
        let always = self.points.iter().all(|point| point.representation == first);
        always.then(|| match first {
            "none" => "no 0.5 m flip: no physics".to_owned(),
            used => format!("no 0.5 m flip: physics is a {used} at every size"),
        })
    }

    /// Both ends, and all sizes between them at which something changes.
    pub(super) fn table(&self, look: Look) -> String {
        let name = look.paint(Style::new().bold(), &plain(self.name));
        let mut text = format!("{name} from small to large: {}\n", self.variable());
        let hint = "Only where something changes; --format csv shows all sizes, --plot FILE.svg a picture.";
        text += &(words::hint(hint, look) + "\n");
        let numbers = ["Size m", "Streaming", "Physics", "Server", "Impact"].map(Column::Number);
        let mut table = empty(look, &[&numbers[..], &[Column::Words("What changes")]].concat());
        let last = self.points.len().saturating_sub(1);
        for (index, point) in self.points.iter().enumerate() {
            let is_end = index == 0 || index == last;
            let repeats = matches!(point.mark, Some(Mark::Break { short: None, .. }));
            if !is_end && (point.mark.is_none() || repeats) {
                continue;
            }
            let costs = [point.streaming, point.physics, point.server].map(weight).map(number);
            let mut cells = vec![number(length(point.size))];
            cells.extend(costs);
            cells.push(number(point.land_impact.to_string()));
            cells.push(Cell::new(point.mark.as_ref().map(Mark::text).unwrap_or_default()));
            table.add_row(cells);
        }
        text += &(table.trim_fmt() + "\n");
        if let Some(why) = self.without_flip() {
            text += &words::hint(&why, look);
        }
        text
    }
}
