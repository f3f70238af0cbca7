// Common to all HDF5 files: opening, syncing, and error handling.

#include "storage/backends/hdf5/hdf5_open_file.hpp"

#include <hdf5.h>
#include <mpi.h>

#include <algorithm>
#include <utility>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "storage/hints.hpp"
#include "storage/reserve_space.hpp"

namespace weir {
namespace {

Hdf5Handle properties(hid_t of_class) { return {H5Pcreate(of_class), H5Pclose}; }

}  // namespace

Hdf5OpenFile::Hdf5OpenFile(OpenRequest const& request, Hdf5Settings const& settings)
    : LibraryFile(request), transfer_(properties(H5P_DATASET_XFER)) {
    make_collective(collective_);
    run_together(comm_, [&] { open_file(request, settings); });
}

Hdf5OpenFile::~Hdf5OpenFile() {
    WriteWatch const watch(lost_);
    file_.close();
}

void Hdf5OpenFile::make_collective(bool collective) {
    collective_ = collective;
    H5Pset_dxpl_mpio(transfer_.get(), collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
}

void Hdf5OpenFile::open_file(OpenRequest const& request, Hdf5Settings const& settings) {
    MpiInfo const info(request.hints);
    auto const access = properties(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access.get(), comm_.handle(), info.get());
    if (auto const alignment = settings.alignment.value; alignment > 0) {
        auto const threshold = settings.alignment_threshold.value;
        H5Pset_alignment(access.get(), threshold > 0 ? threshold : alignment, alignment);
    }
    if (settings.metadata_block.value > 0) {
        H5Pset_meta_block_size(access.get(), settings.metadata_block.value);
    }
    H5Pset_all_coll_metadata_ops(access.get(), settings.collective_metadata);
    H5Pset_coll_metadata_write(access.get(), settings.collective_metadata);
    attempt(IoCall::open, 0, [&] {
        auto const flags = request.mode == OpenMode::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR;
        auto const file = request.mode == OpenMode::create
                              ? H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get())
                              : H5Fopen(path_.c_str(), flags, access.get());
        file_ = {file, H5Fclose};
        return file;
    });
}

void Hdf5OpenFile::check_collective() {
    if (checked_collective_) [[likely]] {
        return;
    }
    checked_collective_ = true;
    std::uint32_t here = 0;
    std::uint32_t anywhere = 0;
    H5Pget_mpio_no_collective_cause(transfer_.get(), &here, &anywhere);
    if (anywhere != H5D_MPIO_COLLECTIVE) {
        throw Error({"HDF5 did not make a collective request so",
                     "its reasons are bits of a number: " + std::to_string(anywhere),
                     "Leave collective out, or change the layout of the file.", ExitCode::cannot_run});
    }
}

// Flushes metadata and calls MPI_File_sync, which returns when all is on the device.
void Hdf5OpenFile::sync() {
    attempt(IoCall::sync, 0, [&] { return H5Fflush(file_.get(), H5F_SCOPE_LOCAL); });
}

// HDF5 sets a file's size without reserving space.
void Hdf5OpenFile::reserve(std::uint64_t bytes) {
    run_together(comm_, [&] {
        hsize_t size = 0;
        // Of chunks that will be compressed nothing has a place yet, and HDF5 may not know where the file ends.
        if (H5Fget_filesize(file_.get(), &size) < 0) {
            size = 0;
            H5Eclear2(H5E_DEFAULT);
        }
        if (comm_.is_root()) {
            reserve_space(path_, std::max<std::uint64_t>(bytes, size));
        }
    });
}

Hints Hdf5OpenFile::hints() const {
    void* handle = nullptr;
    MPI_Info info = MPI_INFO_NULL;
    if (H5Fget_vfd_handle(file_.get(), H5P_DEFAULT, &handle) >= 0) {
        MPI_File_get_info(*static_cast<MPI_File*>(handle), &info);
    }
    return read_and_free(info);
}

namespace {

char const* advice_for(std::string const& message) {
    auto const says = [&](char const* words) { return message.find(words) != std::string::npos; };
    if (says("signature") || says("truncated file") || says("doesn't exist")) {
        return "It was not written by this back-end, with this shape and to its end: write it first.";
    }
    if (says("another file")) {
        return "It could be any file that you may read: take one that holds all its data itself.";
    }
    return "Check the directory, its free space and your permissions; the posix back-end gives more detail.";
}

}  // namespace

Error Hdf5::error(std::string problem, std::int64_t /*status*/) {
    auto const message = words_of_hdf5("the library gives no reason");
    return Error({std::move(problem), message, advice_for(message), ExitCode::cannot_run});
}

}  // namespace weir
