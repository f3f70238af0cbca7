#pragma once

#include <filesystem>

#include "support/arrays/array_case.hpp"
#include "support/arrays/dump_case.hpp"

namespace weir::testing {

/// Runs a case on the first ranks of a communicator, and compares the file with what one process makes of it element by
/// element, and what is read with what was written.
class DumpTrial {
  public:
    DumpTrial(Communicator const& comm, DumpCase const& dump, std::string path)
        : comm_(comm), dump_(dump), path_(std::move(path)), numbers_(dump.numbers.begin(), dump.numbers.end()) {
        auto next = dump.offset;
        for (std::size_t i = 0; i < dump.write.layouts.size(); ++i) {
            next += dump.gaps.empty() ? 0 : static_cast<std::uint64_t>(dump.gaps[i]);
            offsets_.push_back(static_cast<std::int64_t>(next));
            next += dump.write.layouts[i].file_bytes();
        }
    }

    /// The first problem of any rank: the step, ": ", and what is wrong; empty where all is right. Collective.
    std::string run() {
        clear_files();
        auto problem = on_first(dump_.write.ranks, [&](Communicator const& ranks) { return written(ranks); });
        if (problem.empty()) {
            problem = on_first(dump_.read.ranks, [&](Communicator const& ranks) { return read(ranks); });
        }
        clear_files();
        return problem;
    }

  private:
    /// Does this on the first ranks, and tells the first problem to all.
    template <class Work>
    std::string on_first(std::uint64_t ranks, Work work) {
        std::string problem;
        {
            auto const some = comm_.split(comm_.rank() < ranks ? 0 : 1);
            problem = comm_.rank() < ranks ? work(some) : "";
        }
        return first_of_all(comm_, problem);
    }

    void clear_files() const {
        if (comm_.is_root()) {
            for (auto const* ending : {"", ".weirsum", ".weir-part"}) {
                std::remove((path_ + ending).c_str());
            }
        }
    }

    /// The same answer on all ranks.
    static std::string first_of_all(Communicator const& ranks, std::string const& mine) {
        for (auto const& one : ranks.all_gather(mine)) {
            if (!one.empty()) {
                return one;
            }
        }
        return {};
    }

    [[nodiscard]] std::vector<std::byte> expected(std::uint64_t version) const {
        std::vector<std::byte> file;
        for (auto n = dump_.before; n > 0; --n) {
            file.push_back(value_of(0, 99, n, 0));
        }
        for (std::size_t a = 0; a < offsets_.size(); ++a) {
            put_array(file, dump_.write.layouts[a], a, static_cast<std::uint64_t>(offsets_[a]), version,
                      numbers_.empty() ? 1 : static_cast<std::uint64_t>(numbers_[a]));
        }
        return file;
    }

    int write(weir_plan* plan, void* const* buffers, weir_error& error) const {
        auto const offset = static_cast<std::int64_t>(dump_.offset);
        if (dump_.start) {
            weir_request* request = nullptr;
            auto const code = weir_write_start(plan, path_.c_str(), offset, buffers, &request, &error);
            return code == WEIR_OK ? weir_wait(request, &error) : code;
        }
        if (!numbers_.empty()) {
            return weir_write_swapped(plan, path_.c_str(), offsets_.data(), numbers_.data(), buffers, &error);
        }
        return dump_.gaps.empty() ? weir_write(plan, path_.c_str(), offset, buffers, &error)
                                  : weir_write_at(plan, path_.c_str(), offsets_.data(), buffers, &error);
    }

    int read(weir_plan* plan, void* const* buffers, weir_error& error) const {
        if (!numbers_.empty()) {
            return weir_read_swapped(plan, path_.c_str(), offsets_.data(), numbers_.data(), buffers, &error);
        }
        auto const offset = static_cast<std::int64_t>(dump_.offset);
        return dump_.gaps.empty() ? weir_read(plan, path_.c_str(), offset, buffers, &error)
                                  : weir_read_at(plan, path_.c_str(), offsets_.data(), buffers, &error);
    }

    std::string written(Communicator const& ranks) {
        Arrays arrays(dump_.write.layouts, ranks.rank());
        weir_error error;
        auto const plan = plan_of(arrays, ranks.handle(), dump_.write.options, error);
        if (!plan) {
            return std::string("plan to write: ") + error.message;
        }
        if (ranks.is_root() && dump_.before != 0) {
            auto file = expected(0);
            file.resize(dump_.before);
            make_file(path_, file);
        }
        ranks.barrier();
        for (std::uint64_t const version : {1U, 2U}) {
            if (write(plan.get(), arrays.filled(version), error) != WEIR_OK) {
                return std::string("write: ") + error.message;
            }
            auto changed = arrays.wrong(version);
            auto const differs = !ranks.is_root() ? ""
                                 : !std::filesystem::exists(path_)
                                     ? "there is none"
                                     : difference(bytes_of_file(path_), expected(version));
            auto const problem = first_of_all(ranks, !differs.empty()   ? "file: " + differs
                                                     : !changed.empty() ? "buffers changed in writing: " + changed
                                                                        : "");
            if (!problem.empty()) {
                return problem;
            }
        }
        auto const problem = read_back(ranks, plan.get(), arrays, "read by the writers");
        return problem.empty() && dump_.move ? moved(ranks, plan.get(), arrays) : problem;
    }

    std::string moved(Communicator const& ranks, weir_plan* from, Arrays& source) const {
        Arrays target(dump_.read.layouts, ranks.rank());
        weir_error error;
        auto const to = plan_of(target, ranks.handle(), dump_.read.options, error);
        if (!to) {
            return std::string("plan to move: ") + error.message;
        }
        // A plan has duplicated its communicator: both are of the same ranks.
        if (weir_redistribute(from, source.filled(3), to.get(), target.cleared(), &error) != WEIR_OK) {
            return std::string("move: ") + error.message;
        }
        auto const wrong = target.wrong(3);
        return first_of_all(ranks, wrong.empty() ? "" : "moved: " + wrong);
    }

    std::string read_back(Communicator const& ranks, weir_plan* plan, Arrays& arrays, std::string const& step) const {
        weir_error error;
        for (int repeats = 0; repeats < 2; ++repeats) {
            if (read(plan, arrays.cleared(), error) != WEIR_OK) {
                return step + ": " + error.message;
            }
            auto const wrong = arrays.wrong(2);
            auto const problem = first_of_all(ranks, wrong.empty() ? "" : step + ", wrong bytes: " + wrong);
            if (!problem.empty()) {
                return problem;
            }
        }
        return {};
    }

    std::string read(Communicator const& ranks) const {
        Arrays arrays(dump_.read.layouts, ranks.rank());
        weir_error error;
        auto const plan = plan_of(arrays, ranks.handle(), dump_.read.options, error);
        return plan ? read_back(ranks, plan.get(), arrays, "read by others")
                    : std::string("plan to read: ") + error.message;
    }

    Communicator const& comm_;
    DumpCase const& dump_;
    std::string path_;
    Indices offsets_;
    std::vector<int> numbers_;
};

}  // namespace weir::testing
