// HDF5: byte datasets through the library's MPI-IO driver, independent or collective.

#include "storage/backends/hdf5/hdf5_open_file.hpp"

namespace weir {
namespace {

class Hdf5Backend final : public Backend {
  public:
    static constexpr std::string_view name = "hdf5";
    static constexpr std::string_view words = "HDF5";
    static constexpr std::string_view summary =
        "parallel HDF5: one dataset, or one per segment; independent or collective, with hints";
    static constexpr Features features{.stores = true,
                                       .collective = true,
                                       .hints = true,
                                       .strided = true,
                                       .raw = false};

    static std::string library() { return hdf5_version(); }

    void declare(OptionSet& options) override { settings_.declare(options); }

    void check_files(Pattern const& files) const override { settings_.check(files); }

    void prepare(std::span<std::byte>) override { prepare_to_open_together(); }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        // Errors are thrown with the library's text; HDF5 must not print them as well.
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        return request.arrays.empty() ? open_bytes(request, settings_) : open_arrays(request, settings_);
    }

  private:
    Hdf5Settings settings_;
};

RegisterBackend<Hdf5Backend> const registration;

}  // namespace
}  // namespace weir
