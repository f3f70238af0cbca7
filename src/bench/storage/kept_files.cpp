#include "bench/storage/kept_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "comm/collective_error.hpp"

namespace weir {
namespace {

constexpr char const* write_it_anew = "Write it with keep and check, then check it with the same options.";

void remove_own(std::filesystem::path const& path) {
    if (::unlink(path.c_str()) != 0) {
        throw file_error("remove", path, errno);
    }
}

/// Only the run that removes the note may replace its file: of two runs that try, one fails.
void take_note(std::filesystem::path const& file, std::filesystem::path const& into) {
    require_kept(file);
    if (::rename(note_of(file).c_str(), into.c_str()) != 0) {
        auto const error = errno;
        throw Error({fmt::format("'{}' already exists, and is not touched", file.string()),
                     error == ENOENT ? "another run is replacing it" : "its note cannot be removed",
                     "Run again, or name another directory with dir.", ExitCode::cannot_run});
    }
    remove_own(into);
}

/// Renames a file to a name that is free, or that a kept file had.
void move_over_kept(std::filesystem::path const& from, std::filesystem::path const& to) {
    if (rename_to_new(from, to)) {
        return;
    }
    take_note(to, note_of(from));
    if (::rename(from.c_str(), to.c_str()) != 0) {
        throw file_error("rename to", to, errno);
    }
}

}  // namespace

KeptFiles::KeptFiles(Engine const& engine, Pattern const& pattern, std::uint64_t seed, std::string format,
                     Communicator comm)
    : engine_(engine),
      pattern_(pattern),
      seed_(seed),
      format_(std::move(format)),
      comm_(std::move(comm)),
      uses_(file_uses(pattern)),
      sizes_(file_sizes(pattern)) {}

/// Each rank works on its own files, the first rank on the shared ones.
template <class Work>
void KeptFiles::on_mine(Work work) const {
    run_together(comm_, [&] {
        for (std::uint64_t file = 0; file < uses_.size(); ++file) {
            if (pattern_.files[file].per_rank || comm_.is_root()) {
                work(file, engine_.kept_path_of(file, Rank{comm_.rank()}));
            }
        }
    });
}

void KeptFiles::examine() {
    on_mine([&](std::uint64_t file, std::filesystem::path const& path) {
        // A missing file is reported by the back-end, like any other that it cannot open.
        auto const& use = uses_[file];
        if ((use.updated_before || use.checked_before) && is_there(path)) {
            examine_one(file, path);
        }
    });
}

void KeptFiles::examine_one(std::uint64_t file, std::filesystem::path const& path) {
    if (uses_[file].updated_before) {
        require_kept(path);
    }
    auto const text = read_note(path);
    auto const note = kept_note_from(text.value_or(""));
    if (!note) {
        throw Error({fmt::format("'{}' cannot be checked", path.string()),
                     fmt::format("no note next to it ('{}') says what was written into it", note_of(path).string()),
                     write_it_anew, ExitCode::cannot_run});
    }
    if (uses_[file].checked_before) {
        compare(file, path, *note);
    }
    found_[file] = {*text, note->file != identity_of(path)};
}

void KeptFiles::compare(std::uint64_t file, std::filesystem::path const& path, KeptNote const& note) const {
    auto const require = [&](bool ok, std::string why, std::string advice) {
        if (!ok) {
            throw Error({fmt::format("'{}' cannot be checked", path.string()), std::move(why), std::move(advice),
                         ExitCode::cannot_run});
        }
    };
    require(note.stamps, "it was kept by a run without check: its words were not stamped", write_it_anew);
    require(note.finished, "the run that wrote it did not come to its end, or was cut short by a limit", write_it_anew);
    require(note.format == format_,
            fmt::format("it was written {}", note.format == "raw" ? "as a plain file" : "by backend = " + note.format),
            note.format == "raw" ? "Choose backend = posix." : "Choose that back-end.");
    require(note.seed == seed_, fmt::format("it was written with seed = {}, and this case has {}", note.seed, seed_),
            fmt::format("Give seed = {}.", note.seed));
    auto const same = note.stamp_file == engine_.stamp_file_of(file, Rank{comm_.rank()});
    auto const within = format_ == "raw" && sizes_[file] <= note.bytes;
    require(same && (within || note.shape == checked_shape(pattern_)),
            "it was written by other ranks, or not in all the places that this case checks",
            "Give the options, and the ranks, that it was written with.");
}

std::uint64_t KeptFiles::bytes_to_replace() const {
    std::uint64_t bytes = 0;
    on_mine([&](std::uint64_t file, std::filesystem::path const& path) {
        auto const there = uses_[file].created ? identity_of(path) : std::nullopt;
        bytes += there ? there->bytes : 0;
    });
    return comm_.sum(bytes);
}

void KeptFiles::make_room() {
    on_mine([&](std::uint64_t file, std::filesystem::path const& path) {
        if (!uses_[file].created) {
            return;
        }
        auto const aside = note_of(engine_.own_path_of(file, Rank{comm_.rank()}));
        if (is_there(path)) {
            take_note(path, aside);
            remove_own(path);
        } else if (kept_note_from(read_note(path).value_or(""))) {
            static_cast<void>(open_own_file(note_of(path)));
            remove_own(note_of(path));  // its file was removed
        }
    });
}

void KeptFiles::put_in_place(bool stamps, bool finished) {
    on_mine([&](std::uint64_t file, std::filesystem::path const&) {
        if (uses_[file].created && is_there(engine_.own_path_of(file, Rank{comm_.rank()}))) {
            put_one(file, stamps, finished);
        }
    });
}

void KeptFiles::put_one(std::uint64_t file, bool stamps, bool finished) const {
    auto const made = engine_.own_path_of(file, Rank{comm_.rank()});
    auto const path = engine_.kept_path_of(file, Rank{comm_.rank()});
    auto note = note_for(file, stamps, finished);
    note.file = open_own_file(made).identity();
    try {
        move_over_kept(made, path);
    } catch (Error const& error) {
        auto diagnosis = error.diagnosis();
        diagnosis.suggestion =
            fmt::format("What this run has written is in '{}'. {}", made.string(), diagnosis.suggestion);
        throw Error(diagnosis);
    }
    // No run touches a file without a note. Written under a temporary name first, so that the note is complete or
    // absent.
    write_new_file(note_of(made), to_text(note));
    if (!rename_to_new(note_of(made), note_of(path))) {
        throw file_error("make", note_of(path), EEXIST);
    }
}

KeptNote KeptFiles::note_for(std::uint64_t file, bool stamps, bool finished) const {
    return {.stamps = stamps,
            .finished = finished,
            .seed = seed_,
            .stamp_file = engine_.stamp_file_of(file, Rank{comm_.rank()}),
            .bytes = uses_[file].dense_bytes,
            .format = format_,
            .shape = written_shape(pattern_),
            .file = {}};
}

void KeptFiles::renew_notes(bool finished) {
    on_mine([&](std::uint64_t file, std::filesystem::path const& path) {
        if (!uses_[file].updated_before || !found_.contains(file)) {
            return;
        }
        auto note = note_for(file, false, finished);
        note.file = open_own_file(path).identity();
        auto const old = open_own_file(note_of(path));
        remove_own(note_of(path));
        write_new_file(note_of(path), to_text(note));
    });
}

Diagnosis KeptFiles::judge(Diagnosis diagnosis, WrongWords const& words) const {
    auto const mine = pattern_.files[words.file].per_rank ? words.owner == comm_.rank() : comm_.is_root();
    auto const found = mine ? found_.find(words.file) : found_.end();
    auto const replaced =
        found != found_.end() && read_note(engine_.kept_path_of(words.file, Rank{words.owner})) != found->second.text;
    auto const changed = found != found_.end() && found->second.changed;
    if (any(comm_, replaced)) {
        diagnosis.reason = "another run replaced the file while this one checked it";
        diagnosis.suggestion = "Check it again.";
        diagnosis.exit_code = ExitCode::cannot_run;
    } else if (any(comm_, changed)) {
        diagnosis.suggestion =
            "It was changed, copied or replaced after it was kept: if no program did that on purpose, do not trust "
            "this storage with data until the cause is known.";
    }
    return diagnosis;
}

}  // namespace weir
