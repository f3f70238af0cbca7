#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/memory.hpp"
#include "pattern/loops.hpp"
#include "storage/backend.hpp"
#include "storage/engine/data_source.hpp"
#include "storage/engine/phase_result.hpp"
#include "storage/engine/stamp.hpp"

namespace weir {

/// How the engine is to carry out a pattern.
struct EngineSettings {
    std::filesystem::path directory;
    bool stamps = false;       ///< write words that can be checked; else the buffer goes as it is
    bool drop_caches = false;  ///< before each phase that reads
    std::uint64_t seed = 0;
    Hints hints{};
    Meter::Settings meter = {};
    std::vector<std::filesystem::path> more_directories = {};  ///< files are spread over these too
    /// In each of these directories, one of this run alone, in which it makes its files; none: right there.
    std::vector<std::filesystem::path> own_directories = {};
    bool keep = false;             ///< files go from there into the directories in the end
    bool notes_residence = true;   ///< how much of what a phase reads lies in memory before it
    bool times_calls = false;      ///< of the system, each, and notes its size; else they are only counted
    std::string prefix = "weir-";  ///< of the files' names on disk
    /// Asked about a file that is in the way of one that is made, before that goes: throws where it must stay. None: in
    /// a directory of the run's own nothing is.
    std::function<void(std::filesystem::path const&)> check_in_the_way = {};
};

/// Memory for the contents of many small requests, on each rank, where they are stamped or come from a source.
constexpr std::uint64_t batch_bytes = 256 << 10;

/// How large a file gets, in bytes.
struct FileBounds {
    std::uint64_t bytes = 0;            ///< one past the greatest byte that is touched
    std::uint64_t largest_request = 0;  ///< of any rank
};

/// Carries out phases on this machine, through one back-end, one at a time, and times them. One object a rank and case.
/// Every member function is collective, and throws the same Error on every rank if any rank failed.
class Engine {
  public:
    Engine(Backend&, Communicator, EngineSettings, Clock&);
    ~Engine();
    Engine(Engine const&) = delete;
    Engine& operator=(Engine const&) = delete;

    /// Makes a file known that has no byte from `bounds.bytes` on, and no larger request; phases name it by the index
    /// that this returns: 0, 1, 2, ... While a file is open no larger requests can be declared than before.
    std::uint64_t declare(File, FileBounds const& bounds);

    /// From now on the index names this file, made again; the one before stays what and where it is. None of the two is
    /// open.
    void declare_again(std::uint64_t file, File, FileBounds const& bounds);

    /// Makes the files of a pattern for these ranks known.
    void declare(Pattern const&);

    /// Runs one phase. Files that it creates are removed first, outside the timing; on disk all carry the prefix
    /// "weir-". They are made in directories of this run alone, so that no file of the user's, and none of another run,
    /// is ever in the way; what was not created here is looked for in the directories themselves. A file that it leaves
    /// open is so for the next phases; if it fails, all are closed. `source` has the data; without one they are the
    /// stamps, or whatever the buffer holds.
    void run(Phase const&, DataSource* source = nullptr);

    /// What the runs of the phase of that name came to since they were last reported: at least one.
    PhaseResult report(std::string const& phase);

    /// The calls of this rank in the runs of that phase that are not reported yet. Local.
    [[nodiscard]] Tally calls_of(std::string const& phase) const;

    /// Forgets them: they are not to be reported. Local.
    void forget(std::string const& phase);

    /// Removes the files that were created here; none is open.
    void remove_files();

    /// A file as this rank sees it. Local, as the next four.
    [[nodiscard]] std::filesystem::path path_of(std::uint64_t file, Rank) const;

    /// Where it is made, where it is kept, and where a person will find it.
    [[nodiscard]] std::filesystem::path own_path_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::filesystem::path kept_path_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::filesystem::path path_to_tell(std::uint64_t file, Rank) const;

    /// The stamps of that file, and what tells it apart in them.
    [[nodiscard]] Stamp stamp_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::uint64_t stamp_file_of(std::uint64_t file, Rank) const;

  private:
    struct State;   // what a rank keeps while it goes through a phase
    struct Handle;  // a file that is open on it
    struct Ran;     // what the runs of a phase have come to on it

    void make_room(std::uint64_t request);
    Ran& prepare(Phase const&);
    void prepare_files(Phase const&, Ran&);
    void prepare_reading(Phase const&, Ran&);
    void carry_out(State&);
    void step(Open const&, Turns const&, State&);
    void step(Preallocate const&, Turns const&, State&);
    void step(Access const&, Turns const&, State&);
    void step(Sync const&, Turns const&, State&);
    void step(Close const&, Turns const&, State&);
    void step(Compute const&, Turns const&, State&);
    void step(Barrier const&, Turns const&, State&);
    void step(Repeat const&, Turns const&, State&) {}
    void step(Seek const&, Turns const&, State&);
    void step(Rename const&, Turns const&, State&);
    void step(Remove const&, Turns const&, State&);
    void step(Broadcast const&, Turns const&, State&);
    void step(Send const&, Turns const&, State&);
    void step(Move const&, Turns const&, State&);
    void step(Wait const&, Turns const&, State&);
    void begin(Access const& asked, Access const& now, Turns const&, State&);
    void finish(std::uint64_t file, State&);
    [[nodiscard]] std::unique_ptr<Buffer> spare_memory(std::uint64_t bytes);
    /// If no rank has failed so far, runs `work`: on every rank for files per rank, otherwise on the root.
    template <class Work>
    void after_all(std::uint64_t file, State&, Work work);
    void remove_what_takes_no_place(Phase const&);
    /// For what takes long before a phase's requests, where the phase has a time limit.
    [[nodiscard]] OutOfTime out_of_time(State const&) const;
    void conclude(State&);
    void lay_out(State&) const;

    /// The ranks that make a step, as those that talk to each other; made by make_groups() before the phase.
    [[nodiscard]] Communicator const& group_of(Ranks const&, Phase const&) const;
    void make_groups(Phase const&);
    [[nodiscard]] std::vector<std::uint64_t> by_part(Phase const&, std::vector<std::uint64_t> const& by_rank) const;
    static void refuse_nothing(PhaseResult const&);
    void gather_hints(Ran const&, PhaseResult&) const;
    void gather_counts(Ran const&, PhaseResult&) const;
    void gather_records(Ran const&, PhaseResult&) const;
    void judge_caches(Ran const&, PhaseResult&) const;
    void note_reordering(Phase const&, Ran&) const;
    void make_place(std::uint64_t file);
    void remove_file(std::uint64_t file);
    void look_at_file(std::uint64_t file, Phase const&) const;
    [[nodiscard]] std::size_t place_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::string name_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::vector<std::filesystem::path> files_read_here(Phase const&) const;

    Backend& backend_;
    Communicator comm_;
    EngineSettings settings_;
    Communicator alone_;
    Communicator node_;
    std::map<std::vector<std::uint64_t>, Communicator> groups_;  ///< by rank set and reordering
    Clock& clock_;
    double clock_offset_s_;
    std::vector<std::uint64_t> node_of_rank_;     ///< named by the world rank of its first rank
    std::optional<Buffer> buffer_;                ///< for the largest request on any file
    std::vector<std::byte> inbox_;                ///< for messages
    std::optional<Buffer> batch_;                 ///< for many small ones, where their contents are made
    std::vector<std::unique_ptr<Buffer>> spare_;  ///< for requests that are not waited for
    std::vector<File> files_;
    std::vector<FileBounds> bounds_;  ///< by file, as the next two
    std::vector<bool> created_;
    std::vector<std::uint64_t> stamped_as_;  ///< whose stamps it has: its own, or of the file that was renamed to it
    std::vector<Handle> handles_;
    std::map<std::string, Ran> ran_;
    Tally calls_;  ///< that the back-end has made in the run that is going on
    CallCounter counter_;
    /// By time-limited phase and access of it: requests of each rank's part.
    std::map<std::string, std::vector<std::vector<std::uint64_t>>> made_;
};

}  // namespace weir
