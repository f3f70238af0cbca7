#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>

#include "weir/array.h"

namespace weir::io {

/// A target other than a file, see weir_target: an exception of its functions becomes the call's error on all ranks.
class Sink {
  public:
    virtual ~Sink() = default;
    virtual void write(int array, std::int64_t start, std::int64_t bytes, void const* data) = 0;
    virtual void read(int array, std::int64_t start, std::int64_t bytes, void* data) = 0;
};

namespace detail {

template <class Call>
int reported(char message[WEIR_MESSAGE_SIZE], Call call) {
    try {
        call();
        return 0;
    } catch (std::exception const& error) {
        std::snprintf(message, WEIR_MESSAGE_SIZE, "%s", error.what());
    } catch (...) {
        std::snprintf(message, WEIR_MESSAGE_SIZE, "an exception of unknown type");
    }
    return 1;
}

inline weir_target target_of(Sink& sink) {
    return {&sink,
            [](void* context, int array, std::int64_t start, std::int64_t bytes, void const* data, char* message) {
                return reported(message, [&] { static_cast<Sink*>(context)->write(array, start, bytes, data); });
            },
            [](void* context, int array, std::int64_t start, std::int64_t bytes, void* data, char* message) {
                return reported(message, [&] { static_cast<Sink*>(context)->read(array, start, bytes, data); });
            }};
}

}  // namespace detail

}  // namespace weir::io
