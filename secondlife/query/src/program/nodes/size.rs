//! Sizes in bytes, as people write them.

const UNITS: [(&str, u64); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

/// A size: `1073741824`, `512MiB`, `8 GB`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let unit = UNITS.iter().find(|(unit, _)| text.ends_with(unit));
    let (unit, factor) = unit.copied().unwrap_or(("", 1));
    let number = text.strip_suffix(unit).unwrap_or(text).trim_end();
    let number: Option<u64> = number.parse().ok();
    let size = number.and_then(|number| number.checked_mul(factor)).filter(|&size| size > 0);
    size.ok_or_else(|| "a size is a whole number of bytes, kB, MB, GB, KiB, MiB or GiB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, size) in [("1", 1), ("512MiB", 512 << 20), ("8 GB", 8_000_000_000), ("3B", 3)] {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in ["", "0", "GiB", "1.5GiB", "-1", "1TB", "18446744073709551615kB", "1 mib"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
