/* Every struct, field and enumerator of the header, a line each: "name.field bytes offset", "name bytes alignment" and
 * "NAME value". tests/layout.rs says the same of the Rust side. What follows from the header alone, on every machine
 * with 8-bit bytes, is asserted when this is compiled. C99 and C++17. */
#include <inttypes.h>
#include <stdio.h>

#include "lodger.h"

#ifdef __cplusplus
#define ASSERT(what, name) static_assert(what, #name)
#define ALIGNMENT(type) alignof(type)
#else
#define ASSERT(what, name) typedef char assert_##name[(what) ? 1 : -1]
#define ALIGNMENT(type) offsetof(struct { char before; type it; }, it)
#endif

#define SIZED(name) ASSERT(offsetof(lodger_##name, size) == 0 && sizeof(((lodger_##name *)0)->size) == 4, name)
SIZED(module_desc);
SIZED(actor_desc);
SIZED(report);
SIZED(module_report);
SIZED(actor_report);
ASSERT(sizeof(lodger_status) == 4 && sizeof(lodger_scene) == 4 && sizeof(lodger_module) == 4, words);
ASSERT(sizeof(lodger_view) == 8 && sizeof(lodger_actor) == 8, handles);
ASSERT(sizeof(lodger_change) == 32 && offsetof(lodger_change, fraction) == 24, change);
ASSERT(offsetof(lodger_report, budget_ns) == 8 && sizeof(lodger_report) == 112, report_without_gaps);
ASSERT(sizeof(lodger_module_report) == 72 && sizeof(lodger_actor_report) == 56, reports_without_gaps);
#if UINTPTR_MAX == UINT64_MAX
ASSERT(sizeof(lodger_module_desc) == 80 && sizeof(lodger_actor_desc) == 88, descs_without_gaps);
#endif

static void line(const char *name, uint64_t first, uint64_t second) {
    printf("%s %" PRIu64 " %" PRIu64 "\n", name, first, second);
}

#define TYPE(type) line(#type, sizeof(lodger_##type), ALIGNMENT(lodger_##type))
#define FIELD(type, field) line(#type "." #field, sizeof(((lodger_##type *)0)->field), offsetof(lodger_##type, field))
#define VALUE(name) printf("%s %" PRIu64 "\n", #name, (uint64_t)LODGER_##name)

static void descs(void) {
    TYPE(module_desc);
    FIELD(module_desc, size);
    FIELD(module_desc, flags);
    FIELD(module_desc, name);
    FIELD(module_desc, qualities);
    FIELD(module_desc, levels);
    FIELD(module_desc, overhead);
    FIELD(module_desc, unit_cost_ns);
    FIELD(module_desc, benefit_value_ns);
    FIELD(module_desc, importance);
    FIELD(module_desc, max_distance);
    FIELD(module_desc, weight_distance);
    FIELD(module_desc, weight_age);
    FIELD(module_desc, weight_speed);
    FIELD(module_desc, bias);
    FIELD(module_desc, max_age);
    FIELD(module_desc, max_speed);
    FIELD(module_desc, lod_cap);
    TYPE(actor_desc);
    FIELD(actor_desc, size);
    FIELD(actor_desc, flags);
    FIELD(actor_desc, work);
    FIELD(actor_desc, qualities);
    FIELD(actor_desc, levels);
    FIELD(actor_desc, reserved);
    FIELD(actor_desc, key);
    FIELD(actor_desc, position);
    FIELD(actor_desc, radius);
    FIELD(actor_desc, age);
    FIELD(actor_desc, speed);
    FIELD(actor_desc, benefit);
    FIELD(actor_desc, forced);
    FIELD(actor_desc, lowest);
    FIELD(actor_desc, highest);
    FIELD(actor_desc, reserved2);
}

static void reports(void) {
    TYPE(report);
    FIELD(report, size);
    FIELD(report, load);
    FIELD(report, budget_ns);
    FIELD(report, assigned_ns);
    FIELD(report, reserved_ns);
    FIELD(report, overcommit_ns);
    FIELD(report, scale);
    FIELD(report, headroom);
    FIELD(report, value);
    FIELD(report, upper_bound);
    FIELD(report, rounding_m);
    FIELD(report, actors);
    FIELD(report, quarantined);
    FIELD(report, changes);
    FIELD(report, switches);
    TYPE(module_report);
    FIELD(module_report, size);
    FIELD(module_report, managed);
    FIELD(module_report, actors);
    FIELD(module_report, assigned_ns);
    FIELD(module_report, target_ns);
    FIELD(module_report, units);
    FIELD(module_report, benefit);
    FIELD(module_report, unit_cost_ns);
    FIELD(module_report, raw_unit_cost_ns);
    FIELD(module_report, overhead);
    FIELD(module_report, lod_cap);
    TYPE(actor_report);
    FIELD(actor_report, size);
    FIELD(actor_report, reason);
    FIELD(actor_report, key);
    FIELD(actor_report, share_ns);
    FIELD(actor_report, benefit);
    FIELD(actor_report, quality);
    FIELD(actor_report, level);
    FIELD(actor_report, cost_ns);
    FIELD(actor_report, module);
    TYPE(change);
    FIELD(change, actor);
    FIELD(change, key);
    FIELD(change, module);
    FIELD(change, from);
    FIELD(change, to);
    FIELD(change, reserved);
    FIELD(change, fraction);
    FIELD(change, reserved2);
}

static void values(void) {
    VALUE(ABI_VERSION);
    VALUE(OK);
    VALUE(NO_SUCH_SCENE);
    VALUE(NO_SUCH_VIEW);
    VALUE(NO_SUCH_MODULE);
    VALUE(NO_SUCH_ACTOR);
    VALUE(INVALID_VALUE);
    VALUE(INVALID_ARGUMENT);
    VALUE(BUSY);
    VALUE(PANICKED);
    VALUE(KEEP);
    VALUE(WITHIN_MODULE);
    VALUE(ACROSS_MODULES);
    VALUE(WHOLE_BUDGET);
    VALUE(OPTIMAL);
    VALUE(SOLID_ANGLE);
    VALUE(ANGULAR);
    VALUE(POSITION);
    VALUE(POSITION_F64);
    VALUE(RADIUS);
    VALUE(AGE);
    VALUE(SPEED);
    VALUE(BENEFIT);
    VALUE(FORCED);
    VALUE(VISIBLE);
    VALUE(KEY);
    VALUE(PRIORITY);
    VALUE(IN_VIEW);
    VALUE(BY_FORCE);
    VALUE(BY_FORCE_INTO_RANGE);
    VALUE(UNMANAGED);
    VALUE(INVISIBLE);
    VALUE(QUARANTINED);
    VALUE(OVERCOMMITTED);
    VALUE(PINNED);
    VALUE(SHARE);
    VALUE(HIGHEST);
    VALUE(CAPPED);
    VALUE(LEFTOVERS);
    VALUE(WORTH_HIGHEST);
    VALUE(WORTH_CAPPED);
    VALUE(BELOW_PRICE);
    VALUE(NO_BUDGET);
    VALUE(LOAD_NORMAL);
    VALUE(LOAD_TIGHT);
    VALUE(LOAD_INFEASIBLE);
    VALUE(UNLIMITED);
    VALUE(ASSIGNED);
    VALUE(UNKNOWN);
    VALUE(NO_CAP);
    VALUE(ALL_LEVELS);
    VALUE(MODULE_CONTINUOUS);
    VALUE(MODULE_UNMANAGED);
    VALUE(MODULE_NO_BENEFIT_VALUE);
    VALUE(MODULE_DIMINISHING);
    VALUE(MODULE_ALL_OR_NOTHING);
    VALUE(ACTOR_INVISIBLE);
}

int main(void) {
    descs();
    reports();
    values();
    return 0;
}
