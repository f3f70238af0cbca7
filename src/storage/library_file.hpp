#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "storage/backend.hpp"
#include "storage/write_error_interposer.hpp"

namespace weir {

/// A file that ranks have open through a library, whose calls return a status. `Library` says its `name`, whether a
/// status `failed(status)`, and the `error(problem, status)` of one that did.
template <class Library>
class LibraryFile : public OpenFile {
  public:
    [[nodiscard]] bool syncs_together() const override { return comm_.size() > 1; }

  protected:
    explicit LibraryFile(OpenRequest const& request)
        : path_(request.path.string()),
          comm_(request.comm),
          collective_(request.collective),
          counter_(request.counter),
          times_(request.times) {}

    /// Throws if a call, which has moved nothing, returned this because it failed.
    template <class Status>
    void check(Status status, char const* what) const {
        if (Library::failed(status)) [[unlikely]] {
            throw Library::error(problem(what), status);
        }
    }

    /// Makes an MPI call; throws if it, or a write below it, failed.
    template <class Call>
    void attempt(char const* what, Call call) {
        auto const status = [&] {
            WriteWatch const watch(lost_);
            return call();
        }();
        if (lost_) [[unlikely]] {
            throw watched_error(problem(what), *std::exchange(lost_, {}));
        }
        check(status, what);
    }

    /// The same for a call that is counted, with the bytes that it moves.
    template <class Call>
    void attempt(IoCall what, std::uint64_t bytes, Call call) {
        CallCounter::library(counter_, what, bytes, [&] { attempt(to_text(what).data(), call); });
    }

    /// The last part of opening; where it fails on some rank, `close_all` closes what is open. Collective.
    template <class Work, class CloseAll>
    void finish_opening(Work work, CloseAll close_all) {
        try {
            run_together(comm_, work);
        } catch (Error const&) {
            WriteWatch const watch(lost_);
            close_all();
            throw;
        }
    }

    /// The packed bytes of the only rank that has a part, on every rank; none if no rank has one. Collective.
    [[nodiscard]] std::vector<std::byte> on_all_ranks(PartRequest const& request,
                                                      std::span<std::byte const> data) const {
        std::vector<std::byte> bytes(bytes_of(request.of.what));
        std::vector<std::uint64_t> words(1 + (bytes.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
        if (request.section) {
            words[0] = 1;
            std::memcpy(words.data() + 1, data.data(), std::min(data.size(), bytes.size()));
        }
        comm_.max(words);
        std::memcpy(bytes.data(), words.data() + 1, bytes.size());
        return words[0] == 0 ? std::vector<std::byte>() : bytes;
    }

    std::string path_;
    Communicator comm_;
    bool collective_;
    CallCounter* counter_;
    FileTimes* times_;
    std::optional<int> lost_;  ///< error of a failed write below the library

  private:
    [[nodiscard]] std::string problem(char const* what) const {
        return fmt::format("cannot {} '{}' through {}", what, path_, Library::name);
    }
};

}  // namespace weir
