#include "array/trial_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <span>

#include "array/dump.hpp"
#include "array/exchange_parts.hpp"

namespace weir::array {
namespace {

constexpr double enough_s = 2;
constexpr std::size_t most_repetitions = 6;  ///< the first of which is a warm-up

/// A file that nobody else has, which is not there when it goes out of scope. Making and unmaking are collective.
class ScratchFile {
  public:
    ScratchFile(Communicator const& comm, Communicator const& node, std::string const& directory) : node_(node) {
        FirstFailure failure;
        failure.attempt([&] { path_ = directory + "/.weir-trial-XXXXXX"; });
        if (comm.is_root()) {
            failure.attempt([&] {
                auto const descriptor = ::mkstemp(path_.data());
                if (descriptor < 0) {
                    auto const error = errno;
                    fail_system(fmt::format("no file can be made in {}", directory), error, "May you write there?");
                }
                ::close(descriptor);
            });
        }
        failure.agree(comm);
        comm.broadcast(std::as_writable_bytes(std::span(path_)));  // of the same length on all ranks
    }
    ~ScratchFile() { remove(); }
    ScratchFile(ScratchFile const&) = delete;
    ScratchFile& operator=(ScratchFile const&) = delete;

    [[nodiscard]] char const* path() const { return path_.c_str(); }

    /// The directory may be each node's own. Local.
    void remove() const {
        if (node_.is_root()) {
            static_cast<void>(::unlink(path_.c_str()));
        }
    }

    /// Asks the kernel to forget what it keeps of the file. Local.
    void drop_cache() const {
        auto const descriptor = node_.is_root() ? ::open(path_.c_str(), O_RDONLY | O_CLOEXEC) : -1;
        if (descriptor >= 0) {
            static_cast<void>(::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED));
            ::close(descriptor);
        }
    }

  private:
    Communicator node_;
    std::string path_;
};

/// This rank's local arrays, touched.
class LocalArrays {
  public:
    LocalArrays(Communicator const& comm, std::vector<Description> const& all) {
        FirstFailure failure;
        failure.attempt([&] {
            for (auto const& d : all) {
                memory_.emplace_back(local_bytes(d, {comm.rank(), comm.size()}), std::byte{1});
                pointers_.push_back(memory_.back().data());
            }
        });
        failure.agree(comm);
    }
    [[nodiscard]] void* const* pointers() const { return pointers_.data(); }

  private:
    std::vector<std::vector<std::byte>> memory_;
    std::vector<void*> pointers_;
};

std::string options_of(Trial const& trial, std::uint64_t group, std::string const& asked) {
    auto const n = trial.way.aggregators;
    return fmt::format(
        "{} measure=no safe=no checksum=no async=no directory= profile= method={} writers={} readers={} group={} "
        "window={}B",
        asked, to_text(trial.way.method), n, n, group, trial.window);
}

}  // namespace

void run_trials(Communicator const& comm, Communicator const& node, std::vector<Description> const& sample,
                PlanFacts const& facts, PlanOptions const& options, std::string const& options_text,
                std::vector<Trial>& trials) {
    ScratchFile const file(comm, node, options.directory);
    LocalArrays const local(comm, sample);
    std::vector<std::optional<Plan>> plans;
    FirstFailure room;
    room.attempt([&] { plans = std::vector<std::optional<Plan>>(trials.size()); });
    room.agree(comm);
    for (std::size_t i = 0; i < trials.size(); ++i) {
        std::string text;
        std::vector<Description> arrays;
        FirstFailure failure;
        failure.attempt([&] {
            text = options_of(trials[i], sizes_of(facts, options).group, options_text);
            arrays = sample;
            trials[i].write.reserve(most_repetitions);
            trials[i].read.reserve(most_repetitions);
        });
        plans[i].emplace(comm.handle(), std::move(arrays), text, std::move(failure));
    }
    FileLayout layout;
    FirstFailure failure;
    failure.attempt([&] { layout.offsets = FileMap::one_after_the_other(plans.front()->arrays(), 0); });
    failure.agree(comm);
    auto const seconds = [&](auto&& work) {
        comm.barrier();
        auto const began = now();
        work();
        return comm.max(now() - began);
    };
    auto const began = now();
    for (std::size_t repetition = 0; repetition < most_repetitions; ++repetition) {
        for (std::size_t i = 0; i < trials.size(); ++i) {
            file.remove();
            trials[i].write.push_back(seconds(
                [&] { WriteDump(*plans[i], file.path(), layout, local.pointers(), Waiting::here).complete(); }));
            file.drop_cache();
            trials[i].read.push_back(seconds([&] { read_file(*plans[i], file.path(), layout, local.pointers()); }));
            bool const some = repetition > 0 || i > 0;
            if (some && comm.max(now() - began) > enough_s) {
                return;
            }
        }
    }
}

}  // namespace weir::array
