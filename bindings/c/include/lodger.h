/* lodger: levels of detail within a budget, for every language that can call C. C99 and C++11.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Results      A call that can fail returns a lodger_status; LODGER_OK is 0. A failed call leaves the scene unchanged,
 *              except calls with many actors: they apply to all valid ones and return the first error, with its index
 *              in lodger_last_error. lodger_actors_spawn spawns all or none. Nothing unwinds into C. Out of memory
 *              ends the process.
 * Handles      Numbers; 0 is not valid. A handle that is stale, of another kind or scene, or invented is detected. Only
 *              after 65 535 more scenes may the handle of a destroyed scene be valid again.
 * Threads      Any thread may call. A scene allows one call that changes it, or any number of calls that read it
 *              (lodger_actors_levels and the like, lodger_changes, the _report functions). A concurrent call returns
 *              LODGER_BUSY at once and changes nothing. Scenes are independent.
 * Structs      Set .size before a call, as the _INIT macros do. Missing fields of a shorter struct have defaults; a
 *              longer one is rejected unless the rest is 0. At most .size bytes of an output are written.
 * Arrays       A pointer and a count; the pointer may be NULL if the count is 0. Strides are in bytes, multiples of the
 *              element's alignment, and at least its size; stride 0 repeats the first element of an input. Inputs are
 *              read during the call and never kept. Pointers have the alignment of their type; a 64-bit local on
 *              32-bit Windows needs alignas(8) for that.
 * Positions    Metres. Doubles are positions in the world, floats are relative to the scene's origin, which is 0 until
 *              lodger_scene_set_origin moves it. The scheduler uses floats: the position minus the origin.
 * Determinism  Equal calls decide equal levels, bit for bit, on every machine, with any number of threads. */
#ifndef LODGER_H
#define LODGER_H

#include <stddef.h>
#include <stdint.h>

/* Rises with incompatible changes. Additions do not raise it. */
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
    LODGER_INVALID_VALUE = 5,    /* A rejected value; lodger_last_error names it. */
    LODGER_INVALID_ARGUMENT = 6, /* A pointer, a stride, an enumerator, a flag or a struct's size. */
    LODGER_BUSY = 7,             /* Another thread uses this scene. */
    LODGER_PANICKED = 8          /* A panic in this call or before: the scene can only be destroyed. */
};

/* The first four follow the NVIDIA APEX LOD document and differ in the use of leftover budget: none, within a module,
 * across modules, or all of the budget that is not spent. */
typedef uint32_t lodger_policy;
enum {
    LODGER_KEEP = 0,
    LODGER_WITHIN_MODULE = 1,
    LODGER_ACROSS_MODULES = 2, /* The default. */
    LODGER_WHOLE_BUDGET = 3,
    LODGER_OPTIMAL = 4         /* Maximal benefit x quality. */
};

typedef uint32_t lodger_importance;
enum { LODGER_SOLID_ANGLE = 0, LODGER_ANGULAR = 1 };

/* The columns of lodger_actors_set, and the types of their elements. */
typedef uint32_t lodger_column;
enum {
    LODGER_POSITION = 0,     /* float[3], relative to the origin */
    LODGER_POSITION_F64 = 1, /* double[3], in the world */
    LODGER_RADIUS = 2,       /* float, metres */
    LODGER_AGE = 3,          /* float, seconds */
    LODGER_SPEED = 4,        /* float, metres per second */
    LODGER_BENEFIT = 5,      /* float, overriding; below 0: computed from the four above */
    LODGER_FORCED = 6,       /* float, a forced level; below 0: automatic */
    LODGER_VISIBLE = 7,      /* uint8_t, 0 or 1 */
    LODGER_KEY = 8,          /* uint64_t */
    LODGER_PRIORITY = 9,     /* float, a factor of the benefit; as in lodger_module_set_priority; 1 at first */
    LODGER_IN_VIEW = 10      /* uint8_t, 0 or 1, as the engine's own culling found it. Once set for an actor, no frustum is
                                tested for its module until lodger_module_test_views; its other actors are in view. */
};

/* The reason for an actor's level. */
typedef uint32_t lodger_reason;
enum {
    LODGER_BY_FORCE = 0,
    LODGER_BY_FORCE_INTO_RANGE = 1,
    LODGER_UNMANAGED = 2,
    LODGER_INVISIBLE = 3,
    LODGER_QUARANTINED = 4,   /* Its position, age or speed is not finite. */
    LODGER_OVERCOMMITTED = 5,
    LODGER_PINNED = 6,
    LODGER_SHARE = 7,
    LODGER_HIGHEST = 8,
    LODGER_CAPPED = 9,
    LODGER_LEFTOVERS = 10,
    LODGER_WORTH_HIGHEST = 11,
    LODGER_WORTH_CAPPED = 12,
    LODGER_BELOW_PRICE = 13,
    LODGER_NO_BUDGET = 14
};

typedef uint32_t lodger_load;
enum { LODGER_LOAD_NORMAL = 0, LODGER_LOAD_TIGHT = 1, LODGER_LOAD_INFEASIBLE = 2 };

#define LODGER_UNLIMITED UINT64_MAX  /* A budget without a limit. */
#define LODGER_ASSIGNED UINT64_MAX   /* The units of the last plan. */
#define LODGER_UNKNOWN UINT64_MAX    /* A share that was not computed. */
#define LODGER_NO_LIMIT (-1.0f)      /* A distance, age or speed without a limit. */
#define LODGER_NO_CAP 255u
#define LODGER_ALL_LEVELS 255u       /* The last level, as a highest level. */

#define LODGER_MODULE_CONTINUOUS 1u  /* Fractional levels are valid. */
#define LODGER_MODULE_UNMANAGED 2u   /* All actors have their highest level. */
#define LODGER_MODULE_NO_BENEFIT_VALUE 4u /* benefit_value_ns is not read. Only LODGER_OPTIMAL decides such a module: set this
                                      policy first, or lodger_module_add returns LODGER_INVALID_VALUE. */
/* Qualities for any number of levels n, of t = level / (n - 1), in place of even steps; only one, and without qualities. */
#define LODGER_MODULE_DIMINISHING 8u /* 1 - (1 - t)^2 */
#define LODGER_MODULE_ALL_OR_NOTHING 16u /* 0 below the highest level */
typedef struct lodger_module_desc {
    uint32_t size;
    uint32_t flags;               /* LODGER_MODULE_* */
    const char *name;             /* UTF-8, ends with NUL; NULL: no name */
    const float *qualities;       /* of each level, 0 to 1, not decreasing; NULL: even steps */
    uint32_t levels;              /* number of qualities */
    uint32_t overhead;            /* constant units, without actors */
    double unit_cost_ns;          /* of one unit of work; measured times change it */
    uint32_t benefit_value_ns;    /* the cost that a benefit of 1 is worth */
    lodger_importance importance;
    float max_distance;           /* metres at which importance is 0, or LODGER_NO_LIMIT */
    float weight_distance, weight_age, weight_speed; /* sum 1 */
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
    const float *qualities;       /* of each level, 0 to 1, not decreasing; NULL: of the module */
    uint32_t levels;              /* 1 to 256 */
    uint32_t reserved;            /* 0 */
    uint64_t key;                 /* of the caller; in changes and reports */
    double position[3];           /* in the world */
    float radius, age, speed;     /* metres, seconds, metres per second */
    float benefit;                /* overriding; below 0: computed */
    float forced;                 /* a forced level; below 0: automatic */
    uint8_t lowest, highest;      /* the valid levels */
    uint8_t reserved2[2];         /* 0 */
} lodger_actor_desc;
#define LODGER_ACTOR_DESC_INIT {(uint32_t)sizeof(lodger_actor_desc), 0, NULL, NULL, 0, 0, 0, {0.0, 0.0, 0.0}, \
    1.0f, 0.0f, 0.0f, -1.0f, -1.0f, 0, LODGER_ALL_LEVELS, {0, 0}}

typedef struct lodger_report { /* The plan of the last tick. */
    uint32_t size;
    lodger_load load;
    uint64_t budget_ns, assigned_ns;
    uint64_t reserved_ns;         /* forced, unmanaged and constant part of it */
    uint64_t overcommit_ns;       /* excess of the minimum over the budget */
    double scale;                 /* the factor on all targets, 0 to 1 */
    double headroom;              /* the share of the budget that is kept free */
    double value, upper_bound;    /* benefit x quality, and its bound; below 0 if not computed */
    double rounding_m;            /* the largest rounding error of a position since the previous tick, in metres
                                     along an axis */
    uint64_t actors, quarantined;
    uint64_t changes;             /* number of lodger_changes */
    uint64_t switches;            /* automatic level changes */
} lodger_report;
#define LODGER_REPORT_INIT {(uint32_t)sizeof(lodger_report), 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0}

typedef struct lodger_module_report {
    uint32_t size;
    uint32_t managed;             /* 0 or 1 */
    uint64_t actors;
    uint64_t assigned_ns;         /* of all actors and the overhead */
    uint64_t target_ns;           /* the target of its automatic actors */
    uint64_t units;               /* of work, without the overhead */
    double benefit;               /* of all actors */
    double unit_cost_ns;          /* of the plan */
    double raw_unit_cost_ns;      /* of the measurements alone */
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
    int16_t from;                 /* -1: its first tick */
    uint8_t to;
    uint8_t reserved;
    uint16_t fraction;            /* of the step to the next level, in 1/65536 */
    uint16_t reserved2[3];
} lodger_change;

/* The library */
LODGER_API uint32_t lodger_abi_version(void);
LODGER_API const char *lodger_status_text(lodger_status status); /* Static, never NULL. */
/* Writes the message of the last failed call of this thread, "" before the first, cut to the capacity with its NUL;
 * returns the full length. */
LODGER_API size_t lodger_last_error(char *out, size_t capacity);

/* The scene */
LODGER_API lodger_status lodger_scene_create(uint64_t budget_ns, lodger_scene *out);
/* Running calls may finish; new ones fail. 0 is valid. */
LODGER_API lodger_status lodger_scene_destroy(lodger_scene scene);
LODGER_API lodger_status lodger_scene_set_budget(lodger_scene scene, uint64_t budget_ns);
/* LODGER_INVALID_VALUE if a managed module has no benefit value and the policy is not LODGER_OPTIMAL. */
LODGER_API lodger_status lodger_scene_set_policy(lodger_scene scene, lodger_policy policy);
/* Hysteresis, in 1/256 of benefit and of budget. 0, 0 is off, the default; 26, 8 suits a moving camera and measured
 * costs. */
LODGER_API lodger_status lodger_scene_set_hysteresis(lodger_scene scene, uint8_t margin, uint8_t dead_band);
/* The most actors that a tick may upgrade; UINT32_MAX for all, the default. */
LODGER_API lodger_status lodger_scene_set_max_upgrades(lodger_scene scene, uint32_t most);
/* The search moves of the optimal policy, 512 by default, at most 65536. */
LODGER_API lodger_status lodger_scene_set_search_moves(lodger_scene scene, uint32_t moves);
/* The share of ticks whose work may exceed the budget, up to 0.5, by default 0.001; 0 plans with the entire budget. */
LODGER_API lodger_status lodger_scene_set_headroom_target(lodger_scene scene, double part);
/* Ends a frame, whose measured time the headroom follows, for games that do not tick in each frame. After the first call,
 * ticks no longer end frames; before the first tick it does nothing. */
LODGER_API lodger_status lodger_scene_frame_done(lodger_scene scene);
/* Multiplies all unit costs, their measurements and the own cost, after a change of the processor's clock. Numbers above
 * 0; rejected if a level, an overhead or the own cost would cost 4.29 s or more. Drops times since the last frame. */
LODGER_API lodger_status lodger_scene_scale_costs(lodger_scene scene, uint32_t numerator, uint32_t denominator);
/* The time of a tick itself, below 4.29 s, which every budget pays first; 0 by default. Restarts its measurement. */
LODGER_API lodger_status lodger_scene_set_own_cost(lodger_scene scene, uint64_t ns);
/* The measured time of a tick itself. Updates the own cost, and the headroom. */
LODGER_API lodger_status lodger_scene_observe_own_time(lodger_scene scene, uint64_t ns);
/* Whether a module upgrades at most a sixteenth of its actors, or one if that is more, in a tick, by one level each, until
 * its first measured time; 0 by default. */
LODGER_API lodger_status lodger_scene_set_cautious_start(lodger_scene scene, uint32_t cautious);
/* Whether unmanaged modules count in the budget, 1 by default. */
LODGER_API lodger_status lodger_scene_set_unmanaged_in_budget(lodger_scene scene, uint32_t count);
/* Whether ticks list changes for lodger_changes, 0 by default. */
LODGER_API lodger_status lodger_scene_track_changes(lodger_scene scene, uint32_t track);
/* Moves the origin. Actors and views keep their positions in the world up to a float's rounding error, which
 * lodger_report.rounding_m reports; set positions again if they are known exactly. Rejected if an actor would be too far
 * for a float. Useful if the eye is far from the origin: from 8 km on, a float's step is a millimetre. */
LODGER_API lodger_status lodger_scene_set_origin(lodger_scene scene, const double origin[3]);
LODGER_API lodger_status lodger_scene_origin(lodger_scene scene, double out[3]);
LODGER_API lodger_status lodger_scene_advance_ages(lodger_scene scene, float seconds);

/* Views: eyes in the world. The view with the largest benefit counts. */
LODGER_API lodger_status lodger_view_add(lodger_scene scene, const double eye[3], lodger_view *out);
/* Moves the eye. The zoom and the frustum stay. */
LODGER_API lodger_status lodger_view_set(lodger_scene scene, lodger_view view, const double eye[3]);
/* The magnification, 1/64 to 64; 1 at first. At zoom z, an actor at z times a distance has the importance that it has at
 * this distance without a zoom. */
LODGER_API lodger_status lodger_view_set_zoom(lodger_scene scene, lodger_view view, double zoom);
/* A camera in the world: its view matrix and its projection, in columns. The projection is a perspective: its last row is
 * 0, 0, -1, 0, and its first two rows end with 0; near and far are not used. Replaces the eye, the zoom and the frustum.
 * reference_fov: the vertical field of view of zoom 1, above 0 and below 180 degrees; below 0: the zoom is 1.
 * margin: the degrees by which the sides of the frustum are turned outwards for actors that were inside, for example 2;
 * below 0: no frustum. A rejected value returns LODGER_INVALID_VALUE. */
LODGER_API lodger_status lodger_view_set_matrices(lodger_scene scene, lodger_view view, const double view_matrix[16],
    const double projection[16], double reference_fov, double margin);
LODGER_API lodger_status lodger_view_remove(lodger_scene scene, lodger_view view);

/* Modules */
LODGER_API lodger_status lodger_module_add(lodger_scene scene, const lodger_module_desc *desc, lodger_module *out);
/* Reserves memory for more actors. */
LODGER_API lodger_status lodger_module_reserve(lodger_scene scene, lodger_module module, size_t actors);
/* Restarts the calibration from this cost. */
LODGER_API lodger_status lodger_module_set_unit_cost(lodger_scene scene, lodger_module module, double ns);
LODGER_API lodger_status lodger_module_set_benefit_value(lodger_scene scene, lodger_module module, uint32_t ns);
/* A factor of the benefits of all its actors, beside their own: 0 to 65535/4096, rounded to 1/4096; 1 at first. */
LODGER_API lodger_status lodger_module_set_priority(lodger_scene scene, lodger_module module, double priority);
/* The factor of a benefit at a view whose frustum does not contain the actor, or of an actor that is not LODGER_IN_VIEW: 0
 * to 1, rounded to 1/4096; 1 at first. 0 is for actors that are only drawn. */
LODGER_API lodger_status lodger_module_set_outside(lodger_scene scene, lodger_module module, double factor);
/* Forgets LODGER_IN_VIEW of all its actors, and tests the frusta of views again. */
LODGER_API lodger_status lodger_module_test_views(lodger_scene scene, lodger_module module);
/* Uses the benefit rule of the desc: importance, distance, weights, bias, age and speed. */
LODGER_API lodger_status lodger_module_set_rule(lodger_scene scene, lodger_module module,
    const lodger_module_desc *desc);
LODGER_API lodger_status lodger_module_set_managed(lodger_scene scene, lodger_module module, uint32_t managed);
LODGER_API lodger_status lodger_module_set_lod_cap(lodger_scene scene, lodger_module module, uint32_t level);
LODGER_API lodger_status lodger_module_set_overhead(lodger_scene scene, lodger_module module, uint32_t units);
/* The measured time of units, or of LODGER_ASSIGNED, with the overhead. Updates unit cost and headroom. Call it once
 * for each run of the module's work. */
LODGER_API lodger_status lodger_module_observe_time(lodger_scene scene, lodger_module module, uint64_t units,
    uint64_t ns);
LODGER_API lodger_status lodger_module_report_of(lodger_scene scene, lodger_module module, lodger_module_report *out);

/* Actors */
/* All or none. Descs may have different sizes, up to the stride. out may be NULL. */
LODGER_API lodger_status lodger_actors_spawn(lodger_scene scene, lodger_module module, const lodger_actor_desc *descs,
    size_t stride, size_t count, lodger_actor *out);
LODGER_API lodger_status lodger_actors_despawn(lodger_scene scene, const lodger_actor *actors, size_t count);
LODGER_API lodger_status lodger_actors_set(lodger_scene scene, const lodger_actor *actors, size_t count,
    lodger_column column, const void *values, size_t stride);
LODGER_API lodger_status lodger_actor_set_range(lodger_scene scene, lodger_actor actor, uint8_t lowest,
    uint8_t highest);
/* Resets the range to all levels, and qualities to the module's or even steps. */
LODGER_API lodger_status lodger_actor_set_work(lodger_scene scene, lodger_actor actor, const uint32_t *work,
    uint32_t levels);
/* One for each level; NULL and 0: even steps. */
LODGER_API lodger_status lodger_actor_set_qualities(lodger_scene scene, lodger_actor actor, const float *qualities,
    uint32_t levels);

/* A frame */
LODGER_API lodger_status lodger_tick(lodger_scene scene, lodger_report *out /* or NULL */);
/* The report of the last tick. */
LODGER_API lodger_status lodger_scene_report(lodger_scene scene, lodger_report *out);
/* Computes value and upper_bound of the last plan. */
LODGER_API lodger_status lodger_scene_certify(lodger_scene scene, double *value, double *upper_bound);
/* Whole levels; 0 for an actor that does not exist or has no plan. The stride must not be 0. */
LODGER_API lodger_status lodger_actors_levels(lodger_scene scene, const lodger_actor *actors, size_t count,
    uint8_t *out, size_t stride);
/* Levels with their fractions. */
LODGER_API lodger_status lodger_actors_lods(lodger_scene scene, const lodger_actor *actors, size_t count,
    float *out, size_t stride);
/* The level changes of the last tick, including new actors, if changes are tracked. count is their number; at most
 * capacity are written. */
LODGER_API lodger_status lodger_changes(lodger_scene scene, lodger_change *out, size_t capacity, size_t *count);
LODGER_API lodger_status lodger_actor_report_of(lodger_scene scene, lodger_actor actor, lodger_actor_report *out);

#ifdef __wasm__
/* Blocks of the module's memory, aligned to 16; NULL on failure. */
LODGER_API void *lodger_alloc(size_t size);
LODGER_API void lodger_free(void *block, size_t size /* of the allocation */);
#endif

#ifdef __cplusplus
}
#endif
#endif
