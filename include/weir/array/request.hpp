#pragma once

#include <memory>
#include <utility>

#include "weir/array/error.hpp"

namespace weir::io {

namespace detail {

struct Complete {
    void operator()(weir_request* request) const { weir_wait(request, nullptr); }
};

}  // namespace detail

/// A dump on its way. The destructor waits and keeps errors to itself: call wait() to learn them. The plan lives on
/// until its requests are gone.
class Request {
  public:
    Request(std::shared_ptr<weir_plan> plan, weir_request* request) : plan_(std::move(plan)), handle_(request) {}

    /// Local: has this rank's part ended?
    [[nodiscard]] bool test() const { return handle_ == nullptr || weir_test(handle_.get()) != 0; }

    /// Collective. Returns when the dump is complete; a second call does nothing.
    void wait() {
        if (handle_ != nullptr) {
            weir_error error{};
            detail::check(weir_wait(handle_.release(), &error), error);
        }
    }

  private:
    std::shared_ptr<weir_plan> plan_;  // before the request, which then goes first
    std::unique_ptr<weir_request, detail::Complete> handle_;
};

}  // namespace weir::io
