//! Sizes, offsets and numbers of a C compiler (`tests/c/layout.c`) equal the crate's.
#![cfg(unix)] // where there is a linker for Rust, there is a compiler for C

use std::env;
use std::fmt::Write as _;
use std::mem::{align_of, offset_of};
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use lodger::abi::{
    ABI_VERSION, ACTOR_INVISIBLE, ALL_LEVELS, ASSIGNED, ActorDesc, ActorReport, LevelChangeRecord,
    MODULE_ALL_OR_NOTHING, MODULE_CONTINUOUS, MODULE_DIMINISHING, MODULE_NO_BENEFIT_VALUE,
    MODULE_UNMANAGED, ModuleDesc, ModuleReport, NO_CAP, SceneReport, UNKNOWN, UNLIMITED, column,
};

/// The lines of a struct: itself, then each field with its type.
macro_rules! lines {
    ($text:ident, $type:ident = $name:literal: $($field:ident),* $(,)?) => {
        writeln!($text, "{} {} {}", $name, size_of::<$type>(), align_of::<$type>()).unwrap();
        let value = $type::default();
        $(
            let (bytes, offset) = (size_of_val(&value.$field), offset_of!($type, $field));
            writeln!($text, "{}.{} {bytes} {offset}", $name, stringify!($field)).unwrap();
        )*
        // No field was forgotten: a struct with all of them named has no other.
        let $type { $($field: _),* } = value;
    };
}

fn structs() -> String {
    let mut text = String::new();
    lines!(text, ModuleDesc = "module_desc": size, flags, name, qualities, levels, overhead, unit_cost_ns,
        benefit_value_ns, importance, max_distance, weight_distance, weight_age, weight_speed, bias, max_age,
        max_speed, lod_cap);
    lines!(text, ActorDesc = "actor_desc": size, flags, work, qualities, levels, reserved, key, position, radius,
        age, speed, benefit, forced, lowest, highest, reserved2);
    lines!(text, SceneReport = "report": size, load, budget_ns, assigned_ns, reserved_ns, overcommit_ns, scale, headroom,
        value, upper_bound, rounding_m, actors, quarantined, changes, switches);
    lines!(text, ModuleReport = "module_report": size, managed, actors, assigned_ns, target_ns, units, benefit,
        unit_cost_ns, raw_unit_cost_ns, overhead, lod_cap);
    lines!(text, ActorReport = "actor_report": size, reason, key, share_ns, benefit, quality, level, cost_ns,
        module);
    lines!(text, LevelChangeRecord = "change": actor, key, module, from, to, reserved, fraction, reserved2);
    text
}

fn numbers() -> Vec<(&'static str, u64)> {
    vec![
        ("ABI_VERSION", ABI_VERSION.into()),
        ("POSITION", column::POSITION.into()),
        ("POSITION_F64", column::POSITION_F64.into()),
        ("RADIUS", column::RADIUS.into()),
        ("AGE", column::AGE.into()),
        ("SPEED", column::SPEED.into()),
        ("BENEFIT", column::BENEFIT.into()),
        ("FORCED", column::FORCED.into()),
        ("VISIBLE", column::VISIBLE.into()),
        ("KEY", column::KEY.into()),
        ("PRIORITY", column::PRIORITY.into()),
        ("IN_VIEW", column::IN_VIEW.into()),
        ("UNLIMITED", UNLIMITED),
        ("ASSIGNED", ASSIGNED),
        ("UNKNOWN", UNKNOWN),
        ("NO_CAP", NO_CAP.into()),
        ("ALL_LEVELS", ALL_LEVELS.into()),
        ("MODULE_CONTINUOUS", MODULE_CONTINUOUS.into()),
        ("MODULE_UNMANAGED", MODULE_UNMANAGED.into()),
        ("MODULE_NO_BENEFIT_VALUE", MODULE_NO_BENEFIT_VALUE.into()),
        ("MODULE_DIMINISHING", MODULE_DIMINISHING.into()),
        ("MODULE_ALL_OR_NOTHING", MODULE_ALL_OR_NOTHING.into()),
        ("ACTOR_INVISIBLE", ACTOR_INVISIBLE.into()),
    ]
}

/// The output of the C program, compiled once.
static OF_C: LazyLock<String> = LazyLock::new(of_c);

fn of_c() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layout");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let compiled = Command::new(&compiler)
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .args([folder.join("include"), folder.join("tests/c/layout.c"), "-o".into()])
        .arg(&program)
        .status();
    let compiled = compiled.unwrap_or_else(|error| panic!("{}: {error}", compiler.display()));
    assert!(compiled.success(), "the layout in C is not what the header asserts");
    let output = Command::new(&program).output().expect("what was compiled runs");
    String::from_utf8(output.stdout).expect("it prints names and numbers")
}

#[test]
fn c_and_rust_agree_on_every_size_offset_and_number() {
    let is_of_struct = |line: &&str| line.starts_with(char::is_lowercase);
    let (structs_of_c, numbers_of_c): (Vec<_>, Vec<_>) = OF_C.lines().partition(is_of_struct);
    assert_eq!(structs_of_c, structs().lines().collect::<Vec<_>>());
    let numbers: Vec<_> = numbers().iter().map(|(name, it)| format!("{name} {it}")).collect();
    assert!(numbers.len() > 15 && structs_of_c.len() > 70);
    for number in &numbers {
        assert!(numbers_of_c.contains(&&**number), "{number} is another one in C");
    }
}

/// Statuses, policies, reasons and loads, in the header's order.
#[test]
fn the_header_numbers_from_0() {
    let value = |name: &str| {
        let line = OF_C.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|number| number.parse::<u64>().ok())
    };
    let orders: [&[&str]; 4] = [
        &[
            "OK",
            "NO_SUCH_SCENE",
            "NO_SUCH_VIEW",
            "NO_SUCH_MODULE",
            "NO_SUCH_ACTOR",
            "INVALID_VALUE",
            "INVALID_ARGUMENT",
            "BUSY",
            "PANICKED",
        ],
        &["KEEP", "WITHIN_MODULE", "ACROSS_MODULES", "WHOLE_BUDGET", "OPTIMAL"],
        &[
            "BY_FORCE",
            "BY_FORCE_INTO_RANGE",
            "UNMANAGED",
            "INVISIBLE",
            "QUARANTINED",
            "OVERCOMMITTED",
            "PINNED",
            "SHARE",
            "HIGHEST",
            "CAPPED",
            "LEFTOVERS",
            "WORTH_HIGHEST",
            "WORTH_CAPPED",
            "BELOW_PRICE",
            "NO_BUDGET",
        ],
        &["LOAD_NORMAL", "LOAD_TIGHT", "LOAD_INFEASIBLE"],
    ];
    for order in orders {
        for (number, name) in (0..).zip(order) {
            assert_eq!(value(name), Some(number), "{name}");
        }
    }
}
