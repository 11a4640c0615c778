/* Plays scripts of calls and prints what lodger says to them: `plans LOG`, where LOG is what the example `script` of
 * lodger-testkit printed. A line of the log that begins with `>` is a call: a name and its numbers in hexadecimal,
 * floating-point numbers as their bits. The other lines are what the scheduler said, which must be what is printed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lodger.h"

enum { ACTORS = 256, VIEWS = 16, MODULES = 16, LIST = 64, LEVELS = 32, TEXT = 1 << 16 };

static lodger_scene scene;
static lodger_module modules[MODULES];
static lodger_view views[VIEWS];
static lodger_actor actors[ACTORS];
static uint32_t module_count, view_count, actor_count;

/* The unread rest of a call. */
static char *rest;

static void fail(const char *why) {
    fprintf(stderr, "plans: %s\n", why);
    exit(2);
}

static uint64_t take(void) {
    char *end;
    const uint64_t word = strtoull(rest, &end, 16);
    if (end == rest) fail("a call has too few numbers");
    rest = end;
    return word;
}

static uint32_t take_u32(void) { return (uint32_t)take(); }
static uint8_t take_u8(void) { return (uint8_t)take(); }

static float take_float(void) {
    const uint32_t word = take_u32();
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static double take_double(void) {
    const uint64_t word = take();
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint32_t take_count(uint32_t most) {
    const uint64_t count = take();
    if (count > most) fail("a list is longer than there is space for");
    return (uint32_t)count;
}

static void take_place(double *out) {
    uint32_t axis;
    for (axis = 0; axis < 3; axis++) out[axis] = take_double();
}

static uint32_t take_floats(float *out) {
    uint32_t i, count = take_count(LEVELS);
    for (i = 0; i < count; i++) out[i] = take_float();
    return count;
}

static uint32_t take_work(uint32_t *out) {
    uint32_t i, count = take_count(LEVELS);
    for (i = 0; i < count; i++) out[i] = take_u32();
    return count;
}

/* Handles by number; 0 for one that no call has given out. */
static lodger_module take_module(void) {
    const uint64_t number = take();
    return number < module_count ? modules[number] : 0;
}
static lodger_view take_view(void) {
    const uint64_t number = take();
    return number < view_count ? views[number] : 0;
}
static lodger_actor take_actor(void) {
    const uint64_t number = take();
    return number < actor_count ? actors[number] : 0;
}

static uint32_t take_actors(lodger_actor *out) {
    uint32_t i, count = take_count(LIST);
    for (i = 0; i < count; i++) out[i] = take_actor();
    return count;
}

static uint64_t bits(double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}
static uint64_t float_bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}
static uint64_t known(double value) { return value < 0.0 ? UINT64_MAX : bits(value); }

static void put(uint64_t number) { printf(" %" PRIx64, number); }
static void begin(const char *name) { fputs(name, stdout); }
static void end(void) { putchar('\n'); }
static lodger_status print_status(lodger_status status) {
    printf("%u\n", (unsigned)status);
    return status;
}

static void set_budget(void) { print_status(lodger_scene_set_budget(scene, take())); }
static void set_policy(void) { print_status(lodger_scene_set_policy(scene, take_u32())); }
static void set_hysteresis(void) {
    const uint8_t margin = take_u8();
    print_status(lodger_scene_set_hysteresis(scene, margin, take_u8()));
}
static void set_max_upgrades(void) { print_status(lodger_scene_set_max_upgrades(scene, take_u32())); }
static void set_search_moves(void) { print_status(lodger_scene_set_search_moves(scene, take_u32())); }
static void set_headroom(void) { print_status(lodger_scene_set_headroom_target(scene, take_double())); }
static void frame_done(void) { print_status(lodger_scene_frame_done(scene)); }
static void scale_costs(void) {
    const uint32_t numerator = take_u32();
    print_status(lodger_scene_scale_costs(scene, numerator, take_u32()));
}
static void set_own_cost(void) { print_status(lodger_scene_set_own_cost(scene, take())); }
static void observe_own_time(void) { print_status(lodger_scene_observe_own_time(scene, take())); }
static void set_cautious_start(void) { print_status(lodger_scene_set_cautious_start(scene, take_u32())); }
static void set_unmanaged_in_budget(void) { print_status(lodger_scene_set_unmanaged_in_budget(scene, take_u32())); }
static void track_changes(void) { print_status(lodger_scene_track_changes(scene, take_u32())); }
static void advance_ages(void) { print_status(lodger_scene_advance_ages(scene, take_float())); }

static void set_origin(void) {
    double origin[3];
    take_place(origin);
    print_status(lodger_scene_set_origin(scene, origin));
}

static void add_view(void) {
    double eye[3];
    if (view_count == VIEWS) fail("too many views");
    take_place(eye);
    if (print_status(lodger_view_add(scene, eye, &views[view_count])) == LODGER_OK) view_count++;
}

static void set_view(void) {
    const lodger_view view = take_view();
    double eye[3];
    take_place(eye);
    print_status(lodger_view_set(scene, view, eye));
}

static void set_zoom(void) {
    const lodger_view view = take_view();
    print_status(lodger_view_set_zoom(scene, view, take_double()));
}

static void set_matrices(void) {
    const lodger_view view = take_view();
    double matrices[2][16], reference_fov;
    uint32_t i;
    for (i = 0; i < 32; i++) matrices[i / 16][i % 16] = take_double();
    reference_fov = take_double();
    print_status(lodger_view_set_matrices(scene, view, matrices[0], matrices[1], reference_fov, take_double()));
}

static void remove_view(void) { print_status(lodger_view_remove(scene, take_view())); }

static void take_rule(lodger_module_desc *desc) {
    desc->importance = take_u32();
    desc->max_distance = take_float();
    desc->weight_distance = take_float();
    desc->weight_age = take_float();
    desc->weight_speed = take_float();
    desc->bias = take_float();
    desc->max_age = take_float();
    desc->max_speed = take_float();
}

static void add_module(void) {
    lodger_module_desc desc = LODGER_MODULE_DESC_INIT;
    float table[LEVELS];
    uint64_t benefit_value;
    if (module_count == MODULES) fail("too many modules");
    take_rule(&desc);
    if (take()) desc.flags |= LODGER_MODULE_CONTINUOUS;
    if (!take()) desc.flags |= LODGER_MODULE_UNMANAGED;
    desc.unit_cost_ns = take_double();
    benefit_value = take();
    if (benefit_value == UINT64_MAX) desc.flags |= LODGER_MODULE_NO_BENEFIT_VALUE;
    else desc.benefit_value_ns = (uint32_t)benefit_value;
    desc.overhead = take_u32();
    desc.lod_cap = take_u32();
    desc.levels = take_floats(table);
    if (desc.levels > 0) desc.qualities = table;
    if (print_status(lodger_module_add(scene, &desc, &modules[module_count])) == LODGER_OK) module_count++;
}

static void set_rule(void) {
    const lodger_module module = take_module();
    lodger_module_desc desc = LODGER_MODULE_DESC_INIT;
    take_rule(&desc);
    print_status(lodger_module_set_rule(scene, module, &desc));
}

static void set_unit_cost(void) {
    const lodger_module module = take_module();
    print_status(lodger_module_set_unit_cost(scene, module, take_double()));
}
static void set_benefit_value(void) {
    const lodger_module module = take_module();
    print_status(lodger_module_set_benefit_value(scene, module, take_u32()));
}
static void set_module_priority(void) {
    const lodger_module module = take_module();
    print_status(lodger_module_set_priority(scene, module, take_double()));
}
static void set_outside(void) {
    const lodger_module module = take_module();
    print_status(lodger_module_set_outside(scene, module, take_double()));
}
static void test_views(void) { print_status(lodger_module_test_views(scene, take_module())); }
static void set_managed(void) {
    const lodger_module module = take_module();
    print_status(lodger_module_set_managed(scene, module, take_u32()));
}
static void set_lod_cap(void) {
    const lodger_module module = take_module();
    print_status(lodger_module_set_lod_cap(scene, module, take_u32()));
}
static void set_overhead(void) {
    const lodger_module module = take_module();
    print_status(lodger_module_set_overhead(scene, module, take_u32()));
}
static void observe_time(void) {
    const lodger_module module = take_module();
    const uint64_t units = take();
    print_status(lodger_module_observe_time(scene, module, units, take()));
}
static void observe_share(void) {
    const lodger_module module = take_module();
    lodger_module_report plan = LODGER_MODULE_REPORT_INIT;
    if (lodger_module_report_of(scene, module, &plan) != LODGER_OK) plan.assigned_ns = 0;
    print_status(lodger_module_observe_time(scene, module, LODGER_ASSIGNED, plan.assigned_ns / 100 * take()));
}

/* Descs in the middle of larger rows, as an engine's components have them. */
static void spawn(void) {
    struct { uint64_t entity; lodger_actor_desc desc; } rows[LIST];
    static uint32_t units[LIST][LEVELS];
    static float tables[LIST][LEVELS];
    const lodger_actor_desc initial = LODGER_ACTOR_DESC_INIT;
    const lodger_module module = take_module();
    const uint32_t count = take_count(LIST);
    uint32_t i;
    if (actor_count + count > ACTORS) fail("too many actors");
    for (i = 0; i < count; i++) {
        lodger_actor_desc *desc = &rows[i].desc;
        rows[i].entity = i;
        *desc = initial;
        desc->levels = take_work(units[i]);
        desc->work = units[i];
        if (take_floats(tables[i]) > 0) desc->qualities = tables[i];
        desc->key = take();
        take_place(desc->position);
        desc->radius = take_float();
        desc->age = take_float();
        desc->speed = take_float();
        desc->benefit = take_float();
        desc->forced = take_float();
        desc->lowest = take_u8();
        desc->highest = take_u8();
        if (!take()) desc->flags |= LODGER_ACTOR_INVISIBLE;
    }
    if (print_status(lodger_actors_spawn(scene, module, &rows[0].desc, sizeof rows[0], count, &actors[actor_count])) == LODGER_OK)
        actor_count += count;
}

static void despawn(void) {
    lodger_actor targets[LIST];
    const uint32_t count = take_actors(targets);
    print_status(lodger_actors_despawn(scene, targets, count));
}

typedef struct row {
    double world[3];
    float place[3];
    float number;
    uint64_t key;
    uint8_t bit;
} row;

static void set(void) {
    lodger_actor targets[LIST];
    row rows[LIST];
    const void *values;
    const uint32_t count = take_actors(targets);
    const lodger_column column = (lodger_column)take();
    const uint32_t value_count = take_count(LIST);
    uint32_t i, axis;
    memset(rows, 0, sizeof rows);
    for (i = 0; i < value_count; i++) {
        switch (column) {
        case LODGER_POSITION:
            for (axis = 0; axis < 3; axis++) rows[i].place[axis] = take_float();
            break;
        case LODGER_POSITION_F64: take_place(rows[i].world); break;
        case LODGER_VISIBLE:
        case LODGER_IN_VIEW: rows[i].bit = take_u8(); break;
        case LODGER_KEY: rows[i].key = take(); break;
        default: rows[i].number = take_float();
        }
    }
    switch (column) {
    case LODGER_POSITION: values = rows[0].place; break;
    case LODGER_POSITION_F64: values = rows[0].world; break;
    case LODGER_VISIBLE:
    case LODGER_IN_VIEW: values = &rows[0].bit; break;
    case LODGER_KEY: values = &rows[0].key; break;
    default: values = &rows[0].number;
    }
    /* A single value is for all. */
    print_status(lodger_actors_set(scene, targets, count, column, values, value_count == 1 ? 0 : sizeof rows[0]));
}

static void set_range(void) {
    const lodger_actor actor = take_actor();
    const uint8_t lowest = take_u8();
    print_status(lodger_actor_set_range(scene, actor, lowest, take_u8()));
}

static void set_work(void) {
    const lodger_actor actor = take_actor();
    uint32_t units[LEVELS];
    const uint32_t levels = take_work(units);
    print_status(lodger_actor_set_work(scene, actor, units, levels));
}

static void set_qualities(void) {
    const lodger_actor actor = take_actor();
    float table[LEVELS];
    const uint32_t levels = take_floats(table);
    print_status(lodger_actor_set_qualities(scene, actor, levels > 0 ? table : NULL, levels));
}

static uint64_t index_of(lodger_actor targets) {
    uint32_t i;
    for (i = 0; i < actor_count; i++)
        if (actors[i] == targets) return i;
    return UINT64_MAX;
}

static uint64_t number_of(lodger_module module) {
    uint32_t i;
    for (i = 0; i < module_count; i++)
        if (modules[i] == module) return i;
    return UINT64_MAX;
}

static void tell_levels(void) {
    uint8_t levels[ACTORS];
    float lods[ACTORS];
    uint32_t i;
    begin("levels");
    put((uint64_t)lodger_actors_levels(scene, actors, actor_count, levels, sizeof levels[0]));
    for (i = 0; i < actor_count; i++) put(levels[i]);
    end();
    begin("lods");
    put((uint64_t)lodger_actors_lods(scene, actors, actor_count, lods, sizeof lods[0]));
    for (i = 0; i < actor_count; i++) put(float_bits(lods[i]));
    end();
}

static void tell_changes(void) {
    lodger_change changes[ACTORS];
    size_t i, count = 0;
    if (lodger_changes(scene, changes, ACTORS, &count) != LODGER_OK) return;
    for (i = 0; i < count && i < ACTORS; i++) {
        begin("change");
        put(index_of(changes[i].actor));
        put(changes[i].key);
        put(number_of(changes[i].module));
        put((uint64_t)(int64_t)changes[i].from);
        put(changes[i].to);
        put(changes[i].fraction);
        end();
    }
}

static void tell_module(lodger_module module) {
    lodger_module_report plan = LODGER_MODULE_REPORT_INIT;
    if (lodger_module_report_of(scene, module, &plan) != LODGER_OK) return;
    begin("module");
    put(plan.actors);
    put(plan.assigned_ns);
    put(plan.target_ns);
    put(plan.units);
    put(bits(plan.unit_cost_ns));
    put(plan.overhead);
    end();
    begin("module-report");
    put(plan.managed);
    put(bits(plan.benefit));
    put(bits(plan.raw_unit_cost_ns));
    put(plan.lod_cap);
    end();
}

static void tell_actor(uint32_t number) {
    lodger_actor_report plan = LODGER_ACTOR_REPORT_INIT;
    if (lodger_actor_report_of(scene, actors[number], &plan) != LODGER_OK) return;
    begin("actor");
    put(number);
    put(plan.reason);
    put(plan.key);
    put(plan.share_ns);
    put(bits(plan.benefit));
    put(bits(plan.quality));
    put(bits(plan.level));
    put(plan.cost_ns);
    put(number_of(plan.module));
    end();
}

static void tick(void) {
    lodger_report plan = LODGER_REPORT_INIT;
    uint32_t i;
    print_status(lodger_tick(scene, &plan));
    begin("tick");
    put(plan.load);
    put(plan.budget_ns);
    put(plan.assigned_ns);
    put(plan.reserved_ns);
    put(plan.overcommit_ns);
    put(bits(plan.scale));
    put(bits(plan.headroom));
    put(known(plan.value));
    put(known(plan.upper_bound));
    put(plan.actors);
    put(plan.quarantined);
    put(plan.changes);
    put(plan.switches);
    end();
    begin("rounding");
    put(bits(plan.rounding_m));
    end();
    tell_levels();
    tell_changes();
    for (i = 0; i < module_count; i++) tell_module(modules[i]);
    for (i = 0; i < actor_count; i++) tell_actor(i);
}

static void certify(void) {
    double value, bound;
    print_status(lodger_scene_certify(scene, &value, &bound));
    begin("certificate");
    put(bits(value));
    put(bits(bound));
    end();
}

static const struct {
    const char *name;
    void (*make)(void);
} CALLS[] = {
    {"budget", set_budget}, {"policy", set_policy}, {"hysteresis", set_hysteresis},
    {"max-upgrades", set_max_upgrades}, {"search-moves", set_search_moves}, {"headroom", set_headroom},
    {"frame-done", frame_done}, {"scale-costs", scale_costs}, {"own-cost", set_own_cost},
    {"own-time", observe_own_time}, {"cautious-start", set_cautious_start},
    {"unmanaged-in-budget", set_unmanaged_in_budget}, {"track-changes", track_changes},
    {"advance-ages", advance_ages}, {"origin", set_origin}, {"add-view", add_view}, {"set-view", set_view},
    {"zoom", set_zoom}, {"matrices", set_matrices}, {"module-priority", set_module_priority},
    {"outside", set_outside}, {"test-views", test_views}, {"remove-view", remove_view}, {"add-module", add_module}, {"rule", set_rule}, {"unit-cost", set_unit_cost},
    {"benefit-value", set_benefit_value}, {"managed", set_managed}, {"lod-cap", set_lod_cap},
    {"overhead", set_overhead}, {"observe-time", observe_time}, {"observe-share", observe_share}, {"spawn", spawn},
    {"despawn", despawn}, {"set", set}, {"range", set_range}, {"work", set_work}, {"qualities", set_qualities},
    {"tick", tick}, {"certify", certify},
};

static void make(char *call) {
    const size_t length = strcspn(call, " \n");
    size_t i;
    rest = call + length;
    for (i = 0; i < sizeof CALLS / sizeof CALLS[0]; i++) {
        if (strlen(CALLS[i].name) == length && memcmp(CALLS[i].name, call, length) == 0) {
            CALLS[i].make();
            return;
        }
    }
    fail("there is no such call");
}

static void begin_scene(const char *line) {
    if (lodger_scene_destroy(scene) != LODGER_OK) fail("a scene is not destroyed");
    if (lodger_scene_create(LODGER_UNLIMITED, &scene) != LODGER_OK) fail("there is no scene");
    module_count = view_count = actor_count = 0;
    fputs(line, stdout);
}

int main(int argc, char **argv) {
    static char line[TEXT];
    FILE *log;
    if (argc != 2) {
        fputs("usage: plans LOG\n", stderr);
        return 2;
    }
    log = fopen(argv[1], "r");
    if (log == NULL) fail("the log cannot be read");
    while (fgets(line, sizeof line, log) != NULL) {
        if (strchr(line, '\n') == NULL) fail("a line is too long");
        if (line[0] == '>') make(line + 2);
        if (strncmp(line, "scene ", 6) == 0) begin_scene(line);
    }
    fclose(log);
    return lodger_scene_destroy(scene) == LODGER_OK ? 0 : 1;
}
