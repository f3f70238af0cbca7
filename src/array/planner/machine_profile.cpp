#include "array/planner/machine_profile.hpp"

#include <fmt/format.h>

#include "comm/collective_error_c.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace weir::array {
namespace {

void take(StrictObject const& object, char const* key, double& number) {
    if (!object.has(key)) {
        return;
    }
    auto const value = object.number(key);
    validate(value > 0, fmt::format("{} is {}", object.place(key), value), "it must be greater than 0",
             "Leave out what is not known.");
    number = value;
}

void take(StrictObject const& profile, char const* key, FileSpeed& speed) {
    if (profile.has(key)) {
        StrictObject const object(profile.at(key), profile.place(key),
                                  {"one_bytes_per_s", "all_bytes_per_s", "request_s"});
        take(object, "one_bytes_per_s", speed.one_bytes_per_s);
        take(object, "all_bytes_per_s", speed.all_bytes_per_s);
        take(object, "request_s", speed.request_s);
    }
}

void take(Json const& json, MachineProfile& profile) {
    validate(json.is_object() && json.contains("weir_profile") && json.contains("array"), "it is no machine profile",
             "it is no object with the keys weir_profile and array", "docs/reference/machine-profile.md shows one.");
    validate(json.at("weir_profile") == 1, fmt::format("it is of version {}", json_text(json.at("weir_profile"))),
             "this library knows version 1", "Make it again, or take a newer library.");
    StrictObject const array(json.at("array"), "array",
                             {"write", "read", "copy_bytes_per_s", "message_s", "network_bytes_per_s"});
    take(array, "write", profile.write);
    take(array, "read", profile.read);
    take(array, "copy_bytes_per_s", profile.copy_bytes_per_s);
    take(array, "message_s", profile.message_s);
    take(array, "network_bytes_per_s", profile.network_bytes_per_s);
}

}  // namespace

MachineProfile usual_profile(FileSystem const& system, std::uint64_t nodes) {
    // Measured on a virtual machine of two cores; the values of network file systems are assumptions.
    constexpr double usual_copy = 8e9;
    constexpr double usual_message = 2e-6;
    constexpr double usual_network = 10e9;
    MachineProfile profile{{}, {}, usual_copy, usual_message, usual_network, "usual numbers"};
    auto storage = system.storage;
    if (storage == Storage::unknown) {
        storage = nodes == 1 ? Storage::local : Storage::parallel;
    }
    auto const n = static_cast<double>(nodes);
    switch (storage) {
        case Storage::memory:
            profile.write = {2e9, 5e9, 1e-6};
            profile.read = {4.4e9, 8e9, 1e-6};
            break;
        case Storage::server:
            profile.write = {0.5e9, 1.1e9, 100e-6};
            profile.read = {0.5e9, 1.1e9, 100e-6};
            break;
        case Storage::parallel:
            profile.write = {1e9, 4e9 * n, 50e-6};
            profile.read = {1e9, 4e9 * n, 50e-6};
            break;
        default:
            profile.write = {4.9e9, 3.3e9, 4e-6};
            profile.read = {5e9, 10e9, 1e-6};
    }
    return profile;
}

void read_profile(std::string const& text, std::string const& name, MachineProfile& profile) {
    try {
        auto const json = parse_json(text);
        validate(!json.is_discarded(), "it is no machine profile", "it is no JSON",
                 "docs/reference/machine-profile.md shows one.");
        take(json, profile);
    } catch (Error const& error) {
        auto const& d = error.diagnosis();
        fail(WEIR_BAD_ARGUMENT, fmt::format("{} cannot be used: {}", name, d.problem), d.reason, d.suggestion);
    }
    profile.source = name;
}

}  // namespace weir::array
