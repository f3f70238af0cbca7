#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "bench/file_uses.hpp"
#include "bench/storage/kept_note.hpp"
#include "storage/engine/engine.hpp"

namespace weir {

/// The files that stay in the directory: those of earlier runs, which this one reads or changes, and its own, which it
/// creates in a temporary directory and renames at the end. Two concurrent runs never use the same file. All members
/// are collective, and a failure on one rank is thrown on all; all work is outside the timing.
class KeptFiles {
  public:
    /// `format` is "raw", or the only back-end that can read its files.
    KeptFiles(Engine const&, Pattern const&, std::uint64_t seed, std::string format, Communicator);

    /// Before the run: Error (cannot_run) if the pattern changes a file that no run has kept, or checks one that was
    /// not written with the expected stamps.
    void examine();

    /// Bytes of all ranks' files that make_room() removes.
    [[nodiscard]] std::uint64_t bytes_to_replace() const;

    /// Removes those in the way of files that this run will keep; Error (cannot_run) if one is not Weir's.
    void make_room();

    /// Moves the created files to their final place, each with a note. On failure throws Error (cannot_run) and leaves
    /// the file where it was created.
    void put_in_place(bool stamps, bool finished);

    /// Updates the notes after a run changed files of earlier runs.
    void renew_notes(bool finished);

    /// Explains wrong words in a file of an earlier run: it may have been replaced while it was read, or changed since
    /// it was kept, and then storage is not to blame. Not collective for files per rank.
    [[nodiscard]] Diagnosis judge(Diagnosis, WrongWords const&) const;

  private:
    /// A file of an earlier run.
    struct EarlierFile {
        std::string text;      ///< its note
        bool changed = false;  ///< since it was kept
    };

    template <class Work>
    void on_mine(Work work) const;
    void examine_one(std::uint64_t file, std::filesystem::path const&);
    void compare(std::uint64_t file, std::filesystem::path const&, KeptNote const&) const;
    void put_one(std::uint64_t file, bool stamps, bool finished) const;
    [[nodiscard]] KeptNote note_for(std::uint64_t file, bool stamps, bool finished) const;

    Engine const& engine_;
    Pattern const& pattern_;
    std::uint64_t seed_;
    std::string format_;
    Communicator comm_;
    std::vector<FileUse> uses_;
    std::vector<std::uint64_t> sizes_;
    std::map<std::uint64_t, EarlierFile> found_;  ///< by file
};

}  // namespace weir
