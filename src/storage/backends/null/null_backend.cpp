// Does no I/O: its time is the engine's own overhead.

#include "storage/backend.hpp"

namespace weir {
namespace {

class NullFile final : public OpenFile {
  public:
    void write(Operation const&, std::span<std::byte const>) override {}
    std::size_t read(Operation const&, std::span<std::byte> data) override { return data.size(); }
    void preallocate(std::uint64_t) override {}
    void sync() override {}
    void close() override {}
};

class NullBackend final : public Backend {
  public:
    static constexpr std::string_view name = "null";
    static constexpr std::string_view words = "null back-end";
    static constexpr std::string_view summary = "does no I/O: measures the engine itself";
    static constexpr Features features{.stores = false, .collective = true, .hints = false};

    std::unique_ptr<OpenFile> open(OpenRequest const&) override { return std::make_unique<NullFile>(); }
    void remove(std::filesystem::path const&) override {}
    void rename(std::filesystem::path const&, std::filesystem::path const&) override {}
};

RegisterBackend<NullBackend> const registration;

}  // namespace
}  // namespace weir
