// HDF5: byte datasets through the library's MPI-IO driver, independent or collective.

#include <fmt/format.h>

#include "core/error.hpp"
#include "storage/backends/hdf5/hdf5_open_file.hpp"

namespace weir {
namespace {

class Hdf5Backend final : public Backend {
  public:
    static constexpr std::string_view name = "hdf5";
    static constexpr std::string_view summary =
        "parallel HDF5: one dataset, or one per segment; independent or collective, with hints";
    static constexpr Features features{.stores = true, .collective = true, .hints = true, .raw = false};

    static std::string library() {
        unsigned major = 0;
        unsigned minor = 0;
        unsigned release = 0;
        H5get_libversion(&major, &minor, &release);
        return fmt::format("HDF5 {}.{}.{}", major, minor, release);
    }

    void declare(OptionSet& options) override {
        constexpr std::uint64_t largest_chunk = 0xffff'ffff;
        options.add("chunk", chunk_, "datasets in chunks of this size; 0 is contiguous",
                    {std::uint64_t{0}, largest_chunk});
        options.add("alignment", alignment_, "align objects of at least this size to multiples of it; 0: no alignment");
        options.add("metadata_block", metadata_block_,
                    "aggregate metadata in blocks of this size; 0: the library's default");
        options.add("collective_metadata", collective_metadata_, "read and write metadata collectively");
    }

    void check_files(Pattern const& files) const override {
        validate(chunk_.value == 0 || !has_arrays(files), "chunk contradicts a file of arrays",
                 "its size is in bytes of a dataset of one dimension", "Leave chunk out.");
    }

    void prepare(std::span<std::byte>) override { prepare_to_open_together(); }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        // Errors are thrown with the library's text; HDF5 must not print them as well.
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        Hdf5Settings const settings{chunk_.value, alignment_.value, metadata_block_.value, collective_metadata_};
        return request.arrays.empty() ? open_bytes(request, settings) : open_arrays(request, settings);
    }

  private:
    Bytes chunk_{0};
    Bytes alignment_{0};
    Bytes metadata_block_{0};
    bool collective_metadata_ = false;
};

RegisterBackend<Hdf5Backend> const registration;

}  // namespace
}  // namespace weir
