//! The library and the program on files, tables and datasets that the tests make in temporary folders.

mod cluster;
mod dataset;
mod formats;
mod ingest_again;
mod ingest_archives;
mod ingest_program;
mod ingest_regions;
mod ingest_tables;
mod ingest_trees;
mod questions;
mod samples;
#[cfg(feature = "servers")]
mod servers;
mod tables_content;
mod tables_csv;
#[cfg(feature = "servers")]
mod tables_servers;
