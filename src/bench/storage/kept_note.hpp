#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/own_file.hpp"

namespace weir {

/// What the note next to a file that a run has kept says: who may change it, and what was written into it.
struct KeptNote {
    bool stamps = false;           ///< its words can be checked
    bool finished = false;         ///< the run that wrote it came to its end, and no limit cut it short
    std::uint64_t seed = 0;        ///< of the stamps
    std::uint64_t stamp_file = 0;  ///< by which they tell files apart
    std::uint64_t bytes = 0;       ///< every word before this was written
    std::string format;            ///< "raw", or the back-end that alone can read it
    std::string shape;             ///< what was written, as written_shape() tells it
    FileIdentity file;             ///< of the file that was kept

    bool operator==(KeptNote const&) const = default;
};

/// Where the note of a file is: `.NAME.kept` next to it. No file of a pattern is named so.
std::filesystem::path note_of(std::filesystem::path const& file);

std::string to_text(KeptNote const&);

/// Nothing where the text is none of a note.
std::optional<KeptNote> kept_note_from(std::string const& text);

/// The note next to a file, in its text; nothing where there is none that can be read.
std::optional<std::string> read_note(std::filesystem::path const& file);

/// Is this a file that a run has kept, with its note, and that nobody has changed since? Error (cannot_run), which
/// says why not.
void require_kept(std::filesystem::path const& file);

}  // namespace weir
