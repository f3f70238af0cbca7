// MPI-IO: MPI_File_open, MPI_File_close and MPI_File_delete, on one rank or collectively.

#include <fmt/format.h>

#include <utility>

#include "bench/metadata/file_calls.hpp"
#include "storage/hints.hpp"

namespace weir {
namespace {

class MpiioCalls final : public FileCalls {
  public:
    MpiioCalls(Communicator comm, Hints const& hints) : comm_(std::move(comm)), info_(hints) {}

    ~MpiioCalls() override {
        // Closing is collective: another rank may not have the file open, and would not join.
        if (file_ != MPI_FILE_NULL && comm_.size() == 1) {
            MPI_File_close(&file_);
        }
    }

    void enter(std::filesystem::path const&) override {}

    void create(FileName const& file) override { open_as(file, MPI_MODE_CREATE | MPI_MODE_RDWR, "create"); }
    void open(FileName const& file) override { open_as(file, MPI_MODE_RDONLY, "open"); }
    void close() override { check(MPI_File_close(&file_), "close", current_); }
    void sync() override { check(MPI_File_sync(file_), "sync", current_); }

    [[nodiscard]] std::int64_t size() override {
        MPI_Offset size = 0;
        check(MPI_File_get_size(file_, &size), "ask the size of", current_);
        return size;
    }

    void write(std::uint64_t offset, std::span<std::byte const> data) override {
        MPI_Status status;
        auto const count = static_cast<int>(data.size());
        check(MPI_File_write_at_all(file_, static_cast<MPI_Offset>(offset), data.data(), count, MPI_BYTE, &status),
              "write", current_);
        check_whole(status, count, "written to", "Free space: the disk is probably full.");
    }

    void read(std::uint64_t offset, std::span<std::byte> data) override {
        MPI_Status status;
        auto const count = static_cast<int>(data.size());
        check(MPI_File_read_at_all(file_, static_cast<MPI_Offset>(offset), data.data(), count, MPI_BYTE, &status),
              "read", current_);
        check_whole(status, count, "read from", "Let nothing else change the files while they are measured.");
    }

    void stat(FileName const&) override { expect(false, "MPI-IO has no stat"); }
    void rename(FileName const&, FileName const&) override { expect(false, "MPI-IO has no rename"); }
    void unlink(FileName const& file) override {
        check(MPI_File_delete(file.path(), MPI_INFO_NULL), "remove", file.path());
    }

    [[nodiscard]] Hints hints() const override {
        MPI_Info info = MPI_INFO_NULL;
        check(MPI_File_get_info(file_, &info), "ask the hints of", current_);
        return read_and_free(info);
    }

  private:
    void open_as(FileName const& file, int mode, char const* what) {
        current_ = file.path();
        check(MPI_File_open(comm_.handle(), current_, mode, info_.get(), &file_), what, current_);
    }

    static void check(int status, char const* what, char const* path) {
        if (status == MPI_SUCCESS) [[likely]] {
            return;
        }
        throw Error({fmt::format("cannot {} '{}' through MPI-IO", what, path), words_of_mpi(status),
                     "Check the directory, its free space and inodes, your permissions and the limit on open files; "
                     "interface = posix gives more detail.",
                     ExitCode::cannot_run});
    }

    void check_whole(MPI_Status const& status, int wanted, char const* what, char const* advice) const {
        int done = 0;
        MPI_Get_count(&status, MPI_BYTE, &done);
        if (done != wanted) [[unlikely]] {
            throw Error({fmt::format("only {} of {} bytes were {} '{}'", done, wanted, what, current_),
                         "the library reports no error", advice, ExitCode::cannot_run});
        }
    }

    Communicator comm_;
    MpiInfo info_;
    MPI_File file_ = MPI_FILE_NULL;
    char const* current_ = "";  ///< path of the open file; its FileName must outlive it
};

}  // namespace

std::unique_ptr<FileCalls> mpiio_calls(Communicator comm, Hints const& hints) {
    return std::make_unique<MpiioCalls>(std::move(comm), hints);
}

}  // namespace weir
