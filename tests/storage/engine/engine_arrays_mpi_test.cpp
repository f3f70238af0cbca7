// Arrays with an application's data, through every back-end that there is: written by one partition, read by another.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "comm/collective_error.hpp"
#include "core/text_file.hpp"
#include "storage/engine/engine.hpp"
#include "storage/grouped/grouping.hpp"
#include "support/patterns/all_backends.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/sources.hpp"

namespace weir {
namespace {

/// What stands at this byte of an array.
std::byte content(std::uint64_t array, std::uint64_t position) {
    return static_cast<std::byte>(mix(array * 1'000'003 + position));
}

/// An application whose arrays hold that.
class Content final : public DataSource {
  public:
    explicit Content(std::uint64_t rank) : rank_(rank) {}

    void fill(CurrentAccess const& asked, Operation const& operation, std::span<std::byte> data) override {
        EXPECT_EQ(operation.length, data.size());
        each_byte(asked, data.size(), [&](std::size_t i, std::byte byte) { data[i] = byte; });
    }
    void take(CurrentAccess const& asked, Operation const&, std::span<std::byte const> found) override {
        taken += found.size();
        each_byte(asked, found.size(), [&](std::size_t i, std::byte byte) { wrong += found[i] != byte ? 1U : 0U; });
    }

    std::uint64_t taken = 0;
    std::uint64_t wrong = 0;

  private:
    template <class Visit>
    void each_byte(CurrentAccess const& asked, std::size_t bytes, Visit visit) const {
        auto const section = sections_of(asked.access, Rank{rank_}).front();
        ASSERT_EQ(section.bytes(), bytes);
        section.each(0, bytes, [&](Rows const& rows) {
            for (std::uint64_t row = 0; row < rows.rows; ++row) {
                for (std::uint64_t i = 0; i < rows.length; ++i) {
                    auto const memory = rows.memory + static_cast<std::int64_t>(row) * rows.memory_step;
                    auto const position = rows.position + row * rows.position_step + i - section.origin;
                    visit(static_cast<std::size_t>(memory) + i, content(asked.access.part->array, position));
                }
            }
        });
    }

    std::uint64_t rank_;
};

struct EngineArrays : testing::EachBackend {
    [[nodiscard]] std::uint64_t below(std::uint64_t n) { return random() % n; }

    Partition any_partition(std::vector<std::uint64_t> const& shape) {
        Partition by;
        switch (below(3)) {
            case 0:
                by.grid.assign(shape.size(), 1);
                by.grid[below(shape.size())] = comm.size();
                break;
            case 1:
                for (std::size_t i = 0; i < shape.size(); ++i) {
                    by.block.push_back(below(4));
                }
                break;
            default:
                by.counts.assign(comm.size(), 0);
                for (std::uint64_t i = 0; i < shape[0]; ++i) {
                    ++by.counts[below(comm.size())];
                }
        }
        return by;
    }

    /// Any element but a text; with gaps, where it is a compound.
    Element any_element() {
        if (below(3) == 0 && GetParam() != "pnetcdf") {  // netCDF has no compounds
            Element compound{Element::Kind::compound, below(4), {}};
            for (std::uint64_t i = 1 + below(3); i > 0; --i) {
                Element const text{Element::Kind::text, 1 + below(5)};
                auto const member = below(2) == 0 ? Element{Element::Kind::integer, 4} : text;
                compound.members.push_back({"member " + std::to_string(i), member, compound.bytes});
                compound.bytes += member.bytes + below(4);
            }
            return compound;
        }
        return {below(2) == 0 ? Element::Kind::natural : Element::Kind::text, 1 + below(2) * 3};
    }

    /// Attributes of arrays that are not empty, and of the file, each named "note": at most one of each.
    void add_attributes(std::vector<Array>& arrays) {
        std::vector<std::string> owners{""};
        for (auto const& array : arrays) {
            if (bytes_of(array) > 0) {
                owners.push_back(array.name);
            }
        }
        for (auto const& owner : owners) {
            if (below(2) == 0) {
                auto const end = *arrays.back().offset + bytes_of(arrays.back());
                auto const shape = below(2) == 0 ? std::vector<std::uint64_t>() : std::vector{1 + below(3)};
                arrays.push_back({"note", any_element(), shape, end + below(10), owner});
            }
        }
    }

    /// A header of rank 0's, up to four arrays, two of them alike, and attributes; each array is written by one
    /// partition and read by another.
    Pattern any_pattern(bool collective) {
        auto const ranks = comm.size();
        Pattern pattern{"arrays", ranks, {{"data"}}, {}};
        auto& arrays = pattern.files[0].arrays;
        arrays.push_back({"header", {Element::Kind::text, 1 + below(40)}, {}, 0});
        std::vector<std::uint64_t> shape;
        for (std::uint64_t i = 1 + below(4); i > 0; --i) {
            if (shape.empty() || below(2) == 0) {
                shape.resize(1 + below(3));
                std::ranges::generate(shape, [&] { return below(9); });
            }
            auto const end = *arrays.back().offset + bytes_of(arrays.back());
            arrays.push_back({"array " + std::to_string(arrays.size()), any_element(), shape, end + below(10)});
        }
        add_attributes(arrays);
        pattern.partitions.emplace_back();
        auto write = testing::phase_of("write", {Open{0}});
        auto read = testing::phase_of("read", {Open{0, OpenMode::read}});
        auto const by_one_rank = [&](Verb verb, std::uint64_t rank) {
            auto access = access_to(pattern, verb, 0, 0, 0, {rank, 1, 1});
            access.collective = collective && below(2) == 0;  // the others have nothing of it
            return access;
        };
        write.steps.emplace_back(by_one_rank(Verb::write, 0));
        read.steps.emplace_back(by_one_rank(Verb::read, ranks - 1));
        std::vector<std::uint64_t> order(arrays.size() - 1);
        std::iota(order.begin(), order.end(), 1);
        std::ranges::shuffle(order, random);
        for (auto const array : order) {
            if (arrays[array].attribute_of) {
                write.steps.emplace_back(access_to(pattern, Verb::write, 0, array, 0, {0, 1, 1}));
                read.steps.emplace_back(access_to(pattern, Verb::read, 0, array, 0, {0, 1, 1}));
                continue;
            }
            for (auto* phase : {&write, &read}) {
                pattern.partitions.push_back(any_partition(arrays[array].shape));
                auto access = access_to(pattern, phase == &write ? Verb::write : Verb::read, 0, array,
                                        pattern.partitions.size() - 1, {0, ranks, 1});
                access.collective = collective;
                access.asynchronous = !collective && below(3) == 0;
                phase->steps.emplace_back(std::move(access));
            }
        }
        write.steps.emplace_back(Sync{0});
        write.steps.emplace_back(Close{0});
        read.steps.emplace_back(Close{0});
        pattern.phases = {write, read};
        validate_pattern(pattern);
        return pattern;
    }

    void expect_bytes(Pattern const& pattern, std::filesystem::path const& path) const {
        auto const found = read_text_file(path).value_or("");
        for (std::uint64_t array = 0; array < pattern.files[0].arrays.size(); ++array) {
            auto const& one = pattern.files[0].arrays[array];
            for (std::uint64_t i = 0; i < bytes_of(one); ++i) {
                ASSERT_LT(*one.offset + i, found.size()) << one.name;
                ASSERT_EQ(static_cast<std::byte>(found[*one.offset + i]), content(array, i)) << one.name << " at " << i;
            }
        }
    }

    /// A failure of any rank's is everybody's, so that all stop at the same trial.
    void write_and_read(bool collective, Backend& through) {
        auto const pattern = any_pattern(collective);
        Engine engine(through, comm, EngineSettings{directory.path()}, clock);
        engine.declare(pattern);
        Content source(comm.rank());
        for (int turn = 0; turn < 2; ++turn) {
            engine.run(pattern.phases[0], &source);
            EXPECT_EQ(testing::bytes_written(engine.report("write")), totals(pattern).bytes_written);
            EXPECT_EQ(source.taken, 0U) << "nothing was read";
            if (!kind.features().stores) {
                continue;
            }
            if (kind.features().raw && comm.is_root()) {
                expect_bytes(pattern, engine.path_of(0, Rank{0}));
            }
            source.taken = 0;
            engine.run(pattern.phases[1], &source);
            EXPECT_EQ(source.wrong, 0U);
            EXPECT_EQ(comm.sum(source.taken), totals(pattern).bytes_read);
            source.taken = 0;
        }
        engine.remove_files();
    }

    std::mt19937_64 random{14};
};

TEST_P(EngineArrays, ComeBackAsTheyWereWritten) {
    for (int trial = 0; trial < 40; ++trial) {
        SCOPED_TRACE(trial);
        auto const collective = trial % 2 == 1 && kind.features().collective;
        write_and_read(collective, *backend);
        if (any(comm, HasFailure())) {
            FAIL();
        }
    }
}

TEST_P(EngineArrays, ComeBackThroughGroupsToo) {
    for (int trial = 0; trial < 40; ++trial) {
        Grouping const grouping{1 + below(comm.size() + 1), 1 + below(comm.size() + 1), GroupBy{below(8) == 0},
                                GroupRequests{below(2) == 0}};
        SCOPED_TRACE(fmt::format("{}: groups of {} and {}, {}, {}", trial, grouping.read, grouping.write,
                                 to_text(grouping.by), to_text(grouping.requests)));
        GroupedBackend grouped(backend, grouping);
        write_and_read(trial % 2 == 1 && kind.features().collective, grouped);
        if (any(comm, HasFailure())) {
            FAIL();
        }
    }
}

TEST_P(EngineArrays, GiveAllRanksWhatIsTheSameForAll) {
    WEIR_NEEDS(stores);
    auto const ranks = comm.size();
    Pattern pattern{"same", ranks, {{"data"}}, {}, Scaling::none, {{}, {.same = IndexRange{3, 9}}}};
    pattern.files[0].arrays = {{"field", {Element::Kind::natural, 4}, {16 * ranks, 5}, 0}};
    pattern.phases = {
        testing::phase_of("write", {Open{0}, access_to(pattern, Verb::write, 0, 0, 0, {0, ranks, 1}), Close{0}}),
        testing::phase_of("read",
                          {Open{0, OpenMode::read}, access_to(pattern, Verb::read, 0, 0, 1, {0, ranks, 1}), Close{0}})};
    for (std::uint64_t size = 1; size <= ranks; ++size) {
        GroupedBackend grouped(backend, {.read = size, .write = size});
        Engine engine(grouped, comm, EngineSettings{directory.path()}, clock);
        engine.declare(pattern);
        Content source(comm.rank());
        engine.run(pattern.phases[0], &source);
        engine.run(pattern.phases[1], &source);
        EXPECT_EQ(source.taken, 9U * 5 * 4) << size;
        EXPECT_EQ(source.wrong, 0U) << size;
        engine.remove_files();
    }
}

TEST_P(EngineArrays, KeepEarlierOnesWhereAFileGetsMore) {
    WEIR_NEEDS(stores);
    if (GetParam() == "pnetcdf") {
        GTEST_SKIP() << "its files get all arrays when they are created";
    }
    auto const ranks = comm.size();
    Pattern pattern{"more", ranks, {{"data"}}, {}, Scaling::none, {{}}};
    Element const natural{Element::Kind::natural, 4};
    pattern.files[0].arrays = {{"first", natural, {4 * ranks}, 0}, {"second", natural, {4 * ranks}, 16 * ranks}};
    auto const access = [&](Verb verb, std::uint64_t array) {
        return access_to(pattern, verb, 0, array, 0, {0, ranks, 1});
    };
    auto const open = [](OpenMode mode, std::uint64_t made) {
        return Open{0, mode, {}, {}, false, IndexRange{made, 1}};
    };
    pattern.phases = {
        testing::phase_of("write", {open(OpenMode::create, 0), access(Verb::write, 0), Close{0}}),
        testing::phase_of("add", {open(OpenMode::update, 1), access(Verb::write, 1), Close{0}}),
        testing::phase_of("read", {Open{0, OpenMode::read}, access(Verb::read, 0), access(Verb::read, 1), Close{0}})};
    validate_pattern(pattern);
    auto engine = engine_for(pattern, EngineSettings{directory.path()});
    Content source(comm.rank());
    for (auto const& phase : pattern.phases) {
        engine.run(phase, &source);
    }
    EXPECT_EQ(source.taken, 32U);
    EXPECT_EQ(source.wrong, 0U);
}

INSTANTIATE_TEST_SUITE_P(Backends, EngineArrays, ::testing::ValuesIn(testing::all_backends()), testing::by_name);

/// The others wait for its part of a request all the same, and hear of it in the end.
TEST_P(EngineArrays, FailOnAllRanksWhereOneHasNoData) {
    auto const ranks = comm.size();
    Pattern pattern{"arrays", ranks, {{"data"}}, {}, Scaling::none, {{}}};
    pattern.files[0].arrays = {{"field", {Element::Kind::real, 8}, {8 * ranks}, 0}};
    auto access = access_to(pattern, Verb::write, 0, 0, 0, {0, ranks, 1});
    access.collective = kind.features().collective;
    auto plain = testing::access_of({0, ranks, 1}, {{ranks, 64}}, {0, {{2, 32}}, 32});
    plain.collective = access.collective;
    for (auto const& one : {access, plain}) {
        auto const phase = testing::phase_of("write", {Open{0}, one, one, Close{0}});
        pattern.phases = {phase};
        Engine engine(*backend, comm, EngineSettings{directory.path()}, clock);
        engine.declare(pattern);
        testing::FailingSource source(comm.rank() == ranks - 1);
        EXPECT_THROW(engine.run(phase, &source), Error);
        engine.remove_files();
    }
}

/// An attribute is moved by all ranks, also where rank 0 has nothing to give, or another rank has failed before.
TEST_P(EngineArrays, FailOnAllRanksWhereOneHasNoAttribute) {
    Pattern pattern{"attribute", comm.size(), {{"data"}}, {}, Scaling::none, {{}}};
    pattern.files[0].arrays = {{"field", {Element::Kind::real, 8}, {8}, 0},
                               {"unit", {Element::Kind::text, 3}, {}, 64, "field"}};
    auto const field = access_to(pattern, Verb::write, 0, 0, 0, {0, comm.size(), 1});
    auto const unit = access_to(pattern, Verb::write, 0, 1, 0, {0, 1, 1});
    for (auto const rank : {std::uint64_t{0}, comm.size() - 1}) {
        pattern.phases = {testing::phase_of("write", {Open{0}, field, unit, Sync{0}, Close{0}})};
        Engine engine(*backend, comm, EngineSettings{directory.path()}, clock);
        engine.declare(pattern);
        testing::FailingSource source(comm.rank() == rank);
        EXPECT_THROW(engine.run(pattern.phases[0], &source), Error);
        engine.remove_files();
    }
}

}  // namespace
}  // namespace weir
