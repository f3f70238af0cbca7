#pragma once

#include <stdint.h>

#include "trace/format.hpp"
#include "trace/recorder/calls.hpp"
#include "trace/recorder/kept_directories.hpp"

namespace weir::trace {

/// FNV-1a, of one more character.
inline uint64_t hash_character(uint64_t hash, char character) {
    return (hash ^ static_cast<unsigned char>(character)) * 0x100000001B3;
}

constexpr uint64_t hash_of_nothing = 0xCBF29CE484222325;

/// The same of a text, continued from `hash`.
inline uint64_t hash_text(char const* text, uint64_t hash = hash_of_nothing) {
    for (; *text != 0; ++text) {
        hash = hash_character(hash, *text);
    }
    return hash;
}

/// Where the hashes of files' names begin.
constexpr uint64_t hash_of_files = hash_of_nothing + (uint64_t{file_name} << 32);

/// The number of a file in this process's table of names; adds new files. 0 if it is not recorded, `unnamed` if the
/// table is full. `path` is absolute.
uint32_t file_number(char const* path);

/// The same of a plain name relative to a directory.
uint32_t file_number(KeptDirectory const&, char const* name, PlainName const&);

/// The number of a dataset or variable of a file.
uint32_t dataset_number(uint32_t file, char const* name);

/// Renames what dataset_number() has numbered, in earlier records too.
void rename_dataset(uint32_t number, uint32_t file, char const* name);

/// Limit for the text of a datatype; other names are truncated much earlier.
constexpr uint32_t longest_type = 1 << 26;

/// The number of another name: of a communicator, a mark, a datatype.
uint32_t name_number(NameKind, char const* text);

/// How many tables this process, and those that it was forked from, have begun.
extern uint32_t tables_of_names;

/// Adds a call, before its first record.
void enter_call(Call const&);

/// Starts this process's table: at process start, and again after a fork.
void begin_names();

/// Maps the table's first part, unless it is mapped.
void prepare_names();

/// Truncates the table to its length. It can grow again.
void cut_names(char const* prefix);

}  // namespace weir::trace
