// PnetCDF: byte variables of a CDF-5 file, blocking or nonblocking, independent or collective.

#include <fmt/format.h>
#include <pnetcdf.h>

#include "core/error.hpp"
#include "pattern/loops.hpp"
#include "storage/backends/pnetcdf/pnetcdf_open_file.hpp"

namespace weir {
namespace {

class PnetcdfBackend final : public Backend {
  public:
    static constexpr std::string_view name = "pnetcdf";
    static constexpr std::string_view words = "PnetCDF";
    static constexpr std::string_view summary =
        "parallel netCDF (CDF-5): one variable, or one per segment; blocking or nonblocking, independent or "
        "collective, with hints";
    static constexpr Features features{.stores = true,
                                       .collective = true,
                                       .hints = true,
                                       .pieces = true,
                                       .many_parts = false,
                                       .raw = false};

    static std::string library() {
        // "1.12.3 of 19 Apr 2022"
        std::string const version = ncmpi_inq_libvers();
        return "PnetCDF " + version.substr(0, version.find(' '));
    }

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most = 65'536;
        options.add("nonblocking", nonblocking_, "writes posted before a wait; 0: blocking writes",
                    {std::uint64_t{0}, most});
    }

    void check_files(Pattern const& files) const override {
        validate(nonblocking_ == 0 || !has_arrays(files), "nonblocking contradicts a file of arrays",
                 "each rank's part of one is posted and waited for", "Leave nonblocking out.");
        for (auto const& phase : files.phases) {
            each_step(phase.steps, [](Step const& step, Loops const&) {
                auto const* open = std::get_if<Open>(&step);
                validate(open == nullptr || !open->makes || open->mode == OpenMode::create,
                         "pnetcdf cannot add arrays to a file", "netCDF would move all data behind its longer header",
                         "Create a file for each output, or choose another back-end.");
            });
        }
        for (auto const& file : files.files) {
            for (auto const& array : file.arrays) {
                validate(array.element.kind != Element::Kind::compound,
                         fmt::format("pnetcdf cannot store '{}' of '{}'", array.name, file.name),
                         "its elements are compounds, and netCDF's classic format has none",
                         "Make an array or an attribute of each member, or choose another back-end.");
                validate(array.name.find('/') == std::string::npos,
                         fmt::format("pnetcdf cannot store '{}' of '{}'", array.name, file.name),
                         "it is in a group, and netCDF's classic format has none",
                         "Give it a name without slashes, or choose another back-end.");
            }
        }
    }

    void prepare(std::span<std::byte>) override { prepare_to_open_together(); }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        return request.arrays.empty() ? open_bytes(request, nonblocking_) : open_arrays(request);
    }

  private:
    std::uint64_t nonblocking_ = 0;
};

RegisterBackend<PnetcdfBackend> const registration;

}  // namespace
}  // namespace weir
