#include "apps/common/run/restart_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "storage/engine.hpp"

namespace weir {
namespace {

/// Takes what is read of one array.
class Taken final : public DataSource {
  public:
    explicit Taken(std::uint64_t bytes) : found(bytes) {}
    void fill(Asked const&, Operation const&, std::span<std::byte>) override { expect(false, "it is only read"); }
    void take(Asked const&, Operation const&, std::span<std::byte const> data) override {
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

std::vector<std::byte> read_alone(std::filesystem::path const& named, Array const& what, Backend& backend) {
    auto const path = real_path(named);
    Pattern pattern;
    pattern.ranks = 1;
    pattern.partitions = {Partition{}};
    pattern.files.push_back({.name = path.filename().string()});
    pattern.files[0].arrays = {what};
    Phase phase;
    phase.name = "look";
    phase.steps = {Open{0, OpenMode::read}, access_to(pattern, Verb::read, 0, 0, 0, {0, 1, 1}), Close{0}};
    EngineSettings settings{.directory = directory_of(path)};
    settings.notes_residence = false;
    settings.prefix = "";
    MonotonicClock clock;
    Engine engine(backend, {}, settings, clock);
    auto const bytes = bytes_of(what);
    engine.declare(pattern.files[0], {what.offset.value_or(0) + bytes, bytes});
    Taken source(bytes);
    engine.run(phase, &source);
    return source.found;
}

}  // namespace

std::filesystem::path real_path(std::filesystem::path const& path) {
    std::error_code unknown;
    auto real = std::filesystem::canonical(path, unknown);
    return unknown ? path : real;
}

std::filesystem::path directory_of(std::filesystem::path const& file) {
    return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

RestartFile::RestartFile(std::filesystem::path path, Way const& way) : path_(std::move(path)), way_(way) {
    struct stat status {};
    auto const found = ::stat(path_.c_str(), &status) == 0 && ::access(path_.c_str(), R_OK) == 0;
    validate(found, path_.string() + " cannot be opened", std::strerror(errno),
             "Name a restart file that may be read.");
    validate(S_ISREG(status.st_mode), path_.string() + " cannot be read", "it is no file",
             "Name a file that a dump has left.");
    bytes_ = static_cast<std::uint64_t>(status.st_size);
}

std::vector<std::byte> RestartFile::array(Array const& what) const {
    auto const end = what.offset.value_or(0) + bytes_of(what);
    validate(has_format() || bytes_ >= end, path_.string() + " is no restart file",
             fmt::format("it has {} bytes, fewer than its {} of {}", bytes_, what.name, end),
             "Name a file that a dump has left.");
    try {
        return read_alone(path_, what, has_format() ? *way_.format() : *plain_bytes());
    } catch (Error const& error) {
        throw Error({fmt::format("{} is no restart file that backend = {} has written", path_.string(), way_.name),
                     error.diagnosis().reason, "Name one that it has, or choose the back-end that wrote it.",
                     ExitCode::usage});
    }
}

}  // namespace weir
