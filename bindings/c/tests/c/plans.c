/* Random calls, and all that lodger says to them, as numbers in hexadecimal: plans FIRST COUNT prints the scenes of
 * seeds FIRST, FIRST + 1 and so on. tests/plans/calls.rs draws the same calls, so both must say the same. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lodger.h"

enum { FRAMES = 20, ACTORS = 64, SPAWN = 6, LIST = 8, MODULES = 3, VIEWS = 8, LEVELS = 5, CHANGES = 64 };

static uint64_t state;
static lodger_scene scene;
static lodger_module modules[MODULES];
static lodger_view views[VIEWS];
static lodger_actor actors[ACTORS];
static uint32_t module_count, view_count, actor_count;

/* SplitMix64. */
static uint64_t draw(void) {
    uint64_t z;
    state += UINT64_C(0x9E3779B97F4A7C15);
    z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint32_t below(uint32_t end) { return (uint32_t)(draw() >> 33) % end; }
static int one_in(uint32_t many) { return below(many) == 0; }
/* From first to below first + count, in sixteenths. */
static float sixteenths(int first, uint32_t count) { return (float)((int)below(count) + first) / 16.0f; }
static double coordinate(void) { return (double)below(16000) / 16.0 - 500.0; }

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
static void call(lodger_status status) {
    begin("call");
    put((uint64_t)status);
    end();
}

static uint64_t budget(void) {
    if (one_in(4)) return LODGER_UNLIMITED;
    return below(40000);
}

static void rule(lodger_module_desc *desc) {
    uint32_t weights;
    desc->importance = below(2);
    if (one_in(2)) desc->max_distance = (float)(1 + below(200));
    weights = below(3);
    desc->weight_distance = weights == 0 ? 1.0f : 0.5f;
    desc->weight_age = weights == 0 ? 0.0f : weights == 1 ? 0.5f : 0.25f;
    desc->weight_speed = weights == 2 ? 0.25f : 0.0f;
    desc->bias = (float)below(4) / 64.0f;
    desc->max_age = (float)(1 + below(20));
    desc->max_speed = (float)(1 + below(10));
}

static uint32_t cap(void) {
    if (one_in(2)) return below(4);
    return LODGER_NO_CAP;
}

static uint32_t level_count(void) {
    if (one_in(12)) return 1 + below(LEVELS);
    return 4;
}

static void work(uint32_t *out, uint32_t levels) {
    uint32_t i, units = below(8);
    for (i = 0; i < levels; i++) {
        out[i] = units;
        units += below(200);
    }
}

/* Sometimes above 1, and then refused. */
static void qualities(float *out, uint32_t levels) {
    uint32_t i, quality = 0;
    for (i = 0; i < levels; i++) {
        out[i] = (float)quality / 32.0f;
        quality += below(16);
    }
}

static void add_module(void) {
    lodger_module_desc desc = LODGER_MODULE_DESC_INIT;
    float table[4];
    if (one_in(3)) desc.flags |= LODGER_MODULE_CONTINUOUS;
    if (one_in(6)) desc.flags |= LODGER_MODULE_UNMANAGED;
    if (one_in(4)) {
        qualities(table, 4);
        desc.qualities = table;
        desc.levels = 4;
    }
    desc.unit_cost_ns = (double)(1 + below(64)) / 8.0;
    desc.benefit_value_ns = below(20000);
    rule(&desc);
    desc.lod_cap = cap();
    if (one_in(3)) desc.overhead = below(100);
    call(lodger_module_add(scene, &desc, &modules[module_count++]));
}

static void actor(lodger_actor_desc *desc, uint32_t *units, float *table) {
    uint32_t axis;
    desc->levels = level_count();
    work(units, desc->levels);
    desc->work = units;
    if (one_in(4)) {
        qualities(table, desc->levels);
        desc->qualities = table;
    }
    desc->key = draw();
    for (axis = 0; axis < 3; axis++) desc->position[axis] = coordinate();
    desc->radius = sixteenths(0, 64);
    desc->age = sixteenths(0, 320);
    desc->speed = sixteenths(0, 160);
    if (one_in(5)) desc->benefit = sixteenths(0, 64);
    if (one_in(8)) desc->forced = sixteenths(0, 96);
    if (one_in(4)) {
        desc->lowest = (uint8_t)below(3);
        desc->highest = (uint8_t)(1 + below(3));
    }
    if (one_in(10)) desc->flags |= LODGER_ACTOR_INVISIBLE;
}

/* Those that are not let in keep the handle 0. */
static void spawn(uint32_t module) {
    struct { uint64_t entity; lodger_actor_desc desc; } rows[SPAWN];
    uint32_t units[SPAWN][LEVELS], i, count;
    float tables[SPAWN][LEVELS];
    const lodger_actor_desc initial = LODGER_ACTOR_DESC_INIT;
    if (actor_count + SPAWN > ACTORS) return;
    count = 1 + below(SPAWN);
    for (i = 0; i < count; i++) {
        rows[i].entity = i;
        rows[i].desc = initial;
        actor(&rows[i].desc, units[i], tables[i]);
    }
    call(lodger_actors_spawn(scene, modules[module], &rows[0].desc, sizeof rows[0], count, &actors[actor_count]));
    actor_count += count;
}

static uint32_t list(lodger_actor *out, uint32_t most) {
    uint32_t i, count = 1 + below(most);
    for (i = 0; i < count; i++) out[i] = actors[below(actor_count)];
    return count;
}

typedef struct row {
    double world[3];
    float place[3];
    float number;
    uint64_t key;
    uint8_t visible;
} row;

static float odd(float otherwise) {
    switch (below(40)) {
    case 0: return (float)strtod("nan", NULL);
    case 1: return (float)strtod("inf", NULL);
    default: return otherwise;
    }
}

static void value(row *out, lodger_column column) {
    uint32_t axis;
    switch (column) {
    case LODGER_POSITION:
        for (axis = 0; axis < 3; axis++) out->place[axis] = (float)coordinate();
        out->place[0] = odd(out->place[0]);
        break;
    case LODGER_POSITION_F64:
        for (axis = 0; axis < 3; axis++) {
            out->world[axis] = coordinate();
            out->world[axis] += (double)below(1024) / 1099511627776.0;
        }
        break;
    case LODGER_RADIUS: out->number = odd(sixteenths(-1, 66)); break;
    case LODGER_AGE: out->number = odd(sixteenths(-20, 340)); break;
    case LODGER_SPEED: out->number = odd(sixteenths(-4, 160)); break;
    case LODGER_BENEFIT: out->number = odd(sixteenths(-16, 80)); break;
    case LODGER_FORCED: out->number = odd(sixteenths(-20, 100)); break;
    case LODGER_VISIBLE: out->visible = (uint8_t)below(2); break;
    default: out->key = draw();
    }
}

static void set(lodger_column column) {
    lodger_actor whom[LIST];
    row rows[LIST];
    const void *values;
    uint32_t i, count = list(whom, LIST);
    memset(rows, 0, sizeof rows);
    for (i = 0; i < count; i++) value(&rows[i], column);
    switch (column) {
    case LODGER_POSITION: values = rows[0].place; break;
    case LODGER_POSITION_F64: values = rows[0].world; break;
    case LODGER_VISIBLE: values = &rows[0].visible; break;
    case LODGER_KEY: values = &rows[0].key; break;
    default: values = &rows[0].number;
    }
    /* One in eight times all get the first value. */
    call(lodger_actors_set(scene, whom, count, column, values, one_in(8) ? 0 : sizeof rows[0]));
}

static void of_actor(uint32_t kind) {
    const lodger_actor whom = actors[below(actor_count)];
    uint32_t units[LEVELS], levels;
    float table[LEVELS];
    uint8_t lowest, highest;
    switch (kind) {
    case 0:
        lowest = (uint8_t)below(4);
        highest = (uint8_t)below(6);
        call(lodger_actor_set_range(scene, whom, lowest, highest));
        break;
    case 1:
        levels = level_count();
        work(units, levels);
        call(lodger_actor_set_work(scene, whom, units, levels));
        break;
    default:
        levels = level_count();
        if (one_in(3)) {
            call(lodger_actor_set_qualities(scene, whom, NULL, 0));
        } else {
            qualities(table, levels);
            call(lodger_actor_set_qualities(scene, whom, table, levels));
        }
    }
}

static void of_module(uint32_t kind) {
    const lodger_module module = modules[below(module_count)];
    lodger_module_desc desc = LODGER_MODULE_DESC_INIT;
    uint64_t units;
    switch (kind) {
    case 0: call(lodger_module_set_unit_cost(scene, module, (double)below(64) / 8.0)); break;
    case 1: call(lodger_module_set_benefit_value(scene, module, below(20000))); break;
    case 2:
        rule(&desc);
        call(lodger_module_set_rule(scene, module, &desc));
        break;
    case 3: call(lodger_module_set_managed(scene, module, below(2))); break;
    case 4: call(lodger_module_set_lod_cap(scene, module, cap())); break;
    case 5: call(lodger_module_set_overhead(scene, module, below(100))); break;
    default:
        units = LODGER_ASSIGNED;
        if (one_in(2)) units = below(4000);
        call(lodger_module_measured(scene, module, units, below(40000)));
    }
}

static void of_scene(uint32_t kind) {
    static const double parts[] = {0.0, 0.01, 0.25};
    uint8_t margin, reserve;
    double origin[3];
    uint32_t axis;
    switch (kind) {
    case 0: call(lodger_scene_set_budget(scene, budget())); break;
    case 1: call(lodger_scene_set_policy(scene, below(5))); break;
    case 2:
        margin = (uint8_t)below(64);
        reserve = (uint8_t)below(32);
        call(lodger_scene_set_stability(scene, margin, reserve));
        break;
    case 3: call(lodger_scene_set_max_raises(scene, one_in(2) ? UINT32_MAX : below(4))); break;
    case 4: call(lodger_scene_set_trials(scene, below(64))); break;
    case 5: call(lodger_scene_set_headroom_target(scene, parts[below(3)])); break;
    case 6: call(lodger_scene_set_count_unmanaged(scene, below(2))); break;
    case 7: call(lodger_scene_advance_ages(scene, sixteenths(-4, 32))); break;
    case 8: call(lodger_scene_track_changes(scene, below(2))); break;
    default:
        for (axis = 0; axis < 3; axis++) origin[axis] = (double)below(4000) / 4.0 - 500.0;
        call(lodger_scene_set_origin(scene, origin));
    }
}

static void add_view(void) {
    double eye[3];
    uint32_t axis;
    for (axis = 0; axis < 3; axis++) eye[axis] = coordinate();
    if (view_count < VIEWS) call(lodger_view_add(scene, eye, &views[view_count++]));
}

static void of_view(uint32_t kind) {
    double eye[3];
    uint32_t axis, which;
    if (kind == 0 || view_count == 0) {
        add_view();
        return;
    }
    which = below(view_count);
    if (kind == 1) {
        for (axis = 0; axis < 3; axis++) eye[axis] = coordinate();
        call(lodger_view_set(scene, views[which], eye));
    } else {
        call(lodger_view_remove(scene, views[which]));
    }
}

static void random_call(void) {
    lodger_actor whom[LIST];
    uint32_t count;
    switch (below(8)) {
    case 0: spawn(below(module_count)); break;
    case 1:
        count = list(whom, 2);
        call(lodger_actors_despawn(scene, whom, count));
        break;
    case 2:
    case 3: set(below(9)); break;
    case 4: of_actor(below(3)); break;
    case 5: of_module(below(7)); break;
    case 6: of_scene(below(10)); break;
    default: of_view(below(3));
    }
}

static uint64_t index_of(lodger_actor whom) {
    uint32_t i;
    for (i = 0; i < actor_count; i++)
        if (actors[i] == whom) return i;
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
    lodger_change changes[CHANGES];
    size_t i, count = 0;
    if (lodger_changes(scene, changes, CHANGES, &count) != LODGER_OK) return;
    for (i = 0; i < count && i < CHANGES; i++) {
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
    lodger_module_report told = LODGER_MODULE_REPORT_INIT;
    begin("module");
    put((uint64_t)lodger_module_report_of(scene, module, &told));
    put(told.managed);
    put(told.actors);
    put(told.assigned_ns);
    put(told.target_ns);
    put(told.units);
    put(bits(told.benefit));
    put(bits(told.unit_cost_ns));
    put(bits(told.raw_unit_cost_ns));
    put(told.overhead);
    put(told.lod_cap);
    end();
}

static void tell_actor(lodger_actor whom) {
    lodger_actor_report told = LODGER_ACTOR_REPORT_INIT;
    const lodger_status status = lodger_actor_report_of(scene, whom, &told);
    begin("actor");
    put((uint64_t)status);
    if (status == LODGER_OK) {
        put(told.reason);
        put(told.key);
        put(told.share_ns);
        put(bits(told.benefit));
        put(bits(told.quality));
        put(bits(told.level));
        put(told.cost_ns);
        put(number_of(told.module));
    }
    end();
}

static void tick(void) {
    lodger_report told = LODGER_REPORT_INIT;
    double value, bound;
    uint32_t i;
    begin("tick");
    put((uint64_t)lodger_tick(scene, &told));
    put(told.load);
    put(told.budget_ns);
    put(told.assigned_ns);
    put(told.fixed_ns);
    put(told.overcommit_ns);
    put(bits(told.scale));
    put(bits(told.headroom));
    put(known(told.value));
    put(known(told.upper_bound));
    put(bits(told.narrowing));
    put(told.actors);
    put(told.quarantined);
    put(told.changes);
    put(told.flips);
    end();
    tell_levels();
    tell_changes();
    for (i = 0; i < module_count; i++) tell_module(modules[i]);
    for (i = 0; i < 2; i++) tell_actor(actors[below(actor_count)]);
    if (one_in(4)) {
        call(lodger_scene_certify(scene, &value, &bound));
        begin("certificate");
        put(bits(value));
        put(bits(bound));
        end();
    }
}

static void play(uint64_t seed) {
    uint32_t i, count;
    state = seed;
    module_count = view_count = actor_count = 0;
    memset(modules, 0, sizeof modules);
    memset(views, 0, sizeof views);
    memset(actors, 0, sizeof actors);
    printf("scene %" PRIu64 "\n", seed);
    call(lodger_scene_create(budget(), &scene));
    call(lodger_scene_set_policy(scene, below(5)));
    call(lodger_scene_track_changes(scene, below(2)));
    for (count = 1 + below(MODULES); count > 0; count--) add_module();
    for (count = below(3); count > 0; count--) add_view();
    for (i = 0; i < module_count; i++) spawn(i);
    for (i = 0; i < FRAMES; i++) {
        for (count = below(8); count > 0; count--) random_call();
        tick();
    }
    call(lodger_scene_destroy(scene));
}

int main(int argc, char **argv) {
    uint64_t seed, count;
    if (argc != 3) {
        fputs("usage: plans FIRST COUNT\n", stderr);
        return 2;
    }
    seed = strtoull(argv[1], NULL, 10);
    for (count = strtoull(argv[2], NULL, 10); count > 0; count--) play(seed++);
    return 0;
}
