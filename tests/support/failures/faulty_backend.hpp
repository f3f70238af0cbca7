#pragma once

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "storage/backend.hpp"

namespace weir::testing {

/// When a faulty back-end fails: before the request with this number, counted from 0 on each rank, or at another step.
struct Fault {
    std::int64_t at_write = -1;
    bool at_open = false;
    std::int64_t stop_at_write = -1;  ///< with this request comes a signal to stop
    bool at_sync = false;
    bool at_close = false;
};

/// Keeps files in this rank's memory, advances a manual clock with each call, and fails when told to. What it was asked
/// is on record.
class FaultyBackend final : public Backend {
  public:
    explicit FaultyBackend(Fault when = {}, ManualClock* ticks = nullptr) : fault(when), clock(ticks) {}

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override;
    [[nodiscard]] std::optional<CacheAvoidance> avoids_caches() const override { return around_caches; }
    void remove(std::filesystem::path const& path) override { calls.push_back("remove " + path.filename().string()); }

    void call(std::string const& what, double seconds) {
        calls.push_back(what);
        if (clock != nullptr) {
            clock->advance(Seconds{seconds});
        }
    }

    Fault fault;
    ManualClock* clock;
    double write_s = 1;                             ///< that a write takes by the clock
    std::optional<CacheAvoidance> around_caches{};  ///< how its reads avoid caches
    bool together = false;                          ///< syncs are to be made by all ranks
    std::vector<std::string> calls;
    std::int64_t writes = 0;
    std::int64_t empty_writes = 0;
    std::optional<bool> late_when_open;  ///< whether the time was over when a file was open; nothing: it has no end
    std::map<std::string, std::vector<std::byte>> files;
    std::vector<std::byte const*> places;  ///< of the data of its writes
};

class FaultyFile final : public OpenFile {
  public:
    FaultyFile(FaultyBackend& backend, std::string name) : backend_(backend), name_(std::move(name)) {}

    void write(Operation const& operation, std::span<std::byte const> data) override {
        if (data.empty()) {
            ++backend_.empty_writes;
            return;
        }
        if (backend_.writes == backend_.fault.stop_at_write) {
            stop_requested = true;
        }
        if (backend_.writes++ == backend_.fault.at_write) {
            throw system_error("injected failure", ENOSPC, "none");
        }
        backend_.places.push_back(data.data());
        auto& file = backend_.files[name_];
        file.resize(std::max(file.size(), operation.offset + data.size()));
        std::memcpy(file.data() + operation.offset, data.data(), data.size());
        backend_.call("write", backend_.write_s);
    }

    std::size_t read(Operation const& operation, std::span<std::byte> data) override {
        auto const& file = backend_.files[name_];
        auto const end = std::min<std::uint64_t>(file.size(), operation.offset + data.size());
        auto const got = end > operation.offset ? end - operation.offset : 0;
        std::memcpy(data.data(), file.data() + operation.offset, got);
        backend_.call("read", 1);
        return got;
    }

    void preallocate(std::uint64_t) override { backend_.call("preallocate", 0.5); }

    void sync() override {
        backend_.call("sync", 2);
        if (backend_.fault.at_sync) {
            throw system_error("injected failure", EIO, "none");
        }
    }

    [[nodiscard]] bool syncs_together() const override { return backend_.together; }

    void close() override {
        backend_.call("close", 0.25);
        if (backend_.fault.at_close) {
            throw system_error("injected failure", EIO, "none");
        }
    }

  private:
    FaultyBackend& backend_;
    std::string name_;
};

inline std::unique_ptr<OpenFile> FaultyBackend::open(OpenRequest const& request) {
    call("open " + request.path.filename().string(), 0.5);
    if (fault.at_open) {
        throw system_error("injected failure", EACCES, "none");
    }
    late_when_open = request.out_of_time ? std::optional(request.out_of_time()) : std::nullopt;
    return std::make_unique<FaultyFile>(*this, request.path.filename().string());
}

}  // namespace weir::testing
