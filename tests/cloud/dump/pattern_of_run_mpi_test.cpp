// What Dumps counts on a rank is what the pattern of the run expands to there: opens, closes, requests by their size,
// and, by the rules of the paper's routine, seeks and messages.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cloud/dump/dumps.hpp"
#include "cloud/dump/made_state.hpp"
#include "cloud/dump/triples_of.hpp"
#include "core/enum_names.hpp"
#include "core/join.hpp"
#include "pattern/expansion.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

/// A restart is read, then dumps are written: the calls of this rank.
Tally calls_of(RunShape const& run, std::filesystem::path const& directory) {
    Decomposition const where(Communicator::world(), {run.cells, 1.0}, run.ranks);
    MonotonicClock clock;
    Dumps io(where, directory, run.method, clock);
    io.write_restart(made_state(where, run.first_step), 1.1);
    io.clear_log();
    auto state = io.read_restart(directory / restart_name);
    for (Index step = 1; step <= run.steps; ++step) {
        ++state.step;
        if (dumps_after(state.step, run.dump_every)) {
            io.write(state, 1.1);
        }
    }
    return io.log();
}

/// The file pointer of the paper's routine: the seeks that it takes to make these requests.
class Pointer {
  public:
    Pointer(RunShape const& run, Rank rank)
        : shared_(run.method != DumpMethod::rank0 && volume(run.ranks) > 1), run_(run) {
        goes_past_header_ = shared_ && rank.value > 0;
    }

    void open(std::string_view file) {
        auto const shades = !file.starts_with("analysis") && !file.starts_with(restart_name);
        array_bytes_ = static_cast<std::uint64_t>(volume(run_.cells)) * (shades ? 1 : 4);
        at_ = 0;
        array_ = 0;
        if (goes_past_header_) {
            seek(header_bytes);
        }
    }
    void request(std::uint64_t offset, std::uint64_t length) {
        if (offset >= header_bytes) {
            go_to_array((offset - header_bytes) / array_bytes_);
        }
        if (offset != at_) {
            seek(offset);
        }
        at_ = offset + length;
    }
    void close() { leave_array(); }

    [[nodiscard]] std::uint64_t seeks() const { return seeks_; }

  private:
    void seek(std::uint64_t offset) {
        ++seeks_;
        at_ = offset;
    }
    void go_to_array(std::uint64_t index) {
        if (index != array_) {
            leave_array();
        }
        array_ = index;
    }
    /// To its end, wherever the pointer stands, where many ranks have it.
    void leave_array() {
        if (shared_) {
            seek(header_bytes + (array_ + 1) * array_bytes_);
        }
    }

    bool shared_;
    RunShape const& run_;
    bool goes_past_header_ = false;
    std::uint64_t array_bytes_ = 0;
    std::uint64_t at_ = 0;
    std::uint64_t array_ = 0;
    std::uint64_t seeks_ = 0;
};

/// The same of the pattern.
Tally calls_in(Pattern const& pattern, RunShape const& run, Rank rank) {
    Tally log;
    Pointer pointer(run, rank);
    expand(pattern, rank, [&](Deed const& deed) {
        switch (deed.action) {
            case Action::open:
                ++log[IoCall::open].count;
                pointer.open(deed.file);
                break;
            case Action::close:
                ++log[IoCall::close].count;
                pointer.close();
                break;
            case Action::read:
                ++log.read_sizes[deed.length];
                pointer.request(deed.offset, deed.length);
                break;
            case Action::write:
                ++log.write_sizes[deed.length];
                pointer.request(deed.offset, deed.length);
                break;
            case Action::sync:
                ++log[IoCall::sync].count;
                break;
            default:
                break;
        }
    });
    log[IoCall::seek].count = pointer.seeks();
    return log;
}

/// Messages that a rank sends or receives for one array: by looking at every pair of ranks, cell by cell along z.
std::uint64_t messages_of_an_array(RunShape const& run, Index rank) {
    auto const size = volume(run.ranks);
    auto const floor_of = [&](Index r) { return r / (run.ranks[0] * run.ranks[1]); };
    // Does the block of one rank hold cells that the other one writes?
    auto const has_for = [&](Index one, Index other) {
        if (run.method == DumpMethod::rank0) {
            return other == 0;
        }
        for (Index z = 0; run.method == DumpMethod::two_phase && z < run.cells[2]; ++z) {
            if (z / (run.cells[2] / run.ranks[2]) == floor_of(one) && z / (run.cells[2] / size) == other) {
                return true;
            }
        }
        return false;
    };
    std::uint64_t messages = 0;
    for (Index other = 0; other < size; ++other) {
        if (other != rank) {
            messages += (has_for(rank, other) ? 1U : 0U) + (has_for(other, rank) ? 1U : 0U);
        }
    }
    return messages;
}

void expect_same_calls(RunShape const& run, Communicator const& world) {
    testing::TemporaryDirectory const directory(world);
    auto const found = calls_of(run, directory.path());
    auto const expected = calls_in(pattern_of(run), run, Rank{world.rank()});
    for (auto const call : {IoCall::open, IoCall::close, IoCall::seek, IoCall::sync}) {
        EXPECT_EQ(found[call].count, expected[call].count) << to_text(call);
    }
    EXPECT_EQ(found.read_sizes, expected.read_sizes);
    EXPECT_EQ(found.write_sizes, expected.write_sizes);
    // A restart has six arrays, and a header that all are told; a dump has 16 arrays.
    auto const arrays = 6 + 16 * static_cast<std::uint64_t>(dumps_of(run));
    auto const messages = arrays * messages_of_an_array(run, static_cast<Index>(world.rank())) + 1;
    EXPECT_EQ(found[IoCall::communication].count, messages);
}

TEST(PatternOfRun, IsWhatDumpsDo) {
    auto const world = Communicator::world();
    auto const size = static_cast<Index>(world.size());
    for (auto const method : {DumpMethod::two_phase, DumpMethod::rank0, DumpMethod::independent}) {
        for (auto const& ranks : triples_of(size)) {
            SCOPED_TRACE(fmt::format("{}, ranks {}", to_text(method), join(ranks, " x ")));
            expect_same_calls({.cells = {4 * size, 2 * size, 2 * size},
                               .ranks = ranks,
                               .first_step = 3,
                               .steps = 5,
                               .dump_every = 4,
                               .restarted = true,
                               .method = method},
                              world);
        }
    }
}

}  // namespace
}  // namespace weir::cloud
