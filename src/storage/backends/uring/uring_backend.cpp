// io_uring: many requests of one rank in flight, with registered buffers and files.

#include "storage/backends/uring/uring_file.hpp"

namespace weir {
namespace {

class UringBackend final : public Backend {
  public:
    static constexpr std::string_view name = "uring";
    static constexpr std::string_view summary = "io_uring: many requests of a rank in flight, with registered buffers";
    static constexpr Features features{.stores = true, .collective = false, .hints = false, .asynchronous = true};

    void declare(OptionSet& options) override {
        options.add("direct", direct_, "open with O_DIRECT: bypass the page cache, with aligned requests");
        options.add("queue_depth", depth_, "requests of a rank in flight, unless one waits for another",
                    {std::uint64_t{1}, std::uint64_t{1000}});
    }

    void prepare(std::span<std::byte> buffer) override {
        ring_ = std::make_shared<Ring>(static_cast<unsigned>(depth_), buffer);
    }

    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t buffer_bytes) const override {
        return depth_ * buffer_bytes;
    }

    void check_files(Pattern const& files) const override {
        if (direct_) {
            refuse_direct_arrays(files);
        }
    }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        expect(ring_ != nullptr, "a back-end is prepared before it opens files");
        return std::make_unique<UringFile>(request, direct_, ring_);
    }

    [[nodiscard]] std::string avoids_caches() const override { return direct_ ? "direct" : ""; }

  private:
    bool direct_ = false;
    std::uint64_t depth_ = 32;
    std::shared_ptr<Ring> ring_;
};

RegisterBackend<UringBackend> const registration;

}  // namespace
}  // namespace weir
