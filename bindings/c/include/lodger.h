/* lodger: levels of detail within a budget, for every language that can call C. C99 and C++11.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Results      What can fail returns a lodger_status; LODGER_OK is 0. On an error the scene is as it was, but for
 *              calls about many actors: those serve everybody whom they can, return the first failure, and
 *              lodger_last_error tells its place. lodger_actors_spawn serves all or none. Nothing unwinds into C.
 *              Where memory ends, the process does.
 * Handles      Numbers; 0 is none. One that is stale, of another kind or scene, or made up is noticed, not followed, until
 *              65 535 more scenes were made, from when on one of a scene that is gone may be taken for one's own.
 * Threads      Any thread may call. A scene serves one caller that changes it, or any number of those that only
 *              read (lodger_actors_levels and its kin, lodger_changes, the _report functions); whoever comes in
 *              between is told LODGER_BUSY at once and has changed nothing. Scenes know nothing of each other.
 * Structs      Set .size before a call, as the _INIT macros do. What a shorter struct lacks has its default; a
 *              longer one is refused unless the rest is 0. Of what is filled in, .size bytes at most are written.
 * Arrays       A pointer and a count; the pointer may be NULL where the count is 0. Strides are in bytes, multiples
 *              of the element's alignment, and at least its size; stride 0 repeats the first element of an input.
 *              What is passed in is read during the call and never kept. Pointers are aligned as their type is; a
 *              local of 64 bits on 32-bit Windows needs alignas(8) for that.
 * Places       Metres. Doubles are places in the world, floats are relative to the scene's origin, which is 0 until
 *              lodger_scene_set_origin moves it. What the ledger computes with is a float: the place less the origin.
 * Determinism  The same calls decide the same levels, bit for bit, on every machine, with any number of threads. */
#ifndef LODGER_H
#define LODGER_H

#include <stddef.h>
#include <stdint.h>

/* Raised when something here stops working as it did. Additions do not raise it. */
#define LODGER_ABI_VERSION 1u

#if defined(_WIN32) && defined(LODGER_SHARED)
#define LODGER_API __declspec(dllimport)
#else
#define LODGER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t lodger_scene;
typedef uint32_t lodger_module; /* Modules stay for as long as their scene. */
typedef uint64_t lodger_view;
typedef uint64_t lodger_actor;

typedef int32_t lodger_status;
enum {
    LODGER_OK = 0,
    LODGER_NO_SUCH_SCENE = 1,
    LODGER_NO_SUCH_VIEW = 2,
    LODGER_NO_SUCH_MODULE = 3,
    LODGER_NO_SUCH_ACTOR = 4,
    LODGER_REFUSED = 5,          /* A value; lodger_last_error names it. */
    LODGER_INVALID_ARGUMENT = 6, /* A pointer, a stride, an enumerator, a flag or a struct's size. */
    LODGER_BUSY = 7,             /* Another thread is in this scene. */
    LODGER_PANICKED = 8          /* A defect of lodger's, now or before: this scene can only be destroyed. */
};

/* How the budget is divided. The first four follow the NVIDIA APEX LOD document and differ in who gets what shares
 * leave over: nobody, the same module, any actor, or any actor and out of all that is not spent. */
typedef uint32_t lodger_policy;
enum {
    LODGER_KEEP = 0,
    LODGER_WITHIN_MODULE = 1,
    LODGER_ACROSS_MODULES = 2, /* The default. */
    LODGER_WHOLE_BUDGET = 3,
    LODGER_OPTIMAL = 4         /* The most benefit x quality that the budget buys. */
};

typedef uint32_t lodger_importance;
enum { LODGER_SOLID_ANGLE = 0, LODGER_ANGULAR = 1 };

/* What lodger_actors_set sets, and the type of an element. */
typedef uint32_t lodger_column;
enum {
    LODGER_POSITION = 0,     /* float[3], relative to the origin */
    LODGER_POSITION_F64 = 1, /* double[3], in the world */
    LODGER_RADIUS = 2,       /* float, metres */
    LODGER_AGE = 3,          /* float, seconds */
    LODGER_SPEED = 4,        /* float, metres per second */
    LODGER_BENEFIT = 5,      /* float, given; below 0: computed from the four above */
    LODGER_FORCED = 6,       /* float, a level; below 0: the ledger chooses */
    LODGER_VISIBLE = 7,      /* uint8_t, 0 or 1 */
    LODGER_KEY = 8           /* uint64_t */
};

/* Why an actor has its level. */
typedef uint32_t lodger_reason;
enum {
    LODGER_BY_FORCE = 0,
    LODGER_BY_FORCE_INTO_RANGE = 1,
    LODGER_UNMANAGED = 2,
    LODGER_INVISIBLE = 3,
    LODGER_QUARANTINED = 4,   /* Its place, age or speed is not finite: the lowest. */
    LODGER_OVERCOMMITTED = 5,
    LODGER_PINNED = 6,
    LODGER_SHARE = 7,
    LODGER_HIGHEST = 8,
    LODGER_CAPPED = 9,
    LODGER_LEFTOVERS = 10,
    LODGER_WORTH_HIGHEST = 11,
    LODGER_WORTH_CAPPED = 12,
    LODGER_NOT_WORTH = 13,
    LODGER_NO_ROOM = 14
};

typedef uint32_t lodger_load;
enum { LODGER_LOAD_NORMAL = 0, LODGER_LOAD_TIGHT = 1, LODGER_LOAD_INFEASIBLE = 2 };

#define LODGER_UNLIMITED UINT64_MAX  /* A budget without end. */
#define LODGER_ASSIGNED UINT64_MAX   /* Units: those of the last plan. */
#define LODGER_UNKNOWN UINT64_MAX    /* A share that nobody asked for. */
#define LODGER_NO_LIMIT (-1.0f)      /* A distance, age or speed without one. */
#define LODGER_NO_CAP 255u
#define LODGER_ALL_LEVELS 255u       /* As a highest level: the last that there is. */

#define LODGER_MODULE_CONTINUOUS 1u  /* Levels between two are valid. */
#define LODGER_MODULE_UNMANAGED 2u   /* All have their highest. */
typedef struct lodger_module_desc {
    uint32_t size;
    uint32_t flags;               /* LODGER_MODULE_* */
    const char *name;             /* UTF-8, ends with NUL; NULL: no name */
    const float *qualities;       /* of each level, 0 to 1, not decreasing; NULL: even steps */
    uint32_t levels;              /* how many qualities */
    uint32_t overhead;            /* units that the module takes however few actors it has */
    double unit_cost_ns;          /* of one unit of work; measured times change it */
    uint32_t benefit_value_ns;    /* what a benefit of 1 may cost */
    lodger_importance importance;
    float max_distance;           /* metres at which importance is 0, or LODGER_NO_LIMIT */
    float weight_distance, weight_age, weight_speed; /* together 1 */
    float bias;
    float max_age;                /* seconds at which importance is 0; needed if age has a weight */
    float max_speed;              /* m/s at which importance is 1; needed if speed has a weight */
    uint32_t lod_cap;             /* the highest level that is not forced, or LODGER_NO_CAP */
} lodger_module_desc;
#define LODGER_MODULE_DESC_INIT {(uint32_t)sizeof(lodger_module_desc), 0, NULL, NULL, 0, 0, 1.0, 1000000, \
    LODGER_SOLID_ANGLE, LODGER_NO_LIMIT, 1.0f, 0.0f, 0.0f, 0.0f, LODGER_NO_LIMIT, LODGER_NO_LIMIT, LODGER_NO_CAP}

#define LODGER_ACTOR_INVISIBLE 1u
typedef struct lodger_actor_desc {
    uint32_t size;
    uint32_t flags;               /* LODGER_ACTOR_* */
    const uint32_t *work;         /* units at level 0, 1 and so on; not decreasing */
    const float *qualities;       /* of each level, 0 to 1, not decreasing; NULL: those of the module */
    uint32_t levels;              /* 1 to 256 */
    uint32_t reserved;            /* 0 */
    uint64_t key;                 /* yours; changes and reports carry it */
    double position[3];           /* in the world */
    float radius, age, speed;     /* metres, seconds, metres per second */
    float benefit;                /* given; below 0: computed */
    float forced;                 /* a level; below 0: the ledger chooses */
    uint8_t lowest, highest;      /* the levels that are valid */
    uint8_t reserved2[2];         /* 0 */
} lodger_actor_desc;
#define LODGER_ACTOR_DESC_INIT {(uint32_t)sizeof(lodger_actor_desc), 0, NULL, NULL, 0, 0, 0, {0.0, 0.0, 0.0}, \
    1.0f, 0.0f, 0.0f, -1.0f, -1.0f, 0, LODGER_ALL_LEVELS, {0, 0}}

typedef struct lodger_report { /* What the last tick decided. */
    uint32_t size;
    lodger_load load;
    uint64_t budget_ns, assigned_ns;
    uint64_t fixed_ns;            /* of which: forced, unmanaged and constant */
    uint64_t overcommit_ns;       /* by how much the least exceeds the budget; 0 if it is feasible */
    double scale;                 /* the factor on all targets, 0 to 1 */
    double headroom;              /* the part of the budget that was kept free */
    double value, upper_bound;    /* benefit x quality, and what no plan exceeds; below 0 if nobody asked */
    double narrowing;             /* metres, along an axis: the most that a place was moved since the tick before
                                     by being made a float */
    uint64_t actors, quarantined;
    uint64_t changes;             /* as lodger_changes has them */
    uint64_t flips;               /* levels that the ledger changed */
} lodger_report;
#define LODGER_REPORT_INIT {(uint32_t)sizeof(lodger_report), 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0}

typedef struct lodger_module_report {
    uint32_t size;
    uint32_t managed;             /* 0 or 1 */
    uint64_t actors;
    uint64_t assigned_ns;         /* of all actors and the overhead */
    uint64_t target_ns;           /* what its automatic actors may cost where there is enough */
    uint64_t units;               /* of work, without the overhead */
    double benefit;               /* of all actors */
    double unit_cost_ns;          /* as it was planned with */
    double raw_unit_cost_ns;      /* by the measurements alone */
    uint32_t overhead;            /* units */
    uint32_t lod_cap;             /* or LODGER_NO_CAP */
} lodger_module_report;
#define LODGER_MODULE_REPORT_INIT {(uint32_t)sizeof(lodger_module_report), 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0, 0}

typedef struct lodger_actor_report {
    uint32_t size;
    lodger_reason reason;
    uint64_t key;
    uint64_t share_ns;            /* or LODGER_UNKNOWN */
    double benefit, quality;
    double level;                 /* with its fraction */
    uint32_t cost_ns;
    lodger_module module;
} lodger_actor_report;
#define LODGER_ACTOR_REPORT_INIT {(uint32_t)sizeof(lodger_actor_report), 0, 0, 0, 0.0, 0.0, 0.0, 0, 0}

typedef struct lodger_change {
    lodger_actor actor;
    uint64_t key;
    lodger_module module;
    int16_t from;                 /* -1: this was its first tick */
    uint8_t to;
    uint8_t reserved;
    uint16_t fraction;            /* of the way to the next level, in 1/65536 */
    uint16_t reserved2[3];
} lodger_change;

/* The library */
LODGER_API uint32_t lodger_abi_version(void);
LODGER_API const char *lodger_status_text(lodger_status status); /* Static, never NULL. */
/* What the last call of this thread that failed said; "" before the first. It is cut at the capacity, NUL included;
 * the length of all of it is returned. */
LODGER_API size_t lodger_last_error(char *out, size_t capacity);

/* The scene */
LODGER_API lodger_status lodger_scene_create(uint64_t budget_ns, lodger_scene *out);
/* Whoever is in it may finish; nobody enters any more. 0 is fine. */
LODGER_API lodger_status lodger_scene_destroy(lodger_scene scene);
LODGER_API lodger_status lodger_scene_set_budget(lodger_scene scene, uint64_t budget_ns);
LODGER_API lodger_status lodger_scene_set_policy(lodger_scene scene, lodger_policy policy);
/* How much better another plan has to be, in 1/256 of benefit and of budget. 0, 0: every frame by itself, the default;
 * 26, 8 suits a camera that moves and prices that are measured. */
LODGER_API lodger_status lodger_scene_set_stability(lodger_scene scene, uint8_t margin, uint8_t reserve);
/* How many actors a tick may raise at most; UINT32_MAX for all, which is the default. */
LODGER_API lodger_status lodger_scene_set_max_raises(lodger_scene scene, uint32_t most);
/* How many levels the optimal policy may try out where its bound leaves something open: 512 unless this is called, at
 * most 65536. */
LODGER_API lodger_status lodger_scene_set_trials(lodger_scene scene, uint32_t trials);
/* In which part of all ticks the work may exceed the budget, up to 0.5: 0.001 unless this is called; 0: plan with all of
 * the budget, whatever was measured. */
LODGER_API lodger_status lodger_scene_set_headroom_target(lodger_scene scene, double part);
/* Whether modules that are not managed are paid for: 1 unless this is called. */
LODGER_API lodger_status lodger_scene_set_count_unmanaged(lodger_scene scene, uint32_t count);
/* Whether ticks list who changed, for lodger_changes: 0 unless this is called. */
LODGER_API lodger_status lodger_scene_track_changes(lodger_scene scene, uint32_t track);
/* Moves the origin. All actors and views stay where they are in the world, to the precision of a float, which
 * lodger_report.narrowing tells; give places again where more is known. Refused where somebody would be too far for one. Worth it when the eye is so far from the origin that a float is too coarse there: from
 * 8 km on a step is a millimetre. lodger_report.narrowing tells. */
LODGER_API lodger_status lodger_scene_set_origin(lodger_scene scene, const double origin[3]);
LODGER_API lodger_status lodger_scene_origin(lodger_scene scene, double out[3]);
LODGER_API lodger_status lodger_scene_advance_ages(lodger_scene scene, float seconds);

/* Views: eyes in the world. An actor counts by the one that it matters most to. */
LODGER_API lodger_status lodger_view_add(lodger_scene scene, const double eye[3], lodger_view *out);
LODGER_API lodger_status lodger_view_set(lodger_scene scene, lodger_view view, const double eye[3]);
LODGER_API lodger_status lodger_view_remove(lodger_scene scene, lodger_view view);

/* Modules */
LODGER_API lodger_status lodger_module_add(lodger_scene scene, const lodger_module_desc *desc, lodger_module *out);
/* Makes room for so many more actors. */
LODGER_API lodger_status lodger_module_reserve(lodger_scene scene, lodger_module module, size_t actors);
/* Its calibration begins again from this price. */
LODGER_API lodger_status lodger_module_set_unit_cost(lodger_scene scene, lodger_module module, double ns);
LODGER_API lodger_status lodger_module_set_benefit_value(lodger_scene scene, lodger_module module, uint32_t ns);
/* Of the desc counts what benefits are made of: importance, distance, weights, bias, age and speed. */
LODGER_API lodger_status lodger_module_set_rule(lodger_scene scene, lodger_module module,
    const lodger_module_desc *desc);
LODGER_API lodger_status lodger_module_set_managed(lodger_scene scene, lodger_module module, uint32_t managed);
LODGER_API lodger_status lodger_module_set_lod_cap(lodger_scene scene, lodger_module module, uint32_t level);
LODGER_API lodger_status lodger_module_set_overhead(lodger_scene scene, lodger_module module, uint32_t units);
/* How long its work took: so many units, or LODGER_ASSIGNED, and its overhead. Unit cost and headroom follow. Once for
 * each time that the module has worked. */
LODGER_API lodger_status lodger_module_measured(lodger_scene scene, lodger_module module, uint64_t units, uint64_t ns);
LODGER_API lodger_status lodger_module_report_of(lodger_scene scene, lodger_module module, lodger_module_report *out);

/* Actors */
/* All or none. Descs may be of different sizes if the stride is as large as the largest. out may be NULL. */
LODGER_API lodger_status lodger_actors_spawn(lodger_scene scene, lodger_module module, const lodger_actor_desc *descs,
    size_t stride, size_t count, lodger_actor *out);
LODGER_API lodger_status lodger_actors_despawn(lodger_scene scene, const lodger_actor *actors, size_t count);
LODGER_API lodger_status lodger_actors_set(lodger_scene scene, const lodger_actor *actors, size_t count,
    lodger_column column, const void *values, size_t stride);
LODGER_API lodger_status lodger_actor_set_range(lodger_scene scene, lodger_actor actor, uint8_t lowest,
    uint8_t highest);
/* All levels of the new work are valid; its qualities are the module's, or even steps. */
LODGER_API lodger_status lodger_actor_set_work(lodger_scene scene, lodger_actor actor, const uint32_t *work,
    uint32_t levels);
/* As many as there are levels; NULL and 0: even steps. */
LODGER_API lodger_status lodger_actor_set_qualities(lodger_scene scene, lodger_actor actor, const float *qualities,
    uint32_t levels);

/* A frame */
LODGER_API lodger_status lodger_tick(lodger_scene scene, lodger_report *out /* or NULL */);
/* The same report again. */
LODGER_API lodger_status lodger_scene_report(lodger_scene scene, lodger_report *out);
/* Finds value and upper_bound of the last plan where its policy did not. */
LODGER_API lodger_status lodger_scene_certify(lodger_scene scene, double *value, double *upper_bound);
/* Whole levels; 0 for whoever is not here or not decided yet. The stride may not be 0. */
LODGER_API lodger_status lodger_actors_levels(lodger_scene scene, const lodger_actor *actors, size_t count,
    uint8_t *out, size_t stride);
/* Levels with their fractions. */
LODGER_API lodger_status lodger_actors_lods(lodger_scene scene, const lodger_actor *actors, size_t count,
    float *out, size_t stride);
/* Who has another level than before the last tick, newcomers included, if changes are tracked. count tells how many
 * there are; at most capacity are written. */
LODGER_API lodger_status lodger_changes(lodger_scene scene, lodger_change *out, size_t capacity, size_t *count);
LODGER_API lodger_status lodger_actor_report_of(lodger_scene scene, lodger_actor actor, lodger_actor_report *out);

#ifdef __wasm__
/* The module's own memory, for hosts that cannot allocate in it. Blocks are aligned to 16; NULL where there is none. */
LODGER_API void *lodger_alloc(size_t size);
LODGER_API void lodger_free(void *block, size_t size /* as it was asked for */);
#endif

#ifdef __cplusplus
}
#endif
#endif
