#pragma once

#include "storage/backends/hdf5/hdf5_datasets.hpp"
#include "storage/backends/hdf5/hdf5_open_file.hpp"
#include "storage/datasets.hpp"

namespace weir {

/// An HDF5 file of byte datasets, named by Datasets::name_of(), through the library's MPI-IO driver.
class Hdf5File final : public Hdf5OpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    Hdf5File(OpenRequest const&, Hdf5Settings const&);
    ~Hdf5File() override;

    void begin(Access const&, Rank acting) override;
    void set_collective(bool) override;
    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    void write_pieces(std::span<Piece const>, std::span<std::byte const> data) override;
    std::size_t read_pieces(std::span<Piece const>, std::span<std::byte> data) override;
    void preallocate(std::uint64_t bytes) override;
    void close() override;

  private:
    void find_datasets(OpenRequest const&, Hdf5Settings const&);
    void go_through_datasets();
    herr_t close_all();

    /// Selects a part of a dataset and as much memory, and calls `transfer` for it, with an empty selection if `bytes`
    /// is 0; `what` names the operation in messages.
    template <class Transfer>
    void request(IoCall what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes, Transfer transfer);

    /// The same by this rank alone, in pieces that the library accepts; `transfer` gets the offset of each in the data.
    template <class Transfer>
    void request_alone(IoCall what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes,
                       Transfer transfer);

    /// The same as a collective call, each rank with its own part or none.
    template <class Transfer>
    void request_together(IoCall what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes,
                          Transfer transfer);

    [[nodiscard]] hid_t memory_of(std::uint64_t bytes);

    OutOfTime out_of_time_;
    Hdf5Datasets datasets_;
    Hdf5Handle memory_;
    Hdf5Handle nothing_;
    std::uint64_t memory_bytes_ = 0;
};

}  // namespace weir
