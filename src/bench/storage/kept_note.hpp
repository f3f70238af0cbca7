#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/own_file.hpp"

namespace weir {

/// The note next to a kept file: who may change it, and what was written into it.
struct KeptNote {
    bool stamps = false;           ///< its words can be checked
    bool finished = false;         ///< the run that wrote it completed, and no limit cut it short
    std::uint64_t seed = 0;        ///< of the stamps
    std::uint64_t stamp_file = 0;  ///< number that identifies the file in them
    std::uint64_t bytes = 0;       ///< every word before this was written
    std::string format;            ///< "raw", or the only back-end that can read it
    std::string shape;             ///< the written data, as from written_shape()
    FileIdentity file;             ///< of the file that was kept

    bool operator==(KeptNote const&) const = default;
};

/// Path of a file's note: `.NAME.kept` next to it. No file of a pattern has such a name.
std::filesystem::path note_of(std::filesystem::path const& file);

std::string to_text(KeptNote const&);

/// Nothing if the text is not a note.
std::optional<KeptNote> kept_note_from(std::string const& text);

/// The text of the note next to a file; nothing if it is missing or unreadable.
std::optional<std::string> read_note(std::filesystem::path const& file);

/// Requires a file that a run has kept, with its note, unchanged since. Otherwise Error (cannot_run) with the reason.
void require_kept(std::filesystem::path const& file);

}  // namespace weir
