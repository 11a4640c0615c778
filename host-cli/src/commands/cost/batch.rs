use std::fmt;
use std::path::Path;

use lodger_mesh_asset::{Asset, AssetLimits};
use lodger_opensim::archive::{
    Archive, ArchiveError, ArchiveKind, ArchiveLimits, Object, ObjectPart,
};
use lodger_opensim::files::{
    FileError, FileErrorKind, FileKind, InputSource, OpenedSource, SniffedReader, SourceContent,
    map_sources,
};
use lodger_opensim::pricing::{ArchivePrice, GroupBy, MeshInputs, PricingError};
use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};
use lodger_scenes::LinkObject;
use lodger_terminal::{OutputFormat, ProgressReport, output, quota_help, sanitize};

use super::args::{Conditions, CostArgs};
use super::csv;
use super::report::CostRows;
use crate::diagnostics::{bad_asset, needs_more, unreadable};
use crate::inputs::read_linkset;

/// Bytes of the row of a mesh or of an error.
const PER_ROW: u64 = 4 << 10;

pub(super) fn price(
    found: Vec<Result<InputSource, FileError>>,
    conditions: &Conditions,
    output: OutputOptions,
    allowed: QuotaLimits,
) -> CostRows {
    let lasts = matches!(&found[..], [Ok(only)] if only.is_archive());
    let progress = ProgressReport::new(found.len(), lasts);
    let one = |source: &InputSource, quota: &Quota| {
        let rows = rows(source, (conditions, output), &progress, quota)?;
        progress.done();
        Ok(rows)
    };
    let mut all = CostRows::default();
    for rows in map_sources(found, allowed, one) {
        match rows {
            Ok(rows) => all.take(rows),
            Err(error) => all.error(error.name().to_owned(), unreadable(&error)),
        }
    }
    all
}

pub(super) fn mesh(name: &str, mesh: &MeshInputs, conditions: &Conditions) -> CostRows {
    let mut rows = CostRows::default();
    let detail = conditions.pricer.mesh_in_detail(mesh, &conditions.usage);
    rows.mesh(name, detail, conditions.basis());
    rows
}

pub(super) fn read_mesh(source: &InputSource, allowed: QuotaLimits) -> Result<MeshInputs, String> {
    let quota = Quota::new(allowed);
    match source.open(ArchiveLimits::default(), &quota) {
        Ok(SourceContent::Mesh(bytes)) => decode(&bytes, &quota).map_err(needs_more)?,
        Ok(SourceContent::Archive { .. }) => Err("it is an archive, not a mesh asset".to_owned()),
        Err(error) => Err(unreadable(&error)),
    }
}

fn decode(bytes: &[u8], quota: &Quota) -> Result<Result<MeshInputs, String>, QuotaExceeded> {
    let _room = quota.reserve(AssetLimits::default().max_memory(bytes.len()))?;
    let asset = Asset::parse(bytes).map_err(PricingError::from);
    let mesh = asset.as_ref().map_err(Clone::clone).and_then(MeshInputs::from_asset_counted);
    quota.charge_work(asset.map_or(0, |asset| asset.inflated_bytes()))?;
    Ok(mesh.map_err(|error| match error {
        PricingError::Asset(error) => bad_asset(&error),
        error => format!("it is a damaged mesh asset: {error}"),
    }))
}

fn rows(
    source: &InputSource,
    (conditions, output): (&Conditions, OutputOptions),
    progress: &ProgressReport,
    quota: &Quota,
) -> Result<CostRows, QuotaExceeded> {
    let mut rows = CostRows::default();
    let name = source.name();
    progress.say(format!("reading {}", sanitize(name)));
    quota.charge_rows(PER_ROW)?;
    match source.open_any(ArchiveLimits::default(), quota) {
        Ok(OpenedSource::Content(SourceContent::Mesh(bytes))) => match decode(&bytes, quota)? {
            Ok(read) => rows = mesh(name, &read, conditions),
            Err(error) => rows.error(name.to_owned(), error),
        },
        Ok(OpenedSource::Other(stream)) if is_linkset(name, stream.kind()) => {
            if let Some(priced) = price_linkset(name, stream, conditions, quota, &mut rows)? {
                let kept = priced.bytes();
                rows.linkset(name, priced, conditions.basis());
                charge(name, &mut rows, output, kept, quota)?;
            }
        }
        Ok(OpenedSource::Other(stream)) => {
            rows.error(name.to_owned(), FileErrorKind::Unsupported(stream.kind()).to_string());
        }
        Ok(OpenedSource::Content(SourceContent::Archive {
            archive: found, unreadable, ..
        })) => {
            for error in unreadable {
                rows.error(error.name().to_owned(), error.kind().to_string());
            }
            let priced = archive(name, &found, conditions, (progress, quota), &mut rows)?;
            let kept = priced.bytes();
            rows.archive(name, priced, conditions.basis());
            charge(name, &mut rows, output, kept, quota)?;
        }
        Err(error) => match error.kind().quota_exceeded() {
            Some(exceeded) => return Err(exceeded),
            None => rows.error(name.to_owned(), error.kind().to_string()),
        },
    }
    Ok(rows)
}

fn archive(
    name: &str,
    found: &Archive,
    conditions: &Conditions,
    (progress, quota): (&ProgressReport, &Quota),
    rows: &mut CostRows,
) -> Result<ArchivePrice, QuotaExceeded> {
    if found.objects.is_empty() && found.meshes.is_empty() && found.errors.is_empty() {
        if found.kind == ArchiveKind::Region {
            rows.note(name.to_owned(), "there are no objects in this region".to_owned());
        } else {
            let error = "there are no objects and no meshes in this archive";
            rows.error(name.to_owned(), error.to_owned());
        }
    }
    quota.charge_rows(PER_ROW.saturating_mul(found.errors.len() as u64))?;
    let errors = found.errors.iter().map(ArchiveError::to_string);
    errors.for_each(|error| rows.error(name.to_owned(), error));
    progress.more(found.meshes.len());
    progress.say(format!("pricing {}", sanitize(name)));
    conditions.archive(found, quota, || progress.done())
}

/// Charges rows, or replaces them by an error if they exceed the quota.
fn charge(
    name: &str,
    rows: &mut CostRows,
    output: OutputOptions,
    kept: u64,
    quota: &Quota,
) -> Result<(), QuotaExceeded> {
    if let Err(why) = output.charge(rows, kept, quota)? {
        rows.replace_by_error(name.to_owned(), why);
    }
    Ok(())
}

/// Whether a file is read as a linkset: text from stdin, or a file named .toml.
fn is_linkset(name: &str, kind: FileKind) -> bool {
    let is_toml = Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
    kind != FileKind::Empty && kind.may_be_text() && (name == "<stdin>" || is_toml)
}

/// Prices each object of a linkset file, whose prims are boxes; `None` if it cannot be read.
fn price_linkset(
    name: &str,
    stream: SniffedReader<'_>,
    conditions: &Conditions,
    quota: &Quota,
    rows: &mut CostRows,
) -> Result<Option<ArchivePrice>, QuotaExceeded> {
    let linkset = match read_linkset(stream, quota)? {
        Ok(linkset) => linkset,
        Err(why) => {
            rows.error(name.to_owned(), why);
            return Ok(None);
        }
    };
    let prims: usize = linkset.objects.iter().map(|object| object.prims.len()).sum();
    quota.charge_memory((prims * size_of::<ObjectPart>()) as u64)?;
    let usage = &conditions.usage;
    let settings = (conditions.of_prims, usage.physical, usage.scripts);
    let object = |object: LinkObject| {
        let boxes = object.prims.iter().map(|prim| (prim.position, prim.scale));
        Object::from_boxes(name.into(), &object.name, boxes, settings)
    };
    let objects = linkset.objects.into_iter().filter_map(object).collect();
    conditions.archive(&Archive::from_objects(objects), quota, || ()).map(Some)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OutputOptions {
    format: OutputFormat,
    by: Option<GroupBy>,
    parts: bool,
    has_resource: bool,
}

impl OutputOptions {
    pub(super) fn from_args(args: &CostArgs) -> Self {
        Self {
            format: args.format.unwrap_or(OutputFormat::Table),
            by: args.by,
            parts: args.parts,
            has_resource: args.simulator.is_some(),
        }
    }

    /// Charges the rows of a file, which take `kept` bytes, and their bytes in the result. The
    /// inner error names the options to leave out.
    ///
    /// # Errors
    ///
    /// [`QuotaExceeded::Contended`].
    fn charge(
        self,
        rows: &CostRows,
        kept: u64,
        quota: &Quota,
    ) -> Result<Result<(), String>, QuotaExceeded> {
        let memory = quota.remaining().saturating_sub(kept);
        // Written twice: to be counted, and as the result.
        let written = self.written(rows, memory.min(quota.work_left() / 2));
        let charged = quota.charge_work(written.saturating_mul(2));
        match charged.and_then(|()| quota.charge_rows(kept.saturating_add(written))) {
            Ok(()) => Ok(Ok(())),
            Err(QuotaExceeded::Contended) => Err(QuotaExceeded::Contended),
            Err(exceeded) => Ok(Err(self.refusal(exceeded))),
        }
    }

    /// Bytes of the rows in the result, or more than `max`; in a table, none.
    fn written(self, rows: &CostRows, max: u64) -> u64 {
        output::count_bytes(max, |out| {
            rows.view(self.by, |rows| match self.format {
                OutputFormat::Table => Ok(()),
                OutputFormat::Csv => csv::report(rows, (self.parts, self.has_resource), out),
                OutputFormat::Json => Ok(serde_json::to_writer_pretty(out, &rows)?),
            })
        })
    }

    fn refusal(self, exceeded: QuotaExceeded) -> String {
        let large = self.parts.then(|| "--parts".to_owned());
        let large = large.or_else(|| self.by.map(|by| format!("--by {by}")));
        let large = large.or_else(|| match self.format {
            OutputFormat::Table => None,
            OutputFormat::Json => Some("--format json".to_owned()),
            OutputFormat::Csv => Some("--format csv".to_owned()),
        });
        let Some(option) = large else { return needs_more(exceeded) };
        let its = format_args!("its report with {option}");
        let needs = fmt::from_fn(|f| exceeded.about(&its, f));
        format!("{needs}: {}, or leave out {option}", quota_help(exceeded))
    }
}
