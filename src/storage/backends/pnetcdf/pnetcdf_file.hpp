#pragma once

#include <vector>

#include "storage/backends/pnetcdf/pnetcdf_open_file.hpp"
#include "storage/datasets.hpp"

namespace weir {

/// A netCDF file in the format CDF-5, of byte variables, named by Datasets::name_of(), through PnetCDF.
class PnetcdfFile final : public PnetcdfOpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all. `nonblocking`: the number
    /// of writes posted before a wait; 0: blocking writes.
    PnetcdfFile(OpenRequest const&, std::uint64_t nonblocking);
    ~PnetcdfFile() override;

    void begin(Access const&, Rank acting) override;
    void set_collective(bool) override;
    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    void write_pieces(std::span<Piece const>, std::span<std::byte const> data) override;
    std::size_t read_pieces(std::span<Piece const>, std::span<std::byte> data) override;
    void preallocate(std::uint64_t bytes) override;
    void sync() override;
    void close() override;

  private:
    struct Variable {
        int id = 0;
        std::uint64_t bytes = 0;  ///< that exist in the file
    };
    /// A part of a variable.
    struct Part {
        int variable = 0;
        MPI_Offset start = 0;
        MPI_Offset count = 0;
    };

    int create_variables(OutOfTime const&);
    int find_variables();
    int prepare_transfers();
    int close_all();

    [[nodiscard]] Part part_of(std::uint64_t offset, std::uint64_t bytes) const;

    /// The number of bytes of such a request before end of file.
    [[nodiscard]] std::uint64_t there(std::uint64_t offset, std::uint64_t bytes) const;

    /// Calls of the library; each returns its status.
    int put(Part const&, unsigned char const* data) const;
    int get(Part const&, unsigned char* data) const;
    int post(Part const&, unsigned char const* data) const;
    template <class Call>
    int in_pieces(Part const&, Call) const;

    /// Waits for all posted requests; collective if accesses are.
    int wait(int requests);
    void finish_posted();

    bool copies_ = false;  ///< posted data is copied, since the buffer changes before the wait
    std::uint64_t transfer_bytes_;
    std::uint64_t nonblocking_;
    std::uint64_t posted_ = 0;
    Datasets shape_;
    std::vector<Variable> variables_;
};

}  // namespace weir
