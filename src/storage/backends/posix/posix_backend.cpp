// POSIX: pread and pwrite on a file descriptor, through the page cache or bypassing it (O_DIRECT).

#include "storage/backends/posix/posix_file.hpp"

namespace weir {
namespace {

class PosixBackend final : public Backend {
  public:
    static constexpr std::string_view name = "posix";
    static constexpr std::string_view words = "POSIX";
    static constexpr std::string_view summary = "pread and pwrite; with --direct bypassing the page cache";
    static constexpr Features features{.stores = true, .collective = false, .hints = false};

    void declare(OptionSet& options) override {
        options.add("direct", direct_, "open with O_DIRECT: bypass the page cache, with aligned requests");
    }

    void check_files(Pattern const& files) const override {
        if (direct_) {
            refuse_direct_arrays(files);
        }
    }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        return std::make_unique<PosixFile>(request, direct_);
    }

    [[nodiscard]] std::optional<CacheAvoidance> avoids_caches() const override {
        return direct_ ? std::optional(CacheAvoidance::direct) : std::nullopt;
    }

  private:
    bool direct_ = false;
};

RegisterBackend<PosixBackend> const registration;

}  // namespace
}  // namespace weir
