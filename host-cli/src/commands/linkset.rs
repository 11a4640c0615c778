//! `lodger linkset`: whether objects can be linked, and by how much they exceed the rules.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use lodger_core::linkability::Fit;
use lodger_opensim::files::{FileError, FileErrorKind};
use lodger_quota::Quota;
use lodger_scenes::{
    BetterLinkOrder, LinkFailure, LinkGroup, LinkReport, LinkStep, Linkset, SpanError, SpanReport,
    SphereReport, Subject, SupportPrim, span_of,
};
use lodger_terminal::{
    Diagnostic, QuotaArgs, RenderOptions, ReportArgs, SourceFile, count, quota_exceeded,
    sanitize_to,
};

use crate::diagnostics::{CommandStatus, check_outputs};
use crate::inputs::load_linkset;

pub(crate) fn run(args: &LinksetArgs) -> Result<CommandStatus, Diagnostic> {
    check_outputs(&[("--output", args.report.output.as_deref())], &args.files)?;
    if args.files.iter().filter(|file| *file == "-").count() > 1 {
        let error = FileError::new("<stdin>", FileErrorKind::StdinTwice);
        return Err(Diagnostic::error(error.to_string()));
    }
    let quota = Quota::new(args.quota.limits());
    let (linkset, source) = load_linkset(&args.files, &quota)?;
    let answer = match args.rule {
        Rule::Sphere => {
            linkset.check_sphere_rule().map(LinkReport::Sphere).map_err(SpanError::from)
        }
        Rule::Span => {
            check_size(&linkset, &source)?;
            linkset.check_span_rule(&quota).map(LinkReport::Span)
        }
    };
    let answer = answer.map_err(|error| match error {
        SpanError::QuotaExceeded(why) => quota_exceeded(&format_args!("`{}`", source.name), why),
        error => Diagnostic::error(error.to_string()).in_source(&source),
    })?;
    args.report.write(&answer, |style, out| out.write_all(text(&answer, style).as_bytes()))?;
    Ok(CommandStatus::from_success(answer.is_linkable()))
}

/// Options of the command.
#[derive(Args, Debug)]
pub(crate) struct LinksetArgs {
    /// A .toml file of objects, or objects of archives as in region.oar:House; the first is the
    /// root; `-` reads stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The rule of linking
    #[arg(long, default_value = "sphere")]
    rule: Rule,

    #[command(flatten)]
    report: ReportArgs,

    #[command(flatten)]
    quota: QuotaArgs,
}

/// A rule of linking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rule {
    /// Since December 2010: one sphere around the centres of all prims, and a number of prims
    Sphere,
    /// Before: group by group, in the given order
    Span,
}

/// The limit of objects of the span rule: work and result grow with the square.
const MAX_OBJECTS: usize = 1024;

/// Rejects more objects than can be tested in a reasonable time.
fn check_size(linkset: &Linkset, source: &SourceFile) -> Result<(), Diagnostic> {
    let found = linkset.objects.len();
    if found <= MAX_OBJECTS {
        return Ok(());
    }
    let message = format!("{found} objects; at most {MAX_OBJECTS} are tested pair by pair");
    let text = source.text.as_ref().map_or("", |text| text);
    Err(Diagnostic::error(message)
        .in_source(source)
        .at(span_of(text, Subject::Object(MAX_OBJECTS), "name"))
        .help("--rule sphere takes any number"))
}

const NAMES: usize = 4;
const ROWS: usize = 20;
const MAX_NAME: usize = 40;

fn text(answer: &LinkReport<'_>, style: RenderOptions) -> String {
    match answer {
        LinkReport::Sphere(report) => sphere(report, style),
        LinkReport::Span(report) => span(report, style),
    }
}

fn verdict(linkable: bool, rule: &str, style: RenderOptions) -> String {
    let (text, colour) =
        if linkable { ("Linkable", AnsiColor::Green) } else { ("Not linkable", AnsiColor::Red) };
    format!("{} by the {rule} rule", style.paint(colour.on_default().bold(), text))
}

fn sphere(report: &SphereReport<'_>, style: RenderOptions) -> String {
    let SphereReport { diameter, max_diameter, prims, max_prims, .. } = report;
    let (few, small) = (prims < max_prims, diameter < max_diameter);
    let too_many = if few { "" } else { ": too many" };
    let too_wide = match diameter - max_diameter {
        _ if small => String::new(),
        over => format!(": {} too wide", metres(over)),
    };
    let mut lines = vec![
        format!("{}: {}", verdict(report.linkable, report.rule, style), names(&report.objects)),
        format!("  {}, must be fewer than {max_prims}{too_many}", count(*prims, "prim")),
        format!(
            "  the smallest sphere around their centres is {} wide, must be below {max_diameter} \
             m{too_wide}",
            metres(*diameter)
        ),
    ];
    if !small {
        lines.push("  what the sphere touches, to be moved nearer to each other:".to_owned());
        lines.extend(report.held_by.iter().map(support_text));
    }
    lines.join("\n") + "\n"
}

fn support_text(SupportPrim { object, prim, position: [x, y, z], .. }: &SupportPrim<'_>) -> String {
    format!("    {}, prim {prim}, at {x}, {y}, {z}", name(object))
}

fn span(report: &SpanReport<'_>, style: RenderOptions) -> String {
    let answer = match report.groups.as_slice() {
        [whole] => {
            let objects = count(whole.objects.len(), "object");
            format!("{objects}, together in a sphere of {}", metres(whole.diameter))
        }
        pieces => format!("{} are left", count(pieces.len(), "piece")),
    };
    let mut lines = vec![format!("{}: {answer}", verdict(report.linkable, report.rule, style))];
    lines.extend(listed("Linked, in this order:", &report.steps, style, linked));
    if !report.linkable {
        let mut nearest: Vec<_> = report.misses.iter().collect();
        nearest.sort_by(|a, b| a.by_m.total_cmp(&b.by_m));
        lines.extend(listed("Did not link, the nearest first:", &nearest, style, |miss| {
            missed(miss)
        }));
        lines.extend(listed("Pieces:", &report.groups, style, piece));
    }
    lines.extend(report.better.iter().flat_map(better));
    lines.join("\n") + "\n"
}

/// An empty line, a heading and the first rows; nothing without rows.
fn listed<T>(
    heading: &str,
    rows: &[T],
    style: RenderOptions,
    line: impl Fn(&T) -> String,
) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), heading.to_owned()];
    lines.extend(rows.iter().take(ROWS).map(|row| format!("  {}", line(row))));
    if let Some(more @ 1..) = rows.len().checked_sub(ROWS) {
        lines.push(style.paint(Style::new().dimmed(), &format!("  … and {more} more")));
    }
    lines
}

fn better(BetterLinkOrder { order, groups: pieces, .. }: &BetterLinkOrder<'_>) -> [String; 2] {
    let order: Vec<_> = order.iter().map(|object| name(object)).collect();
    let links = match pieces {
        1 => "links them all".to_owned(),
        pieces => format!("links more, {pieces} pieces are left then"),
    };
    [String::new(), format!("Another order {links}: {}", order.join(", "))]
}

fn piece(piece: &LinkGroup<'_>) -> String {
    format!("{}: a sphere of {}", names(&piece.objects), metres(piece.diameter))
}

fn linked(LinkStep { a, b, round, fit, .. }: &LinkStep<'_>) -> String {
    format!("round {round}: {} + {}: {}", names(a), names(b), centres(fit))
}

fn missed(LinkFailure { a, b, by_m, fit, .. }: &LinkFailure<'_>) -> String {
    format!(
        "{} and {}: the span of {} may be {}, {} too long; {}",
        name(a),
        name(b),
        metres(fit.span),
        metres(fit.max_span),
        metres(*by_m),
        centres(fit)
    )
}

fn centres(fit: &Fit) -> String {
    let distance = metres(fit.center_distance);
    if fit.max_center_distance < 0.0 {
        format!("centres {distance} apart, too large to link at any distance")
    } else {
        format!("centres {distance} apart, at most {}", metres(fit.max_center_distance))
    }
}

/// Formats metres with centimetres, and very small or large lengths with an exponent.
fn metres(length: f64) -> String {
    if length > 0.0 && length < 0.005 || length >= 1e9 {
        format!("{length:.1e} m")
    } else {
        format!("{length:.2} m")
    }
}

fn names(names: &[&str]) -> String {
    let shown: Vec<_> = names.iter().take(NAMES).map(|text| name(text)).collect();
    match names.len().checked_sub(NAMES) {
        Some(more @ 1..) => format!("{} and {more} more", shown.join(", ")),
        _ => shown.join(", "),
    }
}

fn name(text: &str) -> String {
    sanitize_to(text, MAX_NAME).into_owned()
}
