// MPI-IO: independent or collective requests, by explicit offsets or through a file view, with hints.

#include "storage/backends/mpiio/mpiio_file.hpp"
#include "storage/write_error_interposer.hpp"

namespace weir {
namespace {

class MpiioBackend final : public Backend {
  public:
    static constexpr std::string_view name = "mpiio";
    static constexpr std::string_view summary =
        "MPI-IO: independent or collective, by offsets or file views, with hints";
    static constexpr Features features{.stores = true,
                                       .collective = true,
                                       .hints = true,
                                       .pieces = true,
                                       .asynchronous = true};

    void declare(OptionSet& options) override {
        options.add("file_view", view_, "use a file view instead of explicit offsets");
    }

    void prepare(std::span<std::byte>) override { prepare_to_open_together(); }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        return std::make_unique<MpiioFile>(request, view_ ? Addressing::view : Addressing::offsets);
    }

  private:
    bool view_ = false;
};

RegisterBackend<MpiioBackend> const registration;

}  // namespace
}  // namespace weir
