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

/// A dump in flight. The destructor waits and ignores errors: call wait() to get them. A request keeps its plan alive.
class Request {
  public:
    Request(std::shared_ptr<weir_plan> plan, weir_request* request) : plan_(std::move(plan)), handle_(request) {}

    /// Local: has this rank's part completed?
    [[nodiscard]] bool test() const { return handle_ == nullptr || weir_test(handle_.get()) != 0; }

    /// Collective. Returns when the dump is complete; a second call does nothing.
    void wait() {
        if (handle_ != nullptr) {
            weir_error error{};
            detail::check(weir_wait(handle_.release(), &error), error);
        }
    }

  private:
    std::shared_ptr<weir_plan> plan_;  // declared before the request, which is therefore destroyed first
    std::unique_ptr<weir_request, detail::Complete> handle_;
};

}  // namespace weir::io
