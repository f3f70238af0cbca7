#include "storage/backends/pnetcdf/pnetcdf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <type_traits>
#include <utility>

#include "comm/collective_error.hpp"
#include "core/error.hpp"

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

}  // namespace

PnetcdfFile::PnetcdfFile(OpenRequest const& request, std::uint64_t nonblocking)
    : PnetcdfOpenFile(small_enough(request, nonblocking)),
      copies_(nonblocking > 0 && !request.data_stays && request.mode != OpenMode::read),
      transfer_bytes_(request.transfer_bytes),
      nonblocking_(nonblocking),
      shape_(request) {
    try {
        run_together(comm_, [&] {
            attempt(request.mode == OpenMode::create ? "create variables in" : "find the variables of", [&] {
                auto const status =
                    request.mode == OpenMode::create ? create_variables(request.out_of_time) : find_variables();
                return status == NC_NOERR ? prepare_transfers() : status;
            });
        });
    } catch (Error const&) {
        WriteWatch const watch(lost_);
        static_cast<void>(close_all());
        throw;
    }
}

int PnetcdfFile::create_variables(OutOfTime const& out_of_time) {
    int status = ncmpi_set_fill(file_, NC_NOFILL, nullptr);
    int dimension = 0;
    std::uint64_t of_bytes = 0;
    auto const define = [&](std::uint64_t index) {
        Variable variable{0, shape_.bytes_of(index)};
        if (variable.bytes != of_bytes) {
            of_bytes = variable.bytes;
            status = ncmpi_def_dim(file_, fmt::format("bytes-{}", of_bytes).c_str(), static_cast<MPI_Offset>(of_bytes),
                                   &dimension);
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
int PnetcdfFile::find_variables() {
    std::error_code ignored;
    auto const found = comm_.is_root() ? std::filesystem::file_size(path_, ignored) : 0;
    auto const file_bytes = comm_.max(ignored ? std::uint64_t{0} : std::uint64_t{found});
    int status = NC_NOERR;
    for (std::uint64_t i = 0; i < shape_.count() && status == NC_NOERR; ++i) {
        Variable variable;
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

int PnetcdfFile::prepare_transfers() {
    auto status = collective_ ? NC_NOERR : ncmpi_begin_indep_data(file_);
    if (status == NC_NOERR && copies_) {
        auto const bytes = nonblocking_ * transfer_bytes_;
        status = ncmpi_buffer_attach(file_, static_cast<MPI_Offset>(bytes));
    }
    return status;
}

void PnetcdfFile::begin(Access const& access, Rank acting) {
    auto const look = [&] { shape_.refuse_crossing(access, acting); };
    collective_ ? run_together(comm_, look) : look();
}

void PnetcdfFile::set_collective(bool collective) {
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

PnetcdfFile::Part PnetcdfFile::part_of(std::uint64_t offset, std::uint64_t bytes) const {
    // The library refuses a start past the end, even of an empty request.
    auto const start = bytes > 0 ? shape_.within(offset) : 0;
    return {variables_[shape_.holding(offset)].id, static_cast<MPI_Offset>(start), static_cast<MPI_Offset>(bytes)};
}

std::uint64_t PnetcdfFile::there(std::uint64_t offset, std::uint64_t bytes) const {
    auto const end = variables_[shape_.holding(offset)].bytes;
    auto const start = shape_.within(offset);
    return std::min(bytes, end > start ? end - start : 0);
}

template <class Call>
int PnetcdfFile::in_pieces(Part const& part, Call call) const {
    auto const bytes = static_cast<std::uint64_t>(part.count);
    // All ranks make the number of collective calls that the largest request of any rank needs.
    auto const most = collective_ ? transfer_bytes_ : bytes;
    std::uint64_t done = 0;
    int status = NC_NOERR;
    do {
        auto const here = std::min(bytes - std::min(done, bytes), largest_piece);
        auto const one = call(part.start + static_cast<MPI_Offset>(here > 0 ? done : 0), static_cast<MPI_Offset>(here),
                              here > 0 ? done : 0);
        status = status == NC_NOERR ? one : status;
        done += largest_piece;
    } while (done < most);
    return status;
}

int PnetcdfFile::put(Part const& part, unsigned char const* data) const {
    return in_pieces(part, [&](MPI_Offset start, MPI_Offset count, std::uint64_t from) {
        return collective_ ? ncmpi_put_vara_uchar_all(file_, part.variable, &start, &count, data + from)
                           : ncmpi_put_vara_uchar(file_, part.variable, &start, &count, data + from);
    });
}

int PnetcdfFile::get(Part const& part, unsigned char* data) const {
    return in_pieces(part, [&](MPI_Offset start, MPI_Offset count, std::uint64_t from) {
        return collective_ ? ncmpi_get_vara_uchar_all(file_, part.variable, &start, &count, data + from)
                           : ncmpi_get_vara_uchar(file_, part.variable, &start, &count, data + from);
    });
}

int PnetcdfFile::post(Part const& part, unsigned char const* data) const {
    auto* const post_it = copies_ ? ncmpi_bput_vara_uchar : ncmpi_iput_vara_uchar;
    return part.count > 0 ? post_it(file_, part.variable, &part.start, &part.count, data, nullptr) : NC_NOERR;
}

int PnetcdfFile::wait(int requests) {
    posted_ = 0;
    return collective_ ? ncmpi_wait_all(file_, requests, nullptr, nullptr)
                       : ncmpi_wait(file_, requests, nullptr, nullptr);
}

void PnetcdfFile::finish_posted() {
    if (posted_ > 0) {
        attempt("write", [&] { return wait(NC_PUT_REQ_ALL); });  // counted by their calls
    }
}

void PnetcdfFile::write(Operation const& operation, std::span<std::byte const> data) {
    auto const part = part_of(operation.offset, data.size());
    attempt(IoCall::write, data.size(), [&] {
        if (nonblocking_ == 0) {
            return put(part, as_chars(data.data()));
        }
        auto const posted = post(part, as_chars(data.data()));
        // By number of calls, empty ones included, so that all ranks wait together.
        auto const waited = ++posted_ >= nonblocking_ ? wait(NC_PUT_REQ_ALL) : NC_NOERR;
        return posted == NC_NOERR ? waited : posted;
    });
}

std::size_t PnetcdfFile::read(Operation const& operation, std::span<std::byte> data) {
    finish_posted();
    auto const bytes = there(operation.offset, data.size());
    attempt(IoCall::read, bytes, [&] { return get(part_of(operation.offset, bytes), as_chars(data.data())); });
    return bytes;
}

// Each piece is posted; the library merges them into one request.
void PnetcdfFile::write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) {
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

std::size_t PnetcdfFile::read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) {
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

void PnetcdfFile::preallocate(std::uint64_t bytes) {
    auto const end = variables_.empty() ? 0 : begin_of(variables_.back().id) + variables_.back().bytes;
    reserve(std::max(bytes, end));
}

// Calls MPI_File_sync, which returns when all is on the device.
void PnetcdfFile::sync() {
    attempt(IoCall::sync, 0, [&] {
        auto const waited = posted_ > 0 ? wait(NC_PUT_REQ_ALL) : NC_NOERR;
        auto const synced = ncmpi_sync(file_);
        return waited == NC_NOERR ? synced : waited;
    });
}

int PnetcdfFile::close_all() {
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

void PnetcdfFile::close() {
    attempt(IoCall::close, 0, [&] { return close_all(); });
}

PnetcdfFile::~PnetcdfFile() {
    WriteWatch const watch(lost_);
    static_cast<void>(close_all());
}

}  // namespace weir
