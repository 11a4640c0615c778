// A frame loop through lodger.hpp: a crowd whose animation is worked at four rates, under a budget that halves.
//
//     c++ -std=c++17 frame_loop.cpp $(pkg-config --cflags --libs lodger) -o frame_loop && ./frame_loop
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lodger.hpp"

namespace {

struct Walker { // The engine's own.
    float place[3];
    float direction;
    std::uint8_t rate;
};

constexpr int frames = 300;
constexpr std::uint64_t budget_ns = 1'500'000;
constexpr std::uint32_t work[] = {1, 4, 12, 40}; // bones a frame

void must(lodger::Result result) {
    const bool done = result.or_else([](const char *text) { std::fprintf(stderr, "lodger: %s\n", text); });
    if (!done) std::exit(1);
}

float scattered(std::uint32_t i) { return static_cast<float>(i * 2654435761u >> 8) / 16777216.0f - 0.5f; }

std::vector<Walker> crowd(std::uint32_t count) {
    std::vector<Walker> walkers(count);
    for (std::uint32_t i = 0; i < count; i++)
        walkers[i] = {{200.0f * scattered(2 * i), 0.0f, 200.0f * scattered(2 * i + 1)}, scattered(3 * i) > 0 ? 1.0f : -1.0f, 0};
    return walkers;
}

} // namespace

int main() {
    std::vector<Walker> walkers = crowd(2000);
    std::vector<lodger::Actor> actors(walkers.size());
    std::vector<lodger_actor_desc> descs(walkers.size(), lodger::actor_desc());
    for (std::size_t i = 0; i < walkers.size(); i++) {
        descs[i].work = work;
        descs[i].levels = 4;
        descs[i].key = i;
        for (int axis = 0; axis < 3; axis++) descs[i].position[axis] = static_cast<double>(walkers[i].place[axis]);
    }

    lodger::Scene scene;
    lodger::View view{};
    lodger::Module animation{};
    must(lodger::Scene::create(budget_ns, scene));
    must(scene.policy(LODGER_OPTIMAL));
    must(scene.track_changes(true));
    must(scene.add({0.0, 2.0, 0.0}, view));
    lodger_module_desc desc = lodger::module_desc();
    desc.name = "animation";
    desc.unit_cost_ns = 90.0;
    must(scene.add(desc, animation));
    must(scene.spawn(animation, descs.data(), descs.size(), actors.data()));

    // A field of the wrong type is noticed before anything is read.
    if (scene.set(actors.data(), 1, LODGER_POSITION_F64, lodger::field(walkers.data(), &Walker::place))) return 1;

    std::vector<lodger_change> changes(walkers.size());
    std::printf("frame  budget ms  planned ms  changes  of the best\n");
    bool kept = true;
    std::uint64_t budget = budget_ns;
    for (int frame = 0; frame < frames; frame++) {
        if (frame == 100 || frame == 200) must(scene.budget(budget /= 2));
        for (Walker &walker : walkers) walker.place[0] += walker.direction / 60.0f;
        must(scene.set(actors.data(), actors.size(), LODGER_POSITION, lodger::field(walkers.data(), &Walker::place)));
        lodger_report report;
        must(scene.tick(report));
        must(scene.levels(actors.data(), actors.size(), lodger::field(walkers.data(), &Walker::rate)));
        std::size_t count = 0;
        must(scene.changes(changes.data(), changes.size(), count));
        kept = kept && report.assigned_ns <= budget && report.overcommit_ns == 0;
        kept = kept && report.value >= 0.99 * report.upper_bound;
        for (std::size_t i = 0; i < count; i++) kept = kept && walkers[changes[i].key].rate == changes[i].to;
        if (frame % 50 == 0)
            std::printf("%5d %10.3f %11.3f %8zu %12.4f\n", frame, static_cast<double>(budget) / 1e6,
                        static_cast<double>(report.assigned_ns) / 1e6, count, report.value / report.upper_bound);
    }
    lodger::Scene moved = std::move(scene);
    kept = kept && scene.tick().status() == LODGER_NO_SUCH_SCENE && moved.tick();
    std::puts(kept ? "every budget held, within a hundredth of the best" : "the promise was not kept");
    return kept ? 0 : 1;
}
