//! Words for kinds of files that are none of lodger's.

/// How files begin that the crate `infer` does not know, or only from some length on, and what they are.
///
/// Source: the start-of-codestream and SIZ markers of JPEG 2000 (ISO/IEC 15444-1, A.4.1), as textures
/// of the grid begin; the first words of FBX, .blend and ELF files.
const MAGICS: [(&[u8], &str); 4] = [
    (b"\xff\x4f\xff\x51", "a JPEG 2000 texture"),
    (b"Kaydara FBX Binary", "an FBX model"),
    (b"BLENDER", "a Blender file"),
    (b"\x7fELF", "an ELF program"),
];

/// What MIME types are called.
const MIMES: [(&str, &str); 34] = [
    ("application/gzip", "a gzip file"),
    ("application/java", "a Java class"),
    ("application/pdf", "a PDF document"),
    ("application/postscript", "a PostScript document"),
    ("application/rtf", "an RTF document"),
    ("application/vnd.microsoft.portable-executable", "a Windows program"),
    ("application/vnd.rar", "a RAR archive"),
    ("application/vnd.sqlite3", "an SQLite database"),
    ("application/wasm", "a WebAssembly module"),
    ("application/x-7z-compressed", "a 7-Zip archive"),
    ("application/x-bzip2", "a bzip2 file"),
    ("application/x-executable", "a program"),
    ("application/x-mach-binary", "a macOS program"),
    ("application/x-xz", "an xz file"),
    ("application/zip", "a zip archive"),
    ("application/zstd", "a Zstandard file"),
    ("audio/mpeg", "an MP3 sound"),
    ("audio/ogg", "an Ogg sound"),
    ("audio/x-flac", "a FLAC sound"),
    ("audio/x-wav", "a WAV sound"),
    ("image/avif", "an AVIF image"),
    ("image/bmp", "a BMP image"),
    ("image/gif", "a GIF image"),
    ("image/heif", "a HEIF image"),
    ("image/jp2", "a JPEG 2000 texture"),
    ("image/jpeg", "a JPEG image"),
    ("image/jxl", "a JPEG XL image"),
    ("image/png", "a PNG image"),
    ("image/tiff", "a TIFF image"),
    ("image/vnd.adobe.photoshop", "a Photoshop image"),
    ("image/webp", "a WebP image"),
    ("text/html", "an HTML page"),
    ("video/mp4", "an MP4 video"),
    ("video/webm", "a WebM video"),
];

/// What a file is that begins so.
pub(crate) fn of_magic(head: &[u8]) -> Option<&'static str> {
    MAGICS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, words)| *words)
}

/// What a MIME type is called.
pub(crate) fn of_mime(mime: &str) -> Option<&'static str> {
    MIMES.iter().find(|(known, _)| *known == mime).map(|(_, words)| *words)
}
