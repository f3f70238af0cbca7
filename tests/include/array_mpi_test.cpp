#include "weir/array.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>

#include "support/temporary_directory.hpp"

namespace weir::testing {
namespace {

using io::Array;
using io::Plan;

/// A 5 x 6 array of doubles in blocks; each element holds its place in the file.
class ArrayInterface : public ::testing::Test {
  protected:
    static constexpr std::int64_t rows = 5;
    static constexpr std::int64_t columns = 6;

    ArrayInterface() {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
    }

    static Array blocks() { return Array::block({rows, columns}, sizeof(double)); }

    [[nodiscard]] std::string path(std::string const& name = "file") const { return directory.path() / name; }

    /// What this rank holds of it, and `more` with each element.
    [[nodiscard]] std::vector<double> places(double more = 0) const {
        auto const held = blocks().local(comm);
        std::vector<double> all;
        for (std::int64_t i = 0; i < held.count[0]; ++i) {
            for (std::int64_t j = 0; j < held.count[1]; ++j) {
                all.push_back(static_cast<double>((held.start[0] + i) * columns + held.start[1] + j) + more);
            }
        }
        return all;
    }

    /// Does the file hold 0, 1, 2, ... from this byte to its end?
    [[nodiscard]] bool in_order(std::string const& name, std::size_t from = 0) const {
        MPI_Barrier(comm);
        std::ifstream file(path(name), std::ios::binary);
        std::string const bytes{std::istreambuf_iterator<char>(file), {}};
        std::vector<double> wanted(rows * columns);
        std::iota(wanted.begin(), wanted.end(), 0);
        return bytes.size() == from + wanted.size() * sizeof(double) &&
               std::memcmp(bytes.data() + from, wanted.data(), bytes.size() - from) == 0;
    }

    /// The error that the work ends with; its code is the same on all ranks.
    template <class Work>
    io::Error error_of(Work work) const {
        try {
            work();
        } catch (io::Error const& error) {
            int least = error.code();
            MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
            EXPECT_EQ(least, error.code());
            return error;
        }
        ADD_FAILURE() << "nothing was refused";
        return {WEIR_OK, ""};
    }

    MPI_Comm const comm = MPI_COMM_WORLD;
    int rank = 0;
    int ranks = 0;
    TemporaryDirectory directory{Communicator::world()};
};

TEST_F(ArrayInterface, WritesAndReadsVectors) {
    Plan plan(comm, {blocks()});
    auto rho = places();
    plan.write(path(), rho);
    EXPECT_TRUE(in_order("file"));

    std::fill(rho.begin(), rho.end(), -1);
    plan.read(path(), rho);
    EXPECT_EQ(rho, places());
    EXPECT_EQ(plan.file_bytes(), rows * columns * 8);
    EXPECT_GT(plan.memory(), 0);
    EXPECT_FALSE(plan.explain().empty());
    EXPECT_GT(plan.times().total, 0);
}

TEST_F(ArrayInterface, WritesAndReadsArraysWithoutElements) {
    std::vector<double> none;
    Plan plan(comm, {Array::block({0, columns}, sizeof(double))});
    plan.write(path("none"), none);
    plan.read(path("none"), none);
    EXPECT_EQ(plan.file_bytes(), 0);
    EXPECT_EQ(error_of([&] { plan.read(path("nowhere"), none); }).code(), WEIR_IO);

    Plan beside(comm, {Array::boxes({0, 3}, {}, 4), blocks(), Array::pieces(0, {}, {}, 2)});
    auto rho = places();
    beside.write(path(), {none, rho, none});
    EXPECT_TRUE(in_order("file"));
    std::fill(rho.begin(), rho.end(), -1);
    beside.read(path(), {none, rho, none});
    EXPECT_EQ(rho, places());
}

TEST_F(ArrayInterface, CountsMessages) {
    Plan through_rank0(comm, {blocks()}, "method=gather exchange=messages");
    Plan alone(comm, {blocks()}, "method=independent");
    auto const world = Communicator::world();
    auto const sent = world.is_root() ? static_cast<std::int64_t>(world.size()) - 1 : 1;
    auto rho = places();
    through_rank0.write(path(), rho);
    EXPECT_EQ(through_rank0.times().messages, sent);
    through_rank0.read(path(), rho);
    EXPECT_EQ(through_rank0.times().messages, sent);
    alone.write(path(), rho);
    EXPECT_EQ(alone.times().messages, 0);
}

TEST_F(ArrayInterface, TakesAddressesOfConstantsToo) {
    Plan plan(comm, {blocks()});
    auto const rho = places();
    plan.write(path(), rho.data(), 24);
    EXPECT_TRUE(in_order("file", 24));
}

TEST_F(ArrayInterface, WritesSeveralArraysInOneCall) {
    auto const parameters = Array::replicated(2, sizeof(int));
    Plan plan(comm, {parameters, blocks()});
    std::array<int, 2> const written{7, 8};
    plan.write(path(), {written, places()});
    EXPECT_TRUE(in_order("file", sizeof written));

    std::array<int, 2> read{};
    std::vector<double> rho(places().size());
    plan.read(path(), {read, rho});
    EXPECT_EQ(read, written);
    EXPECT_EQ(rho, places());
}

TEST_F(ArrayInterface, GivesEachArrayAPlaceOfItsOwn) {
    Plan plan(comm, {Array::replicated(1, 8), blocks()});
    std::array<double, 1> const last{30};
    plan.write_at(path(), {rows * columns * 8, 0}, {last, places()});
    std::array<double, 1> read{};
    std::vector<double> rho(places().size());
    plan.read_at(path(), {rows * columns * 8, 0}, {read, rho});
    EXPECT_EQ(read, last);
    EXPECT_EQ(rho, places());
}

TEST_F(ArrayInterface, LeavesGhostsAlone) {
    auto array = blocks().ghosts({1, 0}, {0, 2});
    auto const held = array.local(comm);
    std::vector<double> rho(held.bytes / sizeof(double), -1);
    auto const width = held.count[1] + 2;
    auto const inside = places();
    for (std::int64_t i = 0; i < held.count[0]; ++i) {
        std::copy_n(&inside[i * held.count[1]], held.count[1], &rho[(i + 1) * width]);
    }
    Plan plan(comm, {array});
    plan.write(path(), rho);
    EXPECT_TRUE(in_order("file"));
    auto const before = rho;
    plan.read(path(), rho);
    EXPECT_EQ(rho, before);
}

TEST_F(ArrayInterface, ReadsBoxesAndPieces) {
    Plan(comm, {blocks()}).write(path(), places());

    auto const boxes = Array::boxes({rows, columns}, {{{1, 2}, {2, 2}}, {{rank, 0}, {1, 1}}}, sizeof(double));
    EXPECT_TRUE(boxes.local(comm).grid.empty());
    std::vector<double> box(boxes.local(comm).bytes / sizeof(double));
    Plan(comm, {boxes}).read(path(), box);
    EXPECT_EQ(box, (std::vector<double>{8, 9, 14, 15, 6.0 * rank}));

    std::vector<double> pieces(3);
    Plan(comm, {Array::pieces(rows * columns, {20, rank}, {1, 2}, sizeof(double))}).read(path(), pieces);
    EXPECT_EQ(pieces, (std::vector<double>{20, 1.0 * rank, 1.0 + rank}));

    std::vector<double> single(1);
    Plan(comm, {Array::pieces(rows * columns, {rank}, {}, sizeof(double))}).read(path(), single);
    EXPECT_EQ(single[0], rank);
}

TEST_F(ArrayInterface, DealsOutBlocksCyclically) {
    auto const array = Array::block_cyclic({rows * columns}, {2}, sizeof(double), {ranks});
    std::vector<double> dealt(array.local(comm).bytes / sizeof(double));
    Plan(comm, {blocks()}).write(path(), places());
    Plan(comm, {array}).read(path(), dealt);
    ASSERT_GE(dealt.size(), 2U);
    EXPECT_EQ(dealt[0], 2.0 * rank);
    EXPECT_EQ(dealt[1], 2.0 * rank + 1);
}

TEST_F(ArrayInterface, ABufferOfAWrongSizeOnOneRankFailsOnAll) {
    Plan plan(comm, {blocks()});
    auto rho = places();
    rho.resize(rho.size() + (rank == ranks - 1 ? 1 : 0));
    auto const error = error_of([&] { plan.write(path(), rho); });
    EXPECT_EQ(error.code(), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(std::string(error.what()).find("Array::local tells") != std::string::npos, rank == ranks - 1);
    plan.write(path(), places());
}

TEST_F(ArrayInterface, ABadDescriptionOnOneRankFailsOnAll) {
    auto const bad = Array::boxes({4}, {{{0}, {rank == ranks - 1 ? 5 : 4}}}, 8);
    auto const error = error_of([&] { Plan(comm, {bad}); });
    EXPECT_EQ(error.code(), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(error.rank(), ranks - 1);
}

TEST_F(ArrayInterface, ListsOfAWrongLengthAreRefusedAtOnce) {
    EXPECT_THROW(Array::block({4, 4}, 8, {1}), io::Error);
    EXPECT_THROW(Array::block_cyclic({4, 4}, {1}, 8), io::Error);
    EXPECT_THROW(Array::boxes({4, 4}, {{{0}, {1}}}, 8), io::Error);
    EXPECT_THROW(Array::pieces(4, {0, 1}, {1}, 8), io::Error);
    EXPECT_THROW(blocks().ghosts({1}, {1}), io::Error);
}

TEST_F(ArrayInterface, AWrongNumberOfBuffersOrOffsetsOnOneRankFailsOnAll) {
    Plan plan(comm, {blocks()});
    auto rho = places();
    bool const is_last = rank == ranks - 1;
    auto const refused = [&](char const* words, auto work) {
        auto const error = error_of(work);
        EXPECT_EQ(error.code(), WEIR_BAD_ARGUMENT);
        EXPECT_EQ(std::string(error.what()).find(words) != std::string::npos, is_last) << error.what();
    };
    auto const sources = is_last ? io::Sources{rho, rho} : io::Sources{rho};
    auto const targets = is_last ? io::Targets{} : io::Targets{rho};
    auto const offsets = is_last ? io::Indices{0, 8} : io::Indices{0};
    refused("2 buffers were given for the plan's 1 array", [&] { plan.write(path(), sources); });
    refused("2 buffers were given", [&] { static_cast<void>(plan.write_start(path(), sources)); });
    refused("0 buffers were given", [&] { plan.read(path(), targets); });
    refused("2 offsets were given for the plan's 1 array", [&] { plan.write_at(path(), offsets, {rho}); });
    refused("2 offsets were given", [&] { plan.read_at(path(), offsets, {rho}); });
    plan.write(path(), rho);
    EXPECT_TRUE(in_order("file"));
}

TEST_F(ArrayInterface, TellsOfFilesThatAreNotThere) {
    Plan plan(comm, {blocks()});
    auto rho = places();
    EXPECT_EQ(error_of([&] { plan.read(path("nowhere"), rho); }).code(), WEIR_IO);
}

TEST_F(ArrayInterface, WritesWhileTheProgramGoesOn) {
    Plan plan(comm, {blocks()});
    auto rho = places();
    auto request = plan.write_start(path(), rho);
    std::fill(rho.begin(), rho.end(), -1);
    request.wait();
    EXPECT_TRUE(request.test());
    EXPECT_TRUE(in_order("file"));
    { auto const left_alone = plan.write_start(path("other"), places()); }
    EXPECT_TRUE(in_order("other"));
}

TEST_F(ArrayInterface, ADumpMayOutliveItsPlan) {
    auto request = Plan(comm, {blocks()}).write_start(path(), places());
    request.wait();
    EXPECT_TRUE(in_order("file"));
}

TEST_F(ArrayInterface, MovesArraysInMemory) {
    Plan from(comm, {blocks()});
    auto const rows_of = Array::block({rows, columns}, sizeof(double), {ranks, 1});
    Plan to(comm, {rows_of});
    auto const held = rows_of.local(comm);
    std::vector<double> moved(held.bytes / sizeof(double));
    from.redistribute({places()}, to, {moved});
    for (std::size_t i = 0; i < moved.size(); ++i) {
        EXPECT_EQ(moved[i], static_cast<double>(held.start[0] * columns) + static_cast<double>(i));
    }
}

/// Keeps the array in the memory of each aggregator, or refuses it.
struct Memory final : io::Sink {
    void write(int, std::int64_t start, std::int64_t bytes, void const* data) override {
        if (refuse) {
            throw std::runtime_error("no room");
        }
        std::memcpy(kept.data() + start, data, static_cast<std::size_t>(bytes));
    }
    void read(int, std::int64_t start, std::int64_t bytes, void* data) override {
        std::memcpy(data, kept.data() + start, static_cast<std::size_t>(bytes));
    }

    bool refuse = false;
    std::vector<char> kept = std::vector<char>(30 * sizeof(double));
};

TEST_F(ArrayInterface, WritesToSomethingOtherThanAFile) {
    Plan plan(comm, {blocks()});
    Memory memory;
    plan.write(memory, {places(1)});
    // Each byte came to one rank; the others have zero there.
    MPI_Allreduce(MPI_IN_PLACE, memory.kept.data(), static_cast<int>(memory.kept.size()), MPI_CHAR, MPI_BOR, comm);
    std::vector<double> rho(places().size());
    plan.read(memory, {rho});
    EXPECT_EQ(rho, places(1));

    memory.refuse = true;
    auto const error = error_of([&] { plan.write(memory, {places()}); });
    EXPECT_NE(std::string(error.what()).find("no room"), std::string::npos);
}

}  // namespace
}  // namespace weir::testing
