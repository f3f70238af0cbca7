#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/memory.hpp"
#include "pattern/file_pointers.hpp"
#include "pattern/loops.hpp"
#include "storage/backend.hpp"
#include "storage/engine/data_source.hpp"
#include "storage/engine/phase_result.hpp"
#include "storage/engine/stamp.hpp"
#include "storage/hints.hpp"

namespace weir {

/// Settings for carrying out a pattern.
struct EngineSettings {
    std::filesystem::path directory;
    bool stamps = false;       ///< write verifiable words; else the buffer is written unchanged
    bool drop_caches = false;  ///< before each phase that reads
    std::uint64_t seed = 0;
    Hints hints{};
    Meter::Settings meter = {};
    std::vector<std::filesystem::path> more_directories = {};  ///< files are spread over these too
    /// In each of these directories, one used only by this run, for its files; empty: they are created directly there.
    std::vector<std::filesystem::path> own_directories = {};
    bool keep = false;             ///< files are moved from there into the directories at the end
    bool notes_residence = true;   ///< record how much of a phase's read data is in memory before it
    bool times_calls = false;      ///< time each call, record its size, and the costs of arrays; else only count them
    std::string prefix = "weir-";  ///< of the files' names on disk
    /// Called with an existing file in the way of a new one, before it is removed; throws if it must stay. None: in a
    /// directory used only by this run there is no such file.
    std::function<void(std::filesystem::path const&)> check_in_the_way = {};
};

/// Memory on each rank for the contents of many small requests, if they are stamped or come from a source.
constexpr std::uint64_t batch_bytes = 256 << 10;

/// Upper bounds of a file, in bytes.
struct FileBounds {
    std::uint64_t bytes = 0;            ///< one past the last byte that is accessed
    std::uint64_t largest_request = 0;  ///< of all ranks
};

/// Carries out phases on this machine, through one back-end, one at a time, and times them. One object per rank and
/// case. Every member function is collective, and throws the same Error on every rank if any rank failed.
class Engine {
  public:
    Engine(Backend&, Communicator, EngineSettings, Clock&);
    ~Engine();
    Engine(Engine const&) = delete;
    Engine& operator=(Engine const&) = delete;

    /// Declares a file within these bounds; phases use the index that this returns: 0, 1, 2, ... While a file is open
    /// no larger requests can be declared than before.
    std::uint64_t declare(File, FileBounds const& bounds);

    /// From now on the index means this file, created anew; the previous one keeps its name and place. Neither is open.
    void declare_again(std::uint64_t file, File, FileBounds const& bounds);

    /// Declares the files of a pattern for these ranks.
    void declare(Pattern const&);

    /// Runs one phase. Files that it creates are removed first, outside the timing; on disk all have the prefix
    /// "weir-". They are created in directories used only by this run, so that no file of the user or of another run
    /// can be in the way; files not created here are looked up in the directories themselves. A file that the phase
    /// leaves open stays open for the next phases; on failure all are closed. `source` has the data; without one they
    /// are stamps, or the buffer's content.
    void run(Phase const&, DataSource* source = nullptr);

    /// The results of all runs of the phase with this name since its last report: at least one.
    PhaseResult report(std::string const& phase);

    /// This rank's calls in the runs of that phase that are not reported yet. Local.
    [[nodiscard]] Tally calls_of(std::string const& phase) const;

    /// From the first rank's start to the last one's end, over these runs; 0 without any. Local.
    [[nodiscard]] double elapsed_of(std::string const& phase) const;

    /// The hints of the last file that was closed in them. Local.
    [[nodiscard]] HintsInForce hints_of(std::string const& phase) const;

    /// What its files cost this rank in these runs, if calls are timed. Local.
    [[nodiscard]] DumpCosts costs_of(std::string const& phase) const;

    /// Discards them without a report. Local.
    void forget(std::string const& phase);

    /// Removes the files that were created here; none may be open.
    void remove_files();

    /// A file as this rank sees it. Local, as the next four.
    [[nodiscard]] std::filesystem::path path_of(std::uint64_t file, Rank) const;

    /// Where it is created, where it is kept, and where the user will find it.
    [[nodiscard]] std::filesystem::path own_path_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::filesystem::path kept_path_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::filesystem::path path_to_tell(std::uint64_t file, Rank) const;

    /// The stamps of that file, and the number that identifies it in them.
    [[nodiscard]] Stamp stamp_of(std::uint64_t file, Rank) const;
    [[nodiscard]] std::uint64_t stamp_file_of(std::uint64_t file, Rank) const;

  private:
    struct State;   // a rank's state during a phase
    struct Handle;  // a file that is open on it
    struct Ran;     // results of a phase's runs on it

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
    /// Counts the seeks before the requests of this rank.
    void note_seeks(Access const& now, Rank acting);
    void step(Rename const&, Turns const&, State&);
    void step(Remove const&, Turns const&, State&);
    void step(Broadcast const&, Turns const&, State&);
    void step(Send const&, Turns const&, State&);
    void step(Move const&, Turns const&, State&);
    void step(InGroups const&, Turns const&, State&);
    void step(Wait const&, Turns const&, State&);
    void begin(Access const& asked, Access const& now, Turns const&, State&);
    void finish(std::uint64_t file, State&);
    /// Of the array that it writes; null if they are not kept.
    [[nodiscard]] ArrayTimes* times_of(Access const&);
    [[nodiscard]] std::unique_ptr<RequestMemory> spare_memory(std::uint64_t bytes);
    void prepare_spare_memory(Phase const&);
    [[nodiscard]] std::unique_ptr<RequestMemory> filled_memory(std::uint64_t bytes) const;
    /// If no rank has failed so far, runs `work`: on every rank for file-per-process, otherwise on the root.
    template <class Work>
    void after_all(std::uint64_t file, State&, Work work);
    void remove_what_takes_no_place(Phase const&);
    /// For long operations before a phase's requests, if the phase has a time limit.
    [[nodiscard]] OutOfTime out_of_time(State const&) const;
    void conclude(State&);
    void lay_out(State&) const;

    /// The messages of this rank, in number. Collective over the group.
    std::uint64_t exchange_in_group(InGroups const&, Communicator const& members, Rank acting);

    /// The communicator of a step's ranks; created by make_groups() before the phase.
    [[nodiscard]] Communicator const& group_of(Ranks const&, Phase const&) const;
    void make_groups(Phase const&);
    [[nodiscard]] std::vector<std::uint64_t> by_part(Phase const&, std::vector<std::uint64_t> const& by_rank) const;
    static void refuse_nothing(PhaseResult const&);
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
    std::vector<std::uint64_t> node_of_rank_;            ///< node number: the world rank of its first rank
    std::optional<RequestMemory> buffer_;                ///< for the largest request on any file
    DataMemory memory_{};                                ///< that it is to be like
    std::vector<std::byte> inbox_;                       ///< receives messages
    std::optional<Buffer> batch_;                        ///< for many small requests with made contents
    std::vector<std::unique_ptr<RequestMemory>> spare_;  ///< for asynchronous requests
    std::vector<File> files_;
    std::vector<FileBounds> bounds_;  ///< by file, as the next two
    std::vector<bool> created_;
    std::vector<std::uint64_t> stamped_as_;  ///< the file whose stamps it has: its own, or the one renamed to it
    std::vector<Handle> handles_;
    std::map<std::string, Ran> ran_;
    Tally calls_;  ///< made by the back-end in the current run
    CallCounter counter_;
    FilePointers pointers_;
    std::deque<FileTimes> times_;  ///< by file, in the current run; back-ends have their addresses
    /// For each access of a time-limited phase: the number of requests of each rank's part.
    std::map<std::string, std::vector<std::vector<std::uint64_t>>> made_;
};

}  // namespace weir
