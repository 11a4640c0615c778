// lodger for C#: P/Invoke, and spans that are read and written in place, also for Unity and Godot.
//
// One file: copy it into a project with <AllowUnsafeBlocks>true</AllowUnsafeBlocks>, with the native library (lodger.dll,
// liblodger.so, liblodger.dylib) beside the program. With LODGER_DEMO defined it has a Main of its own.
// SPDX-License-Identifier: MIT OR Apache-2.0
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Lodger
{
    public enum Status { Ok, NoSuchScene, NoSuchView, NoSuchModule, NoSuchActor, InvalidValue, InvalidArgument, Busy, Panicked }

    public enum Policy : uint { Keep, WithinModule, AcrossModules, WholeBudget, Optimal }

    public enum Column : uint { Position, PositionF64, Radius, Age, Speed, Benefit, Forced, Visible, Key, Priority, InView }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ModuleDesc
    {
        public uint Size, Flags;
        public byte* Name;
        public float* Qualities;
        public uint Levels, Overhead;
        public double UnitCostNs;
        public uint BenefitValueNs, Importance;
        public float MaxDistance, WeightDistance, WeightAge, WeightSpeed, Bias, MaxAge, MaxSpeed;
        public uint LodCap;

        public static ModuleDesc Default() => new ModuleDesc
        {
            Size = (uint)sizeof(ModuleDesc), UnitCostNs = 1.0, BenefitValueNs = 1_000_000, MaxDistance = -1, WeightDistance = 1,
            MaxAge = -1, MaxSpeed = -1, LodCap = 255,
        };
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ActorDesc
    {
        public uint Size, Flags;
        public uint* Work;
        public float* Qualities;
        public uint Levels, Reserved;
        public ulong Key;
        public double X, Y, Z;
        public float Radius, Age, Speed, Benefit, Forced;
        public byte Lowest, Highest;
        public ushort Reserved2;

        public static ActorDesc Default() => new ActorDesc
        {
            Size = (uint)sizeof(ActorDesc), Radius = 1, Benefit = -1, Forced = -1, Highest = 255,
        };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Report
    {
        public uint Size, Load;
        public ulong BudgetNs, AssignedNs, ReservedNs, OvercommitNs;
        public double Scale, Headroom, Value, UpperBound, RoundingM;
        public ulong Actors, Quarantined, Changes, Switches;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Change
    {
        public ulong Actor, Key;
        public uint Module;
        public short From;
        public byte To;
        public byte Reserved;
        public ushort Fraction;
        public ushort Reserved2, Reserved3, Reserved4;
    }

    public sealed class LodgerException : Exception
    {
        public Status Status { get; }
        public LodgerException(Status status, string text) : base(text) { Status = status; }
    }

    internal static unsafe class Native
    {
        private const string Library = "lodger";
        private const CallingConvention C = CallingConvention.Cdecl;

        [DllImport(Library, CallingConvention = C)] internal static extern uint lodger_abi_version();
        [DllImport(Library, CallingConvention = C)] internal static extern UIntPtr lodger_last_error(byte* text, UIntPtr capacity);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_scene_create(ulong budgetNs, uint* scene);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_scene_destroy(uint scene);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_scene_set_budget(uint scene, ulong ns);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_scene_set_policy(uint scene, Policy policy);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_scene_track_changes(uint scene, uint track);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_view_add(uint scene, double* eye, ulong* view);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_view_set(uint scene, ulong view, double* eye);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_view_set_matrices(uint scene, ulong view, double* viewMatrix, double* projection, double referenceFov, double margin);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_module_set_priority(uint scene, uint module, double priority);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_module_set_outside(uint scene, uint module, double factor);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_module_test_views(uint scene, uint module);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_module_add(uint scene, ModuleDesc* desc, uint* module);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_module_observe_time(uint scene, uint module, ulong units, ulong ns);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_actors_spawn(uint scene, uint module, ActorDesc* descs, UIntPtr stride, UIntPtr count, ulong* actors);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_actors_despawn(uint scene, ulong* actors, UIntPtr count);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_actors_set(uint scene, ulong* actors, UIntPtr count, Column column, void* values, UIntPtr stride);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_tick(uint scene, Report* report);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_actors_levels(uint scene, ulong* actors, UIntPtr count, byte* levels, UIntPtr stride);
        [DllImport(Library, CallingConvention = C)] internal static extern Status lodger_changes(uint scene, Change* changes, UIntPtr capacity, UIntPtr* count);
    }

    /// <summary>A scene. One thread changes it at a time; another one meanwhile gets <see cref="Status.Busy"/>.</summary>
    public sealed unsafe class Scene : IDisposable
    {
        public const ulong Unlimited = ulong.MaxValue, Assigned = ulong.MaxValue;
        private uint scene;

        public Scene(ulong budgetNs)
        {
            if (Native.lodger_abi_version() != 1) throw new NotSupportedException("the library has another version of lodger's ABI");
            uint made = 0;
            Must(Native.lodger_scene_create(budgetNs, &made));
            scene = made;
        }

        // A constructor that threw, for example without a library, leaves scene 0, which is finalized too.
        ~Scene() => Destroy();

        private void Destroy()
        {
            if (scene != 0) Native.lodger_scene_destroy(scene);
            scene = 0;
        }

        public void Dispose()
        {
            Destroy();
            GC.SuppressFinalize(this);
        }

        public ulong Budget { set => Must(Native.lodger_scene_set_budget(scene, value)); }
        public Policy Policy { set => Must(Native.lodger_scene_set_policy(scene, value)); }
        public bool TrackChanges { set => Must(Native.lodger_scene_track_changes(scene, value ? 1u : 0u)); }

        public ulong AddView(double x, double y, double z)
        {
            double* eye = stackalloc double[] { x, y, z };
            ulong view = 0;
            Must(Native.lodger_view_add(scene, eye, &view));
            return view;
        }

        public void SetView(ulong view, double x, double y, double z)
        {
            double* eye = stackalloc double[] { x, y, z };
            Must(Native.lodger_view_set(scene, view, eye));
        }

        /// <summary>A camera: matrices of 16 numbers in columns, and degrees; below 0 there is no zoom, and no frustum.</summary>
        public void SetViewMatrices(ulong view, ReadOnlySpan<double> viewMatrix, ReadOnlySpan<double> projection, double referenceFov = -1, double margin = -1)
        {
            if (viewMatrix.Length != 16 || projection.Length != 16) throw new ArgumentException("a matrix has 16 numbers");
            fixed (double* viewFirst = viewMatrix)
            fixed (double* projectionFirst = projection)
                Must(Native.lodger_view_set_matrices(scene, view, viewFirst, projectionFirst, referenceFov, margin));
        }

        public void SetModulePriority(uint module, double priority) => Must(Native.lodger_module_set_priority(scene, module, priority));
        public void SetOutside(uint module, double factor) => Must(Native.lodger_module_set_outside(scene, module, factor));
        public void TestViews(uint module) => Must(Native.lodger_module_test_views(scene, module));

        public uint AddModule(string name, ModuleDesc desc)
        {
            uint module = 0;
            fixed (byte* text = Encoding.UTF8.GetBytes(name + "\0"))
            {
                desc.Name = text;
                Must(Native.lodger_module_add(scene, &desc, &module));
            }
            return module;
        }

        public void ObserveTime(uint module, ulong ns, ulong units = Assigned) => Must(Native.lodger_module_observe_time(scene, module, units, ns));

        /// <summary>Spawns all or none; all of them have this work.</summary>
        public void Spawn(uint module, Span<ActorDesc> descs, ReadOnlySpan<uint> work, Span<ulong> actors)
        {
            if (actors.Length < descs.Length) throw new ArgumentException("there is no space for the handles", nameof(actors));
            fixed (uint* units = work)
            fixed (ActorDesc* first = descs)
            fixed (ulong* handles = actors)
            {
                for (int i = 0; i < descs.Length; i++)
                {
                    descs[i].Work = units;
                    descs[i].Levels = (uint)work.Length;
                }
                Must(Native.lodger_actors_spawn(scene, module, first, (UIntPtr)sizeof(ActorDesc), (UIntPtr)descs.Length, handles));
            }
        }

        public void Despawn(ReadOnlySpan<ulong> actors)
        {
            fixed (ulong* handles = actors) Must(Native.lodger_actors_despawn(scene, handles, (UIntPtr)actors.Length));
        }

        /// <summary>Sets a column from rows; the value is <c>offset</c> bytes from the start of each.</summary>
        public void Set<T>(ReadOnlySpan<ulong> actors, Column column, ReadOnlySpan<T> rows, int offset = 0) where T : unmanaged
        {
            if (rows.Length < actors.Length) throw new ArgumentException("there are fewer rows than actors", nameof(rows));
            if (offset < 0 || offset + Bytes(column) > sizeof(T)) throw new ArgumentOutOfRangeException(nameof(offset));
            fixed (ulong* handles = actors)
            fixed (T* first = rows)
                Must(Native.lodger_actors_set(scene, handles, (UIntPtr)actors.Length, column, (byte*)first + offset, (UIntPtr)sizeof(T)));
        }

        public Report Tick()
        {
            var report = new Report { Size = (uint)sizeof(Report) };
            Must(Native.lodger_tick(scene, &report));
            return report;
        }

        /// <summary>Writes levels into rows, <c>offset</c> bytes from the start of each.</summary>
        public void Levels<T>(ReadOnlySpan<ulong> actors, Span<T> rows, int offset = 0) where T : unmanaged
        {
            if (rows.Length < actors.Length) throw new ArgumentException("there are fewer rows than actors", nameof(rows));
            if (offset < 0 || offset + 1 > sizeof(T)) throw new ArgumentOutOfRangeException(nameof(offset));
            fixed (ulong* handles = actors)
            fixed (T* first = rows)
                Must(Native.lodger_actors_levels(scene, handles, (UIntPtr)actors.Length, (byte*)first + offset, (UIntPtr)sizeof(T)));
        }

        /// <summary>The level changes of the last tick: returns their number and writes as many as fit.</summary>
        public int Changes(Span<Change> changes)
        {
            UIntPtr count = UIntPtr.Zero;
            fixed (Change* first = changes) Must(Native.lodger_changes(scene, first, (UIntPtr)changes.Length, &count));
            return (int)(uint)count;
        }

        private static int Bytes(Column column) => column switch
        {
            Column.Position => 12,
            Column.PositionF64 => 24,
            Column.Visible => 1,
            Column.InView => 1,
            Column.Key => 8,
            _ => 4,
        };

        private static void Must(Status status)
        {
            if (status == Status.Ok) return;
            byte* text = stackalloc byte[256];
            Native.lodger_last_error(text, (UIntPtr)256);
            throw new LodgerException(status, Marshal.PtrToStringUTF8((IntPtr)text) ?? "");
        }
    }

#if LODGER_DEMO
    internal static unsafe class Demo
    {
        private struct Row
        {
            public float X, Y, Z;
            public byte Level;
        }

        private static float Place(Random random) => (float)(random.NextDouble() * 100 - 50);

        /// <summary>A hero matters four times as much as the cape beside it; capes that the camera does not see are not drawn.</summary>
        private static bool ShowCamera()
        {
            using var scene = new Scene(120_000);
            ulong view = scene.AddView(0, 0, 0);
            var desc = ModuleDesc.Default();
            desc.UnitCostNs = 100;
            uint capes = scene.AddModule("capes", desc);
            scene.SetOutside(capes, 0);
            // Looks along -z; 60 degrees from the lower to the upper side are zoom 1. Near and far are not used.
            double scale = 1 / Math.Tan(Math.PI / 6);
            double[] viewMatrix = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
            double[] projection = { scale * 9 / 16, 0, 0, 0, 0, scale, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0 };
            scene.SetViewMatrices(view, viewMatrix, projection, 60, 2);
            var descs = new ActorDesc[3];
            for (int i = 0; i < descs.Length; i++)
            {
                descs[i] = ActorDesc.Default();
                descs[i].X = i == 0 ? -1 : 1;
                descs[i].Z = i == 2 ? 9 : -9;
            }
            var actors = new ulong[descs.Length];
            var levels = new byte[descs.Length];
            scene.Spawn(capes, descs, new uint[] { 0, 100, 1000 }, actors);
            scene.Set<float>(actors.AsSpan(0, 1), Column.Priority, new[] { 4f });
            scene.Tick();
            scene.Levels<byte>(actors, levels);
            Console.WriteLine($"a hero has level {levels[0]}, a cape beside it {levels[1]}, and one behind the camera {levels[2]}");
            if (levels[0] != 2 || levels[1] != 1 || levels[2] != 0) return false;
            // The game's own culling, in place of the frustum.
            scene.Set<byte>(actors, Column.InView, new byte[] { 0, 0, 1 });
            scene.Tick();
            scene.Levels<byte>(actors, levels);
            return levels[0] == 0 && levels[1] == 0 && levels[2] > 0;
        }

        private static int Main()
        {
            if (!ShowCamera()) return 1;
            if (sizeof(ModuleDesc) != 80 || sizeof(ActorDesc) != 88 || sizeof(Report) != 112 || sizeof(Change) != 32) return 1;
            var random = new Random(7);
            var rows = new Row[3000];
            var descs = new ActorDesc[rows.Length];
            var actors = new ulong[rows.Length];
            var changes = new Change[rows.Length];
            uint[] work = { 0, 10, 50, 200 };
            for (int i = 0; i < rows.Length; i++)
            {
                rows[i] = new Row { X = Place(random), Y = 0, Z = Place(random), Level = 0 };
                descs[i] = ActorDesc.Default();
                descs[i].Key = (ulong)i;
            }
            using var scene = new Scene(1_000_000) { TrackChanges = true };
            scene.AddView(0, 1.7, 0);
            var desc = ModuleDesc.Default();
            desc.UnitCostNs = 30;
            uint module = scene.AddModule("cloth", desc);
            scene.Spawn(module, descs, work, actors);
            var levels = new byte[rows.Length];
            for (int frame = 0; frame < 100; frame++)
            {
                for (int i = 0; i < rows.Length; i++) rows[i].X += 0.05f;
                scene.Set<Row>(actors, Column.Position, rows);
                Report report = scene.Tick();
                scene.Levels<Row>(actors, rows, 12);
                int count = scene.Changes(changes);
                for (int i = 0; i < count; i++) levels[changes[i].Key] = changes[i].To;
                for (int i = 0; i < rows.Length; i++) if (levels[i] != rows[i].Level) return 1;
                if (report.AssignedNs > 1_000_000 || report.OvercommitNs > 0) return 1;
                if (frame % 20 == 0) Console.WriteLine($"{frame,5} {report.AssignedNs / 1e6,8:F3} ms {count,6} changes");
            }
            scene.Despawn(actors.AsSpan(0, 1));
            try { scene.Despawn(actors.AsSpan(0, 1)); }
            catch (LodgerException error) when (error.Status == Status.NoSuchActor) { return 0; }
            return 1;
        }
    }
#endif
}
