#include "apps/cloud/dump/header_in.hpp"

#include <algorithm>
#include <cstring>

#include "apps/cloud/dump/pattern_of_run.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "storage/engine.hpp"

namespace weir::cloud {
namespace {

class HeaderTaken final : public DataSource {
  public:
    void fill(Asked const&, Operation const&, std::span<std::byte>) override { expect(false, "it is only read"); }
    void take(Asked const&, Operation const&, std::span<std::byte const> found) override {
        std::memcpy(reals.data(), found.data(), std::min(found.size(), sizeof reals));
    }

    std::array<float, 6> reals{};
};

}  // namespace

std::array<float, 6> header_in(std::filesystem::path const& path, Backend& backend) {
    Pattern pattern;
    pattern.ranks = 1;
    pattern.partitions = partitions_of({1, 1, 1});
    pattern.files.push_back(file_with_arrays({.name = path.filename().string()}, {1, 1, 1}));
    pattern.files[0].arrays.resize(1);
    Phase phase;
    phase.name = "header";
    phase.steps = {Open{0, OpenMode::read}, access_to(pattern, Verb::read, 0, 0, 0, {0, 1, 1}), Close{0}};
    EngineSettings settings{.directory = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".")};
    settings.notes_residence = false;
    settings.prefix = "";
    MonotonicClock clock;
    Engine engine(backend, {}, settings, clock);
    engine.declare(pattern.files[0], {header_bytes, header_bytes});
    HeaderTaken source;
    engine.run(phase, &source);
    return source.reals;
}

}  // namespace weir::cloud
