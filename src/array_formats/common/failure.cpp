#include "array_formats/common/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace weir::formats {

weir_error Failure::error() const {
    weir_error error{code_, rank_, {}};
    std::memcpy(error.message, what(), std::min<std::size_t>(std::strlen(what()), WEIR_MESSAGE_SIZE - 1));
    return error;
}

void fail(int code, std::string const& problem, std::string const& reason, std::string const& suggestion) {
    throw Failure(code, fmt::format("{} ({}) {}", problem, reason, suggestion));
}

Failure current_failure() {
    try {
        throw;
    } catch (Failure const& failure) {
        return failure;
    } catch (std::bad_alloc const&) {
        return {WEIR_NO_MEMORY, "memory is used up"};
    } catch (std::exception const& error) {
        return {WEIR_INTERNAL, error.what()};
    } catch (...) {
        return {WEIR_INTERNAL, "an unknown exception"};
    }
}

}  // namespace weir::formats
