#include "storage/backends/mpiio/mpiio_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <optional>
#include <utility>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "storage/backends/mpiio/mpi_types.hpp"
#include "storage/hints.hpp"
#include "storage/write_error_interposer.hpp"

namespace weir {
namespace {

int mode_of(OpenMode mode) {
    switch (mode) {
        case OpenMode::create:
            return MPI_MODE_CREATE | MPI_MODE_RDWR;
        case OpenMode::update:
            return MPI_MODE_RDWR;
        case OpenMode::read:
            break;
    }
    return MPI_MODE_RDONLY;
}

/// If a request in flight has failed, MPI_Wait of Open MPI (4.1) crashes while looking up its error handler; polling
/// its status does not.
MPI_Status finished(MPI_Request& request) {
    MPI_Status result;
    result.MPI_ERROR = MPI_SUCCESS;  // some libraries do not report it here; then the byte count is too small
    for (int done = 0; done == 0;) {
        MPI_Request_get_status(request, &done, &result);
    }
    MPI_Request_free(&request);
    return result;
}

}  // namespace

MpiioFile::MpiioFile(OpenRequest const& request, Addressing addressing)
    : path_(request.path.string()),
      comm_(request.comm),
      collective_(request.collective),
      addressing_(addressing),
      counter_(request.counter) {
    MpiInfo const info(request.hints);
    run_together(comm_, [&] {
        attempt(IoCall::open, 0, [&] {
            return MPI_File_open(comm_.handle(), path_.c_str(), mode_of(request.mode), info.get(), &file_);
        });
    });
}

MpiioFile::~MpiioFile() {
    for (auto& one : begun_) {
        if (one.request != MPI_REQUEST_NULL) {
            finished(one.request);
        }
    }
    if (file_ != MPI_FILE_NULL) {
        MPI_File_close(&file_);
    }
}

void MpiioFile::check(int status, char const* what) const {
    if (status == MPI_SUCCESS) {
        return;
    }
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    throw Error(
        {fmt::format("cannot {} '{}' through MPI-IO", what, path_),
         std::string(text.data(), static_cast<std::size_t>(length)),
         "Check the directory, its free space, your quota and permissions; the posix back-end gives more detail.",
         ExitCode::cannot_run});
}

template <class Call>
void MpiioFile::attempt(char const* what, Call call) {
    auto const status = [&] {
        WriteWatch const watch(lost_);
        return call();
    }();
    if (lost_) [[unlikely]] {
        throw watched_error(fmt::format("cannot {} '{}' through MPI-IO", what, path_), *std::exchange(lost_, {}));
    }
    check(status, what);
}

void MpiioFile::begin(Access const& access, Rank rank) {
    if (addressing_ == Addressing::offsets) {
        set_whole_view();
        return;
    }
    validate(access.lists.empty(), "file_view contradicts lists of pieces that are requests of their own",
             "a view takes them as one request", "Leave file_view out, or set together in the pattern.");
    auto const participates = access.ranks.contains(rank);
    auto const extent = participates ? extent_of(access, rank) : Extent{0, {}, access.extent.length};
    std::optional<MpiType> type;
    // Setting the view is collective: all ranks must have created their types before.
    run_together(comm_, [&] { type.emplace(nest_type(extent)); });
    check(
        MPI_File_set_view(file_, static_cast<MPI_Offset>(extent.start), MPI_BYTE, type->get(), "native", MPI_INFO_NULL),
        "set a view of");
}

void MpiioFile::set_collective(bool collective) { collective_ = collective; }

void MpiioFile::set_whole_view() {
    if (has_view_) {
        check(MPI_File_set_view(file_, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), "reset the view of");
        has_view_ = false;
    }
}

void MpiioFile::begin_pieces(std::span<Piece const> pieces) {
    std::optional<MpiType> type;
    run_together(comm_, [&] { type.emplace(list_type(pieces)); });
    check(MPI_File_set_view(file_, 0, MPI_BYTE, type->get(), "native", MPI_INFO_NULL), "set a view of");
    has_view_ = true;
}

void MpiioFile::write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) {
    // In the view the pieces begin at offset 0.
    write_at(0, pieces.empty() ? 0 : pieces.front().offset, data);
}

std::size_t MpiioFile::read_pieces(std::span<Piece const>, std::span<std::byte> data) { return read_at(0, data); }

MPI_Offset MpiioFile::place_of(Operation const& operation) const {
    return static_cast<MPI_Offset>(addressing_ == Addressing::view ? operation.ordinal * operation.length
                                                                   : operation.offset);
}

void MpiioFile::write(Operation const& operation, std::span<std::byte const> data) {
    write_at(place_of(operation), operation.offset, data);
}

void MpiioFile::write_at(MPI_Offset place, std::uint64_t offset, std::span<std::byte const> data) {
    auto const what = MpiCount(data.size());
    MPI_Status result;
    attempt(IoCall::write, data.size(), [&] {
        return collective_ ? MPI_File_write_at_all(file_, place, data.data(), what.count(), what.type(), &result)
                           : MPI_File_write_at(file_, place, data.data(), what.count(), what.type(), &result);
    });
    if (!data.empty()) {
        check_written(offset, data.size(), result);
    }
}

void MpiioFile::check_written(std::uint64_t offset, std::size_t bytes, MPI_Status const& result) const {
    MPI_Count done = 0;
    MPI_Get_elements_x(&result, MPI_BYTE, &done);
    // Open MPI's ompio reports a full disk only by a short count.
    if (done != static_cast<MPI_Count>(bytes)) [[unlikely]] {
        throw Error({fmt::format("only {} of {} bytes were written to '{}' at offset {}", done, bytes, path_, offset),
                     "the library reports a short write and no error",
                     "Free space, or write less: the disk is probably full, or your quota used up.",
                     ExitCode::cannot_run});
    }
}

void MpiioFile::begin_write(Operation const& operation, std::span<std::byte const> data) {
    if (addressing_ == Addressing::view) {
        write(operation, data);
        return;
    }
    auto const what = MpiCount(data.size());
    attempt(IoCall::write, data.size(), [&] {
        auto& one = begun_.emplace_back(Begun{MPI_REQUEST_NULL, operation, nullptr});
        return MPI_File_iwrite_at(file_, place_of(operation), data.data(), what.count(), what.type(), &one.request);
    });
}

void MpiioFile::begin_read(Operation const& operation, std::span<std::byte> data, std::size_t& got) {
    // In Open MPI's ompio (4.1), a read that crosses end of file never completes.
    MPI_Offset size = 0;
    check(MPI_File_get_size(file_, &size), "ask the size of");
    auto const ends = operation.offset + operation.length > static_cast<std::uint64_t>(size);
    if (addressing_ == Addressing::view || ends) {
        got = read(operation, data);
        return;
    }
    auto const what = MpiCount(data.size());
    attempt(IoCall::read, data.size(), [&] {
        auto& one = begun_.emplace_back(Begun{MPI_REQUEST_NULL, operation, &got});
        return MPI_File_iread_at(file_, place_of(operation), data.data(), what.count(), what.type(), &one.request);
    });
}

void MpiioFile::wait() {
    std::optional<Diagnosis> failure;
    for (auto& one : begun_) {
        keep_failure(failure, [&] { end(one); });
    }
    begun_.clear();
    throw_kept(failure);
}

void MpiioFile::end(Begun& one) {
    if (one.request == MPI_REQUEST_NULL) {
        return;  // it did not start, which was reported
    }
    MPI_Status result;
    attempt(one.got == nullptr ? "write" : "read", [&] {
        result = finished(one.request);
        return result.MPI_ERROR;
    });
    if (one.got == nullptr) {
        check_written(one.operation.offset, one.operation.length, result);
        return;
    }
    MPI_Count got = 0;
    MPI_Get_elements_x(&result, MPI_BYTE, &got);
    *one.got = static_cast<std::size_t>(got);
}

std::size_t MpiioFile::read(Operation const& operation, std::span<std::byte> data) {
    return read_at(place_of(operation), data);
}

std::size_t MpiioFile::read_at(MPI_Offset place, std::span<std::byte> data) {
    auto const what = MpiCount(data.size());
    MPI_Status result;
    attempt(IoCall::read, data.size(), [&] {
        return collective_ ? MPI_File_read_at_all(file_, place, data.data(), what.count(), what.type(), &result)
                           : MPI_File_read_at(file_, place, data.data(), what.count(), what.type(), &result);
    });
    if (data.empty()) {
        return 0;
    }
    MPI_Count got = 0;
    MPI_Get_elements_x(&result, MPI_BYTE, &got);
    return static_cast<std::size_t>(got);
}

void MpiioFile::preallocate(std::uint64_t bytes) {
    attempt("reserve the space of", [&] { return MPI_File_preallocate(file_, static_cast<MPI_Offset>(bytes)); });
    // Some libraries report success on a full disk: check with the file system. If it does not count blocks, the check
    // is impossible.
    struct stat status {};
    constexpr std::uint64_t block = 512;
    if (stat(path_.c_str(), &status) == 0 && status.st_blocks > 0 &&
        static_cast<std::uint64_t>(status.st_blocks) * block < bytes) {
        throw Error({fmt::format("only {} of {} bytes could be reserved for '{}'",
                                 static_cast<std::uint64_t>(status.st_blocks) * block, bytes, path_),
                     "the library reports no error",
                     "Free space, or write less: the disk is probably full, or your quota used up.",
                     ExitCode::cannot_run});
    }
}

void MpiioFile::sync() {
    attempt(IoCall::sync, 0, [&] { return MPI_File_sync(file_); });
}

void MpiioFile::close() {
    if (file_ != MPI_FILE_NULL) {
        attempt(IoCall::close, 0, [&] { return MPI_File_close(&file_); });
    }
}

Hints MpiioFile::hints() const {
    MPI_Info info = MPI_INFO_NULL;
    check(MPI_File_get_info(file_, &info), "ask the hints of");
    return read_and_free(info);
}

}  // namespace weir
