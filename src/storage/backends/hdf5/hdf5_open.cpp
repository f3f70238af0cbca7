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
      out_of_time_(request.out_of_time),
      datasets_(Datasets(request), settings),
      transfer_(properties(H5P_DATASET_XFER)),
      nothing_(no_memory()) {
    refuse_large_chunks(request, datasets_.shape(), settings);
    H5Pset_dxpl_mpio(transfer_.get(), collective_ ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
    run_together(comm_, [&] { open_file(request, settings); });
    try {
        run_together(comm_, [&] { find_datasets(request, settings); });
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

void Hdf5File::find_datasets(OpenRequest const& request, Hdf5Settings const& settings) {
    auto const in_step = collective_ || comm_.size() == 1;
    // Metadata that all ranks read together can be read in step only.
    datasets_.use(file_.get(), request.mode != OpenMode::create, settings.collective_metadata && comm_.size() > 1);
    // Those that are not in step make or open beforehand what has to be made or opened by all together.
    if (!in_step && (request.mode == OpenMode::create || settings.collective_metadata)) {
        go_through_datasets();
    } else if (request.mode != OpenMode::create && datasets_.shape().count() > 0) {
        attempt("open datasets of", [&] { return datasets_.get(0) == nullptr ? -1 : 0; });
    }
}

void Hdf5File::go_through_datasets() {
    // All of them in one attempt: a rank on which a write fails must go on with the others.
    std::uint64_t reached = 0;
    attempt("make or open datasets of", [&] {
        auto failed = false;
        reached = datasets_.shape().go_through(comm_, out_of_time_, [&](std::uint64_t dataset) {
            failed = failed || datasets_.get(dataset) == nullptr;
            return !failed;
        });
        return failed ? -1 : 0;
    });
    datasets_.shape().refuse_late(reached);
}

}  // namespace weir
