//! The page as a whole.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::pictures::{MOST_DRAWN, Pictures, Sizes};
use super::sample::{Sample, SamplePart, plenty};
use super::write_page;

/// Small pictures, that a build without optimisation draws them soon.
const SMALL: Sizes = Sizes { whole: 90.0, near: 60.0, far: 200.0, samples: [2, 1] };

/// The page of the sample.
static PAGE: LazyLock<String> = LazyLock::new(|| page(&Sample::new(), SMALL));

fn pictures(sample: &Sample, sizes: Sizes) -> Pictures {
    Pictures::draw(&sample.sheet(), sizes, &plenty(), &|_, _| ()).expect("plenty")
}

fn page(sample: &Sample, sizes: Sizes) -> String {
    let sheet = sample.sheet();
    let mut out = String::new();
    write_page(&sheet, &pictures(sample, sizes), &mut out).expect("a string");
    out
}

/// The tags of a page: their names, with a slash at ends, and their attributes.
fn tags(page: &str) -> Vec<(&str, &str)> {
    let body = page
        .split_once("<style>")
        .and_then(|(head, rest)| Some((head, rest.split_once("</style>")?.1)));
    let (head, rest) = body.expect("a style");
    [head, rest]
        .into_iter()
        .flat_map(|text| text.split('<').skip(1))
        .map(|tag| {
            let (inside, _) = tag.split_once('>').unwrap_or_else(|| panic!("no end of <{tag}"));
            inside.split_once([' ', '\n']).unwrap_or((inside, ""))
        })
        .collect()
}

fn sources(page: &str) -> Vec<&str> {
    page.split("src=\"").skip(1).map(|rest| rest.split('"').next().expect("a source")).collect()
}

fn pixels(source: &str) -> Vec<[u8; 4]> {
    let file = source.strip_prefix("data:image/png;base64,").expect("a PNG inside");
    let file = STANDARD.decode(file).expect("Base64");
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("pixels");
    pixels.as_chunks().0.to_vec()
}

#[test]
fn every_tag_is_closed() {
    let mut open = Vec::new();
    for (name, rest) in tags(&PAGE) {
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "of {open:?}"),
            None if name == "!DOCTYPE" || ["meta", "link", "img", "br"].contains(&name) => {}
            None if rest.ends_with('/') => {}
            None if name.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_page_is_alone_in_the_world() {
    assert!(
        PAGE.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"")
    );
    assert_eq!(
        PAGE.matches("://").count(),
        PAGE.matches("=\"http://www.w3.org/2000/svg\"").count()
    );
    for no in ["<script", "url(", "@import", "href=\"h", "javascript:"] {
        assert!(!PAGE.contains(no), "{no}");
    }
    assert!(sources(&PAGE).iter().all(|source| source.starts_with("data:image/png;base64,")));
}

#[test]
fn who_does_not_see_is_told() {
    let tags = tags(&PAGE);
    let of = |name: &str| tags.iter().filter(move |tag| tag.0 == name).count();
    for (_, attributes) in tags.iter().filter(|tag| tag.0 == "img") {
        let alt = attributes.split_once("alt=\"").expect("an alt text").1;
        assert!(alt.find('"').is_some_and(|end| end > 10), "{alt}");
    }
    assert!(tags.iter().filter(|tag| tag.0 == "svg").all(|tag| tag.1.contains("aria-label=\"")));
    assert_eq!(of("table"), of("caption"));
    assert!(tags.iter().filter(|tag| tag.0 == "th").all(|tag| tag.1.contains("scope=")));
    assert_eq!((of("h1"), of("article"), of("svg")), (1, 2, 3));
}

#[test]
fn a_stranger_writes_no_tags() {
    let mut sample = Sample::new();
    let evil = "<script>alert('&\"')</script>";
    sample.name = evil.to_owned();
    sample.parts[0].name = format!("\" onerror=\"x {evil}");
    sample.notes[0].about = evil.repeat(1000);
    let page = page(&sample, SMALL);
    assert!(!page.contains("<script") && !page.contains("\" onerror"));
    assert!(page.contains("<h1>&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;</h1>"));
    assert!(page.len() < 2 << 20, "{}", page.len());
}

#[test]
fn no_picture_is_blank() {
    let sources = sources(&PAGE);
    assert!(sources.len() > 20, "{}", sources.len());
    for source in sources {
        let pixels = pixels(source);
        let colours: BTreeSet<_> = pixels.iter().filter(|pixel| pixel[3] > 0).collect();
        assert!(colours.len() > 12, "{} of {}", colours.len(), pixels.len());
        assert!(pixels.iter().any(|pixel| pixel[3] == 0), "there is something around it");
    }
}

#[test]
fn levels_are_shown_from_where_they_take_over() {
    for text in [
        "Medium from 7.22\u{a0}m <small>the sphere around it 449\u{a0}pixels high",
        "Low from 28.9\u{a0}m",
        "Lowest from 57.7\u{a0}m",
    ] {
        assert!(PAGE.contains(text), "{text}");
    }
}

#[test]
fn many_objects_make_no_large_page() {
    let mut sample = Sample::new();
    sample.parts = (0..MOST_DRAWN + 3).map(|_| SamplePart::ball([0.0; 3], 8)).collect();
    let page = page(&sample, Sizes { near: 20.0, far: 60.0, ..SMALL });
    assert_eq!(page.matches("<article>").count(), MOST_DRAWN + 3);
    assert_eq!(page.matches("From near by, with edges").count(), MOST_DRAWN);
    assert!(page.contains("Of 23 objects, 20 are drawn"));
    sample.parts.clear();
    assert!(
        super::write_page(&sample.sheet(), &pictures(&sample, SMALL), &mut String::new()).is_ok()
    );
}

#[test]
fn threads_play_no_part() {
    let sample = Sample::new();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| page(&sample, SMALL))
    };
    assert!(on(1) == *PAGE && on(3) == *PAGE);
}
