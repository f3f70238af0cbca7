#include "array_formats/common/failure.hpp"

#include <fmt/format.h>

#include <new>

namespace weir::formats {

Failure::Failure(int code, std::string_view message) noexcept : error_{code, -1, {}} {
    message.copy(error_.message, WEIR_MESSAGE_SIZE - 1);
}

void fail(int code, std::string const& problem, std::string const& reason, std::string const& suggestion) {
    throw Failure(code, fmt::format("{} ({}) {}", problem, reason, suggestion));
}

Failure current_failure() noexcept {
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
