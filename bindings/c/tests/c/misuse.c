/* misuse SEQUENCES SEED: calls that are wrong in every way that a status can answer, in random order, from two threads.
 *
 * A sequence is some calls of one thread, with handles that are stale, foreign, made up or 0, pointers that are NULL or
 * not aligned, short buffers, strides of 0, too short and not aligned, structs of impossible sizes, numbers that are
 * none. Half of the time two threads are in the same scene, each may be told LODGER_BUSY, and either may destroy it
 * under the other. Every answer must be a status that is in the header, what was written must lie within what was
 * offered, and every now and then a plain scene must decide what it always decides. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lodger.h"

enum { ACTORS = 12, CALLS = 24, LIST = 6, STATUSES = 9 };

typedef struct game { /* What a thread knows, right or wrong. */
    uint64_t state;
    lodger_scene scene, other;
    lodger_module modules[2];
    lodger_view view;
    lodger_actor actors[ACTORS];
    uint64_t told[STATUSES];
} game;

static void fail(const char *what, int64_t number) {
    char text[200];
    lodger_last_error(text, sizeof text);
    fprintf(stderr, "misuse: %s (%" PRId64 "), last error: %s\n", what, number, text);
    abort();
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
    it->told[status]++;
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

static const uint32_t WORK[] = {0, 20, 60, 200};
static const uint32_t FALLING[] = {9, 3, 1, 0};
static const float TABLE[] = {0.0f, 0.25f, 0.5f, 1.0f};
static const float BAD_TABLE[] = {0.0f, 2.0f, NAN, -1.0f};

static void any_desc(game *it, lodger_actor_desc *desc) {
    const lodger_actor_desc initial = LODGER_ACTOR_DESC_INIT;
    *desc = initial;
    desc->work = one_in(it, 9) ? NULL : one_in(it, 9) ? FALLING : WORK;
    desc->levels = one_in(it, 9) ? below(it, 5) : one_in(it, 20) ? 257 + below(it, 9) : 4;
    if (one_in(it, 4)) desc->qualities = one_in(it, 3) ? BAD_TABLE : TABLE;
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
    lodger_actor out[LIST + 1];
    const uint32_t count = below(it, LIST + 1);
    const size_t stride = one_in(it, 9) ? any_stride(it, sizeof rows[0]) : sizeof rows[0];
    uint32_t i;
    lodger_status status;
    memset(rows, 0, sizeof rows);
    for (i = 0; i < count; i++) {
        any_desc(it, &rows[i].desc);
        if (one_in(it, 9)) rows[i].desc.size = any_size(it, (uint32_t)sizeof rows[0]);
        if (one_in(it, 9)) rows[i].desc.size = (uint32_t)sizeof rows[0];
        if (one_in(it, 20)) rows[i].rest[1] = 1;
    }
    memset(out, 0xAB, sizeof out);
    status = take(it, lodger_actors_spawn(any_scene(it), any_module(it), one_in(it, 20) ? NULL : &rows[0].desc, stride,
                                          count, one_in(it, 9) ? NULL : out));
    if (out[count] != UINT64_C(0xABABABABABABABAB)) fail("wrote behind the handles", status);
    for (i = 0; i < count; i++)
        if (out[i] != UINT64_C(0xABABABABABABABAB)) {
            if (status != LODGER_OK) fail("handles of nobody", status);
            it->actors[below(it, ACTORS)] = out[i];
        }
}

static uint32_t list(game *it, lodger_actor *out) {
    uint32_t i, count = below(it, LIST + 1);
    for (i = 0; i < count; i++) out[i] = any_actor(it);
    return count;
}

static void set(game *it) {
    struct { double world[3]; float place[3], number; uint64_t key; uint8_t visible; } rows[LIST];
    lodger_actor whom[LIST];
    const void *values;
    const uint32_t count = list(it, whom), column = below(it, one_in(it, 9) ? 100 : 9);
    size_t stride = one_in(it, 4) ? any_stride(it, sizeof rows[0]) : sizeof rows[0];
    uint32_t i, axis;
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
    case LODGER_POSITION: values = rows[0].place; break;
    case LODGER_POSITION_F64: values = rows[0].world; break;
    case LODGER_VISIBLE: values = &rows[0].visible; break;
    case LODGER_KEY: values = &rows[0].key; break;
    default: values = &rows[0].number;
    }
    /* Bytes may stand anywhere, so for them this is no mistake but a walk off the rows. */
    if (stride == sizeof rows[0] + 1) stride = column == LODGER_VISIBLE ? 1 : stride;
    if (one_in(it, 9)) values = NULL;
    else if (one_in(it, 9) && column != LODGER_VISIBLE) values = (const char *)values + 1;
    take(it, lodger_actors_set(any_scene(it), one_in(it, 20) ? NULL : whom, count, column, values, stride));
}

static void read_levels(game *it) {
    struct { uint8_t level, pad[3]; float lod; } rows[LIST + 1];
    lodger_actor whom[LIST];
    const uint32_t count = list(it, whom);
    const size_t stride = one_in(it, 4) ? any_stride(it, sizeof rows[0]) : sizeof rows[0];
    uint32_t i;
    lodger_status status;
    memset(rows, 0xAB, sizeof rows);
    if (one_in(it, 2)) {
        if (stride == sizeof rows[0] + 1) return; /* right for bytes, and off the rows */
        status = take(it, lodger_actors_levels(any_scene(it), whom, count, one_in(it, 9) ? NULL : &rows[0].level, stride));
        if (status == LODGER_OK && stride == sizeof rows[0])
            for (i = 0; i < count; i++)
                if (rows[i].level != 0xAB && rows[i].level > 3) fail("a level that nobody has", rows[i].level);
    } else {
        status = take(it, lodger_actors_lods(any_scene(it), whom, count, one_in(it, 9) ? NULL : &rows[0].lod, stride));
    }
    if (rows[LIST].level != 0xAB || rows[0].pad[1] != 0xAB) {
        if (stride >= sizeof rows[0] || stride == 0) fail("wrote beside the levels", status);
    }
}

static void changes(game *it) {
    lodger_change out[4];
    size_t count = 0;
    const size_t capacity = below(it, 4);
    memset(out, 0xAB, sizeof out);
    take(it, lodger_changes(any_scene(it), one_in(it, 9) ? NULL : out, capacity, one_in(it, 9) ? NULL : &count));
    if (out[capacity].reserved != 0xAB) fail("wrote behind the changes", (int64_t)capacity);
}

/* Structs that are filled in, cut to the sizes that they say. */
static void reports(game *it) {
    union { uint64_t words[32]; lodger_report whole; lodger_module_report module; lodger_actor_report actor; } out;
    static const uint32_t sizes[] = {sizeof(lodger_report), sizeof(lodger_report), sizeof(lodger_module_report),
                                     sizeof(lodger_actor_report)};
    const uint32_t kind = below(it, 4);
    uint32_t size = any_size(it, sizes[kind]), end, i;
    const uint8_t *bytes = (const uint8_t *)&out;
    if (one_in(it, 4)) size = below(it, (uint32_t)sizeof out + 1);
    memset(&out, one_in(it, 2) ? 0xAB : 0, sizeof out);
    end = size < sizeof out ? size : 0;
    memset((uint8_t *)&out + end, 0xCD, sizeof out - end);
    out.whole.size = size;
    switch (kind) {
    case 0: take(it, lodger_tick(any_scene(it), one_in(it, 4) ? NULL : &out.whole)); break;
    case 1: take(it, lodger_scene_report(any_scene(it), one_in(it, 9) ? NULL : &out.whole)); break;
    case 2: take(it, lodger_module_report_of(any_scene(it), any_module(it), &out.module)); break;
    default: take(it, lodger_actor_report_of(any_scene(it), any_actor(it), &out.actor));
    }
    if (out.whole.size != size) fail("the size was written", size);
    for (i = end < 4 ? 4 : end; i < sizeof out; i++)
        if (bytes[i] != 0xCD) fail("wrote behind a struct", i);
}

static void of_module(game *it) {
    lodger_module_desc desc = LODGER_MODULE_DESC_INIT;
    const lodger_scene scene = any_scene(it);
    const lodger_module module = any_module(it);
    static const char broken[] = {(char)0xC3, (char)0x28, 0};
    lodger_module added;
    switch (below(it, 10)) {
    case 0:
    case 1:
        desc.size = any_size(it, desc.size);
        if (one_in(it, 4)) desc.flags = (uint32_t)draw(it);
        if (one_in(it, 4)) desc.name = one_in(it, 2) ? broken : "a name";
        if (one_in(it, 4)) {
            desc.qualities = one_in(it, 2) ? TABLE : BAD_TABLE;
            desc.levels = below(it, 5);
        }
        if (one_in(it, 4)) desc.unit_cost_ns = any_number(it);
        if (one_in(it, 4)) desc.importance = below(it, 4);
        if (one_in(it, 4)) desc.max_distance = any_float(it);
        if (one_in(it, 4)) desc.weight_age = any_float(it);
        if (one_in(it, 4)) desc.bias = any_float(it);
        if (one_in(it, 4)) desc.max_speed = any_float(it);
        if (one_in(it, 4)) desc.lod_cap = (uint32_t)any_word(it);
        if (one_in(it, 4)) desc.overhead = (uint32_t)any_word(it);
        if (one_in(it, 2)) {
            take(it, lodger_module_set_rule(scene, module, one_in(it, 9) ? NULL : &desc));
        } else {
            take(it, lodger_module_add(scene, one_in(it, 9) ? NULL : &desc, one_in(it, 9) ? NULL : &added));
        }
        break;
    case 2: take(it, lodger_module_set_unit_cost(scene, module, any_number(it))); break;
    case 3: take(it, lodger_module_set_benefit_value(scene, module, (uint32_t)any_word(it))); break;
    case 4: take(it, lodger_module_set_managed(scene, module, (uint32_t)any_word(it))); break;
    case 5: take(it, lodger_module_set_lod_cap(scene, module, (uint32_t)any_word(it))); break;
    case 6: take(it, lodger_module_set_overhead(scene, module, (uint32_t)any_word(it))); break;
    case 7: take(it, lodger_module_reserve(scene, module, one_in(it, 2) ? SIZE_MAX - below(it, 9) : below(it, 99))); break;
    default: take(it, lodger_module_measured(scene, module, any_word(it), any_word(it)));
    }
}

static void of_scene(game *it) {
    const lodger_scene scene = any_scene(it);
    double place[4];
    uint32_t axis;
    for (axis = 0; axis < 4; axis++) place[axis] = one_in(it, 4) ? any_number(it) : (double)axis;
    switch (below(it, 15)) {
    case 0: take(it, lodger_scene_set_budget(scene, any_word(it))); break;
    case 1: take(it, lodger_scene_set_policy(scene, (uint32_t)any_word(it))); break;
    case 2: take(it, lodger_scene_set_stability(scene, (uint8_t)draw(it), (uint8_t)draw(it))); break;
    case 3: take(it, lodger_scene_set_max_raises(scene, (uint32_t)any_word(it))); break;
    case 4: take(it, lodger_scene_set_trials(scene, below(it, 600))); break;
    case 5: take(it, lodger_scene_set_headroom_target(scene, any_number(it))); break;
    case 6: take(it, lodger_scene_set_count_unmanaged(scene, (uint32_t)any_word(it))); break;
    case 7: take(it, lodger_scene_track_changes(scene, below(it, 2))); break;
    case 8: take(it, lodger_scene_set_origin(scene, one_in(it, 9) ? NULL : place)); break;
    case 9: take(it, lodger_scene_set_origin(scene, (const double *)(const void *)((const char *)place + 4))); break;
    case 10: take(it, lodger_scene_origin(scene, one_in(it, 9) ? NULL : place)); break;
    case 11: take(it, lodger_scene_advance_ages(scene, any_float(it))); break;
    case 12: take(it, lodger_view_add(scene, one_in(it, 9) ? NULL : place, one_in(it, 9) ? NULL : &it->view)); break;
    case 13: take(it, lodger_view_set(scene, any_view(it), place)); break;
    default: take(it, lodger_view_remove(scene, any_view(it)));
    }
}

static void of_actor(game *it) {
    const lodger_scene scene = any_scene(it);
    const lodger_actor whom = any_actor(it);
    lodger_actor all[LIST];
    double value, bound;
    uint32_t count;
    switch (below(it, 5)) {
    case 0: take(it, lodger_actor_set_range(scene, whom, (uint8_t)any_word(it), (uint8_t)any_word(it))); break;
    case 1: take(it, lodger_actor_set_work(scene, whom, one_in(it, 4) ? NULL : one_in(it, 4) ? FALLING : WORK,
                                           one_in(it, 4) ? UINT32_MAX : below(it, 5))); break;
    case 2: take(it, lodger_actor_set_qualities(scene, whom, one_in(it, 4) ? NULL : one_in(it, 4) ? BAD_TABLE : TABLE,
                                                one_in(it, 4) ? UINT32_MAX : below(it, 5))); break;
    case 3: take(it, lodger_scene_certify(scene, one_in(it, 4) ? NULL : &value, one_in(it, 4) ? NULL : &bound)); break;
    default:
        count = list(it, all);
        take(it, lodger_actors_despawn(scene, one_in(it, 9) ? NULL : all, count));
    }
}

static void last_error(game *it) {
    char text[64];
    const size_t capacity = below(it, 60);
    size_t length;
    memset(text, 'x', sizeof text);
    length = lodger_last_error(one_in(it, 9) ? NULL : text, capacity);
    if (text[capacity] != 'x') fail("wrote behind the text", (int64_t)capacity);
    if (text[0] != 'x' && memchr(text, 0, capacity) == NULL) fail("a text without an end", (int64_t)length);
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

/* Lets nobody begin before the other has come. */
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
    static const double eye[3] = {1.0, 2.0, 3.0};
    lodger_actor out[ACTORS / 2];
    uint32_t i;
    int good = lodger_scene_create(below(it, 5000), &it->scene) == LODGER_OK;
    good &= lodger_view_add(it->scene, eye, &it->view) == LODGER_OK;
    actor.work = WORK;
    actor.levels = 4;
    for (i = 0; i < 2; i++) {
        good &= lodger_module_add(it->scene, &module, &it->modules[i]) == LODGER_OK;
        good &= lodger_actors_spawn(it->scene, it->modules[i], &actor, 0, ACTORS / 2, out) == LODGER_OK;
        memcpy(&it->actors[i * ACTORS / 2], out, sizeof out);
    }
    if (!good) fail("a scene that is right was refused", 0);
}

/* A scene that nobody misuses decides the same at any time, while others are misused. */
static void check_sanity(void) {
    game plain;
    uint8_t levels[ACTORS];
    uint32_t i, sum = 0;
    memset(&plain, 0, sizeof plain);
    set_up(&plain);
    if (lodger_scene_set_budget(plain.scene, 500) != LODGER_OK) fail("a budget was refused", 0);
    if (lodger_tick(plain.scene, NULL) != LODGER_OK) fail("a tick was refused", 0);
    if (lodger_actors_levels(plain.scene, plain.actors, ACTORS, levels, 1) != LODGER_OK) fail("levels were refused", 0);
    for (i = 0; i < ACTORS; i++) sum += WORK[levels[i] & 3];
    if (sum == 0 || sum > 500) fail("the budget did not hold", sum);
    if (lodger_scene_destroy(plain.scene) != LODGER_OK) fail("a scene stayed", 0);
    if (lodger_tick(plain.scene, NULL) != LODGER_NO_SUCH_SCENE) fail("a scene that was destroyed answered", 0);
}

/* Whatever was done to it, a scene that is still there decides levels that there are. */
static void check_scene(game *it) {
    lodger_report report = LODGER_REPORT_INIT;
    float lods[ACTORS];
    uint32_t i;
    lodger_status status = take(it, lodger_tick(it->scene, &report));
    if (status == LODGER_NO_SUCH_SCENE) return;
    if (status != LODGER_OK) fail("a tick with nobody else inside", status);
    if (report.overcommit_ns == 0 && report.assigned_ns > report.budget_ns) fail("the budget did not hold", status);
    status = lodger_actors_lods(it->scene, it->actors, ACTORS, lods, sizeof lods[0]);
    if (status != LODGER_OK && status != LODGER_NO_SUCH_ACTOR) fail("levels", status);
    for (i = 0; i < ACTORS; i++)
        if (!(lods[i] >= 0.0f && lods[i] <= 3.0f)) fail("a level that nobody has", (int64_t)lods[i]);
}

int main(int argc, char **argv) {
    uint64_t sequences, seed, i, calls = 0;
    uint64_t told[STATUSES] = {0};
    lodger_scene other = 0;
    int status;
    if (argc != 3) {
        fputs("usage: misuse SEQUENCES SEED\n", stderr);
        return 2;
    }
    sequences = strtoull(argv[1], NULL, 10);
    seed = strtoull(argv[2], NULL, 10);
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
        for (status = 0; status < STATUSES; status++) told[status] += one.told[status] + (threads ? two.told[status] : 0);
        if (i % 64 == 0) check_sanity();
    }
    lodger_scene_destroy(other);
    printf("%" PRIu64 " sequences from seed %" PRIu64 "\n", sequences, seed);
    for (status = 0; status < STATUSES; status++) {
        printf("%9" PRIu64 " %s\n", told[status], lodger_status_text(status));
        calls += told[status];
        if (sequences >= 10000 && told[status] == 0 && status != LODGER_PANICKED) fail("never answered", status);
    }
    printf("%9" PRIu64 " calls\n", calls);
    return 0;
}
