#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/patterns/pattern_engine.hpp"
#include "support/temporary_directory.hpp"

/// Skips the test of an EachBackend where the back-end lacks this of its Features.
#define WEIR_NEEDS(feature)                                       \
    if (!kind.features().feature) {                               \
        GTEST_SKIP() << GetParam() << " is without " << #feature; \
    }

namespace weir::testing {

/// The names of the back-ends of this build that are like that.
inline std::vector<std::string> all_backends(std::function<bool(Features const&)> const& like = {}) {
    std::vector<std::string> names;
    for (auto const& [name, kind] : Backends::instance().items()) {
        if (!like || like(kind->features())) {
            names.push_back(name);
        }
    }
    return names;
}

/// How the tests of each are called.
inline std::string by_name(::testing::TestParamInfo<std::string> const& one) { return one.param; }

/// Each back-end of this build, on all ranks; skips one that this machine refuses.
class EachBackend : public ::testing::TestWithParam<std::string> {
  protected:
    EachBackend() { backend->declare(options); }

    void SetUp() override {
        try {
            std::vector<std::byte> buffer(8);
            backend->prepare(buffer);
        } catch (Error const& error) {
            if (error.diagnosis().exit_code != ExitCode::usage) {
                throw;
            }
            GTEST_SKIP() << error.what();
        }
    }

    /// An engine for a pattern's phases.
    PatternEngine engine_for(Pattern const& pattern, EngineSettings const& settings) {
        return {*backend, pattern, settings, comm, clock};
    }

    BackendKind const& kind = *Backends::instance().find(GetParam());
    std::shared_ptr<Backend> const backend = kind.make();
    OptionSet options;
    Communicator const comm = Communicator::world();
    TemporaryDirectory directory{comm};
    MonotonicClock clock;
};

}  // namespace weir::testing
