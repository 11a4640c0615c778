"""lodger for Python 3: ctypes, and numpy arrays that are read and written where they are.

Copy this file beside your program, or try it:

    LODGER_LIBRARY=/path/to/liblodger.so python3 lodger_ctypes.py

Arrays are passed with their strides, so a field of a structured array, or every other row, costs no copy.
SPDX-License-Identifier: MIT OR Apache-2.0
"""

import ctypes
import gc
import math
import os
import sys
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

import numpy

OK, NO_SUCH_SCENE = 0, 1
KEEP, WITHIN_MODULE, ACROSS_MODULES, WHOLE_BUDGET, OPTIMAL = range(5)
POSITION, POSITION_F64, RADIUS, AGE, SPEED, BENEFIT, FORCED, VISIBLE, KEY, PRIORITY, IN_VIEW = range(11)
UNLIMITED = ASSIGNED = UNKNOWN = 2**64 - 1
NO_LIMIT, NO_CAP, ALL_LEVELS = -1.0, 255, 255

# The type of a column's element, and the number of its components.
COLUMNS = {POSITION: (numpy.float32, 3), POSITION_F64: (numpy.float64, 3), KEY: (numpy.uint64, 1)}
COLUMNS |= {column: (numpy.uint8, 1) for column in (VISIBLE, IN_VIEW)}
FLOAT = (numpy.float32, 1)


def struct(name, fields, **defaults):
    """A struct of the header, whose first field is its size."""

    def init(self, **values):
        ctypes.Structure.__init__(self, size=ctypes.sizeof(self), **{**defaults, **values})

    fields = [("size", c_uint32)] + fields
    return type(name, (ctypes.Structure,), {"_fields_": fields, "__init__": init})


ModuleDesc = struct(
    "ModuleDesc",
    [("flags", c_uint32), ("name", c_char_p), ("qualities", POINTER(c_float)), ("levels", c_uint32)]
    + [("overhead", c_uint32), ("unit_cost_ns", c_double), ("benefit_value_ns", c_uint32), ("importance", c_uint32)]
    + [(name, c_float) for name in ("max_distance", "weight_distance", "weight_age", "weight_speed", "bias")]
    + [("max_age", c_float), ("max_speed", c_float), ("lod_cap", c_uint32)],
    unit_cost_ns=1.0, benefit_value_ns=1_000_000, max_distance=NO_LIMIT, weight_distance=1.0, max_age=NO_LIMIT,
    max_speed=NO_LIMIT, lod_cap=NO_CAP,
)
ActorDesc = struct(
    "ActorDesc",
    [("flags", c_uint32), ("work", POINTER(c_uint32)), ("qualities", POINTER(c_float)), ("levels", c_uint32)]
    + [("reserved", c_uint32), ("key", c_uint64), ("position", c_double * 3)]
    + [(name, c_float) for name in ("radius", "age", "speed", "benefit", "forced")]
    + [("lowest", c_uint8), ("highest", c_uint8), ("reserved2", c_uint8 * 2)],
    radius=1.0, benefit=-1.0, forced=-1.0, highest=ALL_LEVELS,
)
Report = struct(
    "Report",
    [("load", c_uint32)]
    + [(name, c_uint64) for name in ("budget_ns", "assigned_ns", "reserved_ns", "overcommit_ns")]
    + [(name, c_double) for name in ("scale", "headroom", "value", "upper_bound", "rounding_m")]
    + [(name, c_uint64) for name in ("actors", "quarantined", "changes", "switches")],
)
ActorReport = struct(
    "ActorReport",
    [("reason", c_uint32), ("key", c_uint64), ("share_ns", c_uint64)]
    + [("benefit", c_double), ("quality", c_double), ("level", c_double), ("cost_ns", c_uint32), ("module", c_uint32)],
)
CHANGE = numpy.dtype(
    [("actor", "u8"), ("key", "u8"), ("module", "u4"), ("from", "i2"), ("to", "u1"), ("reserved", "u1")]
    + [("fraction", "u2"), ("reserved2", "u2", 3)]
)


class LodgerError(Exception):
    """An error of lodger; `status` is its number."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def load(path):
    """Loads the library and declares the functions that are used below."""
    library = ctypes.CDLL(path)
    scene, module, many = c_uint32, c_uint32, (c_void_p, c_size_t)
    signatures = {
        "lodger_scene_create": (c_uint64, POINTER(c_uint32)),
        "lodger_scene_destroy": (scene,),
        "lodger_scene_set_budget": (scene, c_uint64),
        "lodger_scene_set_policy": (scene, c_uint32),
        "lodger_scene_track_changes": (scene, c_uint32),
        "lodger_view_add": (scene, POINTER(c_double * 3), POINTER(c_uint64)),
        "lodger_view_set": (scene, c_uint64, POINTER(c_double * 3)),
        "lodger_module_add": (scene, POINTER(ModuleDesc), POINTER(c_uint32)),
        "lodger_view_set_matrices": (scene, c_uint64, c_void_p, c_void_p, c_double, c_double),
        "lodger_module_set_priority": (scene, module, c_double),
        "lodger_module_set_outside": (scene, module, c_double),
        "lodger_module_test_views": (scene, module),
        "lodger_module_observe_time": (scene, module, c_uint64, c_uint64),
        "lodger_actors_spawn": (scene, module, POINTER(ActorDesc), c_size_t, c_size_t, c_void_p),
        "lodger_actors_despawn": (scene, *many),
        "lodger_actors_set": (scene, *many, c_uint32, c_void_p, c_size_t),
        "lodger_tick": (scene, POINTER(Report)),
        "lodger_actors_levels": (scene, *many, c_void_p, c_size_t),
        "lodger_actor_report_of": (scene, c_uint64, POINTER(ActorReport)),
        "lodger_changes": (scene, c_void_p, c_size_t, POINTER(c_size_t)),
    }
    for name, types in signatures.items():
        function = getattr(library, name)
        function.argtypes, function.restype = types, c_int32
    library.lodger_last_error.argtypes, library.lodger_last_error.restype = (POINTER(c_char), c_size_t), c_size_t
    library.lodger_abi_version.restype = c_uint32
    if library.lodger_abi_version() != 1:
        raise ImportError(f"{path} has another version of lodger's ABI")
    return library


class Scene:
    """A scene. Actors are numpy arrays of handles (uint64), as `spawn` returns them."""

    def __init__(self, library, budget_ns):
        self.library = library
        self.handle = c_uint32(0)
        self._call("scene_create", budget_ns, byref(self.handle), of=())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        # An `__init__` that failed early left no handle.
        if hasattr(self, "handle"):
            self.close()

    def close(self):
        handle, self.handle = self.handle, c_uint32(0)
        if handle.value != 0:
            self.library.lodger_scene_destroy(handle)

    def _call(self, name, *args, of=None):
        of = (self.handle,) if of is None else of
        status = getattr(self.library, "lodger_" + name)(*of, *args)
        if status != OK:
            text = ctypes.create_string_buffer(256)
            self.library.lodger_last_error(text, len(text))
            raise LodgerError(status, text.value.decode(errors="replace"))

    def set_budget(self, ns):
        self._call("scene_set_budget", ns)

    def set_policy(self, policy):
        self._call("scene_set_policy", policy)

    def track_changes(self, track=True):
        self._call("scene_track_changes", int(track))

    def add_view(self, eye):
        view = c_uint64()
        self._call("view_add", byref((c_double * 3)(*eye)), byref(view))
        return view.value

    def set_view(self, view, eye):
        self._call("view_set", view, byref((c_double * 3)(*eye)))

    def add_module(self, name, **desc):
        module = c_uint32()
        self._call("module_add", byref(ModuleDesc(name=name.encode(), **desc)), byref(module))
        return module.value

    def set_view_matrices(self, view, view_matrix, projection, reference_fov=-1.0, margin=-1.0):
        """A camera: matrices of 4 x 4 that multiply columns, and degrees; without them there is no zoom, and no frustum."""
        columns = [numpy.ascontiguousarray(numpy.transpose(of), dtype=numpy.float64) for of in (view_matrix, projection)]
        if any(of.shape != (4, 4) for of in columns):
            raise ValueError("a matrix has 4 x 4 numbers")
        self._call("view_set_matrices", view, *(of.ctypes.data for of in columns), reference_fov, margin)

    def set_module_priority(self, module, priority):
        self._call("module_set_priority", module, priority)

    def set_outside(self, module, factor):
        self._call("module_set_outside", module, factor)

    def test_views(self, module):
        self._call("module_test_views", module)

    def observe_time(self, module, ns, units=ASSIGNED):
        self._call("module_observe_time", module, units, int(ns))

    def spawn(self, module, positions, work, keys=None, **desc):
        """An actor for each row of `positions` (metres), all with the same work and the same `desc`."""
        work = numpy.ascontiguousarray(work, dtype=numpy.uint32)
        units = work.ctypes.data_as(POINTER(c_uint32))
        descs = (ActorDesc * len(positions))()
        for row, place in enumerate(positions):
            key = row if keys is None else int(keys[row])
            descs[row] = ActorDesc(work=units, levels=len(work), key=key, position=tuple(place), **desc)
        actors = numpy.zeros(len(positions), dtype=numpy.uint64)
        self._call("actors_spawn", module, descs, ctypes.sizeof(ActorDesc), len(descs), actors.ctypes.data)
        return actors

    def despawn(self, actors):
        actors = _handles(actors)
        self._call("actors_despawn", actors.ctypes.data, len(actors))

    def set(self, actors, column, values):
        """Sets a column from an array with a row for each actor, read where it is; a single row is for all actors."""
        actors = _handles(actors)
        dtype, width = COLUMNS.get(column, FLOAT)
        values = _rows(values, dtype, width)
        rows = len(values)
        if rows not in (1, len(actors)):
            raise ValueError(f"{rows} values for {len(actors)} actors")
        stride = 0 if rows == 1 else values.strides[0]
        if stride < 0:
            raise ValueError("an array that runs backwards has to be copied first")
        self._call("actors_set", actors.ctypes.data, len(actors), column, values.ctypes.data, stride)

    def tick(self):
        report = Report()
        self._call("tick", byref(report))
        return report

    def levels(self, actors, out):
        """Writes the levels of actors into an array of bytes, which may be a field of a structured one."""
        actors, out = _handles(actors), _rows(out, numpy.uint8, 1)
        if len(out) != len(actors):
            raise ValueError(f"space for {len(out)} levels of {len(actors)} actors")
        if not out.flags.writeable:
            raise ValueError("levels cannot be written into an array that is read-only")
        self._call("actors_levels", actors.ctypes.data, len(actors), out.ctypes.data, max(out.strides[0], 0))

    def changes(self):
        """The level changes of the last tick, as a structured array."""
        count = c_size_t()
        self._call("changes", None, 0, byref(count))
        out = numpy.zeros(count.value, dtype=CHANGE)
        self._call("changes", out.ctypes.data, len(out), byref(count))
        return out

    def report(self, actor):
        report = ActorReport()
        self._call("actor_report_of", int(actor), byref(report))
        return report


def _handles(actors):
    return numpy.ascontiguousarray(actors, dtype=numpy.uint64)


def _rows(values, dtype, width):
    """Rejects an array of another type, or without a row for each actor; copies nothing."""
    if not isinstance(values, numpy.ndarray) or values.dtype != dtype:
        raise TypeError(f"an array of {numpy.dtype(dtype)} is needed")
    right = values.ndim == 1 if width == 1 else values.ndim == 2 and values.shape[1] == width
    if not right or (width > 1 and values.strides[1] != values.itemsize):
        raise ValueError(f"a row for each actor is needed, with {width} numbers side by side")
    return values


def check_guards(library):
    """Checks that a read-only array stays unchanged, and that a scene is destroyed with its last reference."""
    scene = Scene(library, UNLIMITED)
    actors = scene.spawn(scene.add_module("capes"), [(0.0, 0.0, 0.0)], [0, 1])
    fixed = numpy.full(1, 7, dtype=numpy.uint8)
    fixed.flags.writeable = False
    scene.tick()
    try:
        scene.levels(actors, fixed)
    except ValueError as error:
        print("as it should be:", error)
    else:
        sys.exit("a read-only array was written to")
    assert fixed[0] == 7
    handle = scene.handle
    del scene
    gc.collect()
    assert library.lodger_tick(handle, None) == NO_SUCH_SCENE
    Scene.__new__(Scene).__del__()  # as after an `__init__` that failed


def show_camera(library):
    """A hero matters four times as much as the cape beside it; capes that the camera does not see are not drawn."""
    with Scene(library, 120_000) as scene:
        view = scene.add_view((0.0, 0.0, 0.0))
        capes = scene.add_module("capes", unit_cost_ns=100.0)
        scene.set_outside(capes, 0.0)
        # Looks along -z; 60 degrees from the lower to the upper side are zoom 1. Near and far are not used.
        scale = 1 / math.tan(math.radians(60) / 2)
        projection = [[scale * 9 / 16, 0, 0, 0], [0, scale, 0, 0], [0, 0, -1, -0.2], [0, 0, -1, 0]]
        scene.set_view_matrices(view, numpy.identity(4), projection, reference_fov=60.0, margin=2.0)
        actors = scene.spawn(capes, [(-1.0, 0.0, -9.0), (1.0, 0.0, -9.0), (1.0, 0.0, 9.0)], [0, 100, 1_000])
        scene.set(actors[:1], PRIORITY, numpy.array([4.0], dtype=numpy.float32))
        levels = numpy.zeros(len(actors), dtype=numpy.uint8)
        scene.tick()
        scene.levels(actors, levels)
        hero, cape, behind = (scene.report(actor).benefit for actor in actors)
        print(f"a hero has level {levels[0]}, a cape beside it {levels[1]}, and one behind the camera {levels[2]}")
        assert hero == 4 * cape > behind == 0 and levels.tolist() == [2, 1, 0]
        # The game's own culling, in place of the frustum: the camera sees the cape behind it in a mirror.
        scene.set(actors, IN_VIEW, numpy.array([1, 0, 1], dtype=numpy.uint8))
        scene.tick()
        assert [scene.report(actor).benefit for actor in actors] == [hero, 0, cape]
        scene.test_views(capes)
        scene.set_module_priority(capes, 0.5)
        scene.tick()
        assert scene.report(actors[1]).benefit <= cape / 2 and scene.report(actors[2]).benefit == 0


def main():
    path = os.environ.get("LODGER_LIBRARY", "liblodger.so")
    # The game's own rows: places and levels stand among other things, and stay where they are.
    rows = numpy.zeros(5_000, dtype=[("name", "S5"), ("pad", "V3"), ("place", "f4", 3), ("speed", "f4", 3), ("level", "u1"), ("more", "V3")])
    random = numpy.random.default_rng(7)
    rows["place"] = random.uniform(-60, 60, (len(rows), 3))
    rows["speed"] = random.uniform(-3, 3, (len(rows), 3))
    work = numpy.array([0, 12, 60, 240], dtype=numpy.uint32)
    known = numpy.zeros(len(rows), dtype=numpy.uint8)
    library = load(path)
    check_guards(library)
    show_camera(library)
    with Scene(library, 1_000_000) as scene:
        scene.track_changes()
        scene.add_view((0.0, 1.7, 0.0))
        module = scene.add_module("boids", unit_cost_ns=20.0, max_distance=80.0)
        actors = scene.spawn(module, rows["place"], work)
        scene.set(actors[:1], FORCED, numpy.array([3.0], dtype=numpy.float32))
        print("frame  planned ms  changes  in detail")
        for frame in range(120):
            rows["place"] += rows["speed"] / 60
            scene.set(actors, POSITION, rows["place"])
            report = scene.tick()
            scene.levels(actors, rows["level"])
            changes = scene.changes()
            known[changes["key"]] = changes["to"]
            assert report.assigned_ns <= 1_000_000 and report.overcommit_ns == 0
            assert (known == rows["level"]).all() and rows["level"][0] == 3
            # The measured time: the units of the levels, at a fifth more than the assumed cost.
            scene.observe_time(module, int(work[rows["level"]].sum()) * 24)
            if frame % 20 == 0:
                print(f"{frame:5} {report.assigned_ns / 1e6:11.3f} {len(changes):8} {(rows['level'] >= 2).sum():10}")
        assert scene.report(actors[0]).reason == 0 and len(set(rows["level"])) > 1
        # Every second actor goes; its handle is noticed from then on.
        scene.despawn(actors[::2])
        try:
            scene.set(actors, AGE, numpy.zeros(len(actors), dtype=numpy.float32))
        except LodgerError as error:
            print("as it should be:", error)
            assert error.status == 4
        else:
            sys.exit("a stale handle was not noticed")
    print("levels and changes agreed in every frame, and the budget held")


if __name__ == "__main__":
    main()
