#pragma once

#include <vector>

#include "storage/backends/hdf5/hdf5_open_file.hpp"

namespace weir {

/// An HDF5 file of arrays: one dataset per array, with its name, type and shape; ranks transfer hyperslabs.
class Hdf5ArrayFile final : public Hdf5OpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    Hdf5ArrayFile(OpenRequest const&, Hdf5Settings const&);
    ~Hdf5ArrayFile() override;

    void set_collective(bool collective) override { make_collective(collective); }
    /// Refused: the format has no bytes outside arrays.
    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    [[nodiscard]] bool takes_parts() const override { return true; }
    void write_part(PartRequest const&, std::span<std::byte const> data) override;
    std::size_t read_part(PartRequest const&, std::span<std::byte> data) override;
    void preallocate(std::uint64_t bytes) override { reserve(bytes); }
    void close() override;

  private:
    struct Dataset {
        Hdf5Handle type;
        Hdf5Handle data;
        Hdf5Handle space;
    };

    void make_datasets();
    void open_datasets();
    /// Selects this rank's part in file and memory, and calls `transfer(dataset, memory, place in memory)`.
    template <class Transfer>
    void move(IoCall what, PartRequest const&, Transfer transfer);
    herr_t close_all();

    std::vector<Array> arrays_;
    std::vector<Dataset> datasets_;
    Hdf5Handle nothing_;
};

}  // namespace weir
