//! Datasets that are made in temporary folders, and questions to them.

mod dataset;
mod ingest_archives;
mod ingest_program;
mod ingest_tables;
mod ingest_trees;
mod samples;
#[cfg(feature = "servers")]
mod servers;
mod tables_content;
mod tables_csv;
#[cfg(feature = "servers")]
mod tables_servers;
