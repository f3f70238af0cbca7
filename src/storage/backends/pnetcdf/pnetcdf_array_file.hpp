#pragma once

#include <vector>

#include "storage/backends/pnetcdf/pnetcdf_open_file.hpp"

namespace weir {

/// A netCDF file of arrays: one variable per array, with its name, type and shape; ranks transfer parts. A dimension is
/// named by its index and length: "axis_0_of_64"; text has one more, of its characters. An array without elements has
/// no variable, since a dimension of length 0 would be an unlimited one.
class PnetcdfArrayFile final : public PnetcdfOpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    explicit PnetcdfArrayFile(OpenRequest const&);
    ~PnetcdfArrayFile() override;

    void set_collective(bool) override;
    /// Refused: the format has no bytes outside arrays.
    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    [[nodiscard]] bool takes_parts() const override { return true; }
    void write_part(PartRequest const&, std::span<std::byte const> data) override;
    std::size_t read_part(PartRequest const&, std::span<std::byte> data) override;
    void preallocate(std::uint64_t bytes) override;
    void sync() override;
    void close() override;

  private:
    int define();
    int find();
    /// Posts this rank's part, in requests that the library accepts, with `post(variable, count, starts, counts, place
    /// in memory, elements)`, and waits for it.
    template <class Post>
    int move(PartRequest const&, int all, Post post);
    int close_all();

    std::vector<Array> arrays_;
    std::vector<int> variables_;  ///< -1: none
};

}  // namespace weir
