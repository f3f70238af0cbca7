#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "storage/backends/pnetcdf/pnetcdf_open_file.hpp"
#include "storage/datasets.hpp"

namespace weir {
namespace {

template <class Byte>
auto* as_chars(Byte* data) {
    if constexpr (std::is_const_v<Byte>) {
        return reinterpret_cast<unsigned char const*>(data);
    } else {
        return reinterpret_cast<unsigned char*>(data);
    }
}

/// Checks a request before the file is created from it; returns it.
OpenRequest const& small_enough(OpenRequest const& request, std::uint64_t nonblocking) {
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    validate(nonblocking == 0 || request.transfer_bytes <= most / nonblocking,
             fmt::format("{} requests of {} bytes in flight are too much", nonblocking, request.transfer_bytes),
             fmt::format("PnetCDF takes at most {} bytes at once", most),
             "Choose a smaller nonblocking, or a smaller transfer.");
    return request;
}

/// A netCDF file in the format CDF-5, of byte variables, named by Datasets::name_of(), through PnetCDF.
class PnetcdfFile final : public PnetcdfOpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all. `nonblocking`: the number
    /// of writes posted before a wait; 0: blocking writes.
    PnetcdfFile(OpenRequest const& request, std::uint64_t nonblocking)
        : PnetcdfOpenFile(small_enough(request, nonblocking)),
          copies_(nonblocking * request.transfer_bytes > 0 && !request.data_stays && request.mode != OpenMode::read),
          transfer_bytes_(request.transfer_bytes),
          nonblocking_(nonblocking),
          shape_(request) {
        finish_opening(
            [&] {
                attempt(request.mode == OpenMode::create ? "create variables in" : "find the variables of", [&] {
                    auto const status =
                        request.mode == OpenMode::create ? create_variables(request.out_of_time) : find_variables();
                    return status == NC_NOERR ? prepare_transfers() : status;
                });
            },
            [&] { close_all(); });
    }

    ~PnetcdfFile() override {
        WriteWatch const watch(lost_);
        close_all();
    }

    void begin(Access const& access, Rank acting) override {
        auto const look = [&] { shape_.refuse_crossing(access, acting); };
        collective_ ? run_together(comm_, look) : look();
    }

    void set_collective(bool collective) override {
        if (collective == collective_) {
            return;
        }
        attempt("change the mode of", [&] {
            auto const waited = posted_ > 0 ? wait(NC_PUT_REQ_ALL) : NC_NOERR;
            collective_ = collective;
            auto const changed = collective ? ncmpi_end_indep_data(file_) : ncmpi_begin_indep_data(file_);
            return waited == NC_NOERR ? changed : waited;
        });
    }

    void write(Operation const& operation, std::span<std::byte const> data) override {
        if (variables_.empty()) {
            return;  // all ranks' requests are without bytes
        }
        auto const part = part_of(operation.offset, data.size());
        attempt(IoCall::write, data.size(), [&] {
            if (nonblocking_ == 0) {
                return in_pieces(part, as_chars(data.data()),
                                 collective_ ? ncmpi_put_vara_uchar_all : ncmpi_put_vara_uchar);
            }
            auto const posted = post(part, as_chars(data.data()));
            // By number of calls, empty ones included, so that all ranks wait together.
            auto const waited = ++posted_ >= nonblocking_ ? wait(NC_PUT_REQ_ALL) : NC_NOERR;
            return posted == NC_NOERR ? waited : posted;
        });
    }

    std::size_t read(Operation const& operation, std::span<std::byte> data) override {
        finish_posted();
        if (variables_.empty()) {
            return 0;
        }
        auto const bytes = there(operation.offset, data.size());
        attempt(IoCall::read, bytes, [&] {
            return in_pieces(part_of(operation.offset, bytes), as_chars(data.data()),
                             collective_ ? ncmpi_get_vara_uchar_all : ncmpi_get_vara_uchar);
        });
        return bytes;
    }

    // Each piece is posted; the library merges them into one request.
    void write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) override {
        attempt(IoCall::write, data.size(), [&] {
            int status = NC_NOERR;
            for (auto const& piece : pieces) {
                shape_.each_part(piece, [&](std::uint64_t offset, std::uint64_t bytes) {
                    auto const part = part_of(offset, bytes);
                    auto const one = ncmpi_iput_vara_uchar(file_, part.variable, &part.start, &part.count,
                                                           as_chars(data.data()), nullptr);
                    status = status == NC_NOERR ? one : status;
                    data = data.subspan(bytes);
                });
            }
            auto const waited = wait(NC_PUT_REQ_ALL);
            return status == NC_NOERR ? waited : status;
        });
    }

    std::size_t read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) override {
        finish_posted();
        std::size_t got = 0;
        attempt(IoCall::read, data.size(), [&] {
            int status = NC_NOERR;
            auto ended = false;
            for (auto const& piece : pieces) {
                shape_.each_part(piece, [&](std::uint64_t offset, std::uint64_t bytes) {
                    auto const part = part_of(offset, ended ? 0 : there(offset, bytes));
                    ended = ended || part.count < static_cast<MPI_Offset>(bytes);
                    auto const one = ncmpi_iget_vara_uchar(file_, part.variable, &part.start, &part.count,
                                                           as_chars(data.data()) + got, nullptr);
                    status = status == NC_NOERR ? one : status;
                    got += static_cast<std::size_t>(part.count);
                });
            }
            auto const waited = wait(NC_GET_REQ_ALL);
            return status == NC_NOERR ? waited : status;
        });
        return got;
    }

    void preallocate(std::uint64_t bytes) override {
        auto const end = variables_.empty() ? 0 : begin_of(variables_.back().id) + variables_.back().bytes;
        reserve(std::max(bytes, end));
    }

    // Calls MPI_File_sync, which returns when all is on the device.
    void sync() override {
        attempt(IoCall::sync, 0, [&] {
            auto const waited = posted_ > 0 ? wait(NC_PUT_REQ_ALL) : NC_NOERR;
            auto const synced = ncmpi_sync(file_);
            return waited == NC_NOERR ? synced : waited;
        });
    }

    void close() override {
        attempt(IoCall::close, 0, [&] { return close_all(); });
    }

  private:
    struct ByteVariable {
        int id = 0;
        std::uint64_t bytes = 0;  ///< that exist in the file
    };
    /// A part of a variable.
    struct VariablePart {
        int variable = 0;
        MPI_Offset start = 0;
        MPI_Offset count = 0;
    };

    int create_variables(OutOfTime const& out_of_time) {
        int status = ncmpi_set_fill(file_, NC_NOFILL, nullptr);
        int dimension = 0;
        std::uint64_t of_bytes = 0;
        auto const define = [&](std::uint64_t index) {
            ByteVariable variable{0, shape_.bytes_of(index)};
            if (variable.bytes != of_bytes) {
                of_bytes = variable.bytes;
                status = ncmpi_def_dim(file_, fmt::format("bytes-{}", of_bytes).c_str(),
                                       static_cast<MPI_Offset>(of_bytes), &dimension);
            }
            if (status == NC_NOERR) {
                status = ncmpi_def_var(file_, shape_.name_of(index).c_str(), NC_UBYTE, 1, &dimension, &variable.id);
            }
            variables_.push_back(variable);
            return status == NC_NOERR;
        };
        auto const reached = status == NC_NOERR ? shape_.go_through(comm_, out_of_time, define) : 0;
        if (status == NC_NOERR && reached < shape_.count()) {
            // ncmpi_close would write the definitions, which takes as long again.
            ncmpi_abort(std::exchange(file_, -1));
            shape_.refuse_late(reached);
        }
        // Called by all ranks, also failed ones: it is collective.
        auto const ended = ncmpi_enddef(file_);
        return status == NC_NOERR ? ended : status;
    }

    /// The library does not report that a file ends before its variables do, so ranks check it.
    int find_variables() {
        std::error_code ignored;
        auto const found = comm_.is_root() ? std::filesystem::file_size(path_, ignored) : 0;
        auto const file_bytes = comm_.max(ignored ? std::uint64_t{0} : std::uint64_t{found});
        int status = NC_NOERR;
        for (std::uint64_t i = 0; i < shape_.count() && status == NC_NOERR; ++i) {
            ByteVariable variable;
            int dimension = 0;
            MPI_Offset bytes = 0;
            status = ncmpi_inq_varid(file_, shape_.name_of(i).c_str(), &variable.id);
            if (status == NC_NOERR) {
                ncmpi_inq_vardimid(file_, variable.id, &dimension);
                ncmpi_inq_dimlen(file_, dimension, &bytes);
                auto const begin = begin_of(variable.id);
                auto const left = file_bytes > begin ? file_bytes - begin : 0;
                variable.bytes = std::min(static_cast<std::uint64_t>(bytes), left);
            }
            variables_.push_back(variable);
        }
        return status;
    }

    int prepare_transfers() {
        auto status = collective_ ? NC_NOERR : ncmpi_begin_indep_data(file_);
        if (status == NC_NOERR && copies_) {
            auto const bytes = nonblocking_ * transfer_bytes_;
            status = ncmpi_buffer_attach(file_, static_cast<MPI_Offset>(bytes));
        }
        return status;
    }

    int close_all() {
        if (file_ < 0) {
            return NC_NOERR;
        }
        auto const waited = posted_ > 0 ? wait(NC_PUT_REQ_ALL) : NC_NOERR;
        if (copies_) {
            ncmpi_buffer_detach(file_);
        }
        auto const closed = ncmpi_close(std::exchange(file_, -1));
        return waited == NC_NOERR ? closed : waited;
    }

    [[nodiscard]] VariablePart part_of(std::uint64_t offset, std::uint64_t bytes) const {
        // The library refuses a start past the end, even of an empty request.
        auto const place = bytes > 0 ? offset : 0;
        return {variables_[shape_.holding(place)].id, static_cast<MPI_Offset>(shape_.within(place)),
                static_cast<MPI_Offset>(bytes)};
    }

    /// The number of bytes of such a request before end of file.
    [[nodiscard]] std::uint64_t there(std::uint64_t offset, std::uint64_t bytes) const {
        if (bytes == 0) {
            return 0;
        }
        auto const end = variables_[shape_.holding(offset)].bytes;
        auto const start = shape_.within(offset);
        return std::min(bytes, end > start ? end - start : 0);
    }

    int post(VariablePart const& part, unsigned char const* data) const {
        auto* const post_it = copies_ ? ncmpi_bput_vara_uchar : ncmpi_iput_vara_uchar;
        return part.count > 0 ? post_it(file_, part.variable, &part.start, &part.count, data, nullptr) : NC_NOERR;
    }

    /// Makes a call of the library for pieces that it takes; returns the status.
    template <class Data, class Call>
    int in_pieces(VariablePart const& part, Data* data, Call call) const {
        auto const bytes = static_cast<std::uint64_t>(part.count);
        // All ranks make the number of collective calls that the largest request of any rank needs.
        auto const most = collective_ ? transfer_bytes_ : bytes;
        std::uint64_t done = 0;
        int status = NC_NOERR;
        do {
            auto const here = std::min(bytes - std::min(done, bytes), largest_piece);
            auto const from = here > 0 ? done : 0;
            auto const start = part.start + static_cast<MPI_Offset>(from);
            auto const count = static_cast<MPI_Offset>(here);
            auto const one = call(file_, part.variable, &start, &count, data + from);
            status = status == NC_NOERR ? one : status;
            done += largest_piece;
        } while (done < most);
        return status;
    }

    /// Waits for all posted requests; collective if accesses are.
    int wait(int requests) {
        posted_ = 0;
        return collective_ ? ncmpi_wait_all(file_, requests, nullptr, nullptr)
                           : ncmpi_wait(file_, requests, nullptr, nullptr);
    }

    void finish_posted() {
        if (posted_ > 0) {
            attempt("write", [&] { return wait(NC_PUT_REQ_ALL); });  // counted by their calls
        }
    }

    bool copies_ = false;  ///< posted data is copied, since the buffer changes before the wait
    std::uint64_t transfer_bytes_;
    std::uint64_t nonblocking_;
    std::uint64_t posted_ = 0;
    Datasets shape_;
    std::vector<ByteVariable> variables_;
};

}  // namespace

std::unique_ptr<OpenFile> open_bytes(OpenRequest const& request, std::uint64_t nonblocking) {
    return std::make_unique<PnetcdfFile>(request, nonblocking);
}

}  // namespace weir
