#pragma once

#include <stddef.h>
#include <stdint.h>

namespace weir::trace {

struct KeptDirectory;

/// The path of a descriptor, from the kernel; empty if it is not a file of a file system.
void path_of(int descriptor, char* path, size_t room);

/// The path of a directory by its descriptor, or of the current one (AT_FDCWD), from the kernel; empty if unknown.
void path_of_directory(int descriptor, char* path, size_t room);

/// The number of a file by its name, relative to a directory's descriptor or to the current directory.
uint32_t file_at(int directory, char const* path);

/// The same after a call with the name as argument: if it failed, the name may be invalid. With AT_EMPTY_PATH in the
/// flags, an empty name means the directory's descriptor itself, or the current directory.
uint32_t file_asked_for(int directory, char const* path, int flags, int64_t result);

/// The number of a file by any name, relative to a directory: the kept one, if it is not null.
uint32_t file_at_any(KeptDirectory const*, int directory, char const* path);

}  // namespace weir::trace
