//! What is said to the process that takes a mesh apart, and what it answers: little-endian words.

use std::io::{Error, ErrorKind, Read, Result, Write};

/// The first word of a request, and of an answer.
const REQUEST: u32 = u32::from_le_bytes(*b"apt1");
const ANSWER: u32 = u32::from_le_bytes(*b"hul1");
/// More points, triangles or hulls than these are not taken.
const MOST_POINTS: u32 = 1 << 22;
const MOST_HULLS: u32 = 1 << 12;

/// The bytes of the longest answer.
pub(crate) const MOST_ANSWER: u64 = 8 + 4 * MOST_HULLS as u64 + 12 * MOST_POINTS as u64;

/// A mesh that is to be taken apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DecomposeRequest {
    /// The most hulls.
    pub(crate) hulls: u32,
    /// Voxels along the longest side.
    pub(crate) resolution: u32,
    /// Seconds of computing and bytes of memory that it may take.
    pub(crate) seconds: u32,
    pub(crate) memory: u64,
    pub(crate) points: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl DecomposeRequest {
    pub(crate) fn write(&self, to: &mut impl Write) -> Result<()> {
        for word in [REQUEST, self.hulls, self.resolution, self.seconds] {
            word_to(to, word)?;
        }
        to.write_all(&self.memory.to_le_bytes())?;
        word_to(to, count(self.points.len())?)?;
        word_to(to, count(self.triangles.len())?)?;
        write_points(to, &self.points)?;
        self.triangles.as_flattened().iter().try_for_each(|&index| word_to(to, index))
    }

    pub(crate) fn read(from: &mut impl Read) -> Result<Self> {
        if word(from)? != REQUEST {
            return Err(wrong("it is no request"));
        }
        let [hulls, resolution, seconds] = [word(from)?, word(from)?, word(from)?];
        let mut memory = [0; 8];
        from.read_exact(&mut memory)?;
        let [point_count, triangle_count] = [word(from)?, word(from)?];
        if point_count > MOST_POINTS || triangle_count > MOST_POINTS {
            return Err(wrong("it has too many points or triangles"));
        }
        let points = read_points(from, point_count)?;
        let mut triangle = || -> Result<[u32; 3]> { Ok([word(from)?, word(from)?, word(from)?]) };
        let triangles: Vec<_> = (0..triangle_count).map(|_| triangle()).collect::<Result<_>>()?;
        if triangles.as_flattened().iter().any(|&index| index >= point_count) {
            return Err(wrong("a triangle has no such point"));
        }
        Ok(Self {
            hulls,
            resolution,
            seconds,
            memory: u64::from_le_bytes(memory),
            points,
            triangles,
        })
    }
}

/// Hulls as an answer.
pub(crate) fn write_answer(to: &mut impl Write, hulls: &[Vec<[f32; 3]>]) -> Result<()> {
    word_to(to, ANSWER)?;
    word_to(to, count(hulls.len())?)?;
    for hull in hulls {
        word_to(to, count(hull.len())?)?;
        write_points(to, hull)?;
    }
    Ok(())
}

/// The hulls of an answer, which has nothing else.
pub(crate) fn read_answer(mut bytes: &[u8]) -> Result<Vec<Vec<[f32; 3]>>> {
    let from = &mut bytes;
    if word(from)? != ANSWER {
        return Err(wrong("it is no answer"));
    }
    let count = word(from)?;
    if count > MOST_HULLS {
        return Err(wrong("it has too many hulls"));
    }
    let mut hulls = Vec::new();
    for _ in 0..count {
        let points = word(from)?;
        // Each point has twelve bytes.
        if points as usize > from.len() / 12 {
            return Err(wrong("it ends too early"));
        }
        hulls.push(read_points(from, points)?);
    }
    if from.is_empty() { Ok(hulls) } else { Err(wrong("it has too many bytes")) }
}

fn wrong(text: &'static str) -> Error {
    Error::new(ErrorKind::InvalidData, text)
}

fn count(items: usize) -> Result<u32> {
    match u32::try_from(items) {
        Ok(items) if items <= MOST_POINTS => Ok(items),
        _ => Err(wrong("it has too many points or triangles")),
    }
}

fn word(from: &mut impl Read) -> Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn word_to(to: &mut impl Write, word: u32) -> Result<()> {
    to.write_all(&word.to_le_bytes())
}

fn read_points(from: &mut impl Read, count: u32) -> Result<Vec<[f32; 3]>> {
    let mut points = Vec::new();
    for _ in 0..count {
        let point = [word(from)?, word(from)?, word(from)?].map(f32::from_bits);
        if !point.iter().all(|x| x.is_finite()) {
            return Err(wrong("a point is not finite"));
        }
        points.push(point);
    }
    Ok(points)
}

fn write_points(to: &mut impl Write, points: &[[f32; 3]]) -> Result<()> {
    points.as_flattened().iter().try_for_each(|x| word_to(to, x.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> DecomposeRequest {
        DecomposeRequest {
            hulls: 7,
            resolution: 64,
            seconds: 9,
            memory: 1 << 40,
            points: vec![[0.0, 1.0, -2.5], [3.0; 3], [4.0; 3]],
            triangles: vec![[0, 1, 2], [2, 1, 0]],
        }
    }

    #[test]
    fn what_is_said_is_understood() {
        let mut bytes = Vec::new();
        request().write(&mut bytes).unwrap();
        assert_eq!(DecomposeRequest::read(&mut &bytes[..]).unwrap(), request());
        for end in 0..bytes.len() {
            assert!(DecomposeRequest::read(&mut &bytes[..end]).is_err());
        }
        let hulls = vec![vec![[1.0; 3], [2.0; 3]], vec![], vec![[3.0; 3]]];
        let mut answer = Vec::new();
        write_answer(&mut answer, &hulls).unwrap();
        assert_eq!(read_answer(&answer).unwrap(), hulls);
        for end in 0..answer.len() {
            assert!(read_answer(&answer[..end]).is_err());
        }
        answer.push(0);
        assert_eq!(read_answer(&answer).unwrap_err().to_string(), "it has too many bytes");
    }

    #[test]
    fn nonsense_is_refused() {
        let refused = |request: DecomposeRequest| {
            let mut bytes = Vec::new();
            request.write(&mut bytes).unwrap();
            DecomposeRequest::read(&mut &bytes[..]).unwrap_err().to_string()
        };
        let nan = DecomposeRequest { points: vec![[f32::NAN; 3]; 3], ..request() };
        assert_eq!(refused(nan), "a point is not finite");
        let outside = DecomposeRequest { triangles: vec![[0, 1, 3]], ..request() };
        assert_eq!(refused(outside), "a triangle has no such point");
        let mut many = ANSWER.to_le_bytes().to_vec();
        many.extend([1, 0, 0, 0, 255, 255, 255, 255]);
        assert_eq!(read_answer(&many).unwrap_err().to_string(), "it ends too early");
        many[4..8].fill(255);
        assert_eq!(read_answer(&many).unwrap_err().to_string(), "it has too many hulls");
    }
}
