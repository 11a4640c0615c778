//! Compares the compression of real assets with ours: inflates each block and deflates it again.
//!
//! `cargo run --release -p lodger-pack --example reencode -- FILE...`

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use lodger_mesh_asset::Asset;
use lodger_pack::deflate;

#[derive(Default)]
struct ReencodeTotals {
    blocks: u32,
    equal_sizes: u32,
    equal_bytes: u32,
    /// The greatest difference of a size: in bytes, and as a ratio to the size in the file.
    worst: (u64, f64),
}

impl ReencodeTotals {
    fn add(&mut self, original: &[u8], ours: &[u8]) {
        let difference = (original.len() as u64).abs_diff(ours.len() as u64);
        #[expect(clippy::cast_precision_loss, reason = "for a percentage")]
        let part = difference as f64 / original.len().max(1) as f64;
        self.blocks += 1;
        self.equal_sizes += u32::from(difference == 0);
        self.equal_bytes += u32::from(original == ours);
        self.worst = (self.worst.0.max(difference), self.worst.1.max(part));
    }

    fn print(&self) {
        let share = |count: u32| 100.0 * f64::from(count) / f64::from(self.blocks.max(1));
        let (bytes, part) = (self.worst.0, 100.0 * self.worst.1);
        println!(
            "{} blocks: {:.1} % of equal size, {:.1} % of equal bytes, worst difference {bytes} bytes, {part:.2} %",
            self.blocks,
            share(self.equal_sizes),
            share(self.equal_bytes),
        );
    }
}

fn compare(path: &Path, totals: &mut ReencodeTotals) -> Result<(), Box<dyn Error>> {
    let file = std::fs::read(path)?;
    let asset = Asset::parse(&file)?;
    println!("{}", path.display());
    println!(
        "  {:<16}{:>10}{:>10}{:>10}{:>12}",
        "block", "inflated", "in file", "ours", "difference"
    );
    for (name, extent) in asset.header().blocks() {
        let Some(block) = asset.inflate_named(name)? else { continue };
        let ours = deflate(block.bytes()).map_err(lodger_mesh_asset::AssetError::from)?;
        let start = usize::try_from(extent.offset)?;
        let original = &asset.body()[start..][..usize::try_from(extent.size)?];
        let same = if original == ours { "same bytes" } else { "" };
        let (inflated, size, new) = (block.bytes().len(), original.len(), ours.len());
        let difference = i64::try_from(new)? - i64::try_from(size)?;
        println!("  {name:<16}{inflated:>10}{size:>10}{new:>10}{difference:>+12}  {same}");
        totals.add(original, &ours);
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut totals = ReencodeTotals::default();
    let mut status = ExitCode::SUCCESS;
    for path in std::env::args_os().skip(1) {
        if let Err(error) = compare(Path::new(&path), &mut totals) {
            eprintln!("{}: {error}", Path::new(&path).display());
            status = ExitCode::FAILURE;
        }
    }
    totals.print();
    status
}
