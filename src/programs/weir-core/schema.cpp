#include "array/planner/plan_options.hpp"
#include "bench/benchmark.hpp"
#include "bench/warm_up.hpp"
#include "comm/launch_facts.hpp"
#include "core/copy_offsets.hpp"
#include "core/fast_clock.hpp"
#include "core/handoff.hpp"
#include "core/option_facts.hpp"
#include "core/proc.hpp"
#include "core/topology.hpp"
#include "core/version.hpp"
#include "pattern/parametric.hpp"
#include "programs/weir-core/command_line.hpp"
#include "storage/backend.hpp"
#include "storage/cache_avoidance.hpp"

namespace weir {
namespace {

Json describe_benchmarks() {
    auto json = Json::array();
    for (auto const& [name, benchmark] : Benchmarks::instance().items()) {
        OptionSet options;
        auto const job = benchmark->make_job();
        job->declare(options);
        json.push_back({{"name", name}, {"summary", benchmark->summary()}, {"options", options.schema()}});
    }
    return json;
}

/// The library of a back-end; null if it uses none.
Json library_of(BackendKind const& kind) {
    auto const library = kind.library();
    return library.empty() ? Json() : Json(library);
}

/// By back-end, for those that use one.
Json describe_libraries() {
    auto json = Json::object();
    for (auto const& [name, kind] : Backends::instance().items()) {
        if (auto library = library_of(*kind); !library.is_null()) {
            json[name] = std::move(library);
        }
    }
    return json;
}

Json describe_backends() {
    auto json = Json::array();
    for (auto const& [name, kind] : Backends::instance().items()) {
        OptionSet options;
        auto const backend = kind->make();
        backend->declare(options);
        auto own = Json::array();
        for (auto const& option : options.options()) {
            own.push_back(option.name);
        }
        auto const features = kind->features();
        json.push_back({{"name", name},
                        {"summary", kind->summary()},
                        {"collective", features.collective},
                        {"hints", features.hints},
                        {"library", library_of(*kind)},
                        {"options", std::move(own)}});
    }
    return json;
}

Json describe_left_out() {
    auto json = Json::array();
    for (auto const& [name, reason] : left_out_backends()) {
        json.push_back({{"name", name}, {"reason", reason}});
    }
    return json;
}

/// Of values in samples that are no option's.
Json describe_sample_words() {
    return {{"sync", to_json(words_of<SyncWhen>())}, {"cache_methods", to_json(words_of<CacheAvoidance>())}};
}

/// Of the two-phase library's plans.
Json describe_plan_options() {
    OptionSet options;
    array::PlanOptions plan;
    plan.declare(options);
    return options.schema();
}

/// Hand-offs of a cache line over a third of a second, between two cores that this process may use or be bound to.
Json describe_hand_offs(Clock& clock) {
    constexpr int most = 12;
    constexpr Seconds between{0.025};
    auto const cpus = cpus_of_two_cores({allowed_cpus(), bindable_cpus()});
    if (!cpus) {
        return {};
    }
    auto times_ns = Json::array();
    for (int probe = 0; probe < most; ++probe) {
        clock.sleep(between);
        if (auto const found = measure_hand_off(*cpus); found.one_way_ns) {
            times_ns.push_back(*found.one_way_ns);
        }
    }
    return {{"cpus", {cpus->first, cpus->second}}, {"probes", most}, {"times_ns", std::move(times_ns)}};
}

Json describe_copies() {
    auto const found = measure_copy_offsets(FastClock::shared());
    return {{"bytes", found.bytes},
            {"offset", found.offset},
            {"batches", found.batches},
            {"same_s", found.same_s},
            {"behind_s", found.behind_s}};
}

}  // namespace

Json schema() {
    return {{"schema", 1},
            {"version", version},
            {"build", {{"compiler", compiler}, {"build_type", build_type}, {"mpi", mpi_library_version()}}},
            {"libraries", describe_libraries()},
            {"benchmarks", describe_benchmarks()},
            {"backends", describe_backends()},
            {"backends_left_out", describe_left_out()},
            {"sample_words", describe_sample_words()},
            {"plan_options", describe_plan_options()}};
}

Json describe_machine() {
    constexpr std::uint64_t touched = 128ULL << 20;
    MonotonicClock clock;
    return {{"schema", 1},
            {"kind", "machine"},
            {"host", host_name()},
            {"topology", describe_topology()},
            {"first_touch", to_json(warm_memory(Communicator(), touched, clock))},
            {"hand_off", describe_hand_offs(clock)},
            {"copies", describe_copies()},
            {"mpi", {{"library", mpi_library_version()}}},
            {"build", {{"compiler", compiler}, {"build_type", build_type}}},
            {"libraries", describe_libraries()}};
}

}  // namespace weir
