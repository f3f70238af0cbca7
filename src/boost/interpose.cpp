// The functions of MPI that this library takes the place of. Each does what MPI's does, by MPI's own or by an exchange
// of this library. Under both names: bindings of Fortran call one or the other.

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>

#include "boost/open_file.hpp"

namespace weir::boost {
namespace {

/// Files open on more than one rank.
class OpenFiles {
  public:
    OpenFile* find(MPI_File file) {
        std::scoped_lock const lock(mutex_);
        auto const found = files_.find(file);
        return found == files_.end() ? nullptr : found->second.get();
    }
    void add(MPI_File file, std::unique_ptr<OpenFile> open) {
        std::scoped_lock const lock(mutex_);
        files_[file] = std::move(open);
    }
    std::unique_ptr<OpenFile> take(MPI_File file) {
        std::scoped_lock const lock(mutex_);
        auto node = files_.extract(file);
        return node.empty() ? nullptr : std::move(node.mapped());
    }

  private:
    std::mutex mutex_;
    std::map<MPI_File, std::unique_ptr<OpenFile>> files_;
};

OpenFiles& open_files() {
    static auto* const all = new OpenFiles;  // some are closed when the process ends
    return *all;
}

/// The function of this name that would have been called without this library.
template <class Function>
Function* behind(char const* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}
#define WEIR_BEHIND(name)                                                \
    ([]() -> decltype(&P##name) {                                        \
        static auto* const found = behind<decltype(P##name)>("P" #name); \
        return found;                                                    \
    }())

/// Is the program's MPI the one that this library was built for? Of another, handles mean something else.
bool is_our_mpi() {
    static bool const same = [] {
        char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
        int length = 0;
        PMPI_Get_library_version(text, &length);
#ifdef OPEN_MPI
        return std::strncmp(text, "Open MPI v", 10) == 0 && std::atoi(text + 10) == OMPI_MAJOR_VERSION;
#else
        return std::strstr(text, "Open MPI") == nullptr;
#endif
    }();
    return same;
}

OpenFile* known(MPI_File file) { return is_our_mpi() ? open_files().find(file) : nullptr; }

/// By MPI, timed.
template <class Function>
int by_mpi(OpenFile const* open, Function function) {
    if (open == nullptr) {
        return function();
    }
    auto const began = PMPI_Wtime();
    auto const code = function();
    tally().left_s += PMPI_Wtime() - began;
    return code;
}

/// Without memory there is no way back that all ranks would take; MPI's own exchange ends the program, too.
bool carried_out(OpenFile& open, Call const& call) {
    try {
        return open.carry_out(call);
    } catch (std::bad_alloc const&) {
        std::fputs("weir boost: no memory for an exchange\n", stderr);
        PMPI_Abort(MPI_COMM_WORLD, 1);
        return false;
    }
}

template <class Function>
int at_offset(MPI_File file, Call const& call, Function function) {
    auto* const open = known(file);
    if (open != nullptr) {
        auto const began = PMPI_Wtime();
        if (carried_out(*open, call)) {
            tally().taken_s += PMPI_Wtime() - began;
            return MPI_SUCCESS;
        }
    }
    return by_mpi(open, function);
}

/// At MPI's own file pointer, which moves on.
template <class Function>
int at_pointer(MPI_File file, Call call, Function function) {
    auto* const open = known(file);
    if (open != nullptr && PMPI_File_get_position(file, &call.offset) == MPI_SUCCESS) {
        auto const began = PMPI_Wtime();
        if (carried_out(*open, call)) {
            MPI_Count size = 0;
            PMPI_Type_size_x(call.type, &size);
            auto const bytes = static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(call.count);
            auto const next = call.offset + static_cast<MPI_Offset>(bytes / open->etype_bytes());
            tally().taken_s += PMPI_Wtime() - began;
            return PMPI_File_seek(file, next, MPI_SEEK_SET);
        }
    }
    return by_mpi(open, function);
}

}  // namespace
}  // namespace weir::boost

using namespace weir::boost;

#define WEIR_TAKEN_OVER extern "C" __attribute__((visibility("default")))
#define WEIR_ALSO(name) WEIR_TAKEN_OVER decltype(P##name) P##name __attribute__((alias(#name)))

WEIR_TAKEN_OVER int MPI_File_open(MPI_Comm comm, char const* name, int mode, MPI_Info info, MPI_File* file) {
    auto const code = WEIR_BEHIND(MPI_File_open)(comm, name, mode, info, file);
    int ranks = 1;
    if (code == MPI_SUCCESS && is_our_mpi() && PMPI_Comm_size(comm, &ranks) == MPI_SUCCESS && ranks > 1) {
        open_files().add(*file, std::make_unique<OpenFile>(comm, *file, name, mode));
    }
    return code;
}
WEIR_ALSO(MPI_File_open);

WEIR_TAKEN_OVER int MPI_File_close(MPI_File* file) {
    if (is_our_mpi()) {
        open_files().take(*file).reset();
    }
    return WEIR_BEHIND(MPI_File_close)(file);
}
WEIR_ALSO(MPI_File_close);

WEIR_TAKEN_OVER int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                                      char const* representation, MPI_Info info) {
    auto const code = WEIR_BEHIND(MPI_File_set_view)(file, displacement, etype, filetype, representation, info);
    if (auto* const open = known(file); open != nullptr && code == MPI_SUCCESS) {
        open->view(displacement, etype, filetype, representation);
    }
    return code;
}
WEIR_ALSO(MPI_File_set_view);

WEIR_TAKEN_OVER int MPI_File_set_atomicity(MPI_File file, int flag) {
    auto const code = WEIR_BEHIND(MPI_File_set_atomicity)(file, flag);
    if (auto* const open = known(file); open != nullptr && code == MPI_SUCCESS) {
        open->atomic(flag != 0);
    }
    return code;
}
WEIR_ALSO(MPI_File_set_atomicity);

WEIR_TAKEN_OVER int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, void const* buffer, int count,
                                          MPI_Datatype type, MPI_Status* status) {
    return at_offset(file, {Direction::write, offset, const_cast<void*>(buffer), count, type, status},
                     [&] { return WEIR_BEHIND(MPI_File_write_at_all)(file, offset, buffer, count, type, status); });
}
WEIR_ALSO(MPI_File_write_at_all);

WEIR_TAKEN_OVER int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                                         MPI_Status* status) {
    return at_offset(file, {Direction::read, offset, buffer, count, type, status},
                     [&] { return WEIR_BEHIND(MPI_File_read_at_all)(file, offset, buffer, count, type, status); });
}
WEIR_ALSO(MPI_File_read_at_all);

WEIR_TAKEN_OVER int MPI_File_write_all(MPI_File file, void const* buffer, int count, MPI_Datatype type,
                                       MPI_Status* status) {
    return at_pointer(file, {Direction::write, 0, const_cast<void*>(buffer), count, type, status},
                      [&] { return WEIR_BEHIND(MPI_File_write_all)(file, buffer, count, type, status); });
}
WEIR_ALSO(MPI_File_write_all);

WEIR_TAKEN_OVER int MPI_File_read_all(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
    return at_pointer(file, {Direction::read, 0, buffer, count, type, status},
                      [&] { return WEIR_BEHIND(MPI_File_read_all)(file, buffer, count, type, status); });
}
WEIR_ALSO(MPI_File_read_all);

// Collective calls of other kinds are MPI's, and counted where they begin.
#define WEIR_LEFT(name, parameters, arguments)                            \
    WEIR_TAKEN_OVER int name parameters {                                 \
        auto* const open = known(file);                                   \
        if (open != nullptr) {                                            \
            ++tally().calls[static_cast<std::size_t>(Left::other_call)];  \
        }                                                                 \
        return by_mpi(open, [&] { return WEIR_BEHIND(name) arguments; }); \
    }                                                                     \
    WEIR_ALSO(name)
#define WEIR_LEFT_KINDS(direction, constant)                                                                           \
    WEIR_LEFT(MPI_File_i##direction##_all,                                                                             \
              (MPI_File file, void constant* buffer, int count, MPI_Datatype type, MPI_Request* request),              \
              (file, buffer, count, type, request));                                                                   \
    WEIR_LEFT(                                                                                                         \
        MPI_File_i##direction##_at_all,                                                                                \
        (MPI_File file, MPI_Offset offset, void constant* buffer, int count, MPI_Datatype type, MPI_Request* request), \
        (file, offset, buffer, count, type, request));                                                                 \
    WEIR_LEFT(MPI_File_##direction##_all_begin, (MPI_File file, void constant* buffer, int count, MPI_Datatype type),  \
              (file, buffer, count, type));                                                                            \
    WEIR_LEFT(MPI_File_##direction##_at_all_begin,                                                                     \
              (MPI_File file, MPI_Offset offset, void constant* buffer, int count, MPI_Datatype type),                 \
              (file, offset, buffer, count, type));                                                                    \
    WEIR_LEFT(MPI_File_##direction##_ordered,                                                                          \
              (MPI_File file, void constant* buffer, int count, MPI_Datatype type, MPI_Status* status),                \
              (file, buffer, count, type, status));                                                                    \
    WEIR_LEFT(MPI_File_##direction##_ordered_begin,                                                                    \
              (MPI_File file, void constant* buffer, int count, MPI_Datatype type), (file, buffer, count, type))
#define WEIR_NOT_CONST
WEIR_LEFT_KINDS(write, const);
WEIR_LEFT_KINDS(read, WEIR_NOT_CONST);

WEIR_TAKEN_OVER int MPI_Finalize() {
    if (is_our_mpi()) {
        report();
        Team::release();
    }
    return WEIR_BEHIND(MPI_Finalize)();
}
WEIR_ALSO(MPI_Finalize);
