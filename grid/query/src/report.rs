//! Ready-made questions.
