//! The keywords of leftovers and loads, in files and on command lines.

use super::leftovers::Leftovers;
use super::load::Load;
use crate::word::written_as;

written_as!(Leftovers {
    Keep => "keep",
    WithinModule => "within-module",
    AcrossModules => "across-modules",
    WholeBudget => "whole-budget",
});

written_as!(Load {
    Normal => "normal",
    Tight => "tight",
    Infeasible => "infeasible",
});
