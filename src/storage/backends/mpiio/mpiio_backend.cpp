// MPI-IO: independent or collective requests, by explicit offsets or through a file view, with hints.

#include <fmt/format.h>
#include <mpi.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "pattern/extent.hpp"
#include "pattern/piece_lists.hpp"
#include "storage/hints.hpp"
#include "storage/library_file.hpp"

namespace weir {
namespace {

bool fits_an_int(std::uint64_t n) { return n <= static_cast<std::uint64_t>(std::numeric_limits<int>::max()); }

/// Pieces of a file as a committed type. MPI's lengths and counts are 32-bit: longer pieces are split.
MPI_Datatype type_of(std::span<Piece const> pieces) {
    constexpr std::uint64_t longest = 1ULL << 30;
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    lengths.reserve(pieces.size());
    places.reserve(pieces.size());
    for (auto const& piece : pieces) {
        for (std::uint64_t done = 0; done < piece.length; done += longest) {
            lengths.push_back(static_cast<int>(std::min(longest, piece.length - done)));
            places.push_back(static_cast<MPI_Aint>(piece.offset + done));
        }
    }
    validate(fits_an_int(lengths.size()), "a request has too many pieces for MPI-IO", "MPI counts are 32-bit",
             "Leave together out.");
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

/// Contiguous bytes as one committed type.
MPI_Datatype contiguous_bytes(std::uint64_t bytes) {
    Piece const whole{0, bytes};
    return type_of({&whole, 1});
}

/// A derived datatype that frees itself.
class MpiType {
  public:
    explicit MpiType(MPI_Datatype type) : type_(type) {}
    ~MpiType() { MPI_Type_free(&type_); }
    MpiType(MpiType const&) = delete;
    MpiType& operator=(MpiType const&) = delete;
    [[nodiscard]] MPI_Datatype get() const { return type_; }

  private:
    MPI_Datatype type_;
};

/// A number of bytes as count and type, also if it exceeds an int.
class MpiCount {
  public:
    explicit MpiCount(std::size_t bytes) : count_(static_cast<int>(bytes)) {
        if (!fits_an_int(bytes)) {
            type_.emplace(contiguous_bytes(bytes));
            count_ = 1;
        }
    }

    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] MPI_Datatype type() const { return type_ ? type_->get() : MPI_BYTE; }

  private:
    int count_;
    std::optional<MpiType> type_;
};

/// The bytes of nested strides, from their start, as a committed file type, for an MpiType to own. Throws Error (usage)
/// for what MPI cannot express: file views must be monotonic, and counts are 32-bit.
MPI_Datatype nest_type(Extent const& extent) {
    for (auto const& level : extent.levels) {
        validate(fits_an_int(level.count), "a file view has too many pieces", "MPI counts are 32-bit",
                 "Leave file_view out.");
        validate(level.stride >= 0 || level.count == 1, "a file view goes backwards",
                 "MPI requires displacements that do not decrease", "Leave file_view out.");
    }
    auto type = contiguous_bytes(extent.length);
    for (auto level = extent.levels.rbegin(); level != extent.levels.rend(); ++level) {
        MPI_Datatype outer = MPI_DATATYPE_NULL;
        MPI_Type_create_hvector(static_cast<int>(level->count), 1, static_cast<MPI_Aint>(level->stride), type, &outer);
        MPI_Type_free(&type);
        type = outer;
    }
    MPI_Type_commit(&type);
    return type;
}

/// Pieces of a file, in file order, as a committed file type, for an MpiType to own. Throws Error (usage) for what MPI
/// cannot express: counts are 32-bit.
MPI_Datatype list_type(std::span<Piece const> pieces) {
    // A view must have bytes, even if nothing is accessed through it.
    return pieces.empty() ? contiguous_bytes(1) : type_of(pieces);
}

/// How requests get their file offset: each an explicit one, or through a file view set once per access.
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
    MpiioFile(OpenRequest const& request, Addressing addressing) : LibraryFile(request), addressing_(addressing) {
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
            return;
        }
        validate(access.lists.empty(), "file_view contradicts lists of pieces that are requests of their own",
                 "a view takes them as one request", "Leave file_view out, or set together in the pattern.");
        auto const participates = access.ranks.contains(rank);
        auto const extent = participates ? extent_of(access, rank) : Extent{0, {}, access.extent.length};
        std::optional<MpiType> type;
        // Setting the view is collective: all ranks must have created their types before.
        run_together(comm_, [&] { type.emplace(nest_type(extent)); });
        check(MPI_File_set_view(file_, static_cast<MPI_Offset>(extent.start), MPI_BYTE, type->get(), "native",
                                MPI_INFO_NULL),
              "set a view of");
    }

    void set_collective(bool collective) override { collective_ = collective; }

    void begin_pieces(std::span<Piece const> pieces) override {
        std::optional<MpiType> type;
        run_together(comm_, [&] { type.emplace(list_type(pieces)); });
        check(MPI_File_set_view(file_, 0, MPI_BYTE, type->get(), "native", MPI_INFO_NULL), "set a view of");
        has_view_ = true;
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

    /// With MPI_File_iwrite_at and MPI_File_iread_at; synchronous if offsets follow from a view.
    void begin_write(Operation const& operation, std::span<std::byte const> data) override {
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

    void begin_read(Operation const& operation, std::span<std::byte> data, std::size_t& got) override {
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

    void wait() override {
        std::optional<Diagnosis> failure;
        for (auto& one : begun_) {
            keep_failure(failure, [&] { end(one); });
        }
        begun_.clear();
        throw_kept(failure);
    }

    void preallocate(std::uint64_t bytes) override {
        attempt("reserve the space of", [&] { return MPI_File_preallocate(file_, static_cast<MPI_Offset>(bytes)); });
        // Some libraries report success on a full disk: check with the file system. If it does not count blocks, the
        // check is impossible.
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

    void sync() override {
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
    /// A request in flight.
    struct Begun {
        MPI_Request request = MPI_REQUEST_NULL;
        Operation operation{};
        std::size_t* got = nullptr;  ///< for a read
    };

    void set_whole_view() {
        if (has_view_) {
            check(MPI_File_set_view(file_, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), "reset the view of");
            has_view_ = false;
        }
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
            throw Error(
                {fmt::format("only {} of {} bytes were written to '{}' at offset {}", done, bytes, path_, offset),
                 "the library reports a short write and no error",
                 "Free space, or write less: the disk is probably full, or your quota used up.", ExitCode::cannot_run});
        }
    }

    void write_at(MPI_Offset place, std::uint64_t offset, std::span<std::byte const> data) {
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

    std::size_t read_at(MPI_Offset place, std::span<std::byte> data) {
        auto const what = MpiCount(data.size());
        MPI_Status result;
        attempt(IoCall::read, data.size(), [&] {
            return collective_ ? MPI_File_read_at_all(file_, place, data.data(), what.count(), what.type(), &result)
                               : MPI_File_read_at(file_, place, data.data(), what.count(), what.type(), &result);
        });
        return data.empty() ? 0 : bytes_of(result);
    }

    [[nodiscard]] MPI_Offset place_of(Operation const& operation) const {
        return static_cast<MPI_Offset>(addressing_ == Addressing::view ? operation.ordinal * operation.length
                                                                       : operation.offset);
    }

    Addressing addressing_;
    bool has_view_ = false;  ///< a view of pieces is set
    MPI_File file_ = MPI_FILE_NULL;
    std::vector<Begun> begun_;
};

class MpiioBackend final : public Backend {
  public:
    static constexpr std::string_view name = "mpiio";
    static constexpr std::string_view summary =
        "MPI-IO: independent or collective, by offsets or file views, with hints";
    static constexpr Features features{.stores = true,
                                       .collective = true,
                                       .hints = true,
                                       .pieces = true,
                                       .asynchronous = true};

    void declare(OptionSet& options) override {
        options.add("file_view", view_, "use a file view instead of explicit offsets");
    }

    void prepare(std::span<std::byte>) override { prepare_to_open_together(); }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        return std::make_unique<MpiioFile>(request, view_ ? Addressing::view : Addressing::offsets);
    }

  private:
    bool view_ = false;
};

RegisterBackend<MpiioBackend> const registration;

}  // namespace
}  // namespace weir
