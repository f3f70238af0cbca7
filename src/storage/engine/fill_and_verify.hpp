#pragma once

#include <span>

#include "pattern/operations.hpp"
#include "storage/engine/data_source.hpp"
#include "storage/engine/phase_result.hpp"
#include "storage/engine/stamp.hpp"

namespace weir {

/// The contents of one access's requests: made before they are written, and taken after they were read.
class Contents {
  public:
    virtual ~Contents() = default;
    virtual void fill(Operation const&, std::span<std::byte>) = 0;

    /// `found` is shorter than the operation if the file ends.
    virtual void take(Operation const&, std::span<std::byte const> found) = 0;

    /// The same for all pieces of one request, which are consecutive in memory.
    virtual void fill_pieces(std::span<Piece const>, std::span<std::byte>);
    virtual void take_pieces(std::span<Piece const>, std::span<std::byte const> found);

    /// Where the data of an array are, if they need not be filled.
    [[nodiscard]] virtual std::optional<StridedMemory> strided() { return {}; }

    /// Does the content depend on file offsets? Otherwise pieces need not be passed.
    [[nodiscard]] virtual bool needs_pieces() const { return true; }
};

/// Stamps; words that were read are compared with the expected ones.
class StampedContents final : public Contents {
  public:
    /// For this file of the pattern, `owner`'s if there is one per rank.
    StampedContents(Stamp const& stamp, std::uint64_t file, Rank owner, WrongWords& words)
        : stamp_(stamp), file_(file), owner_(owner), words_(words) {}

    void fill(Operation const& operation, std::span<std::byte> data) override { stamp_.fill(data, operation.offset); }
    void take(Operation const&, std::span<std::byte const> found) override;

  private:
    Stamp stamp_;
    std::uint64_t file_;
    Rank owner_;
    WrongWords& words_;
};

/// Stamps of requests of one length whose places a shared file pointer decides: what a request finds must be the data
/// of some request of the access, and all requests together must find each of them once.
class StampedRequests final : public Contents {
  public:
    /// Begin, length and end are multiples of 8 bytes.
    StampedRequests(Stamp const& stamp, std::uint64_t file, Access const& access, WrongWords& words)
        : stamp_(stamp), file_(file), first_(access.extent.start), end_(end_of(access)), words_(words) {}

    void fill(Operation const& operation, std::span<std::byte> data) override { stamp_.fill(data, operation.offset); }
    void take(Operation const&, std::span<std::byte const> found) override;

  private:
    Stamp stamp_;
    std::uint64_t file_;
    std::uint64_t first_;
    std::uint64_t end_;
    WrongWords& words_;
};

/// An application's data.
class SourcedContents final : public Contents {
  public:
    SourcedContents(DataSource& source, CurrentAccess const& asked) : source_(source), asked_(asked) {}

    void fill(Operation const& operation, std::span<std::byte> data) override { source_.fill(asked_, operation, data); }
    void take(Operation const& operation, std::span<std::byte const> found) override {
        source_.take(asked_, operation, found);
    }
    [[nodiscard]] std::optional<StridedMemory> strided() override { return source_.strided(asked_); }
    [[nodiscard]] bool needs_pieces() const override { return !asked_.access.part; }
    void fill_pieces(std::span<Piece const>, std::span<std::byte>) override;
    void take_pieces(std::span<Piece const>, std::span<std::byte const> found) override;

  private:
    DataSource& source_;
    CurrentAccess asked_;
};

}  // namespace weir
