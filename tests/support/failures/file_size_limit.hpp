#pragma once

#include <sys/resource.h>

#include <csignal>

namespace weir::testing {

/// While it exists, this process may not write beyond so many bytes of any file: its writes fail with EFBIG, as on a
/// disk that is full for one rank only. Needs no privilege.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit const limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(FileSizeLimit const&) = delete;
    FileSizeLimit& operator=(FileSizeLimit const&) = delete;

  private:
    void (*handler_)(int);
    rlimit before_{};
};

}  // namespace weir::testing
