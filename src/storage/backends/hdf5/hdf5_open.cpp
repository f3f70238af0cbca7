// How an HDF5 file is opened and laid out.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "comm/agreement.hpp"
#include "storage/backends/hdf5/hdf5_file.hpp"

namespace weir {
namespace {

/// The same request, which is refused before a file is made of it.
OpenRequest const& without_large_chunks(OpenRequest const& request, Hdf5Settings const& settings) {
    auto const largest = Datasets(request).largest();
    validate(request.mode != OpenMode::create || settings.chunk <= largest,
             fmt::format("chunks of {} bytes are larger than a dataset of {}", settings.chunk, largest),
             "HDF5 keeps a chunk within its dataset", "Choose a smaller chunk, or a larger block.");
    return request;
}

}  // namespace

Hdf5File::Hdf5File(OpenRequest const& request, Hdf5Settings const& settings)
    : Hdf5OpenFile(without_large_chunks(request, settings), settings),
      out_of_time_(request.out_of_time),
      datasets_(Datasets(request), settings),
      nothing_(no_memory()) {
    try {
        run_together(comm_, [&] { find_datasets(request, settings); });
    } catch (Error const&) {
        WriteWatch const watch(lost_);
        close_all();
        throw;
    }
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
