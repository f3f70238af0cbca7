#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/memory.hpp"
#include "pattern/loops.hpp"
#include "storage/backend.hpp"
#include "storage/phase_result.hpp"
#include "storage/stamp.hpp"

namespace weir {

/// How the engine is to carry out a pattern, beside the pattern itself.
struct EngineSettings {
    std::filesystem::path directory;
    bool stamps = false;       ///< write words that can be checked; else the buffer goes as it is
    bool drop_caches = false;  ///< before each phase that reads
    std::uint64_t seed = 0;
    Hints hints;
    Meter::Settings meter = {};
    std::vector<std::filesystem::path> more_directories = {};  ///< files are spread over these too
    /// In each of these directories, one of this run alone, in which it makes its files; none: right there.
    std::vector<std::filesystem::path> own_directories = {};
    bool keep = false;  ///< files go from there into the directories in the end
};

/// Carries out a pattern's phases on this machine, through one back-end, and times them. One object a rank and case.
/// Every member function is collective, and throws the same Error on every rank if any rank failed.
class Engine {
  public:
    Engine(Backend&, Pattern const&, EngineSettings, Communicator, Clock&);

    /// Runs one phase of the pattern. Files that it creates are removed first, outside the timing; on disk all carry
    /// the prefix "weir-". They are made in directories of this run alone, so that no file of the user's, and none of
    /// another run, is ever in the way; what was not created here is looked for in the directories themselves.
    PhaseResult run(Phase const&);

    /// Removes the files that were created here.
    void remove_files();

    /// The pattern's file as this rank sees it. Local, as the next four.
    [[nodiscard]] std::filesystem::path path_of(std::uint64_t file, Rank) const;

    /// Where it is made, where it is kept, and where a person will find it.
    [[nodiscard]] std::filesystem::path own_path_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::filesystem::path kept_path_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::filesystem::path path_to_tell(std::uint64_t file, Rank) const;

    /// The stamps of that file, and what tells it apart in them.
    [[nodiscard]] Stamp stamp_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::uint64_t stamp_file_of(std::uint64_t file, Rank) const;

  private:
    struct State;
    void prepare(Phase const&, PhaseResult&);
    void carry_out(Phase const&, State&);
    void step(Open const&, Turns const&, State&);
    void step(Preallocate const&, Turns const&, State&);
    void step(Access const&, Turns const&, State&);
    void step(Sync const&, Turns const&, State&);
    void step(Close const&, Turns const&, State&);
    void step(Compute const&, Turns const&, State&);
    void step(Barrier const&, Turns const&, State&);
    void step(Repeat const&, Turns const&, State&) {}
    /// For what takes long before a phase's requests, where the phase has a time limit.
    [[nodiscard]] OutOfTime out_of_time(State const&) const;
    void conclude(Phase const&, State&, PhaseResult&);
    void lay_out(State&) const;

    /// The ranks that make a step, as those that talk to each other; made by make_teams() before the phase.
    [[nodiscard]] Communicator const& team_of(Ranks const&, Phase const&) const;
    void make_teams(Phase const&);
    [[nodiscard]] std::vector<std::uint64_t> by_part(Phase const&, std::vector<std::uint64_t> const& by_rank) const;
    static void refuse_nothing(PhaseResult const&);
    void gather_hints(State&, PhaseResult&) const;
    void gather_counts(State const&, PhaseResult&) const;
    void gather_records(State const&, PhaseResult&) const;
    void judge_caches(std::optional<std::uint64_t> fetched, PhaseResult&) const;
    void note_reordering(Phase const&, PhaseResult&) const;
    void remove_file(std::uint64_t file);
    void look_at_file(std::uint64_t file, Phase const&) const;
    [[nodiscard]] std::size_t place_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::string name_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::vector<std::filesystem::path> files_read_here(Phase const&) const;

    Backend& backend_;
    Pattern const& pattern_;
    EngineSettings settings_;
    Communicator comm_;
    Communicator alone_;
    Communicator node_;
    std::map<std::vector<std::uint64_t>, Communicator> teams_;  ///< by rank set and reordering
    Clock& clock_;
    double clock_offset_s_;
    std::uint64_t largest_request_;
    std::vector<std::uint64_t> file_sizes_;
    std::vector<std::uint64_t> node_of_rank_;  ///< named by the world rank of its first rank
    std::optional<Buffer> buffer_;
    std::vector<bool> created_;  ///< by file
    /// By time-limited phase and access of it: requests of each rank's part.
    std::map<std::string, std::vector<std::vector<std::uint64_t>>> made_;
};

}  // namespace weir
