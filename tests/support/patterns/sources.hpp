#pragma once

#include "core/error.hpp"
#include "core/random.hpp"
#include "storage/engine/data_source.hpp"

namespace weir::testing {

/// Gives nothing, and looks at nothing.
class EmptySource : public DataSource {
  public:
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override {}
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override {}
};

/// Has nothing to give on some ranks.
class FailingSource final : public EmptySource {
  public:
    explicit FailingSource(bool fails) : fails_(fails) {}
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override {
        if (fails_) {
            throw Error({"this rank has no data", "", "", ExitCode::cannot_run});
        }
    }

  private:
    bool fails_;
};

/// An application whose bytes follow from their place in a file, and which counts what it was given right.
class PlacedBytes final : public DataSource {
  public:
    void fill(CurrentAccess const& asked, Operation const& operation, std::span<std::byte> data) override {
        for (std::size_t i = 0; i < data.size(); ++i) {
            data[i] = at(asked.file, operation.offset + i);
        }
    }
    void take(CurrentAccess const& asked, Operation const& operation, std::span<std::byte const> data) override {
        taken += data.size();
        for (std::size_t i = 0; i < data.size(); ++i) {
            wrong += data[i] == at(asked.file, operation.offset + i) ? 0 : 1;
        }
    }
    static std::byte at(std::uint64_t file, std::uint64_t offset) {
        return static_cast<std::byte>(mix(file * 1'000'003 + offset));
    }

    std::uint64_t taken = 0;
    std::uint64_t wrong = 0;
};

}  // namespace weir::testing
