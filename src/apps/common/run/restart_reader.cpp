#include "apps/common/run/restart_reader.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "storage/engine/engine.hpp"

namespace weir {
namespace {

/// Stores the data read of one array.
class Taken final : public DataSource {
  public:
    explicit Taken(std::uint64_t bytes) : found(bytes) {}
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override {
        expect(false, "it is only read");
    }
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const> data) override {
        expect(data.size() == found.size(), "an array is read whole");
        std::ranges::copy(data, found.begin());
    }

    std::vector<std::byte> found;
};

std::unique_ptr<Backend> plain_bytes() {
    auto const* kind = Backends::instance().find("posix");
    expect(kind != nullptr, "every build has it");
    auto backend = kind->make();
    OptionSet own;
    backend->declare(own);
    return backend;
}

/// A file that this rank alone has open.
class Alone {
  public:
    Alone(std::filesystem::path const& named, std::vector<Array> const& arrays, Backend& backend)
        : path_(real_path(named)), engine_(backend, {}, settings(), clock_) {
        pattern_.ranks = 1;
        pattern_.partitions = {Partition{}};
        pattern_.files.push_back({.name = path_.filename().string()});
        pattern_.files[0].arrays = arrays;
        std::uint64_t end = 0;
        for (auto const& array : arrays) {
            end = std::max(end, array.offset.value_or(0) + bytes_of(array));
        }
        engine_.declare(pattern_.files[0], {end, arrays.empty() ? 0 : bytes_of(arrays.front())});
    }

    /// Opens it, and reads the first array if there is a taker.
    void look(DataSource* taker) {
        Phase phase;
        phase.name = "look";
        phase.steps = {Open{0, OpenMode::read}};
        if (taker != nullptr) {
            phase.steps.emplace_back(access_to(pattern_, Verb::read, 0, 0, 0, {0, 1, 1}));
        }
        phase.steps.emplace_back(Close{0});
        engine_.run(phase, taker);
    }

  private:
    [[nodiscard]] EngineSettings settings() const {
        EngineSettings settings{.directory = directory_of(path_)};
        settings.notes_residence = false;
        settings.prefix = "";
        return settings;
    }

    std::filesystem::path path_;
    MonotonicClock clock_;
    Pattern pattern_;
    Engine engine_;
};

}  // namespace

std::filesystem::path real_path(std::filesystem::path const& path) {
    std::error_code unknown;
    auto real = std::filesystem::canonical(path, unknown);
    return unknown ? path : real;
}

std::filesystem::path directory_of(std::filesystem::path const& file) {
    return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

RestartFile::RestartFile(std::filesystem::path path, DumpStrategy const& strategy)
    : path_(std::move(path)), strategy_(strategy) {
    struct stat status {};
    auto const found = ::stat(path_.c_str(), &status) == 0 && ::access(path_.c_str(), R_OK) == 0;
    validate(found, path_.string() + " cannot be opened", std::strerror(errno), "Name a file that may be read.");
    validate(S_ISREG(status.st_mode), path_.string() + " cannot be read", "it is no regular file",
             "Name a file that a run can begin with.");
    if (has_format()) {
        need_mpi();  // patterns are printed without it
    }
    bytes_ = static_cast<std::uint64_t>(status.st_size);
}

template <class Work>
auto RestartFile::as_usage(Work work) const {
    try {
        return work();
    } catch (Error const& error) {
        throw Error(
            {fmt::format("this run cannot begin with {}", path_.string()),
             fmt::format("{}: {}", error.diagnosis().problem, error.diagnosis().reason),
             fmt::format("Name a file with the arrays of this run, which backend = {} can read.", strategy_.name),
             ExitCode::usage});
    }
}

std::vector<std::byte> RestartFile::array(Array const& what) const {
    auto const end = what.offset.value_or(0) + bytes_of(what);
    validate(has_format() || bytes_ >= end, path_.string() + " is no restart file",
             fmt::format("it has {} bytes, fewer than its {} of {}", bytes_, what.name, end),
             "Name a file that a run can begin with.");
    return as_usage([&] {
        auto const plain = has_format() ? nullptr : plain_bytes();
        Taken source(bytes_of(what));
        Alone(path_, {what}, plain ? *plain : *strategy_.format()).look(&source);
        return source.found;
    });
}

void RestartFile::check_arrays(std::vector<Array> const& arrays) const {
    if (has_format()) {
        as_usage([&] { Alone(path_, arrays, *strategy_.format()).look(nullptr); });
    }
}

}  // namespace weir
