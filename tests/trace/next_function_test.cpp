#include "trace/recorder/next_function.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace weir::trace {
namespace {

/// Some have several versions, several names, or parameters by version.
constexpr char const* names[] = {"open",        "open64",
                                 "openat",      "close",
                                 "read",        "pread64",
                                 "write",       "pwritev2",
                                 "lseek",       "stat",
                                 "lstat",       "fstatat",
                                 "statx",       "rename",
                                 "fopen",       "fopen64",
                                 "fclose",      "fdopen",
                                 "popen",       "pclose",
                                 "__fread_chk", "fgetpos",
                                 "nftw",        "nftw64",
                                 "glob",        "posix_spawn",
                                 "waitid",      "execve",
                                 "_exit",       "quick_exit",
                                 "readdir",     "readdir64",
                                 "aio_write",   "lio_listio",
                                 "mmap64",      "sendfile64",
                                 "prctl",       "setresuid",
                                 "realpath",    "regexec",
                                 "memcpy",      "pthread_create",
                                 "dlsym",       "fputs_unlocked",
                                 "__overflow",  "name_to_handle_at"};

TEST(TheNextFunction, IsTheOneThatTheDynamicLinkerTakes) {
    for (auto const* name : names) {
        EXPECT_EQ(next_function(name), dlsym(RTLD_NEXT, name)) << name;
    }
}

TEST(TheNextFunction, OfANameThatNobodyHasIsNone) { EXPECT_EQ(next_function("weir_has_no_such_function"), nullptr); }

}  // namespace
}  // namespace weir::trace
