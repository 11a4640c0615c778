// lodger for C++17: a scene that destroys itself, and a checked status. No exceptions and no allocation of its own:
// a call that can fail returns lodger::Result, which is [[nodiscard]].
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef LODGER_HPP
#define LODGER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "lodger.h"

namespace lodger {

using Actor = lodger_actor;
using Module = lodger_module;
using View = lodger_view;
using Place = std::array<double, 3>; // metres, in the world

// The result of a call; true on success.
class [[nodiscard]] Result {
public:
    constexpr Result(lodger_status status) noexcept : status_(status) {}
    explicit constexpr operator bool() const noexcept { return status_ == LODGER_OK; }
    constexpr lodger_status status() const noexcept { return status_; }
    // Another thread uses the scene; nothing was changed, and the call may be repeated.
    constexpr bool busy() const noexcept { return status_ == LODGER_BUSY; }
    // The message of this thread's last error, cut to the buffer.
    static std::array<char, 256> what() noexcept {
        std::array<char, 256> text{};
        lodger_last_error(text.data(), text.size());
        return text;
    }
    // Calls f(const char *) with the message if the call failed.
    template <class F> constexpr bool or_else(F &&f) const {
        if (status_ != LODGER_OK) std::forward<F>(f)(what().data());
        return status_ == LODGER_OK;
    }

private:
    lodger_status status_;
};

inline lodger_module_desc module_desc() noexcept { return LODGER_MODULE_DESC_INIT; }
inline lodger_actor_desc actor_desc() noexcept { return LODGER_ACTOR_DESC_INIT; }

// A field of each of many structs: the first one, and the distance to the next in bytes.
template <class T> struct Field {
    T *first;
    std::size_t stride;
};
template <class Row, class T> Field<T> field(Row *rows, T Row::*member) noexcept { return {&(rows->*member), sizeof(Row)}; }
template <class Row, class T, std::size_t N> Field<T> field(Row *rows, T (Row::*member)[N]) noexcept {
    return {&(rows->*member)[0], sizeof(Row)};
}
template <class T> Field<T> dense(T *values) noexcept { return {values, sizeof(T)}; }
// One value for all actors.
template <class T> Field<T> same(T &value) noexcept { return {&value, 0}; }

// A scene. It can be moved and not copied; calls of an empty one return LODGER_NO_SUCH_SCENE.
class Scene {
public:
    Scene() noexcept = default;
    Scene(Scene &&from) noexcept : scene_(std::exchange(from.scene_, 0)) {}
    Scene &operator=(Scene &&from) noexcept {
        std::swap(scene_, from.scene_);
        return *this;
    }
    ~Scene() {
        if (scene_ != 0) lodger_scene_destroy(scene_);
    }

    static Result create(std::uint64_t budget_ns, Scene &out) noexcept {
        out = Scene();
        if (lodger_abi_version() != LODGER_ABI_VERSION) return LODGER_INVALID_ARGUMENT;
        return lodger_scene_create(budget_ns, &out.scene_);
    }
    // For the functions of lodger.h that have no method here.
    lodger_scene raw() const noexcept { return scene_; }

    Result budget(std::uint64_t ns) noexcept { return lodger_scene_set_budget(scene_, ns); }
    Result policy(lodger_policy policy) noexcept { return lodger_scene_set_policy(scene_, policy); }
    Result hysteresis(std::uint8_t margin, std::uint8_t dead_band) noexcept {
        return lodger_scene_set_hysteresis(scene_, margin, dead_band);
    }
    Result track_changes(bool track) noexcept { return lodger_scene_track_changes(scene_, track); }
    Result origin(const Place &place) noexcept { return lodger_scene_set_origin(scene_, place.data()); }

    Result add(const Place &eye, View &out) noexcept { return lodger_view_add(scene_, eye.data(), &out); }
    Result set(View view, const Place &eye) noexcept { return lodger_view_set(scene_, view, eye.data()); }
    Result set_zoom(View view, double zoom) noexcept { return lodger_view_set_zoom(scene_, view, zoom); }
    // See lodger_view_set_matrices.
    Result set_matrices(View view, const std::array<double, 16> &view_matrix, const std::array<double, 16> &projection,
                        double reference_fov, double margin) noexcept {
        return lodger_view_set_matrices(scene_, view, view_matrix.data(), projection.data(), reference_fov, margin);
    }
    Result add(const lodger_module_desc &desc, Module &out) noexcept { return lodger_module_add(scene_, &desc, &out); }
    // Records the measured time of a module's work of the last plan.
    Result observe_time(Module module, std::uint64_t ns) noexcept {
        return lodger_module_observe_time(scene_, module, LODGER_ASSIGNED, ns);
    }
    Result report(Module module, lodger_module_report &out) const noexcept {
        out = LODGER_MODULE_REPORT_INIT;
        return lodger_module_report_of(scene_, module, &out);
    }

    Result spawn(Module module, const lodger_actor_desc *descs, std::size_t count, Actor *out) noexcept {
        return lodger_actors_spawn(scene_, module, descs, sizeof(lodger_actor_desc), count, out);
    }
    Result despawn(const Actor *actors, std::size_t count) noexcept { return lodger_actors_despawn(scene_, actors, count); }
    // Floats for a column of floats, doubles for LODGER_POSITION_F64 and so on; see lodger_column.
    template <class T>
    Result set(const Actor *actors, std::size_t count, lodger_column column, Field<T> values) noexcept {
        using Is = std::remove_const_t<T>;
        const bool fits = column == LODGER_POSITION_F64 ? std::is_same_v<Is, double>
                          : column == LODGER_VISIBLE    ? std::is_same_v<Is, std::uint8_t>
                          : column == LODGER_IN_VIEW    ? std::is_same_v<Is, std::uint8_t>
                          : column == LODGER_KEY        ? std::is_same_v<Is, std::uint64_t>
                                                        : std::is_same_v<Is, float>;
        if (!fits) return LODGER_INVALID_ARGUMENT;
        return lodger_actors_set(scene_, actors, count, column, values.first, values.stride);
    }

    Result tick() noexcept { return lodger_tick(scene_, nullptr); }
    Result tick(lodger_report &out) noexcept {
        out = LODGER_REPORT_INIT;
        return lodger_tick(scene_, &out);
    }
    Result levels(const Actor *actors, std::size_t count, Field<std::uint8_t> out) const noexcept {
        return lodger_actors_levels(scene_, actors, count, out.first, out.stride);
    }
    Result changes(lodger_change *out, std::size_t capacity, std::size_t &count) const noexcept {
        return lodger_changes(scene_, out, capacity, &count);
    }
    Result report(Actor actor, lodger_actor_report &out) const noexcept {
        out = LODGER_ACTOR_REPORT_INIT;
        return lodger_actor_report_of(scene_, actor, &out);
    }

private:
    lodger_scene scene_ = 0;
};

} // namespace lodger

#endif
