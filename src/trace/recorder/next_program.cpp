#include "trace/recorder/next_program.hpp"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "trace/recorder/own_files.hpp"
#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

char const* const passed_names[] = {"LD_PRELOAD",      "WEIR_TRACE",         "WEIR_TRACE_LIMIT",
                                    "WEIR_TRACE_ONLY", "WEIR_TRACE_EXCLUDE", "ASAN_OPTIONS"};
constexpr size_t most_entries = sizeof passed_names / sizeof passed_names[0];
constexpr size_t needed_entries = 2;  ///< the first two: without them nothing is recorded

char kept[3 * 4096 + 1024];  ///< the texts of the entries, consecutively
char* passed_entries[most_entries];
size_t entry_count = 0;

bool is_entry_of(char const* entry, char const* name) {
    auto const length = strlen(name);
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

bool is_there(char* const environment[], char const* name) {
    for (; environment != nullptr && *environment != nullptr; ++environment) {
        if (is_entry_of(*environment, name)) {
            return true;
        }
    }
    return false;
}

size_t length_of(char* const environment[]) {
    size_t count = 0;
    while (environment != nullptr && environment[count] != nullptr) {
        ++count;
    }
    return count;
}

/// It has a table of program headers without a dynamic linker.
bool is_static(char const* head, size_t bytes) {
    Elf64_Ehdr file;
    if (bytes < sizeof file) {
        return false;
    }
    memcpy(&file, head, sizeof file);
    bool const fits = file.e_phentsize == sizeof(Elf64_Phdr) && file.e_phnum > 0 &&
                      file.e_phoff + file.e_phnum * sizeof(Elf64_Phdr) <= bytes;
    if (memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 || file.e_ident[EI_CLASS] != ELFCLASS64 || !fits) {
        return false;
    }
    for (int i = 0; i < file.e_phnum; ++i) {
        Elf64_Phdr part;
        memcpy(&part, head + file.e_phoff + i * sizeof part, sizeof part);
        if (part.p_type == PT_INTERP) {
            return false;
        }
    }
    return true;
}

/// Run as a program, the dynamic linker loads other programs.
bool is_dynamic_linker(char const* path) {
    auto const* const slash = strrchr(path, '/');
    auto const* const name = slash == nullptr ? path : slash + 1;
    return strncmp(name, "ld-", 3) == 0 || strncmp(name, "ld.so", 5) == 0 || strncmp(name, "ld64", 4) == 0;
}

/// Will the system run it with rights other than the caller's? Then it does not load the recorder.
bool gains_rights(char const* path, struct stat const& facts) {
    bool const user = (facts.st_mode & S_ISUID) != 0 && facts.st_uid != static_cast<uid_t>(system::call(SYS_geteuid));
    bool const group = (facts.st_mode & S_ISGID) != 0 && (facts.st_mode & S_IXGRP) != 0 &&
                       facts.st_gid != static_cast<gid_t>(system::call(SYS_getegid));
    return user || group || system::call(SYS_getxattr, path, "security.capability", nullptr, 0) > 0;
}

char const* reason_of(char const* path) {
    struct stat facts {};
    auto& head = scratch().raw;
    if (system::call(SYS_stat, path, &facts) != 0 || !S_ISREG(facts.st_mode) ||
        system::call(SYS_faccessat, AT_FDCWD, path, X_OK) != 0) {
        return nullptr;
    }
    if (gains_rights(path, facts)) {
        return "rights";
    }
    ssize_t bytes = 0;
    with_free_descriptor([&] { bytes = system::read_file(path, head, sizeof head); });
    bool const unrecorded = bytes > 0 && is_static(head, static_cast<size_t>(bytes)) && !is_dynamic_linker(path);
    return unrecorded ? "static" : nullptr;
}

bool can_look() { return process.recording && !process.confined && this_thread.bypass != Bypass::confined; }

/// The first program of this name in PATH; null: none.
char const* search_for(char const* name, char* place, size_t room) {
    auto const* from = getenv("PATH");
    if (strchr(name, '/') != nullptr) {
        return name;
    }
    while (from != nullptr && *from != 0) {
        auto const length = strcspn(from, ":");
        snprintf(place, room, "%.*s/%s", static_cast<int>(length), from, name);
        if (system::call(SYS_faccessat, AT_FDCWD, place, X_OK) == 0) {
            return place;
        }
        from += length + (from[length] == ':' ? 1 : 0);
    }
    return nullptr;
}

/// Open MPI's launcher names the variables that it passes on to all that it starts.
bool launcher_passes_on() {
    auto const* const names = getenv("OMPI_MCA_mca_base_env_list");
    return names != nullptr && strstr(names, "WEIR_TRACE") != nullptr;
}

}  // namespace

void keep_environment() {
    size_t used = 0;
    for (auto const* name : passed_names) {
        bool const is_folder = strcmp(name, "WEIR_TRACE") == 0;
        auto const* const value = is_folder ? process.settings.directory : getenv(name);
        auto const bytes = value == nullptr ? 0 : strlen(name) + 1 + strlen(value) + 1;
        if (bytes > 0 && used + bytes <= sizeof kept) {
            passed_entries[entry_count++] = kept + used;
            used += static_cast<size_t>(snprintf(kept + used, bytes, "%s=%s", name, value)) + 1;
        }
    }
}

size_t missing_entries(char* const environment[]) {
    if (!can_look() || entry_count < needed_entries ||
        (environment != nullptr && !system::is_readable(reinterpret_cast<char const*>(environment)))) {
        return 0;
    }
    for (size_t i = 0; i < needed_entries; ++i) {
        if (is_there(environment, passed_names[i])) {
            return 0;
        }
    }
    return length_of(environment) + entry_count + 1;
}

void complete_environment(char* const environment[], char** room) {
    auto const before = length_of(environment);
    for (size_t i = 0; i < before; ++i) {
        room[i] = environment[i];
    }
    for (size_t i = 0; i < entry_count; ++i) {
        room[before + i] = passed_entries[i];
    }
    room[before + entry_count] = nullptr;
}

void look_at_program(char const* path, bool search) {
    if (!can_look() || !system::is_readable(path)) {
        return;
    }
    system::KeepErrno const keep;
    AtWork const at_work;
    auto& room = scratch().name;
    auto const* const program = search ? search_for(path, room, sizeof room) : path;
    auto const* const reason = program == nullptr ? nullptr : reason_of(program);
    if (reason != nullptr) {
        report_unrecorded(program, reason);
    }
}

size_t words_to_start(char const* program, char* const arguments[]) {
    if (!can_look() || entry_count < needed_entries || launcher_passes_on() || strchr(program, '=') != nullptr) {
        return 0;
    }
    system::KeepErrno const keep;
    auto& room = scratch().name;
    auto const* const found = search_for(program, room, sizeof room);
    bool const is_there = found != nullptr && system::call(SYS_faccessat, AT_FDCWD, found, X_OK) == 0;
    return is_there ? entry_count + 1 + length_of(arguments) + 1 : 0;
}

void write_words_to_start(char const* program, char* const arguments[], char** words) {
    for (size_t i = 0; i < entry_count; ++i) {
        *words++ = passed_entries[i];
    }
    *words++ = const_cast<char*>(program);
    for (size_t i = 0; i <= length_of(arguments); ++i) {
        words[i] = arguments == nullptr ? nullptr : arguments[i];
    }
}

}  // namespace weir::trace
