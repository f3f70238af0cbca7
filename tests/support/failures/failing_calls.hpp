#pragma once

#include <string>

namespace weir::testing {

/// A system call on files that is to fail in this process, whichever library makes it.
struct FailingCall {
    std::string name;  ///< "open", "read", "write", "truncate", "sync", "close" or "unlink": all calls of that kind
    std::string path;  ///< of this file
    int error_number = 0;
    int after = 0;  ///< so many go well before
};

/// While it exists, that call fails, from its turn on. One at a time.
class FailingCalls {
  public:
    explicit FailingCalls(FailingCall const&);
    ~FailingCalls();
    FailingCalls(FailingCalls const&) = delete;
    FailingCalls& operator=(FailingCalls const&) = delete;

    /// How often it has failed.
    [[nodiscard]] int failed() const;
};

}  // namespace weir::testing
