#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/array/buffers.hpp"
#include "weir/array/distribution.hpp"
#include "weir/array/request.hpp"
#include "weir/array/sink.hpp"

namespace weir::io {

/// The state shared by repeated dumps; can be moved, not copied. Every member is collective unless it says otherwise,
/// the destructor too.
class Plan {
  public:
    Plan(Plan&&) = default;
    Plan& operator=(Plan&&) = default;

    /// An array in a plan's list. A temporary is enough: the plan keeps no reference.
    struct Member {
        Member(Array const& described) : array(described) {}  // NOLINT(google-explicit-constructor)
        Array const& array;
    };

    Plan(MPI_Comm comm, std::vector<Member> const& arrays, std::string const& options = {}) {
        std::vector<weir_array*> handles;
        handles.reserve(arrays.size());
        for (auto const& member : arrays) {
            handles.push_back(member.array.handle());
        }
        weir_plan* made = nullptr;
        weir_error error{};
        detail::check(
            weir_plan_make(comm, static_cast<int>(handles.size()), handles.data(), options.c_str(), &made, &error),
            error);
        handle_.reset(made, weir_plan_free);
        for (auto const& member : arrays) {
            bytes_.push_back(member.array.local(comm).bytes);
        }
    }

    void write(std::string const& path, Sources const& buffers, std::int64_t offset = 0) {
        transfer(buffers, [&](auto... rest) { return weir_write(handle(), path.c_str(), offset, rest...); });
    }
    void write(std::string const& path, Source const& buffer, std::int64_t offset = 0) {
        write(path, Sources{buffer}, offset);
    }
    void write_at(std::string const& path, Indices const& offsets, Sources const& buffers) {
        transfer_at(offsets, buffers, [&](auto... rest) { return weir_write_at(handle(), path.c_str(), rest...); });
    }
    void write(Sink& sink, Sources const& buffers) {
        auto const target = detail::target_of(sink);
        transfer(buffers, [&](auto... rest) { return weir_write_target(handle(), &target, rest...); });
    }

    void read(std::string const& path, Targets const& buffers, std::int64_t offset = 0) {
        transfer(buffers, [&](auto... rest) { return weir_read(handle(), path.c_str(), offset, rest...); });
    }
    void read(std::string const& path, Target const& buffer, std::int64_t offset = 0) {
        read(path, Targets{buffer}, offset);
    }
    void read_at(std::string const& path, Indices const& offsets, Targets const& buffers) {
        transfer_at(offsets, buffers, [&](auto... rest) { return weir_read_at(handle(), path.c_str(), rest...); });
    }
    void read(Sink& sink, Targets const& buffers) {
        auto const target = detail::target_of(sink);
        transfer(buffers, [&](auto... rest) { return weir_read_target(handle(), &target, rest...); });
    }

    /// Returns when the buffers may be changed again. The request must be completed before any other call with the
    /// plan.
    [[nodiscard]] Request write_start(std::string const& path, Sources const& buffers, std::int64_t offset = 0) {
        weir_request* started = nullptr;
        transfer(buffers, [&](void* const* addresses, weir_error* error) {
            return weir_write_start(handle(), path.c_str(), offset, addresses, &started, error);
        });
        return {handle_, started};
    }
    [[nodiscard]] Request write_start(std::string const& path, Source const& buffer, std::int64_t offset = 0) {
        return write_start(path, Sources{buffer}, offset);
    }

    /// Moves arrays from this plan's distribution to another's, in memory.
    void redistribute(Sources const& from, Plan& other, Targets const& to) {
        detail::Addresses const targets(to, other.bytes_);
        detail::Addresses const sources(from, bytes_);
        weir_error error{};
        auto const code = weir_redistribute(handle(), sources.data(), other.handle(), targets.data(), &error);
        sources.check(code, error);
        targets.check(code, error);
    }

    /// One line: the chosen strategy, and why. Local, as all that follow.
    [[nodiscard]] std::string explain() const { return weir_plan_explain(handle()); }
    [[nodiscard]] std::int64_t memory() const { return weir_plan_memory(handle()); }
    [[nodiscard]] std::int64_t file_bytes() const { return weir_plan_file_bytes(handle()); }
    [[nodiscard]] weir_times times() const {
        weir_times spent{};
        weir_plan_times(handle(), &spent);
        return spent;
    }
    [[nodiscard]] weir_plan* handle() const noexcept { return handle_.get(); }

  private:
    template <class Buffers, class Call>
    void transfer(Buffers const& buffers, Call call) const {
        detail::Addresses const addresses(buffers, bytes_);
        weir_error error{};
        addresses.check(call(addresses.data(), &error), error);
    }

    /// If the offsets are invalid on this rank, passes null, as for buffers.
    template <class Buffers, class Call>
    void transfer_at(Indices const& offsets, Buffers const& buffers, Call call) const {
        auto const wrong = detail::wrong_number("offsets", offsets.size(), bytes_.size());
        detail::Addresses const addresses(buffers, bytes_);
        weir_error error{};
        auto const code = call(wrong.empty() ? offsets.data() : nullptr, addresses.data(), &error);
        if (!wrong.empty()) {
            throw Error(WEIR_BAD_ARGUMENT, wrong);
        }
        addresses.check(code, error);
    }

    std::shared_ptr<weir_plan> handle_;  ///< shared only with requests
    Indices bytes_;                      ///< of each local array on this rank
};

}  // namespace weir::io
