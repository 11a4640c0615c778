/* misuse SEQUENCES SEED [exact]: calls that are wrong in every way that a status can answer, in random order, from two threads.
 *
 * A sequence is some calls of one thread, with handles that are stale, foreign, made up or 0, pointers that are NULL or
 * not aligned, short buffers, strides of 0, too short and not aligned, structs of impossible sizes, numbers that are
 * none. Half of the time two threads are in the same scene, each may get LODGER_BUSY, and either may destroy it
 * under the other. Every answer must be a status that is in the header, what was written must lie within what was
 * offered, and every now and then a plain scene must decide what it always decides.
 *
 * Whatever the library reads or writes is a block of malloc's of its own. A few bytes behind it tell whether they were
 * written; with `exact` there are none, so that valgrind finds a read or write one byte too far. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lodger.h"

enum { ACTORS = 12, CALLS = 24, LIST = 6, STATUSES = 9 };

typedef struct game { /* The handles of a thread, valid or not. */
    uint64_t state;
    lodger_scene scene, other;
    lodger_module modules[2];
    lodger_view view;
    lodger_actor actors[ACTORS];
    uint64_t statuses[STATUSES];
} game;

static void fail(const char *what, int64_t number) {
    char text[200];
    lodger_last_error(text, sizeof text);
    fprintf(stderr, "misuse: %s (%" PRId64 "), last error: %s\n", what, number, text);
    abort();
}

/* Memory that the library is offered. */
typedef struct block {
    unsigned char *bytes;
    size_t size;
} block;

enum { UNTOUCHED = 0xAB, GUARD = 0xE7 };
static size_t guards = 16; /* Bytes behind each block; 0 where `exact` was said. */

static block room(size_t size, int fill) {
    block it;
    it.size = size;
    it.bytes = (unsigned char *)malloc(size + guards);
    if (it.bytes == NULL) fail("no memory", (int64_t)size);
    memset(it.bytes, fill, size);
    memset(it.bytes + size, GUARD, guards);
    return it;
}

static block copy(const void *from, size_t size) {
    block it = room(size, 0);
    memcpy(it.bytes, from, size);
    return it;
}

static void give_back(block it, const char *what) {
    size_t i;
    for (i = 0; i < guards; i++)
        if (it.bytes[it.size + i] != GUARD) fail(what, (int64_t)i);
    free(it.bytes);
}

static uint64_t draw(game *it) {
    uint64_t z = it->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint32_t below(game *it, uint32_t end) { return (uint32_t)(draw(it) >> 33) % end; }
static int one_in(game *it, uint32_t many) { return below(it, many) == 0; }

static lodger_status take(game *it, lodger_status status) {
    if (status < 0 || status >= STATUSES) fail("no such status", status);
    if (status == LODGER_PANICKED) fail("a panic", status);
    if (strlen(lodger_status_text(status)) == 0) fail("no text", status);
    it->statuses[status]++;
    return status;
}

/* Numbers of every kind. */
static double any_number(game *it) {
    switch (below(it, 12)) {
    case 0: return NAN;
    case 1: return INFINITY;
    case 2: return -INFINITY;
    case 3: return -0.0;
    case 4: return 5e-324;
    case 5: return 1e300;
    case 6: return -1.0;
    default: return (double)below(it, 4000) / 16.0 - 20.0;
    }
}
static float any_float(game *it) { /* C leaves open what a double that is too large becomes. */
    const double number = any_number(it);
    return fabs(number) > 3e38 && isfinite(number) ? 3e38f : (float)number;
}
static uint64_t any_word(game *it) { return one_in(it, 2) ? draw(it) : one_in(it, 2) ? UINT64_MAX : below(it, 5); }

/* Handles: mostly right, else of others, stale, made up, or none. */
static lodger_scene any_scene(game *it) {
    switch (below(it, 24)) {
    case 0: return 0;
    case 1: return (lodger_scene)draw(it);
    case 2: return it->other;
    default: return it->scene;
    }
}
static lodger_module any_module(game *it) {
    switch (below(it, 10)) {
    case 0: return 0;
    case 1: return (lodger_module)draw(it);
    case 2: return it->modules[0] ^ (1u << below(it, 32));
    default: return it->modules[below(it, 2)];
    }
}
static lodger_view any_view(game *it) {
    return one_in(it, 4) ? any_word(it) : it->view;
}
static lodger_actor any_actor(game *it) {
    switch (below(it, 10)) {
    case 0: return 0;
    case 1: return draw(it);
    case 2: return it->actors[0] ^ (UINT64_C(1) << below(it, 64));
    default: return it->actors[below(it, ACTORS)];
    }
}
/* Of a struct; what is larger than it and no size that it can have is only ever claimed, never there. */
static uint32_t any_size(game *it, uint32_t right) {
    static const uint32_t odd[] = {0, 3, 4, 7, 8, 12, 65536, 0x80000000u, UINT32_MAX};
    return one_in(it, 3) ? odd[below(it, sizeof odd / sizeof odd[0])] : right;
}
static size_t any_stride(game *it, size_t right) {
    switch (below(it, 8)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return right + 1;
    case 3: return right - 1;
    case 4: return SIZE_MAX;
    default: return right;
    }
}

/* A struct of a newer lodger: its rest is there, and 0 or not. */
typedef struct longer { lodger_actor_desc desc; uint64_t rest[2]; } longer;

/* Arrays of levels, a block each. */
#define LEVELS 4u
static const uint32_t WORK[LEVELS] = {0, 20, 60, 200};
static const uint32_t FALLING[LEVELS] = {9, 3, 1, 0};
static const float TABLE[LEVELS] = {0.0f, 0.25f, 0.5f, 1.0f};
static const float BAD_TABLE[LEVELS] = {0.0f, 2.0f, NAN, -1.0f};
static block work_rising, work_falling, table_rising, table_bad, name_right, name_broken;

static void offer_tables(void) {
    static const char broken[] = {(char)0xC3, (char)0x28, 0};
    work_rising = copy(WORK, sizeof WORK);
    work_falling = copy(FALLING, sizeof FALLING);
    table_rising = copy(TABLE, sizeof TABLE);
    table_bad = copy(BAD_TABLE, sizeof BAD_TABLE);
    name_right = copy("a name", sizeof "a name");
    name_broken = copy(broken, sizeof broken);
}

static void give_back_tables(void) {
    give_back(work_rising, "wrote behind work");
    give_back(work_falling, "wrote behind work");
    give_back(table_rising, "wrote behind qualities");
    give_back(table_bad, "wrote behind qualities");
    give_back(name_right, "wrote behind a name");
    give_back(name_broken, "wrote behind a name");
}

/* The last levels of a table, which end where its block does. More than there are are only ever claimed. */
static const uint32_t *work(block table, uint32_t levels) {
    return (const uint32_t *)(const void *)table.bytes + (levels < LEVELS ? LEVELS - levels : 0);
}
static const float *qualities(block table, uint32_t levels) {
    return (const float *)(const void *)table.bytes + (levels < LEVELS ? LEVELS - levels : 0);
}
static const uint32_t *any_work(game *it, uint32_t levels, uint32_t wrong) {
    if (one_in(it, wrong)) return NULL;
    return work(one_in(it, wrong) ? work_falling : work_rising, levels);
}
static const float *any_qualities(game *it, uint32_t levels, uint32_t wrong) {
    return qualities(one_in(it, wrong) ? table_bad : table_rising, levels);
}

/* A struct that is read or written, with the bytes that it says; those of an impossible size are not there. */
static size_t there(uint32_t said, size_t most) { return said < sizeof said || said > most ? sizeof said : said; }

static void any_desc(game *it, lodger_actor_desc *desc) {
    const lodger_actor_desc initial = LODGER_ACTOR_DESC_INIT;
    *desc = initial;
    desc->levels = one_in(it, 9) ? below(it, 5) : one_in(it, 20) ? 257 + below(it, 9) : LEVELS;
    desc->work = any_work(it, desc->levels, 9);
    if (one_in(it, 4)) desc->qualities = any_qualities(it, desc->levels, 3);
    if (one_in(it, 9)) desc->flags = (uint32_t)draw(it);
    if (one_in(it, 20)) desc->reserved = 1;
    if (one_in(it, 20)) desc->reserved2[1] = 1;
    if (one_in(it, 4)) desc->position[below(it, 3)] = any_number(it);
    if (one_in(it, 6)) desc->radius = any_float(it);
    if (one_in(it, 6)) desc->age = any_float(it);
    if (one_in(it, 6)) desc->speed = any_float(it);
    if (one_in(it, 6)) desc->benefit = any_float(it);
    if (one_in(it, 6)) desc->forced = any_float(it);
    if (one_in(it, 6)) desc->lowest = (uint8_t)draw(it);
    if (one_in(it, 6)) desc->highest = (uint8_t)draw(it);
    desc->key = draw(it);
}

static void spawn(game *it) {
    longer rows[LIST];
    uint64_t untouched;
    const uint32_t count = below(it, LIST + 1);
    const size_t stride = one_in(it, 9) ? any_stride(it, sizeof rows[0]) : sizeof rows[0];
    const uint32_t last = count > 0 && stride > 0 ? count - 1 : 0;
    uint32_t i;
    lodger_status status;
    block descs, out;
    memset(rows, 0, sizeof rows);
    memset(&untouched, UNTOUCHED, sizeof untouched);
    for (i = 0; i < count; i++) {
        any_desc(it, &rows[i].desc);
        if (one_in(it, 9)) rows[i].desc.size = any_size(it, (uint32_t)sizeof rows[0]);
        if (one_in(it, 9)) rows[i].desc.size = (uint32_t)sizeof rows[0];
        if (one_in(it, 20)) rows[i].rest[1] = 1;
    }
    descs = copy(rows, count == 0 ? 0 : last * sizeof rows[0] + there(rows[last].desc.size, sizeof rows[0]));
    out = room(count * sizeof(lodger_actor), UNTOUCHED);
    status = take(it, lodger_actors_spawn(any_scene(it), any_module(it),
                                          one_in(it, 20) ? NULL : (const lodger_actor_desc *)(const void *)descs.bytes,
                                          stride, count, one_in(it, 9) ? NULL : (lodger_actor *)(void *)out.bytes));
    for (i = 0; i < count; i++) {
        lodger_actor handle;
        memcpy(&handle, out.bytes + i * sizeof handle, sizeof handle);
        if (handle != untouched) {
            if (status != LODGER_OK) fail("invalid handles", status);
            it->actors[below(it, ACTORS)] = handle;
        }
    }
    give_back(descs, "wrote behind descriptions");
    give_back(out, "wrote behind the handles");
}

/* Some actors, right or wrong. */
static block list(game *it, uint32_t *count) {
    lodger_actor targets[LIST];
    uint32_t i;
    *count = below(it, LIST + 1);
    for (i = 0; i < *count; i++) targets[i] = any_actor(it);
    return copy(targets, *count * sizeof targets[0]);
}
static const lodger_actor *handles(block targets) { return (const lodger_actor *)(const void *)targets.bytes; }

/* A column among other things. A block of rows ends with the column's value of the last one. */
typedef struct things { double world[3]; float place[3], number; uint64_t key; uint8_t visible; } things;
typedef struct answer { uint8_t level, pad[3]; float lod; } answer;

static size_t rows_size(uint32_t count, size_t row, size_t start, size_t width) {
    return count == 0 ? 0 : (count - 1) * row + start + width;
}

static void set(game *it) {
    things rows[LIST];
    uint32_t count, i, axis;
    const block targets = list(it, &count);
    const uint32_t column = below(it, one_in(it, 9) ? 100 : 9);
    size_t stride = one_in(it, 4) ? any_stride(it, sizeof rows[0]) : sizeof rows[0], start, width;
    block offered;
    const unsigned char *values;
    memset(rows, 0, sizeof rows);
    for (i = 0; i < count; i++) {
        for (axis = 0; axis < 3; axis++) {
            rows[i].world[axis] = any_number(it);
            rows[i].place[axis] = any_float(it);
        }
        rows[i].number = any_float(it);
        rows[i].key = draw(it);
        rows[i].visible = (uint8_t)below(it, 4);
    }
    switch (column) {
    case LODGER_POSITION: start = offsetof(things, place), width = sizeof rows[0].place; break;
    case LODGER_POSITION_F64: start = offsetof(things, world), width = sizeof rows[0].world; break;
    case LODGER_VISIBLE: start = offsetof(things, visible), width = sizeof rows[0].visible; break;
    case LODGER_KEY: start = offsetof(things, key), width = sizeof rows[0].key; break;
    default: start = offsetof(things, number), width = sizeof rows[0].number;
    }
    offered = copy(rows, rows_size(stride == 0 && count > 0 ? 1 : count, sizeof rows[0], start, width));
    values = count == 0 ? offered.bytes : offered.bytes + start;
    /* Bytes may stand anywhere, so for them this is no mistake but a walk off the rows. */
    if (stride == sizeof rows[0] + 1) stride = column == LODGER_VISIBLE ? 1 : stride;
    if (one_in(it, 9)) values = NULL;
    else if (one_in(it, 9) && column != LODGER_VISIBLE) values = values + 1;
    take(it, lodger_actors_set(any_scene(it), one_in(it, 20) ? NULL : handles(targets), count, column, values, stride));
    give_back(offered, "wrote behind a column");
    give_back(targets, "wrote behind actors");
}

static void read_levels(game *it) {
    uint32_t count;
    const block targets = list(it, &count);
    const int lods = one_in(it, 2);
    const size_t start = lods ? offsetof(answer, lod) : 0, width = lods ? sizeof(float) : 1;
    const size_t stride = one_in(it, 4) ? any_stride(it, sizeof(answer)) : sizeof(answer);
    const block rows = room(rows_size(count, sizeof(answer), start, width), UNTOUCHED);
    void *const out = one_in(it, 9) ? NULL : count == 0 ? rows.bytes : rows.bytes + start;
    size_t i;
    lodger_status status;
    if (lods) {
        status = take(it, lodger_actors_lods(any_scene(it), handles(targets), count, (float *)out, stride));
    } else if (stride != sizeof(answer) + 1) { /* which is right for bytes, and off the rows */
        status = take(it, lodger_actors_levels(any_scene(it), handles(targets), count, (uint8_t *)out, stride));
        if (status == LODGER_OK && stride == sizeof(answer))
            for (i = 0; i < rows.size; i += sizeof(answer))
                if (rows.bytes[i] != UNTOUCHED && rows.bytes[i] > 3) fail("a level that no actor has", rows.bytes[i]);
    }
    for (i = 0; i < rows.size && (stride >= sizeof(answer) || stride == 0); i++) {
        const size_t place = i % sizeof(answer);
        if ((place < start || place >= start + width) && rows.bytes[i] != UNTOUCHED) fail("wrote beside levels", (int64_t)i);
    }
    give_back(rows, "wrote behind the levels");
    give_back(targets, "wrote behind actors");
}

static void changes(game *it) {
    const size_t capacity = below(it, 4);
    const block out = room(capacity * sizeof(lodger_change), UNTOUCHED), count = room(sizeof(size_t), 0);
    take(it, lodger_changes(any_scene(it), one_in(it, 9) ? NULL : (lodger_change *)(void *)out.bytes, capacity,
                            one_in(it, 9) ? NULL : (size_t *)(void *)count.bytes));
    give_back(out, "wrote behind the changes");
    give_back(count, "wrote behind their number");
}

/* Structs that are filled in, cut to the sizes that they say. */
static void reports(game *it) {
    enum { MOST = 256 };
    static const uint32_t sizes[] = {sizeof(lodger_report), sizeof(lodger_report), sizeof(lodger_module_report),
                                     sizeof(lodger_actor_report)};
    const uint32_t kind = below(it, 4);
    uint32_t size = any_size(it, sizes[kind]), said;
    block out;
    void *report;
    if (one_in(it, 4)) size = below(it, MOST + 1);
    out = room(there(size, MOST), one_in(it, 2) ? UNTOUCHED : 0);
    memcpy(out.bytes, &size, sizeof size);
    report = out.bytes;
    switch (kind) {
    case 0: take(it, lodger_tick(any_scene(it), one_in(it, 4) ? NULL : (lodger_report *)report)); break;
    case 1: take(it, lodger_scene_report(any_scene(it), one_in(it, 9) ? NULL : (lodger_report *)report)); break;
    case 2: take(it, lodger_module_report_of(any_scene(it), any_module(it), (lodger_module_report *)report)); break;
    default: take(it, lodger_actor_report_of(any_scene(it), any_actor(it), (lodger_actor_report *)report));
    }
    memcpy(&said, out.bytes, sizeof said);
    if (said != size) fail("the size was written", size);
    give_back(out, "wrote behind a struct");
}

/* A module's rule, added or set. */
static void rule(game *it) {
    lodger_module_desc desc = LODGER_MODULE_DESC_INIT;
    block read;
    const lodger_module_desc *whole;
    const block added = room(sizeof(lodger_module), 0);
    desc.size = any_size(it, desc.size);
    if (one_in(it, 4)) desc.flags = (uint32_t)draw(it);
    if (one_in(it, 4)) desc.name = (const char *)(one_in(it, 2) ? name_broken : name_right).bytes;
    if (one_in(it, 4)) {
        desc.levels = below(it, 5);
        desc.qualities = any_qualities(it, desc.levels, 2);
    }
    if (one_in(it, 4)) desc.unit_cost_ns = any_number(it);
    if (one_in(it, 4)) desc.importance = below(it, 4);
    if (one_in(it, 4)) desc.max_distance = any_float(it);
    if (one_in(it, 4)) desc.weight_age = any_float(it);
    if (one_in(it, 4)) desc.bias = any_float(it);
    if (one_in(it, 4)) desc.max_speed = any_float(it);
    if (one_in(it, 4)) desc.lod_cap = (uint32_t)any_word(it);
    if (one_in(it, 4)) desc.overhead = (uint32_t)any_word(it);
    read = copy(&desc, there(desc.size, sizeof desc));
    whole = one_in(it, 9) ? NULL : (const lodger_module_desc *)(const void *)read.bytes;
    if (one_in(it, 2)) {
        take(it, lodger_module_set_rule(any_scene(it), any_module(it), whole));
    } else {
        take(it, lodger_module_add(any_scene(it), whole, one_in(it, 9) ? NULL : (lodger_module *)(void *)added.bytes));
    }
    give_back(read, "wrote behind a description");
    give_back(added, "wrote behind a module");
}

static void of_module(game *it) {
    const lodger_scene scene = any_scene(it);
    const lodger_module module = any_module(it);
    switch (below(it, 10)) {
    case 0:
    case 1: rule(it); break;
    case 2: take(it, lodger_module_set_unit_cost(scene, module, any_number(it))); break;
    case 3: take(it, lodger_module_set_benefit_value(scene, module, (uint32_t)any_word(it))); break;
    case 4: take(it, lodger_module_set_managed(scene, module, (uint32_t)any_word(it))); break;
    case 5: take(it, lodger_module_set_lod_cap(scene, module, (uint32_t)any_word(it))); break;
    case 6: take(it, lodger_module_set_overhead(scene, module, (uint32_t)any_word(it))); break;
    case 7: take(it, lodger_module_reserve(scene, module, one_in(it, 2) ? SIZE_MAX - below(it, 9) : below(it, 99))); break;
    default: take(it, lodger_module_observe_time(scene, module, any_word(it), any_word(it)));
    }
}

static void of_scene(game *it) {
    const lodger_scene scene = any_scene(it);
    double numbers[3];
    double *place, *other;
    block three, crooked, view;
    uint32_t axis;
    for (axis = 0; axis < 3; axis++) numbers[axis] = one_in(it, 4) ? any_number(it) : (double)axis;
    three = copy(numbers, sizeof numbers);
    crooked = room(4 + sizeof numbers, 0);
    view = copy(&it->view, sizeof it->view);
    place = (double *)(void *)three.bytes;
    other = (double *)(void *)(crooked.bytes + 4);
    switch (below(it, 20)) {
    case 0: take(it, lodger_scene_set_budget(scene, any_word(it))); break;
    case 1: take(it, lodger_scene_set_policy(scene, (uint32_t)any_word(it))); break;
    case 2: take(it, lodger_scene_set_hysteresis(scene, (uint8_t)draw(it), (uint8_t)draw(it))); break;
    case 3: take(it, lodger_scene_set_max_upgrades(scene, (uint32_t)any_word(it))); break;
    case 4: take(it, lodger_scene_set_search_moves(scene, below(it, 600))); break;
    case 5: take(it, lodger_scene_set_headroom_target(scene, any_number(it))); break;
    case 6: take(it, lodger_scene_set_unmanaged_in_budget(scene, (uint32_t)any_word(it))); break;
    case 7: take(it, lodger_scene_track_changes(scene, below(it, 2))); break;
    case 8: take(it, lodger_scene_set_origin(scene, one_in(it, 9) ? NULL : place)); break;
    case 9: take(it, lodger_scene_set_origin(scene, other)); break;
    case 10: take(it, lodger_scene_origin(scene, one_in(it, 9) ? NULL : place)); break;
    case 11: take(it, lodger_scene_advance_ages(scene, any_float(it))); break;
    case 12: take(it, lodger_view_add(scene, one_in(it, 9) ? NULL : place,
                                      one_in(it, 9) ? NULL : (lodger_view *)(void *)view.bytes)); break;
    case 13: take(it, lodger_view_set(scene, any_view(it), place)); break;
    case 14: take(it, lodger_scene_frame_done(scene)); break;
    case 15: take(it, lodger_scene_scale_costs(scene, below(it, 3), (uint32_t)any_word(it))); break;
    case 16: take(it, lodger_scene_set_own_cost(scene, any_word(it))); break;
    case 17: take(it, lodger_scene_observe_own_time(scene, any_word(it))); break;
    case 18: take(it, lodger_scene_set_cautious_start(scene, below(it, 2))); break;
    default: take(it, lodger_view_remove(scene, any_view(it)));
    }
    memcpy(&it->view, view.bytes, sizeof it->view);
    give_back(three, "wrote behind a place");
    give_back(crooked, "wrote behind a place");
    give_back(view, "wrote behind a view");
}

static void of_actor(game *it) {
    const lodger_scene scene = any_scene(it);
    const lodger_actor targets = any_actor(it);
    const uint32_t levels = one_in(it, 4) ? UINT32_MAX : below(it, 5);
    uint32_t count;
    block all, value, bound;
    switch (below(it, 5)) {
    case 0: take(it, lodger_actor_set_range(scene, targets, (uint8_t)any_word(it), (uint8_t)any_word(it))); break;
    case 1: take(it, lodger_actor_set_work(scene, targets, any_work(it, levels, 4), levels)); break;
    case 2: take(it, lodger_actor_set_qualities(scene, targets, one_in(it, 4) ? NULL : any_qualities(it, levels, 4), levels));
        break;
    case 3:
        value = room(sizeof(double), UNTOUCHED);
        bound = room(sizeof(double), UNTOUCHED);
        take(it, lodger_scene_certify(scene, one_in(it, 4) ? NULL : (double *)(void *)value.bytes,
                                      one_in(it, 4) ? NULL : (double *)(void *)bound.bytes));
        give_back(value, "wrote behind a value");
        give_back(bound, "wrote behind a bound");
        break;
    default:
        all = list(it, &count);
        take(it, lodger_actors_despawn(scene, one_in(it, 9) ? NULL : handles(all), count));
        give_back(all, "wrote behind actors");
    }
}

static void last_error(game *it) {
    const size_t capacity = below(it, 60);
    const block text = room(capacity, 'x');
    const size_t length = lodger_last_error(one_in(it, 9) ? NULL : (char *)text.bytes, capacity);
    if (capacity > 0 && text.bytes[0] != 'x' && memchr(text.bytes, 0, capacity) == NULL)
        fail("a text without an end", (int64_t)length);
    give_back(text, "wrote behind the text");
}

static void wrong_call(game *it) {
    switch (below(it, 10)) {
    case 0:
    case 1: spawn(it); break;
    case 2: set(it); break;
    case 3: read_levels(it); break;
    case 4: changes(it); break;
    case 5: reports(it); break;
    case 6: of_module(it); break;
    case 7: of_scene(it); break;
    case 8: of_actor(it); break;
    default: last_error(it);
    }
    /* Each thread may take the scene away from the other. */
    if (one_in(it, 200)) take(it, lodger_scene_destroy(any_scene(it)));
}

/* Lets both threads begin at the same time. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int missing;

static void meet(void) {
    pthread_mutex_lock(&gate);
    missing--;
    if (missing <= 0) pthread_cond_broadcast(&opened);
    while (missing > 0) pthread_cond_wait(&opened, &gate);
    pthread_mutex_unlock(&gate);
}

static void *play(void *data) {
    game *it = (game *)data;
    uint32_t i;
    meet();
    for (i = 0; i < CALLS; i++) wrong_call(it);
    return NULL;
}

/* A scene with two modules, a view and some actors, all of which must work. */
static void set_up(game *it) {
    lodger_module_desc module = LODGER_MODULE_DESC_INIT;
    lodger_actor_desc actor = LODGER_ACTOR_DESC_INIT;
    static const double place[3] = {1.0, 2.0, 3.0};
    const block scene = room(sizeof it->scene, 0), view = room(sizeof it->view, 0), eye = copy(place, sizeof place);
    const block rule_read = copy(&module, sizeof module);
    block added, desc, out;
    uint32_t i;
    int good = lodger_scene_create(below(it, 5000), (lodger_scene *)(void *)scene.bytes) == LODGER_OK;
    memcpy(&it->scene, scene.bytes, scene.size);
    good &= lodger_view_add(it->scene, (const double *)(const void *)eye.bytes,
                            (lodger_view *)(void *)view.bytes) == LODGER_OK;
    memcpy(&it->view, view.bytes, view.size);
    actor.work = work(work_rising, LEVELS);
    actor.levels = LEVELS;
    desc = copy(&actor, sizeof actor);
    added = room(sizeof(lodger_module), 0);
    out = room(ACTORS / 2 * sizeof(lodger_actor), 0);
    for (i = 0; i < 2; i++) {
        good &= lodger_module_add(it->scene, (const lodger_module_desc *)(const void *)rule_read.bytes,
                                  (lodger_module *)(void *)added.bytes) == LODGER_OK;
        memcpy(&it->modules[i], added.bytes, added.size);
        good &= lodger_actors_spawn(it->scene, it->modules[i], (const lodger_actor_desc *)(const void *)desc.bytes, 0,
                                    ACTORS / 2, (lodger_actor *)(void *)out.bytes) == LODGER_OK;
        memcpy(&it->actors[i * ACTORS / 2], out.bytes, out.size);
    }
    if (!good) fail("a valid scene was rejected", 0);
    give_back(scene, "wrote behind a scene");
    give_back(view, "wrote behind a view");
    give_back(eye, "wrote behind a place");
    give_back(rule_read, "wrote behind a description");
    give_back(added, "wrote behind a module");
    give_back(desc, "wrote behind a description");
    give_back(out, "wrote behind the handles");
}

/* A scene without wrong calls decides the same at any time, while others are misused. */
static void check_sanity(void) {
    game plain;
    const block levels = room(ACTORS, UNTOUCHED);
    block targets;
    uint32_t i, sum = 0;
    memset(&plain, 0, sizeof plain);
    set_up(&plain);
    if (lodger_scene_set_budget(plain.scene, 500) != LODGER_OK) fail("a budget was rejected", 0);
    if (lodger_tick(plain.scene, NULL) != LODGER_OK) fail("a tick was rejected", 0);
    targets = copy(plain.actors, sizeof plain.actors);
    if (lodger_actors_levels(plain.scene, handles(targets), ACTORS, levels.bytes, 1) != LODGER_OK)
        fail("levels were rejected", 0);
    for (i = 0; i < ACTORS; i++) sum += WORK[levels.bytes[i] & 3];
    give_back(levels, "wrote behind the levels");
    give_back(targets, "wrote behind actors");
    if (sum == 0 || sum > 500) fail("the budget did not hold", sum);
    if (lodger_scene_destroy(plain.scene) != LODGER_OK) fail("a scene stayed", 0);
    if (lodger_tick(plain.scene, NULL) != LODGER_NO_SUCH_SCENE) fail("a scene that was destroyed answered", 0);
}

/* Whatever was done to it, a scene that is still there decides levels that there are. */
static void check_scene(game *it) {
    const lodger_report empty = LODGER_REPORT_INIT;
    lodger_report report;
    const block said = copy(&empty, sizeof empty), targets = copy(it->actors, sizeof it->actors);
    const block out = room(ACTORS * sizeof(float), UNTOUCHED);
    uint32_t i;
    lodger_status status = take(it, lodger_tick(it->scene, (lodger_report *)(void *)said.bytes));
    memcpy(&report, said.bytes, sizeof report);
    if (status != LODGER_OK && status != LODGER_NO_SUCH_SCENE) fail("a tick without another call", status);
    if (status == LODGER_OK) {
        if (report.overcommit_ns == 0 && report.assigned_ns > report.budget_ns) fail("the budget did not hold", status);
        status = lodger_actors_lods(it->scene, handles(targets), ACTORS, (float *)(void *)out.bytes, sizeof(float));
        if (status != LODGER_OK && status != LODGER_NO_SUCH_ACTOR) fail("levels", status);
        for (i = 0; i < ACTORS; i++) {
            float lod;
            memcpy(&lod, out.bytes + i * sizeof lod, sizeof lod);
            if (!(lod >= 0.0f && lod <= 3.0f)) fail("a level that no actor has", (int64_t)lod);
        }
    }
    give_back(said, "wrote behind a report");
    give_back(targets, "wrote behind actors");
    give_back(out, "wrote behind the levels");
}

int main(int argc, char **argv) {
    uint64_t sequences, seed, i, calls = 0;
    uint64_t statuses[STATUSES] = {0};
    lodger_scene other = 0;
    int status;
    if (argc != 3 && !(argc == 4 && strcmp(argv[3], "exact") == 0)) {
        fputs("usage: misuse SEQUENCES SEED [exact]\n", stderr);
        return 2;
    }
    sequences = strtoull(argv[1], NULL, 10);
    seed = strtoull(argv[2], NULL, 10);
    if (argc == 4) guards = 0;
    offer_tables();
    if (lodger_abi_version() != LODGER_ABI_VERSION) fail("another version", lodger_abi_version());
    if (lodger_scene_create(0, &other) != LODGER_OK) fail("no scene", 0);
    for (i = 0; i < sequences; i++) {
        game one, two;
        pthread_t thread;
        const int threads = i % 2 == 1;
        memset(&one, 0, sizeof one);
        one.state = seed + i;
        one.other = other;
        set_up(&one);
        two = one;
        two.state = ~one.state;
        missing = 1 + threads;
        if (threads && pthread_create(&thread, NULL, play, &two) != 0) fail("no thread", 0);
        play(&one);
        if (threads) pthread_join(thread, NULL);
        check_scene(&one);
        lodger_scene_destroy(one.scene);
        if (lodger_tick(other, NULL) == LODGER_NO_SUCH_SCENE && lodger_scene_create(0, &other) != LODGER_OK)
            fail("no scene", 0);
        for (status = 0; status < STATUSES; status++) statuses[status] += one.statuses[status] + (threads ? two.statuses[status] : 0);
        if (i % 64 == 0) check_sanity();
    }
    lodger_scene_destroy(other);
    give_back_tables();
    printf("%" PRIu64 " sequences from seed %" PRIu64 "\n", sequences, seed);
    for (status = 0; status < STATUSES; status++) {
        printf("%9" PRIu64 " %s\n", statuses[status], lodger_status_text(status));
        calls += statuses[status];
        if (sequences >= 10000 && statuses[status] == 0 && status != LODGER_PANICKED) fail("never answered", status);
    }
    printf("%9" PRIu64 " calls\n", calls);
    return 0;
}
