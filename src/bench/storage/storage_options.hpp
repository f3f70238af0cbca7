#pragma once

#include <array>
#include <string>
#include <vector>

#include "bench/repetitions.hpp"
#include "bench/storage/cache_use.hpp"
#include "core/option.hpp"
#include "pattern/parametric.hpp"
#include "storage/backend_choice.hpp"
#include "storage/hint_choice.hpp"
#include "storage/meter.hpp"

namespace weir {

/// Reported besides sums and distributions: each rank's times, or also each request.
enum class Detail { none, ranks, requests };
constexpr std::array<std::string_view, 3> enum_names(Detail) { return {"none", "ranks", "requests"}; }

/// The options of a storage case, including those of every registered back-end.
class StorageOptions {
  public:
    void declare(OptionSet&);

    /// Refuses options that contradict each other or the chosen back-end (Error, usage).
    void validate_choices() const;

    /// The text of the pattern file; empty if none is named. Local: reads the file.
    [[nodiscard]] std::string read_pattern_file() const;

    /// The pattern for this many ranks, with readers that are on other nodes at that shift: from the parameters, or
    /// from the text of a pattern file. Refuses what the back-end cannot carry out.
    [[nodiscard]] Pattern make_pattern(std::uint64_t ranks, std::uint64_t readers_shift,
                                       std::string const& file_text) const;

    /// The number of ranks that take part.
    [[nodiscard]] std::uint64_t tasks_of(std::uint64_t ranks) const;

    Parameters parameters;
    BackendChoice backend{"posix"};
    std::string directory = ".";
    std::string pattern_file;
    std::uint64_t tasks = 0;
    Repetitions measuring;
    CacheUse cache = CacheUse::keep;
    HintChoice hints;
    bool keep_files = false;
    bool foreign_folder = false;
    bool check_space = true;
    std::vector<std::string> more_directories;
    Latencies latencies = Latencies::sampled;
    Detail detail = Detail::none;
    std::uint64_t most_records = 10'000;
    bool emit_pattern = false;
    std::uint64_t pattern_ranks = 1;

  private:
    void declare_shape(OptionSet&);
    void declare_phases(OptionSet&);
    void declare_interface(OptionSet&);
    void refuse_options_beside_pattern() const;
    void refuse_what_backend_cannot(Pattern const&) const;
    void refuse_access(Phase const&, Access const&) const;

    OptionSet const* declared_ = nullptr;
};

}  // namespace weir
