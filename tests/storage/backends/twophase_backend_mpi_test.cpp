#include <algorithm>

#include "support/file_bytes.hpp"
#include "support/mpi/on_root.hpp"
#include "support/patterns/backend_case.hpp"
#include "support/patterns/pattern_engine.hpp"
#include "support/patterns/sources.hpp"
#include "support/skip.hpp"

namespace weir {
namespace {

using Image = std::vector<std::byte>;

struct Twophase : testing::BackendCase {
    Twophase() : BackendCase("twophase") {}

    static constexpr std::uint64_t file_bytes = 200'000;

    [[nodiscard]] std::filesystem::path path() const { return directory.path() / "file"; }

    std::unique_ptr<OpenFile> open_together(OpenMode mode) {
        return backend->open({path(), mode, comm, true, file_bytes, file_bytes, file_bytes, {}});
    }

    /// A file that is there already.
    void make_file(Image const& bytes) const {
        testing::on_root(comm, [&] { testing::make_file(path(), bytes); });
    }

    [[nodiscard]] Image read_file() const {
        comm.barrier();
        std::ifstream file(path(), std::ios::binary);
        std::string const text(std::istreambuf_iterator<char>(file), {});
        auto const* begin = reinterpret_cast<std::byte const*>(text.data());
        comm.barrier();
        return {begin, begin + text.size()};
    }

    static Image content_of(std::span<Piece const> pieces, std::uint64_t turn) {
        Image data;
        for (auto const& piece : pieces) {
            for (std::uint64_t i = 0; i < piece.length; ++i) {
                data.push_back(testing::PlacedBytes::at(turn, piece.offset + i));
            }
        }
        return data;
    }

    /// What a rank asks for in this turn: no piece, one, or some; others may ask for the same bytes.
    static std::vector<Piece> pieces_of(std::uint64_t rank, std::uint64_t turn) {
        auto draw = [&, n = std::uint64_t{0}](std::uint64_t below) mutable {
            return mix(mix(turn * 64 + rank) + ++n) % below;
        };
        std::vector<Piece> pieces;
        auto const count = draw(3) == 0 ? draw(20) : draw(2);
        std::uint64_t at = draw(file_bytes / 2);
        for (std::uint64_t i = 0; i < count; ++i) {
            auto const length = 1 + draw(4000);
            if (at + length > file_bytes) {
                break;
            }
            pieces.push_back({at, length});
            at += length + 1 + draw(draw(4) == 0 ? 40'000 : 500);
        }
        return pieces;
    }

    /// Ranks write and read at random places; every byte that somebody wrote stands where it belongs, and no other byte
    /// has changed.
    void writes_and_reads_at_random(std::string const& how) {
        auto expected = content_of(std::vector<Piece>{{0, file_bytes}}, 0);
        make_file(expected);
        auto const file = open_together(OpenMode::update);
        for (std::uint64_t turn = 1; turn <= 24; ++turn) {
            auto const mine = pieces_of(comm.rank(), turn);
            file->write_pieces(mine, content_of(mine, turn));
            comm.barrier();
            for (std::uint64_t rank = 0; rank < comm.size(); ++rank) {
                for (auto const& piece : pieces_of(rank, turn)) {
                    for (auto i = piece.offset; i < piece.offset + piece.length; ++i) {
                        expected[i] = testing::PlacedBytes::at(turn, i);
                    }
                }
            }
            auto const wanted = pieces_of(comm.rank(), turn + 100);
            Image found(sum_of_lengths(wanted));
            EXPECT_EQ(file->read_pieces(wanted, found), found.size()) << how;
            Image should;
            for (auto const& piece : wanted) {
                auto const begin = expected.begin() + static_cast<std::ptrdiff_t>(piece.offset);
                should.insert(should.end(), begin, begin + static_cast<std::ptrdiff_t>(piece.length));
            }
            EXPECT_TRUE(found == should) << how << ": what is read in turn " << turn;
            comm.barrier();
        }
        file->sync();
        file->close();
        EXPECT_TRUE(read_file() == expected) << how << ": the file";
    }
};

TEST_F(Twophase, TouchesWhatRanksAskForAndNothingElse) {
    for (auto const* method : {"auto", "independent", "gather", "two_phase", "grouped"}) {
        for (auto const* exchange : {"shared_memory", "messages"}) {
            options.set("method", method);
            options.set("exchange", exchange);
            writes_and_reads_at_random(std::string(method) + " " + exchange);
        }
    }
}

TEST_F(Twophase, AnyAggregatorsAndWindowsDoTheSame) {
    options.set("method", "two_phase");
    for (auto const window : {512, 5000, 1 << 20}) {
        for (auto const writers : {1, 3}) {
            options.set("window", window);
            options.set("writers", writers);
            options.set("readers", 4 - writers);
            options.set("thread", window == 5000);
            writes_and_reads_at_random(std::to_string(window) + " " + std::to_string(writers));
        }
    }
    options.set("align", 4096);
    writes_and_reads_at_random("align");
    options.set("memory", 3000);
    writes_and_reads_at_random("memory");
    options.set("method", "grouped");
    options.set("group", 3);
    writes_and_reads_at_random("group");
}

TEST_F(Twophase, KeepsEveryWordOfAPattern) {
    for (auto const* method : {"auto", "gather", "two_phase", "grouped"}) {
        options.set("method", method);
        parameters.list_io = false;
        keeps_every_word(method);
        parameters.list_io = true;
        for (auto const offsets : {Offsets::strided, Offsets::random_partition}) {
            parameters.offsets = offsets;
            auto const words = run().words;
            EXPECT_EQ(words.wrong, 0U) << method << " " << to_text(offsets) << " together";
            EXPECT_GT(words.checked, 0U);
        }
    }
}

/// Of rounds with the same request, moved; `steps`: how far each rank's requests lie apart.
Hints hints_after(OpenFile& file, std::uint64_t rank, std::vector<std::uint64_t> const& steps) {
    std::vector<std::byte> const data(1000);
    for (std::uint64_t turn = 0; turn < 5; ++turn) {
        file.write({rank * 1000 + turn * steps.at(rank), 1000, 0}, data);
    }
    auto hints = file.hints();
    file.close();
    return hints;
}

TEST_F(Twophase, PlansOnceWhereAllRanksMoveByTheSame) {
    WEIR_SKIP_IF(comm.size() == 1) << "one rank asks alone";
    std::vector<std::uint64_t> steps(comm.size(), 16'000);
    auto const after = [&] { return hints_after(*open_together(OpenMode::create), comm.rank(), steps); };
    auto hints = after();
    EXPECT_EQ(hints.at("write_plans"), "1 for 5 requests");
    EXPECT_EQ(hints.at("write").substr(0, 9), "two-phase") << hints.at("write");
    EXPECT_FALSE(hints.contains("read"));

    steps.back() = 17'000;
    EXPECT_EQ(after().at("write_plans"), "5 for 5 requests");

    options.set("align", 4096);
    steps.back() = steps.front();
    EXPECT_EQ(after().at("write_plans"), "5 for 5 requests") << "16,000 is no multiple of the boundary asked for";
}

TEST_F(Twophase, LongRequestsGoStraightToTheFile) {
    WEIR_SKIP_IF(comm.size() == 1) << "one rank asks alone";
    auto const file = open_together(OpenMode::create);
    std::vector<std::byte> const data(1 << 20);
    file->write({comm.rank() << 20, data.size(), 0}, data);
    EXPECT_EQ(file->hints().at("write").substr(0, 11), "independent");
    file->close();
    comm.barrier();
    EXPECT_EQ(std::filesystem::file_size(path()), comm.size() << 20);
}

TEST_F(Twophase, PlacesBeyond32Bits) {
    options.set("method", "two_phase");
    constexpr std::uint64_t far = 5ULL << 30;
    std::vector<Piece> const mine{{comm.rank() * 16, 16}, {far + comm.rank() * 16, 16}};
    auto file = open_together(OpenMode::create);
    file->write_pieces(mine, content_of(mine, 1));
    file->close();
    file = open_together(OpenMode::read);
    Image found(32);
    EXPECT_EQ(file->read_pieces(mine, found), 32U);
    EXPECT_TRUE(found == content_of(mine, 1));
    file->close();
    if (comm.is_root()) {
        std::filesystem::remove(path());
    }
}

TEST_F(Twophase, EachRankHearsWhatItsFileLacks) {
    make_file(content_of(std::vector<Piece>{{0, 2500}}, 1));
    for (auto const* method : {"independent", "two_phase", "grouped"}) {
        options.set("method", method);
        auto const file = open_together(OpenMode::read);
        Image found(1000);
        auto const from = comm.rank() * 1000;
        auto const there = std::min<std::uint64_t>(1000, std::max<std::uint64_t>(2500, from) - from);
        EXPECT_EQ(file->read({from, 1000, 0}, found), there) << method;
        found.resize(there);
        EXPECT_TRUE(found == content_of(std::vector<Piece>{{from, there}}, 1)) << method;
        file->close();
    }
}

TEST_F(Twophase, RefusesAFileThatIsTooShortOnAllRanks) {
    parameters.collective = true;
    parameters.check = false;
    parameters.read = true;
    auto const pattern = make_pattern(parameters);
    testing::PatternEngine engine(*backend, pattern, EngineSettings{directory.path()}, comm, clock);
    engine.measure(pattern.phases.at(0));
    testing::on_root(comm, [&] { std::filesystem::resize_file(engine.path_of(0, Rank{0}), 50'000); });
    auto const failure = failure_of([&] { engine.measure(pattern.phases.at(1)); });
    EXPECT_TRUE(testing::has(failure.reason, "shorter than this case reads"));
}

}  // namespace
}  // namespace weir
