#pragma once

#include <sys/resource.h>

#include <csignal>

#include "core/proc.hpp"

namespace weir::testing {

/// A limit of this process, while this lives.
class Limited {
  public:
    Limited(__rlimit_resource resource, rlim_t most) : resource_(resource) {
        ::getrlimit(resource_, &before_);
        rlimit const limit{most, before_.rlim_max};
        ::setrlimit(resource_, &limit);
    }
    ~Limited() { ::setrlimit(resource_, &before_); }
    Limited(Limited const&) = delete;
    Limited& operator=(Limited const&) = delete;

  private:
    __rlimit_resource resource_;
    rlimit before_{};
};

/// Files end at so many bytes, as on a disk that is full.
class SmallFiles {
  public:
    explicit SmallFiles(rlim_t most) : signal_before_(::signal(SIGXFSZ, SIG_IGN)), limit_(RLIMIT_FSIZE, most) {}
    ~SmallFiles() { ::signal(SIGXFSZ, signal_before_); }
    SmallFiles(SmallFiles const&) = delete;
    SmallFiles& operator=(SmallFiles const&) = delete;

  private:
    sighandler_t signal_before_;
    Limited limit_;
};

/// So many bytes can be mapped beside what is, as after ulimit -v.
class SmallMemory : Limited {
  public:
    explicit SmallMemory(std::uint64_t bytes) : Limited(RLIMIT_AS, mapped() + bytes) {}

  private:
    static rlim_t mapped() {
        constexpr rlim_t much = rlim_t{1} << 46U;
        Limited const limited(RLIMIT_AS, much);
        return much - address_space_left().value_or(Bytes{0}).value;
    }
};

}  // namespace weir::testing
