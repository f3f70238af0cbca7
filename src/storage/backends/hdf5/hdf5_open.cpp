// How an HDF5 file is opened and laid out.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "comm/agreement.hpp"
#include "storage/backends/hdf5/hdf5_error.hpp"
#include "storage/backends/hdf5/hdf5_file.hpp"
#include "storage/mpi_info.hpp"

namespace weir {
namespace {

Hdf5Handle properties(hid_t of_class) { return {H5Pcreate(of_class), H5Pclose}; }

/// Of no bytes. A null dataspace would make the library give up collective access.
Hdf5Handle no_memory() {
    hsize_t const one = 1;
    Hdf5Handle memory(H5Screate_simple(1, &one, nullptr), H5Sclose);
    H5Sselect_none(memory.get());
    return memory;
}

/// How a dataset is laid out. Its space is there from the start and nothing fills it, so that only what was asked for
/// is timed.
Hdf5Handle layout_of(std::uint64_t bytes, Hdf5Settings const& settings) {
    auto layout = properties(H5P_DATASET_CREATE);
    H5Pset_alloc_time(layout.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER);
    if (settings.chunk > 0) {
        hsize_t const chunk = std::min(settings.chunk, bytes);
        H5Pset_chunk(layout.get(), 1, &chunk);
    }
    return layout;
}

void refuse_large_chunks(OpenRequest const& request, Datasets const& shape, Hdf5Settings const& settings) {
    validate(request.mode != OpenMode::create || settings.chunk <= shape.largest(),
             fmt::format("chunks of {} bytes are larger than a dataset of {}", settings.chunk, shape.largest()),
             "HDF5 keeps a chunk within its dataset", "Choose a smaller chunk, or a larger block.");
}

}  // namespace

Hdf5File::Hdf5File(OpenRequest const& request, Hdf5Settings const& settings)
    : path_(request.path.string()),
      comm_(request.comm),
      collective_(request.collective),
      shape_(request),
      transfer_(properties(H5P_DATASET_XFER)),
      nothing_(no_memory()) {
    refuse_large_chunks(request, shape_, settings);
    H5Pset_dxpl_mpio(transfer_.get(), collective_ ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
    run_together(comm_, [&] { open_file(request, settings); });
    try {
        run_together(comm_, [&] { request.mode == OpenMode::create ? create_datasets(settings) : open_datasets(); });
    } catch (Error const&) {
        WriteWatch const watch(lost_);
        close_all();
        throw;
    }
}

void Hdf5File::open_file(OpenRequest const& request, Hdf5Settings const& settings) {
    MpiInfo const info(request.hints);
    auto const access = properties(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access.get(), comm_.handle(), info.get());
    if (settings.alignment > 0) {
        H5Pset_alignment(access.get(), settings.alignment, settings.alignment);
    }
    if (settings.metadata_block > 0) {
        H5Pset_meta_block_size(access.get(), settings.metadata_block);
    }
    H5Pset_all_coll_metadata_ops(access.get(), settings.collective_metadata);
    H5Pset_coll_metadata_write(access.get(), settings.collective_metadata);
    attempt("open", [&] {
        auto const flags = request.mode == OpenMode::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR;
        auto const file = request.mode == OpenMode::create
                              ? H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get())
                              : H5Fopen(path_.c_str(), flags, access.get());
        file_ = {file, H5Fclose};
        return file;
    });
}

void Hdf5File::create_datasets(Hdf5Settings const& settings) {
    // All of them in one attempt: a rank on which a write fails must go on with the others.
    attempt("create datasets in", [&] {
        herr_t status = 0;
        for (std::uint64_t i = 0; i < shape_.count() && status >= 0; ++i) {
            hsize_t const bytes = shape_.bytes_of(i);
            Hdf5Handle const space(H5Screate_simple(1, &bytes, nullptr), H5Sclose);
            status = add(H5Dcreate2(file_.get(), Datasets::name_of(i).c_str(), H5T_STD_U8LE, space.get(), H5P_DEFAULT,
                                    layout_of(bytes, settings).get(), H5P_DEFAULT));
        }
        return status;
    });
}

void Hdf5File::open_datasets() {
    attempt("open datasets of", [&] {
        herr_t status = 0;
        for (std::uint64_t i = 0; i < shape_.count() && status >= 0; ++i) {
            status = add(H5Dopen2(file_.get(), Datasets::name_of(i).c_str(), H5P_DEFAULT));
        }
        return status;
    });
}

herr_t Hdf5File::add(hid_t data) {
    if (data < 0) {
        return -1;
    }
    Dataset dataset{{data, H5Dclose}, {H5Dget_space(data), H5Sclose}};
    dataset.bytes = static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(dataset.space.get()));
    datasets_.push_back(std::move(dataset));
    return 0;
}

}  // namespace weir
