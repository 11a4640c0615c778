//! Datasets that are made in temporary folders, and questions to them.

mod dataset;
mod ingest_archives;
mod ingest_program;
mod ingest_tables;
mod ingest_trees;
mod samples;
