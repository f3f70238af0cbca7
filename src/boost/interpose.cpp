// Opening, closing and views: MPI does what it did, and this library takes note of it.

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "boost/interposing.hpp"
#include "boost/loaded_libraries.hpp"

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

/// What the hint `weir_boost` says of a file: `always`, `never`, or `automatic`, as without it. Local.
std::string hint_of(MPI_Info info) {
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int found = 0;
    if (info != MPI_INFO_NULL) {
        PMPI_Info_get(info, "weir_boost", static_cast<int>(value.size()) - 1, value.data(), &found);
    }
    return value.data();
}

}  // namespace

bool is_our_mpi() {
    static bool const same = [] {
        auto const text = program_mpi();
#ifdef OPEN_MPI
        return text.starts_with("Open MPI v") && std::atoi(text.c_str() + 10) == OMPI_MAJOR_VERSION;
#else
        return text.find("Open MPI") == std::string::npos;
#endif
    }();
    return same;
}

OpenFile* known(MPI_File file) { return is_our_mpi() ? open_files().find(file) : nullptr; }

}  // namespace weir::boost

using namespace weir::boost;

WEIR_TAKEN_OVER int MPI_File_open(MPI_Comm comm, char const* name, int mode, MPI_Info info, MPI_File* file) {
    Timed const timed(tally().around_s);
    auto const code = WEIR_BEHIND(MPI_File_open)(comm, name, mode, info, file);
    int ranks = 1;
    bool const has_offsets = (mode & MPI_MODE_SEQUENTIAL) == 0;  // of others, MPI refuses all calls that are taken over
    if (code == MPI_SUCCESS && has_offsets && is_our_mpi() && PMPI_Comm_size(comm, &ranks) == MPI_SUCCESS &&
        ranks > 1) {
        if (auto const hint = hint_of(info); hint != "never") {
            open_files().add(*file, std::make_unique<OpenFile>(comm, *file, name, mode, hint == "always"));
        }
    }
    return code;
}
WEIR_ALSO(MPI_File_open);

WEIR_TAKEN_OVER int MPI_File_close(MPI_File* file) {
    Timed const timed(tally().around_s);
    if (is_our_mpi()) {
        open_files().take(*file).reset();
    }
    return WEIR_BEHIND(MPI_File_close)(file);
}
WEIR_ALSO(MPI_File_close);

WEIR_TAKEN_OVER int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                                      char const* representation, MPI_Info info) {
    Timed const timed(tally().around_s);
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

// MPI need not sync what it has not written: on ranks of which it has no file open, or since the last time.
WEIR_TAKEN_OVER int MPI_File_sync(MPI_File file) {
    auto* const open = known(file);
    bool const synced = open == nullptr || open->sync();
    auto const code = WEIR_BEHIND(MPI_File_sync)(file);
    if (code != MPI_SUCCESS || synced) {
        return code;
    }
    PMPI_File_call_errhandler(file, MPI_ERR_IO);
    return MPI_ERR_IO;
}
WEIR_ALSO(MPI_File_sync);

WEIR_TAKEN_OVER int MPI_Finalize() {
    static bool told = false;  // others that take this function's place may call it under both of its names
    if (!std::exchange(told, true)) {
        if (is_our_mpi()) {
            report();
            Team::release();
        } else {
            report_other_mpi();
        }
    }
    return WEIR_BEHIND(MPI_Finalize)();
}
WEIR_ALSO(MPI_Finalize);
