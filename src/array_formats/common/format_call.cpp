#include "array_formats/common/format_call.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "core/own_file.hpp"
#include "core/posix_io.hpp"

namespace weir::formats {

Communicator ranks_of(weir_plan const* plan) {
    if (plan == nullptr) {
        fail(WEIR_BAD_ARGUMENT, "there is no plan", "the pointer is null", "Make one first, and look at its error.");
    }
    return Communicator::borrowed(weir_plan_comm(plan));
}

void check_arguments(weir_plan const* plan, char const* path, char const* const* names, void const* types) {
    if (path == nullptr || *path == 0 || names == nullptr || types == nullptr) {
        fail(WEIR_BAD_ARGUMENT, "a file, names and types are needed", "one of them is null or empty",
             "Pass one name and one type an array.");
    }
    if (weir_plan_has(plan, "safe") != 0) {
        fail(WEIR_BAD_ARGUMENT, fmt::format("{} cannot be replaced by a safe dump", path),
             "its format's library has it open, and would go on with the old one",
             "Make the plan without safe=true, write to another name, and rename that.");
    }
}

void check(weir_error const& error) {
    if (error.code != WEIR_OK) {
        throw Failure(error);
    }
}

void transfer(weir_plan* plan, Use use, char const* path, std::vector<std::int64_t> const& offsets,
              std::vector<int> const& numbers, void* const* buffers) {
    weir_error error;
    auto const call = use == Use::write ? weir_write_swapped : weir_read_swapped;
    call(plan, path, offsets.data(), numbers.data(), buffers, &error);
    check(error);
}

void sync_to_device(char const* path) {
    Descriptor const file(::open(path, O_RDONLY | O_CLOEXEC));
    auto const reason = file.get() < 0 ? errno : sync_file(file.get());
    if (reason != 0) {
        fail(WEIR_IO, fmt::format("{} cannot be brought to the device", path), std::strerror(reason),
             "What was written may be lost.");
    }
}

}  // namespace weir::formats
