#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "comm/communicator.hpp"
#include "core/interrupt.hpp"
#include "core/option.hpp"
#include "core/registry.hpp"
#include "pattern/operations.hpp"
#include "pattern/pattern.hpp"
#include "storage/array_times.hpp"
#include "storage/cache_avoidance.hpp"
#include "storage/meter.hpp"
#include "storage/request_memory.hpp"
#include "storage/strided_memory.hpp"
#include "storage/tally.hpp"

namespace weir {

using Hints = std::map<std::string, std::string>;

/// The capabilities of a back-end; anything else is refused before a case runs.
struct Features {
    bool stores = true;         ///< written data can be read back
    bool collective = false;    ///< has collective calls
    bool hints = false;         ///< takes hints
    bool pieces = false;        ///< takes many pieces of a file in one request
    bool asynchronous = false;  ///< requests can be in flight while others are made
    bool strided = false;       ///< takes arrays out of strided memory
    bool many_parts = true;     ///< takes several ranks' parts of an array in one request
    bool empty = false;         ///< makes a call for a request without bytes
    bool raw = true;            ///< the file has exactly the pattern's bytes, at the pattern's offsets
};

/// Is the time limit of the measurement over? None: no limit.
using OutOfTime = std::function<bool()>;

/// The parameters of opening a file.
struct OpenRequest {
    std::filesystem::path path;
    OpenMode mode = OpenMode::create;
    Communicator comm;                 ///< the ranks that open it together; this process alone for a file per process
    bool collective = false;           ///< some or all accesses will be collective
    std::uint64_t transfer_bytes = 0;  ///< upper bound of a request
    std::uint64_t file_bytes = 0;      ///< one past the last byte that will be accessed
    std::uint64_t dataset_bytes = 0;   ///< of each dataset, if the format has any; the last may be shorter
    Hints hints;
    bool data_stays = false;            ///< every write uses the same memory, and its content does not matter
    OutOfTime out_of_time{};            ///< long operations must poll it; ranks may see different values
    std::vector<Array> arrays{};        ///< that the file contains, if the pattern declares them
    std::optional<IndexRange> makes{};  ///< those of them that it gets now, the only ones that are accessed; see Open
    CallCounter* counter = nullptr;     ///< counts this rank's system calls; outlives the file
    FileTimes* times = nullptr;         ///< this rank's, for the creation of arrays; outlives the file
    bool empties = false;               ///< creating truncates an existing file: no other rank creates it too
};

/// One rank's part of an array of the file.
struct PartRequest {
    ArrayPart const& of;
    std::uint64_t ranks = 1;           ///< that the array is divided among
    std::optional<Section> section{};  ///< this rank's part; its bytes are in the file's order in memory
    std::span<Section const> parts{};  ///< instead, for files that take_many_parts(): several, none overlapping
    std::span<Piece const> pieces{};   ///< the same as pieces of the file, for files that take no sections
    bool writes = false;
    bool by_rank = false;                   ///< does every rank of the file have the part of its own rank number?
    RankSet const* sharers = nullptr;       ///< the ranks of the file that have parts, in this order; null: not known
    StridedMemory const* memory = nullptr;  ///< where a file that takes_strided() finds the data; null: they are packed
};

/// Thrown by read_all() if the file ends before the request does.
struct ShortRead {
    Operation operation;
    std::size_t got = 0;
};

/// Reports it to the user: throws Error (cannot run).
[[noreturn]] void refuse_short_read(std::string const& file_name, ShortRead const&);

/// A file that is open on this rank. Every failure is thrown as Error. Closing a second time does nothing; the
/// destructor closes without throwing.
class OpenFile {
  public:
    virtual ~OpenFile() = default;

    /// Called before an access, so that the file can prepare it (a file view). Called by every rank that has the file
    /// open, also by one that has failed before; if it fails on one rank, it must throw on all ranks if it makes
    /// collective calls.
    virtual void begin(Access const&, Rank) {}

    /// Sets whether the following accesses are collective, for a file that was opened for collective ones: before
    /// this call all are. Otherwise as begin().
    virtual void set_collective(bool) {}

    /// Writes all of `data` at the operation's offset. If collective, it is called the same number of times on every
    /// rank; a rank that has failed or has nothing left passes empty data.
    virtual void write(Operation const&, std::span<std::byte const> data) = 0;

    /// Reads into `data`; returns the number of bytes read, fewer than requested only at end of file.
    virtual std::size_t read(Operation const&, std::span<std::byte> data) = 0;

    /// Writes to every one of these offsets what `data` has for it, and lets the meter see each request begin and end;
    /// throws early if a stop is requested. The loop of a plain write phase: a back-end may override it to avoid a
    /// virtual call per operation, or to have several requests in flight.
    virtual void write_all(Operations& operations, RequestMemory& data, Meter& meter) {
        write_each(*this, operations, data, meter);
    }

    /// Reads from all of these offsets in the same way, each into its place in `data` or a separate buffer. Throws
    /// ShortRead at end of file.
    virtual void read_all(Operations& operations, RequestMemory& data, Meter& meter) {
        read_each(*this, operations, data, meter);
    }

    /// Called before a request of many pieces, by every rank that has the file open, with no pieces if it has failed or
    /// does not take part; otherwise as begin(). Pieces are in file order and not adjacent.
    virtual void begin_pieces(std::span<Piece const>) {}

    /// Writes all pieces in one request; `data` holds them consecutively. Collective like write(). A back-end without
    /// such a call makes one request per piece.
    virtual void write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) {
        for (auto const& piece : pieces) {
            throw_if_interrupted();
            write({piece.offset, piece.length, 0}, data.first(piece.length));
            data = data.subspan(piece.length);
        }
    }

    /// Reads all pieces in one request, consecutively into `data`; returns the number of bytes before end of file.
    virtual std::size_t read_pieces(std::span<Piece const> pieces, std::span<std::byte> data) {
        std::size_t got = 0;
        for (auto const& piece : pieces) {
            throw_if_interrupted();
            auto const one = read({piece.offset, piece.length, 0}, data.subspan(got, piece.length));
            got += one;
            if (one < piece.length) {
                break;
            }
        }
        return got;
    }

    /// Starts a request and returns before it completes if the back-end has asynchronous calls; otherwise makes it now.
    /// The data must stay unchanged until wait() has returned. Never collective.
    virtual void begin_write(Operation const& operation, std::span<std::byte const> data) { write(operation, data); }

    /// `got`, the number of bytes before end of file, must outlive wait().
    virtual void begin_read(Operation const& operation, std::span<std::byte> data, std::size_t& got) {
        got = read(operation, data);
    }

    /// Returns when no started request is in flight. Throws the first failure among them. Local.
    virtual void wait() {}

    /// Does it take a part of an array as a section, without pieces?
    [[nodiscard]] virtual bool takes_parts() const { return false; }

    /// Does it take several parts of an array in one request? Local, as the next two.
    [[nodiscard]] virtual bool takes_many_parts() const { return false; }

    /// Does it take a part of this array out of such memory?
    [[nodiscard]] virtual bool takes_strided(Array const&, StridedMemory const&) const { return false; }

    /// Do all ranks that have the file open take part in each access to this array, whether it is collective or not?
    [[nodiscard]] virtual bool moves_together(Array const&) const { return false; }

    /// Called before a request for a part, as begin_pieces(), also by ranks without a part.
    virtual void begin_part(PartRequest const& request) { begin_pieces(request.pieces); }

    /// Writes this rank's part of an array in one request; `data` holds it packed, and is empty if the rank has no
    /// part. Collective like write(), and if the array moves together: a rank that has failed passes any data. A
    /// back-end without arrays makes one request of the part's pieces.
    virtual void write_part(PartRequest const& request, std::span<std::byte const> data) {
        write_pieces(request.pieces, data);
    }

    /// Reads it in the same way; returns the number of its bytes before end of file.
    virtual std::size_t read_part(PartRequest const& request, std::span<std::byte> data) {
        return read_pieces(request.pieces, data);
    }

    /// Reserves the file's space. Called by the ranks that the step names; if ranks sync together, by all that opened
    /// the file. On return the space is reserved.
    virtual void preallocate(std::uint64_t bytes) = 0;

    /// Returns when this rank's writes are on the device.
    virtual void sync() = 0;

    /// Must all ranks of the file sync together? Then the engine runs them in step if they sync after every request.
    [[nodiscard]] virtual bool syncs_together() const { return false; }

    virtual void close() = 0;

    /// The hints that the library reports as in force.
    [[nodiscard]] virtual Hints hints() const { return {}; }

  protected:
    /// write_all() through write(), and read_all() through read(): for a final class, the compiler inlines each into
    /// one loop.
    template <class File>
    static void write_each(File& file, Operations& operations, RequestMemory& data, Meter& meter) {
        for (Operation operation; operations.next(operation);) {
            throw_if_interrupted();
            auto const part = data.next(operation.length);
            auto const began = meter.begin();
            file.write(operation, part);
            meter.end(began, Direction::write, operation);
        }
    }
    template <class File>
    static void read_each(File& file, Operations& operations, RequestMemory& data, Meter& meter) {
        for (Operation operation; operations.next(operation);) {
            throw_if_interrupted();
            auto const part = data.next(operation.length);
            auto const began = meter.begin();
            auto const got = file.read(operation, part);
            if (got < operation.length) [[unlikely]] {
                throw ShortRead{operation, got};
            }
            meter.end(began, Direction::read, operation);
        }
    }
};

/// A storage interface. One object per rank and case.
class Backend {
  public:
    virtual ~Backend() = default;

    /// Declares the options specific to this back-end.
    virtual void declare(OptionSet&) {}

    /// Refuses combinations of its options and a pattern's files that cannot work (Error, usage). Local.
    virtual void check_files([[maybe_unused]] Pattern const& files) const {}

    /// Called once, before anything is timed, with the buffer that requests will use; its address does not change.
    /// Local.
    virtual void prepare(std::span<std::byte>) {}

    /// Bytes of memory that the back-end allocates on each rank for a buffer of this size.
    [[nodiscard]] virtual std::uint64_t memory_bytes([[maybe_unused]] std::uint64_t buffer_bytes) const { return 0; }

    /// Opens a file. If the interface is collective over the request's communicator and opening fails on one rank, it
    /// must throw on all.
    virtual std::unique_ptr<OpenFile> open(OpenRequest const&) = 0;

    /// Removes a file; does nothing if it does not exist. Local.
    virtual void remove(std::filesystem::path const&);

    /// Renames a file over another; returns when that is on the device. Local.
    virtual void rename(std::filesystem::path const& from, std::filesystem::path const& to);

    /// Is the place of an independent request to a file that ranks have open together decided as it is made, by a file
    /// pointer that they share? Then a request may read what any other one wrote.
    [[nodiscard]] virtual bool decides_places() const { return false; }

    /// How this back-end's reads avoid caches; none if they do not.
    [[nodiscard]] virtual std::optional<CacheAvoidance> avoids_caches() const { return {}; }
};

/// A registered back-end: its name and features, and a factory for it.
class BackendKind {
  public:
    virtual ~BackendKind() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual std::string_view words() const = 0;  ///< what results call it: "MPI-IO"
    [[nodiscard]] virtual std::string_view summary() const = 0;
    [[nodiscard]] virtual Features features() const = 0;

    /// The library that it uses, with its version, for the record; empty if it uses none.
    [[nodiscard]] virtual std::string library() const { return {}; }

    [[nodiscard]] virtual std::unique_ptr<Backend> make() const = 0;
};

/// The kind for a class with static constants `name`, `words`, `summary` and `features`, and an optional `library()`.
template <class Type>
class KindOf final : public BackendKind {
  public:
    [[nodiscard]] std::string_view name() const override { return Type::name; }
    [[nodiscard]] std::string_view words() const override { return Type::words; }
    [[nodiscard]] std::string_view summary() const override { return Type::summary; }
    [[nodiscard]] Features features() const override { return Type::features; }
    [[nodiscard]] std::string library() const override {
        if constexpr (requires { Type::library(); }) {
            return Type::library();
        } else {
            return {};
        }
    }
    [[nodiscard]] std::unique_ptr<Backend> make() const override { return std::make_unique<Type>(); }
};

/// Does any of the files contain arrays?
bool has_arrays(Pattern const& files);

/// Error (usage) if an array begins or ends within a device block, which direct I/O cannot access.
void refuse_direct_arrays(Pattern const& files);

/// A request for plain bytes of a file whose format has only arrays: Error (usage).
[[noreturn]] void refuse_bytes(std::string const& file_name, char const* format);

using Backends = Registry<BackendKind>;

/// The back-ends that this build lacks, with the reason for each; CMake's weir_backend_left_out() adds them.
std::map<std::string, std::string>& left_out_backends();

/// A back-end registers itself with `static RegisterBackend<PosixBackend> registration;`.
template <class Type>
using RegisterBackend = Registration<BackendKind, KindOf<Type>>;

}  // namespace weir
