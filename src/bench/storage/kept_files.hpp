#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "bench/storage/file_uses.hpp"
#include "bench/storage/kept_note.hpp"
#include "storage/engine/engine.hpp"

namespace weir {

/// The files that stay in the directory: those of earlier runs, which this one reads or changes, and its own, which it
/// makes in a directory of its own and puts there at the end. Two runs in one directory never have the same file.
/// All members are collective, and what fails on one rank is thrown on all; all of it happens outside the timing.
class KeptFiles {
  public:
    /// `format` is "raw", or the back-end that alone can read its files.
    KeptFiles(Engine const&, Pattern const&, std::uint64_t seed, std::string format, Communicator);

    /// Before anything is done: Error (cannot_run) where the pattern changes a file that no run has kept, or checks one
    /// that was written otherwise than it takes for granted.
    void examine();

    /// Removes those that are in the way of what this run is to keep; Error (cannot_run) if one is not Weir's.
    void make_room();

    /// Puts the files that were made in their place, each with a note. Error (cannot_run) where that cannot be done;
    /// then it is left where it was made.
    void put_in_place(bool stamps, bool finished);

    /// After updating files of earlier runs: their notes say so.
    void renew_notes(bool finished);

    /// What wrong words mean in a file of an earlier run: it may have been replaced while it was read, or changed since
    /// it was kept, and then it is not the storage that is to blame. Not collective where they are in a file of its
    /// own.
    [[nodiscard]] Diagnosis judge(Diagnosis, WrongWords const&) const;

  private:
    /// Of a file that was there before.
    struct Found {
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
    std::map<std::uint64_t, Found> found_;  ///< by file
};

}  // namespace weir
