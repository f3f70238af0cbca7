// MPI-IO: independent or collective requests, at explicit offsets or at file pointers, in the whole file or through a
// file view, with hints.

#include <fmt/format.h>
#include <mpi.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "pattern/operations.hpp"
#include "storage/backends/mpiio/file_pointer.hpp"
#include "storage/backends/mpiio/mpi_types.hpp"
#include "storage/backends/mpiio/shared_places.hpp"
#include "storage/backends/mpiio/view_places.hpp"
#include "storage/hints.hpp"
#include "storage/library_file.hpp"
#include "storage/reserve_space.hpp"

namespace weir {
namespace {

/// What offsets count from: the start of the file, or that of a file view set once per access.
enum class Addressing { offsets, view };

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

/// MPI_File_preallocate of Open MPI's ompio (4.1) writes what a file holds once more, behind it, and zeros through the
/// view that is set; only in an empty file without a view, it does as it should. Nothing tells ompio from Open MPI's
/// other component for sure, whose files the file system can reserve as well.
#ifdef OPEN_MPI
constexpr bool copies_when_reserving = true;
#else
constexpr bool copies_when_reserving = false;
#endif

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

std::size_t bytes_of(MPI_Status const& result) {
    MPI_Count bytes = 0;
    MPI_Get_elements_x(&result, MPI_BYTE, &bytes);
    return static_cast<std::size_t>(bytes);
}

struct MpiIo {
    static constexpr char const* name = "MPI-IO";
    static bool failed(int status) { return status != MPI_SUCCESS; }
    static Error error(std::string problem, int status) {
        return Error(
            {std::move(problem), words_of_mpi(status),
             "Check the directory, its free space, your quota and permissions; the posix back-end gives more detail.",
             ExitCode::cannot_run});
    }
};

/// An MPI_File.
class MpiioFile final : public LibraryFile<MpiIo> {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    MpiioFile(OpenRequest const& request, Addressing addressing, FilePointer pointer)
        : LibraryFile(request),
          only_reads_(request.mode == OpenMode::read),
          addressing_(addressing),
          pointer_(pointer) {
        MpiInfo const info(request.hints);
        run_together(comm_, [&] {
            attempt(IoCall::open, 0, [&] {
                return MPI_File_open(comm_.handle(), path_.c_str(), mode_of(request.mode), info.get(), &file_);
            });
        });
    }

    ~MpiioFile() override {
        for (auto& one : begun_) {
            if (one.request != MPI_REQUEST_NULL) {
                finished(one.request);
            }
        }
        if (file_ != MPI_FILE_NULL) {
            MPI_File_close(&file_);
        }
    }

    void begin(Access const& access, Rank rank) override {
        if (addressing_ == Addressing::offsets) {
            set_whole_view();
            if (pointer_ == FilePointer::shared && (comm_.size() > 1 || access.ranks.contains(rank))) {
                seek_shared(comm_.size() > 1 ? first_byte(access) : first_byte(access, rank), end_of(access));
            }
            return;
        }
        // What is on its way counts from the view that is set.
        keep_failure(earlier_, [&] { end_all(); });
        if (access.list_io) {
            std::vector<Piece> pieces;
            run_together(comm_, [&] { pieces = list_io_pieces(access, rank); });
            begin_pieces(pieces);
            return;
        }
        validate(access.lists.empty(), "file_view contradicts lists of pieces that are requests of their own",
                 "a view takes them as one request", "Leave file_view out, or set together in the pattern.");
        auto const participates = access.ranks.contains(rank);
        auto const extent = participates ? extent_of(access, rank) : Extent{0, {}, access.extent.length};
        // Setting the view is collective: all ranks must have created their types before.
        set_view(extent.start, ViewPlaces(extent), [&] { return nest_type(extent); });
    }

    void set_collective(bool collective) override { collective_ = collective; }

    void begin_pieces(std::span<Piece const> pieces) override {
        validate(pointer_ != FilePointer::shared, "pointer = shared contradicts requests of many pieces",
                 "each has more than one place", "Choose pointer = explicit or individual.");
        set_view(0, ViewPlaces(pieces), [&] { return list_type(pieces); });
    }

    /// Setting the view is a part of the access.
    void begin_part(PartRequest const& request) override {
        auto* const spent = FileTimes::array_in(request.writes ? times_ : nullptr, request.of.array);
        FileTimes::add_time(times_, spent == nullptr ? nullptr : &spent->write.time_s,
                            [&] { begin_pieces(request.pieces); });
    }

    void write(Operation const& operation, std::span<std::byte const> data) override {
        write_at(place_of(operation), operation.offset, data);
    }

    std::size_t read(Operation const& operation, std::span<std::byte> data) override {
        return read_at(place_of(operation), data);
    }

    void write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) override {
        // In the view the pieces begin at offset 0.
        write_at(0, pieces.empty() ? 0 : pieces.front().offset, data);
    }

    std::size_t read_pieces(std::span<Piece const>, std::span<std::byte> data) override { return read_at(0, data); }

    /// With MPI_File_iwrite_at and MPI_File_iread_at, or those of a pointer.
    void begin_write(Operation const& operation, std::span<std::byte const> data) override {
        auto const place = place_of(operation);
        auto const what = MpiCount(data.size());
        seek(place, data.size());
        attempt(IoCall::write, data.size(), [&] {
            auto& one = begun_.emplace_back(Begun{MPI_REQUEST_NULL, operation, nullptr});
            return begin_write_at_pointer(pointer_, {file_, place, what}, data.data(), &one.request);
        });
        pass(place, data.size());
    }

    void begin_read(Operation const& operation, std::span<std::byte> data, std::size_t& got) override {
        // In Open MPI's ompio (4.1), a read that crosses end of file never completes.
        auto const end = pointer_ == FilePointer::shared ? shared_end_ : operation.offset + operation.length;
        if (end > bytes_in_file()) {
            got = read(operation, data);
            return;
        }
        auto const place = place_of(operation);
        auto const what = MpiCount(data.size());
        seek(place, data.size());
        attempt(IoCall::read, data.size(), [&] {
            auto& one = begun_.emplace_back(Begun{MPI_REQUEST_NULL, operation, &got});
            return begin_read_at_pointer(pointer_, {file_, place, what}, data.data(), &one.request);
        });
        pass(place, data.size());
    }

    void wait() override {
        auto failure = std::exchange(earlier_, std::nullopt);
        keep_failure(failure, [&] { end_all(); });
        throw_kept(failure);
    }

    void preallocate(std::uint64_t bytes) override {
        bool holds_something = false;
        run_together(comm_, [&] { holds_something = bytes_in_file() > 0; });
        if (copies_when_reserving && (view_ || any(comm_, holds_something))) {
            run_together(comm_, [&] {
                if (comm_.rank() == 0 && std::min(bytes_in_file(), bytes_reserved()) < bytes) {
                    reserve_space(path_, bytes);
                }
            });
            return;
        }
        attempt("reserve the space of", [&] { return MPI_File_preallocate(file_, static_cast<MPI_Offset>(bytes)); });
        // Some libraries report success on a full disk: check with the file system. If it does not count blocks, the
        // check is impossible.
        if (auto const reserved = bytes_reserved(); reserved > 0 && reserved < bytes) {
            throw Error({fmt::format("only {} of {} bytes could be reserved for '{}'", reserved, bytes, path_),
                         "the library reports no error",
                         "Free space, or write less: the disk is probably full, or your quota used up.",
                         ExitCode::cannot_run});
        }
    }

    void sync() override {
        if (only_reads_) {
            return;  // there is nothing to bring to the device, and MPI refuses to
        }
        attempt(IoCall::sync, 0, [&] { return MPI_File_sync(file_); });
    }

    void close() override {
        if (file_ != MPI_FILE_NULL) {
            attempt(IoCall::close, 0, [&] { return MPI_File_close(&file_); });
        }
    }

    [[nodiscard]] Hints hints() const override {
        MPI_Info info = MPI_INFO_NULL;
        check(MPI_File_get_info(file_, &info), "ask the hints of");
        return read_and_free(info);
    }

  private:
    [[nodiscard]] std::uint64_t bytes_in_file() const {
        MPI_Offset size = 0;
        check(MPI_File_get_size(file_, &size), "ask the size of");
        return static_cast<std::uint64_t>(size);
    }

    /// On the device, as far as its file system counts blocks; else 0.
    [[nodiscard]] std::uint64_t bytes_reserved() const {
        constexpr std::uint64_t block = 512;
        struct stat status {};
        return stat(path_.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * block : 0;
    }

    /// A request in flight.
    struct Begun {
        MPI_Request request = MPI_REQUEST_NULL;
        Operation operation{};
        std::size_t* got = nullptr;  ///< for a read
    };

    /// Ends all requests in flight; throws the first failure among them.
    void end_all() {
        std::optional<Diagnosis> failure;
        for (auto& one : begun_) {
            keep_failure(failure, [&] { end(one); });
        }
        begun_.clear();
        throw_kept(failure);
    }

    /// Sets a view of the type that `make` makes, on all ranks or on none. Nothing may be in flight.
    template <class Make>
    void set_view(std::uint64_t start, ViewPlaces places, Make make) {
        std::optional<MpiType> type;
        run_together(comm_, [&] { type.emplace(make()); });
        check(MPI_File_set_view(file_, static_cast<MPI_Offset>(start), MPI_BYTE, type->get(), "native", MPI_INFO_NULL),
              "set a view of");
        view_.emplace(std::move(places));
        at_ = 0;
    }

    void set_whole_view() {
        if (view_) {
            check(MPI_File_set_view(file_, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), "reset the view of");
            view_.reset();
            at_ = 0;
        }
    }

    /// Moves this process's pointer to the place of a request, unless it is there.
    void seek(MPI_Offset place, std::size_t bytes) {
        if (pointer_ != FilePointer::individual || bytes == 0) {
            return;
        }
        if (at_ != place) {
            attempt(IoCall::seek, 0, [&] { return MPI_File_seek(file_, place, MPI_SEEK_SET); });
        }
        at_.reset();
    }

    /// This process's pointer is behind a request that began at this place.
    void pass(MPI_Offset place, std::size_t bytes) {
        if (pointer_ == FilePointer::individual && bytes > 0) {
            at_ = place + static_cast<MPI_Offset>(bytes);
        }
    }

    /// Moves the pointer of all processes to the first byte of an access, when none of them uses it. Collective.
    void seek_shared(std::uint64_t first, std::uint64_t end) {
        auto const place = static_cast<MPI_Offset>(first);
        if (at_ != place) {
            comm_.barrier();
            run_together(comm_, [&] {
                attempt(IoCall::seek, 0, [&] { return MPI_File_seek_shared(file_, place, MPI_SEEK_SET); });
            });
        }
        at_.reset();
        shared_end_ = end;
    }

    void end(Begun& one) {
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
        } else {
            *one.got = bytes_of(result);
        }
    }

    void check_written(std::uint64_t offset, std::size_t bytes, MPI_Status const& result) const {
        // Open MPI's ompio reports a full disk only by a short count.
        if (auto const done = bytes_of(result); done != bytes) [[unlikely]] {
            auto const where =
                pointer_ == FilePointer::shared ? "the shared pointer" : fmt::format("offset {}", offset);
            throw Error({fmt::format("only {} of {} bytes were written to '{}' at {}", done, bytes, path_, where),
                         "the library reports a short write and no error",
                         "Free space, or write less: the disk is probably full, or your quota used up.",
                         ExitCode::cannot_run});
        }
    }

    void write_at(MPI_Offset place, std::uint64_t offset, std::span<std::byte const> data) {
        auto const what = MpiCount(data.size());
        MPI_Status result;
        seek(place, data.size());
        attempt(IoCall::write, data.size(), [&] {
            return write_at_pointer(pointer_, collective_, {file_, place, what}, data.data(), &result);
        });
        if (!data.empty()) {
            check_written(offset, data.size(), result);
        }
        pass(place, data.size());
    }

    std::size_t read_at(MPI_Offset place, std::span<std::byte> data) {
        auto const what = MpiCount(data.size());
        MPI_Status result;
        seek(place, data.size());
        attempt(IoCall::read, data.size(), [&] {
            return read_at_pointer(pointer_, collective_, {file_, place, what}, data.data(), &result);
        });
        auto const got = data.empty() ? 0 : bytes_of(result);
        pass(place, got == data.size() ? got : 0);  // at end of file, libraries differ in where the pointer is
        return got;
    }

    [[nodiscard]] MPI_Offset place_of(Operation const& operation) const {
        if (!view_) {
            return static_cast<MPI_Offset>(operation.offset);
        }
        // A request without bytes is nowhere in the view.
        return static_cast<MPI_Offset>(operation.length > 0 ? view_->of(operation.offset) : 0);
    }

    bool only_reads_;
    Addressing addressing_;
    FilePointer pointer_;
    std::optional<MPI_Offset> at_{0};  ///< where the pointer is, if that is known
    std::uint64_t shared_end_ = 0;     ///< of the current access, at a shared pointer
    std::optional<ViewPlaces> view_;   ///< none: the complete file
    MPI_File file_ = MPI_FILE_NULL;
    std::vector<Begun> begun_;
    std::optional<Diagnosis> earlier_;  ///< the first failure of a request that nobody has waited for
};

class MpiioBackend final : public Backend {
  public:
    static constexpr std::string_view name = "mpiio";
    static constexpr std::string_view words = "MPI-IO";
    static constexpr std::string_view summary =
        "MPI-IO: independent or collective, by offsets, file pointers or file views, with hints";
    static constexpr Features features{.stores = true,
                                       .collective = true,
                                       .hints = true,
                                       .pieces = true,
                                       .asynchronous = true,
                                       .empty = true};

    void declare(OptionSet& options) override {
        options.add("file_view", view_, "use a file view instead of offsets in the complete file");
        options.add(
            "pointer", pointer_,
            "place requests at explicit offsets, at each rank's own file pointer, or at the one that ranks share");
    }

    void check_files(Pattern const& files) const override {
        validate(!(view_ && pointer_ == FilePointer::shared), "file_view contradicts pointer = shared",
                 "ranks that share a pointer must have the same view", "Leave one of them out.");
        if (pointer_ == FilePointer::shared) {
            refuse_other_places(files);
        }
    }

    [[nodiscard]] bool decides_places() const override { return pointer_ == FilePointer::shared; }

    void prepare(std::span<std::byte>) override { prepare_to_open_together(); }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        return std::make_unique<MpiioFile>(request, view_ ? Addressing::view : Addressing::offsets, pointer_);
    }

  private:
    bool view_ = false;
    FilePointer pointer_ = FilePointer::explicit_offset;
};

RegisterBackend<MpiioBackend> const registration;

}  // namespace
}  // namespace weir
