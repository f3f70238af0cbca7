#include "storage/backends/hdf5/hdf5_error.hpp"

#include <hdf5.h>

#include <utility>

namespace weir {
namespace {

herr_t keep_first(unsigned index, H5E_error2_t const* entry, void* message) {
    if (index == 0 && entry->desc != nullptr) {
        *static_cast<std::string*>(message) = entry->desc;
    }
    return 0;
}

char const* advice_for(std::string const& message) {
    auto const says = [&](char const* words) { return message.find(words) != std::string::npos; };
    if (says("signature") || says("truncated file") || says("doesn't exist")) {
        return "It was not written by this back-end, with this shape and to its end: write it first.";
    }
    return "Check the directory, its free space and your permissions; the posix back-end tells more.";
}

}  // namespace

Error hdf5_error(std::string problem) {
    std::string message = "the library gives no reason";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &message);
    return Error({std::move(problem), message, advice_for(message), ExitCode::cannot_run});
}

}  // namespace weir
