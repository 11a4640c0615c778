/* A game's frame loop with two kinds of work under one budget: capes that are simulated, and sparks.
 *
 *     cc -std=c99 frame_loop.c $(pkg-config --cflags --libs lodger) -o frame_loop && ./frame_loop
 *
 * Actors stand in the game's own structs; lodger reads places from them and writes levels into them by a stride. Work
 * is "done" by a made-up processor that takes 1.6 times as long as the game believes, so that prices have to be
 * learnt. The end checks the promises and sets the exit code. */
#include <stdio.h>
#include <stdlib.h>

#include "lodger.h"

enum { FRAMES = 400, CAPES = 60, SPARKS = 900, ACTORS = CAPES + SPARKS, LEARNT_BY = 100 };

static const uint64_t BUDGET_NS = 2000000; /* 2 ms */

typedef struct thing { /* The game's own. */
    float place[3];
    float velocity[3];
    uint32_t entity;
    uint8_t level;
} thing;

/* The work of each level, in vertices and in particles, and the real time of a unit. */
static const uint32_t CAPE_WORK[] = {0, 120, 500, 2000};
static const uint32_t SPARK_WORK[] = {0, 8, 30};
static const double CAPE_NS = 480.0, SPARK_NS = 160.0;

static thing things[ACTORS];
static lodger_actor actors[ACTORS];

static void must(lodger_status status, const char *what) {
    char text[200];
    if (status == LODGER_OK) return;
    lodger_last_error(text, sizeof text);
    fprintf(stderr, "%s: %s: %s\n", what, lodger_status_text(status), text);
    exit(1);
}

static float scattered(uint32_t i) { return (float)(i * 2654435761u >> 8) / 16777216.0f - 0.5f; }

static lodger_module add(lodger_scene scene, const char *name, double believed_ns, float reach) {
    lodger_module_desc desc = LODGER_MODULE_DESC_INIT;
    lodger_module module;
    desc.name = name;
    desc.unit_cost_ns = believed_ns;
    desc.benefit_value_ns = 1500000;
    desc.max_distance = reach;
    must(lodger_module_add(scene, &desc, &module), name);
    return module;
}

static void spawn(lodger_scene scene, lodger_module module, const uint32_t *work, uint32_t levels, uint32_t first,
                  uint32_t count) {
    static lodger_actor_desc descs[ACTORS];
    const lodger_actor_desc initial = LODGER_ACTOR_DESC_INIT;
    uint32_t i, axis;
    for (i = 0; i < count; i++) {
        thing *it = &things[first + i];
        it->entity = 1000 + first + i;
        for (axis = 0; axis < 3; axis++) {
            it->place[axis] = 80.0f * scattered(3 * (first + i) + axis);
            it->velocity[axis] = 4.0f * scattered(7 * (first + i) + axis);
            descs[i] = axis == 0 ? initial : descs[i];
            descs[i].position[axis] = (double)it->place[axis];
        }
        descs[i].work = work;
        descs[i].levels = levels;
        descs[i].key = it->entity;
    }
    must(lodger_actors_spawn(scene, module, descs, sizeof descs[0], count, &actors[first]), "spawn");
}

/* Does the work of a module and measures it: here, by what its levels cost in truth. */
static uint64_t work_ns(const uint32_t *work, uint32_t first, uint32_t count, double unit_ns) {
    uint64_t units = 0;
    uint32_t i;
    for (i = first; i < first + count; i++) units += work[things[i].level];
    return (uint64_t)((double)units * unit_ns);
}

static void move(void) {
    uint32_t i, axis;
    for (i = 0; i < ACTORS; i++)
        for (axis = 0; axis < 3; axis++) {
            things[i].place[axis] += things[i].velocity[axis] / 60.0f;
            if (things[i].place[axis] > 40.0f || things[i].place[axis] < -40.0f)
                things[i].velocity[axis] = -things[i].velocity[axis];
        }
}

int main(void) {
    static lodger_change changes[ACTORS];
    const double eye[3] = {0.0, 0.0, 0.0};
    const float hero_level = 3.0f;
    uint32_t frame, over = 0, wrong = 0;
    uint64_t spent = 0, changed = 0;
    lodger_scene scene;
    lodger_view view;
    lodger_module capes, sparks;
    lodger_report report = LODGER_REPORT_INIT;
    lodger_actor_report hero = LODGER_ACTOR_REPORT_INIT;

    if (lodger_abi_version() != LODGER_ABI_VERSION) {
        fputs("the library is of another version than its header\n", stderr);
        return 1;
    }
    must(lodger_scene_create(BUDGET_NS, &scene), "scene");
    must(lodger_view_add(scene, eye, &view), "view");
    must(lodger_scene_set_hysteresis(scene, 26, 8), "hysteresis");
    must(lodger_scene_track_changes(scene, 1), "changes");
    capes = add(scene, "capes", 300.0, 60.0f);
    sparks = add(scene, "sparks", 100.0, 40.0f);
    spawn(scene, capes, CAPE_WORK, 4, 0, CAPES);
    spawn(scene, sparks, SPARK_WORK, 3, CAPES, SPARKS);
    /* The hero's cape is always in full detail, wherever the hero is. */
    must(lodger_actors_set(scene, &actors[0], 1, LODGER_FORCED, &hero_level, sizeof hero_level), "force");

    puts("frame    load  planned ms  worked ms  changes  capes in detail");
    for (frame = 0; frame < FRAMES; frame++) {
        uint64_t cape_ns, spark_ns;
        size_t count, i;
        uint32_t detailed = 0;
        move();
        must(lodger_actors_set(scene, actors, ACTORS, LODGER_POSITION, things[0].place, sizeof(thing)), "places");
        must(lodger_tick(scene, &report), "tick");
        must(lodger_actors_levels(scene, actors, ACTORS, &things[0].level, sizeof(thing)), "levels");
        must(lodger_changes(scene, changes, ACTORS, &count), "changes");
        for (i = 0; i < count; i++) /* A game would swap meshes here, by the key. */
            wrong += changes[i].to != things[changes[i].key - 1000].level;
        changed += count;
        cape_ns = work_ns(CAPE_WORK, 0, CAPES, CAPE_NS);
        spark_ns = work_ns(SPARK_WORK, CAPES, SPARKS, SPARK_NS);
        must(lodger_module_observe_time(scene, capes, LODGER_ASSIGNED, cape_ns), "observed time");
        must(lodger_module_observe_time(scene, sparks, LODGER_ASSIGNED, spark_ns), "observed time");
        wrong += things[0].level != 3;
        if (frame >= LEARNT_BY) {
            spent += cape_ns + spark_ns;
            over += cape_ns + spark_ns > BUDGET_NS;
        }
        for (i = 0; i < CAPES; i++) detailed += things[i].level >= 2;
        if (frame % 50 == 0)
            printf("%5u %7u %11.3f %10.3f %8u %16u\n", (unsigned)frame, (unsigned)report.load,
                   (double)report.assigned_ns / 1e6, (double)(cape_ns + spark_ns) / 1e6, (unsigned)count,
                   (unsigned)detailed);
    }
    must(lodger_actor_report_of(scene, actors[0], &hero), "hero");
    wrong += hero.reason != LODGER_BY_FORCE || hero.key != 1000;
    must(lodger_scene_destroy(scene), "destroy");

    printf("from frame %d on: %u frames over %.1f ms, %.3f ms on average; %u changes in all\n", LEARNT_BY,
           (unsigned)over, (double)BUDGET_NS / 1e6, (double)spent / (FRAMES - LEARNT_BY) / 1e6, (unsigned)changed);
    if (wrong > 0 || over > (FRAMES - LEARNT_BY) / 50 || spent / (FRAMES - LEARNT_BY) < BUDGET_NS / 2) {
        printf("the promise was not kept: %u wrong levels\n", (unsigned)wrong);
        return 1;
    }
    return 0;
}
