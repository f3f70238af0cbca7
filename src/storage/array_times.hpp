#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/clock.hpp"
#include "core/json_fwd.hpp"
#include "pattern/array.hpp"

namespace weir {

/// Calls and their time.
struct Spent {
    std::uint64_t count = 0;
    double time_s = 0;

    void add(Spent const& other) {
        count += other.count;
        time_s += other.time_s;
    }
};

/// What writing one array costs, by cause.
struct ArrayTimes {
    std::string name;           ///< an attribute's: "owner/name", or "name" if it is the file's
    std::uint64_t bytes = 0;    ///< that are written
    Spent create{};             ///< creating the dataset or variable
    Spent attribute{};          ///< creating and writing an attribute
    Spent pack{};               ///< making the data in the request's buffer
    Spent write{};              ///< calls that write it, with the requests below them
    Spent request{};            ///< MPI-IO's writes below these calls, if a format library makes them
    bool is_attribute = false;  ///< is it stored as one?

    /// What its writes count to.
    [[nodiscard]] Spent& written() { return is_attribute ? attribute : write; }
};

/// What a file costs that one rank has open, or all ranks together.
struct FileTimes {
    std::string name{};
    Clock const* clock = nullptr;  ///< of what is being timed
    double open_s = 0;             ///< without the creation of its arrays; with writing a header
    double sync_s = 0;
    double close_s = 0;
    std::vector<ArrayTimes> arrays{};

    /// Before it is opened with these arrays, for the first time or again.
    void begin(std::string file, std::vector<Array> const& with, Clock const& by);

    /// Adds another dump's or rank's: arrays by their names, since later dumps may have others.
    void add(FileTimes const&);

    /// The time in creating arrays and attributes.
    [[nodiscard]] double creating_s() const;

    /// Those of an array; null if they are not kept: without times, and for a file that an earlier phase has opened.
    static ArrayTimes* array_in(FileTimes* times, std::uint64_t array) {
        return times != nullptr && array < times->arrays.size() ? &times->arrays[array] : nullptr;
    }

    /// Does some work for an array; without times, only does it.
    template <class Work>
    static auto spend(FileTimes* times, std::size_t array, Spent ArrayTimes::*cause, Work work) {
        auto const began_s = times == nullptr ? 0 : times->clock->now_s();
        auto const result = work();
        if (times != nullptr) {
            (times->arrays[array].*cause).add({1, times->clock->now_s() - began_s});
        }
        return result;
    }

    /// Adds the time of some work to one of the times; without it, only does the work.
    template <class Work>
    static void add_time(FileTimes const* times, double* sum_s, Work work) {
        auto const began_s = sum_s == nullptr ? 0 : times->clock->now_s();
        work();
        if (sum_s != nullptr) {
            *sum_s += times->clock->now_s() - began_s;
        }
    }
};

/// The times of the files of some dumps, of one rank or summed over all.
struct DumpCosts {
    double elapsed_s = 0;  ///< of a rank from the start of each dump to its end
    std::vector<FileTimes> files{};

    /// Adds another dump's or rank's: its files by their order.
    void add(DumpCosts const&);

    /// Causes of all files and arrays together.
    [[nodiscard]] double known_s() const;
};

/// The costs of all ranks in one, on every rank. Collective.
DumpCosts sum_over_ranks(DumpCosts const& mine, Communicator const&);

/// See docs/reference/results.md. `has_library`: files are written through a format library; otherwise the calls that
/// write are the requests. Null without files. Local.
Json to_json(DumpCosts const&, bool has_library);

}  // namespace weir
