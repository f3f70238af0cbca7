#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "weir/array.h"

namespace weir::testing {

/// Throws with the library's words where a call of it has failed.
inline void need(int code, weir_error const& error) {
    if (code != WEIR_OK) {
        throw std::runtime_error(error.message);
    }
}

/// Runs `work` on each rank; throws on all where it throws on one. Collective.
template <class Work>
void on_all(Communicator const& comm, Work work) {
    std::string problem;
    try {
        work();
    } catch (std::exception const& error) {
        problem = error.what();
    }
    for (auto const& told : comm.all_gather(problem)) {
        if (!told.empty()) {
            throw std::runtime_error(told);
        }
    }
}

/// One rank's part of a matrix of bytes that has more than 2^32 of them: on two ranks each holds, and exchanges, more
/// than 2^31 bytes and elements. Every byte follows from its place in the file.
class LargeMatrix {
  public:
    static constexpr std::int64_t rows = 65537;
    static constexpr std::int64_t columns = 65539;
    static constexpr std::int64_t bytes = rows * columns;

    /// Which part: as many rows as another rank's aggregator has in the file, or some of the columns.
    enum class Held { rows_of_another, columns };

    LargeMatrix(Communicator const& comm, Held held, char const* options) : comm_(comm) {
        auto const ranks = static_cast<std::int64_t>(comm.size());
        auto const rank = static_cast<std::int64_t>(comm.rank());
        if (held == Held::rows_of_another) {
            start_[0] = rows * (ranks - 1 - rank) / ranks;
            count_[0] = rows * (ranks - rank) / ranks - start_[0];
        } else {
            start_[1] = columns * rank / ranks;
            count_[1] = columns * (rank + 1) / ranks - start_[1];
        }
        std::array const shape{rows, columns};
        weir_array* array = nullptr;
        weir_array_boxes(2, shape.data(), 1, start_.data(), count_.data(), 1, WEIR_C_ORDER, &array, nullptr);
        weir_error error;
        auto const code = weir_plan_make(comm.handle(), 1, &array, options, &plan_, &error);
        weir_array_free(array);
        need(code, error);
    }
    ~LargeMatrix() { weir_plan_free(plan_); }
    LargeMatrix(LargeMatrix const&) = delete;
    LargeMatrix& operator=(LargeMatrix const&) = delete;

    [[nodiscard]] weir_plan* plan() const { return plan_; }

    /// Memory with the values, or without; the buffers for the library's calls. Collective.
    void* const* filled() {
        cleared();
        each_byte([](std::byte& byte, std::uint64_t place) { byte = value(place); });
        return buffers_.data();
    }
    void* const* cleared() {
        on_all(comm_, [&] { memory_.assign(static_cast<std::size_t>(count_[0] * count_[1]), std::byte{0}); });
        buffers_[0] = memory_.data();
        return buffers_.data();
    }
    void release() { std::vector<std::byte>().swap(memory_); }

    /// Throws unless all values are there. Collective.
    void verify() {
        std::uint64_t wrong = 0;
        each_byte([&](std::byte& byte, std::uint64_t place) { wrong += byte == value(place) ? 0 : 1; });
        on_all(comm_, [&] { need_none(wrong); });
    }
    static void need_none(std::uint64_t wrong) {
        if (wrong > 0) {
            throw std::runtime_error(std::to_string(wrong) + " bytes are wrong");
        }
    }

    /// In 32-bit arithmetic, which compilers do for several bytes at once; places 2^32 apart have other values.
    static std::byte value(std::uint64_t place) {
        auto const low = static_cast<std::uint32_t>(place) * 0x9E3779B1U;
        return static_cast<std::byte>((low + static_cast<std::uint32_t>(place >> 32U) * 0x85EBCA6BU) >> 24U);
    }

  private:
    template <class Visit>
    void each_byte(Visit visit) {
        auto* byte = memory_.data();
        for (std::int64_t i = 0; i < count_[0]; ++i) {
            auto const first = static_cast<std::uint64_t>((start_[0] + i) * columns + start_[1]);
            for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(count_[1]); ++k) {
                visit(*byte++, first + k);
            }
        }
    }

    Communicator comm_;
    std::array<std::int64_t, 2> start_{0, 0};
    std::array<std::int64_t, 2> count_{rows, columns};
    std::vector<std::byte> memory_;
    std::array<void*, 1> buffers_{};
    weir_plan* plan_ = nullptr;
};

/// Rows to a file, which all ranks then look into, and columns back: write and read are calls of (plan, buffers,
/// error). Throws where something is wrong. Collective.
template <class Write, class Verify, class Read>
void rows_there_and_columns_back(Communicator const& comm, std::string const& options, Write write, Verify verify,
                                 Read read) {
    weir_error error;
    LargeMatrix from(comm, LargeMatrix::Held::rows_of_another, (options + " sync=no").c_str());
    need(write(from.plan(), from.filled(), &error), error);
    from.release();
    comm.barrier();
    on_all(comm, verify);
    LargeMatrix to(comm, LargeMatrix::Held::columns, options.c_str());
    need(read(to.plan(), to.cleared(), &error), error);
    to.verify();
}

/// Runs `work`, which fails on all ranks or on none, says whether it was right, and returns that. Collective.
template <class Work>
bool tried(Communicator const& comm, std::string const& what, Work work) {
    std::string verdict = "right";
    try {
        work();
    } catch (std::exception const& error) {
        verdict = std::string("WRONG: ") + error.what();
    }
    if (comm.is_root()) {
        std::printf("%s: %s\n", what.c_str(), verdict.c_str());
        std::fflush(stdout);
    }
    return verdict == "right";
}

}  // namespace weir::testing
