#pragma once

#include "apps/flash/io/flash_io_files.hpp"
#include "apps/flash/io/unknowns.hpp"

namespace weir::flash {

/// One rank of the benchmark: its blocks as the data of the three files. It computes nothing.
class FlashIoProgram final : public Program {
  public:
    FlashIoProgram(Communicator const& comm, IoShape const&, MemoryOrder, UnknownValues, Packing);

    void advance() override {}
    [[nodiscard]] std::vector<Metric> metrics(RunFigures const&) const override;
    [[nodiscard]] Json labels() const override;
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override;
    std::optional<StridedMemory> strided(CurrentAccess const&) override;
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override;

  private:
    void fill_header(FileKind, Array const&, std::span<std::byte>) const;
    void fill_unknowns(FileKind, std::string_view name, std::span<std::byte>) const;
    [[nodiscard]] double number(FileKind, std::string_view name) const;

    IoShape shape_;
    std::uint64_t ranks_;
    std::uint64_t blocks_;  ///< of this rank
    Packing packing_;
    Unknowns unknowns_;
};

}  // namespace weir::flash
