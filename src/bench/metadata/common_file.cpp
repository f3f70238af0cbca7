// Work model: P ranks open one file. A rank's wait, open time per rank against P, is the metric of Thakur et al. 1996,
// section 6.

#include <sys/stat.h>
#include <unistd.h>

#include "bench/metadata/file_phases.hpp"
#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"
#include "core/random.hpp"
#include "storage/hints.hpp"

namespace weir {
namespace {

/// Asks ROMIO to open a file on its one aggregator only ("deferred open"). Other libraries may ignore it.
Hints one_rank_hints() { return {{"romio_no_indep_rw", "true"}, {"cb_nodes", "1"}}; }

std::unique_ptr<FileCalls> calls_of(MetadataOptions const& options, Communicator const& comm) {
    auto const alone = [&] {
        return options.interface == Interface::posix ? posix_calls() : mpiio_calls(Communicator(), {});
    };
    switch (options.opening) {
        case Opening::collective:
            return mpiio_calls(comm, {});
        case Opening::one_rank:
            return mpiio_calls(comm, with_canary(one_rank_hints()));
        case Opening::broadcast:
            return broadcast_calls(alone(), comm);
        case Opening::independent:
            break;
    }
    return alone();
}

class CommonFile final : public FilePhases {
  public:
    /// Creates the files, untimed.
    explicit CommonFile(MetadataSetting const& setting)
        : FilePhases(setting, DirectoryUse::common, calls_of(setting.options, setting.comm)) {
        try {
            run_together(comm_, [&] {
                if (comm_.is_root()) {
                    make_files();
                }
                calls_->enter(directory_.of_rank(comm_.rank()));
            });
        } catch (Error const&) {
            remove();
            throw;
        }
    }

    void run(MetadataPhase& phase) override {
        auto file = name();
        // Seeded alike on every rank.
        std::optional<Shuffle> order;
        if (options_.order == FileOrder::shuffled) {
            order.emplace(options_.files, mix(options_.seed));
        }
        phase.slowest_s = 0;
        comm_.barrier();
        phase.start_s = clock_.now_s() + clock_offset_s_;
        for (std::uint64_t i = 0; i < options_.files; ++i) {
            attempt(throw_if_interrupted);
            file.number(order ? (*order)(i) : i);
            if (!all_well()) {
                break;
            }
            one_file(phase, file);
        }
        phase.end_s = clock_.now_s() + clock_offset_s_;
        agree(comm_, failure_);
    }

    void remove() override {
        calls_.reset();
        auto file = name();
        for (std::uint64_t i = 0; i < made_; ++i) {
            file.number(i);
            ::unlink(file.path());
        }
        directory_.remove();
    }

  private:
    void make_files() {
        auto const calls = posix_calls();
        calls->enter(directory_.of_rank(0));
        auto file = name();
        for (std::uint64_t i = 0; i < options_.files; ++i) {
            throw_if_interrupted();
            file.number(i);
            made_ = i + 1;
            calls->create(file);
            in_pieces(buffer_.size(), options_.file_bytes.value,
                      [&](std::uint64_t at, std::uint64_t n) { calls->write(at, buffer_.first(n)); });
            calls->close();
        }
    }

    void one_file(MetadataPhase& phase, FileName const& file) {
        Stopwatch watch(clock_, phase.times);
        double took_s = 0;
        if (phase.phase == MetadataCall::stat) {
            attempt([&] { calls_->stat(file); });
            took_s = watch.lap(MetadataCall::stat);
        } else {
            attempt([&] { calls_->open(file); });
            took_s = watch.lap(MetadataCall::open);
            if (!all_well()) {
                return;
            }
            if (!phase.opened_by_ranks) {
                look_who_opened(phase, file);
                comm_.barrier();
            }
            watch.start();
            if (phase.phase == MetadataCall::read) {
                attempt([&] {
                    in_pieces(buffer_.size(), options_.file_bytes.value,
                              [&](std::uint64_t at, std::uint64_t n) { calls_->read(at, buffer_.first(n)); });
                });
                took_s += watch.lap(MetadataCall::read);
                phase.bytes_read += options_.file_bytes.value;
            }
            attempt([&] { calls_->close(); });
            took_s += watch.lap(MetadataCall::close);
        }
        *phase.slowest_s += comm_.max(took_s);
        ++phase.operations;
    }

    /// Keeps this rank's first failure; the other ranks continue to the next agreement.
    template <class Step>
    void attempt(Step step) {
        keep_failure(failure_, step);
    }

    /// Has no rank failed? Collective.
    [[nodiscard]] bool all_well() const { return !any(comm_, failure_.has_value()); }

    void look_who_opened(MetadataPhase& phase, FileName const& file) {
        auto const mine = holds_descriptor_of(file.path());
        phase.hints =
            hints_in_force(options_.opening == Opening::one_rank ? one_rank_hints() : Hints(), calls_->hints());
        auto const unknown = any(comm_, !mine);
        auto const ranks = comm_.sum(std::uint64_t{mine.value_or(false) ? 1U : 0U});
        if (!unknown) {
            phase.opened_by_ranks = ranks;
        }
    }

    [[nodiscard]] FileName name() const { return {directory_.of_rank(0), "weir-common", 0, options_.files}; }

    std::uint64_t made_ = 0;  ///< files created by rank 0
    std::optional<Diagnosis> failure_;
};

}  // namespace

std::unique_ptr<FilePhases> common_file(MetadataSetting const& setting) {
    return std::make_unique<CommonFile>(setting);
}

std::optional<bool> holds_descriptor_of(std::filesystem::path const& file) {
    struct stat wanted {};
    std::error_code error;
    std::filesystem::directory_iterator const descriptors("/proc/self/fd", error);
    if (error || ::stat(file.c_str(), &wanted) != 0) {
        return {};
    }
    for (auto const& entry : descriptors) {
        struct stat status {};
        if (::stat(entry.path().c_str(), &status) == 0 && status.st_dev == wanted.st_dev &&
            status.st_ino == wanted.st_ino) {
            return true;
        }
    }
    return false;
}

}  // namespace weir
