//! Why there is no picture.

use std::error::Error;
use std::fmt;

/// A picture that could not be drawn.
#[derive(Debug)]
pub struct PlotError(Box<dyn Error>);

impl From<Box<dyn Error>> for PlotError {
    fn from(error: Box<dyn Error>) -> Self {
        Self(error)
    }
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot draw the plot: {}", self.0)
    }
}

impl Error for PlotError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}
