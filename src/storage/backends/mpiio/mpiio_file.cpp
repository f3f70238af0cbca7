#include "storage/backends/mpiio/mpiio_file.hpp"

#include <fmt/format.h>

#include <array>

#include "comm/agreement.hpp"
#include "core/error.hpp"
#include "storage/backends/mpiio/mpi_types.hpp"

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

}  // namespace

MpiioFile::MpiioFile(OpenRequest const& request, Addressing addressing)
    : path_(request.path.string()), comm_(request.comm), collective_(request.collective), addressing_(addressing) {
    MpiInfo const info(request.hints);
    run_together(comm_, [&] {
        check(MPI_File_open(comm_.handle(), path_.c_str(), mode_of(request.mode), info.get(), &file_), "open");
    });
}

MpiioFile::~MpiioFile() {
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
    throw Error({fmt::format("cannot {} '{}' through MPI-IO", what, path_),
                 std::string(text.data(), static_cast<std::size_t>(length)),
                 "Check the directory, its free space and your permissions; the posix back-end tells more.",
                 ExitCode::cannot_run});
}

void MpiioFile::begin(Access const& access, Rank rank) {
    if (addressing_ == Addressing::view) {
        auto const participates = access.ranks.contains(rank);
        auto const extent = participates ? extent_of(access, rank) : Extent{0, {}, access.extent.length};
        MpiType const type = nest_type(extent);
        check(MPI_File_set_view(file_, static_cast<MPI_Offset>(extent.start), MPI_BYTE, type.get(), "native",
                                MPI_INFO_NULL),
              "set a view of");
    }
}

MPI_Offset MpiioFile::place_of(Operation const& operation) const {
    return static_cast<MPI_Offset>(addressing_ == Addressing::view ? operation.ordinal * operation.length
                                                                   : operation.offset);
}

void MpiioFile::write(Operation const& operation, std::span<std::byte const> data) {
    auto const what = MpiCount(data.size());
    auto const place = place_of(operation);
    auto const status =
        collective_ ? MPI_File_write_at_all(file_, place, data.data(), what.count(), what.type(), MPI_STATUS_IGNORE)
                    : MPI_File_write_at(file_, place, data.data(), what.count(), what.type(), MPI_STATUS_IGNORE);
    check(status, "write");
}

std::size_t MpiioFile::read(Operation const& operation, std::span<std::byte> data) {
    auto const what = MpiCount(data.size());
    auto const place = place_of(operation);
    MPI_Status result;
    auto const status = collective_
                            ? MPI_File_read_at_all(file_, place, data.data(), what.count(), what.type(), &result)
                            : MPI_File_read_at(file_, place, data.data(), what.count(), what.type(), &result);
    check(status, "read");
    if (data.empty()) {
        return 0;
    }
    MPI_Count got = 0;
    MPI_Get_elements_x(&result, MPI_BYTE, &got);
    return static_cast<std::size_t>(got);
}

void MpiioFile::preallocate(std::uint64_t bytes) {
    check(MPI_File_preallocate(file_, static_cast<MPI_Offset>(bytes)), "reserve the space of");
}

void MpiioFile::sync() { check(MPI_File_sync(file_), "sync"); }

void MpiioFile::close() {
    if (file_ != MPI_FILE_NULL) {
        check(MPI_File_close(&file_), "close");
    }
}

Hints MpiioFile::hints() const {
    MPI_Info info = MPI_INFO_NULL;
    check(MPI_File_get_info(file_, &info), "ask the hints of");
    return read_and_free(info);
}

}  // namespace weir
