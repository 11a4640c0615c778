//! The plugin in apps without a window, frame by frame.

mod basics;
mod stage;
