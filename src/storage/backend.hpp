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
#include "storage/meter.hpp"
#include "storage/tally.hpp"

namespace weir {

using Hints = std::map<std::string, std::string>;

/// What a back-end can do; what it cannot is refused before anything runs.
struct Features {
    bool stores = true;         ///< what was written can be read back
    bool collective = false;    ///< has calls that all ranks make together
    bool hints = false;         ///< takes hints
    bool pieces = false;        ///< takes many pieces of a file in one request
    bool asynchronous = false;  ///< goes on while requests are being made
    bool raw = true;            ///< a file's bytes lie at the pattern's offsets, and nothing else is in it
};

/// Is the time of what is being measured over? None: it has no end.
using OutOfTime = std::function<bool()>;

/// How a file is to be opened.
struct OpenRequest {
    std::filesystem::path path;
    OpenMode mode = OpenMode::create;
    Communicator comm;                 ///< the ranks that open it together; this process alone for a file of its own
    bool collective = false;           ///< accesses will be collective, some or all of them
    std::uint64_t transfer_bytes = 0;  ///< no request will be larger
    std::uint64_t file_bytes = 0;      ///< one past the greatest byte that will be touched
    std::uint64_t dataset_bytes = 0;   ///< of each dataset, where the format has any; the last may be shorter
    Hints hints;
    bool data_stays = false;  ///< what is written is the same memory in every request, and its content does not matter
    OutOfTime out_of_time{};  ///< to be asked in between by what takes long; it may say otherwise on other ranks
    std::vector<Array> arrays{};     ///< that are in it, where the pattern knows
    CallCounter* counter = nullptr;  ///< of this rank, for calls of the system that it makes; outlives the file
    bool empties = false;            ///< one that creates it empties what is there: no other rank creates it too
};

/// One rank's part of an array of the file.
struct PartRequest {
    ArrayPart const& of;
    std::uint64_t ranks = 1;           ///< among which the array is divided
    std::optional<Section> section{};  ///< what this rank has; its bytes lie in memory as in the file
    std::span<Piece const> pieces{};   ///< the same as pieces of the file, where it takes no parts
    bool by_rank = false;              ///< has every rank of the file the part at its own place?
};

/// What read_all() throws where the file ends before the request does.
struct ShortRead {
    Operation operation;
    std::size_t got = 0;
};

/// Tells it to people: Error (cannot run).
[[noreturn]] void refuse_short_read(std::string const& file_name, ShortRead const&);

/// A file that is open on this rank. Every failure is thrown as Error. Closing a second time does nothing; the
/// destructor closes without throwing.
class OpenFile {
  public:
    virtual ~OpenFile() = default;

    /// Told before an access, so that it may prepare itself (a file view). Called by every rank that has the file open,
    /// also by one that has failed before; if it fails on one rank, it must throw on all where it makes collective
    /// calls.
    virtual void begin(Access const&, Rank) {}

    /// Whether the next accesses are collective, of a file that was opened for collective ones: all are until this is
    /// called. As begin() in all else.
    virtual void set_collective(bool) {}

    /// Writes all of `data` at the operation's offset. Where it is collective it is called the same number of times on
    /// every rank; a rank that has failed or has nothing left passes empty data.
    virtual void write(Operation const&, std::span<std::byte const> data) = 0;

    /// Reads into `data`; returns how many bytes there were, fewer only at the end of the file.
    virtual std::size_t read(Operation const&, std::span<std::byte> data) = 0;

    /// Writes the same data at every one of these places, and lets the meter see each request as it begins and ends;
    /// ends early, by throwing, when a stop is requested. What a plain write phase is made of: a back-end may override
    /// it to spare a call an operation, or to have several on their way at once.
    virtual void write_all(Operations& operations, std::span<std::byte const> data, Meter& meter) {
        write_each(*this, operations, data, meter);
    }

    /// Reads all of these places in the same way, each into the start of `data` or of a buffer of its own. Throws
    /// ShortRead at a file's end.
    virtual void read_all(Operations& operations, std::span<std::byte> data, Meter& meter) {
        read_each(*this, operations, data, meter);
    }

    /// Told before a request of many pieces, by every rank that has the file open, with no pieces where it has failed
    /// or takes no part; as begin() in all else. Pieces are in the order of the file and do not touch.
    virtual void begin_pieces(std::span<Piece const>) {}

    /// Writes all pieces in one request; `data` holds one after the other. Collective like write(). A back-end that has
    /// no such call makes one of each piece.
    virtual void write_pieces(std::span<Piece const> pieces, std::span<std::byte const> data) {
        for (auto const& piece : pieces) {
            throw_if_interrupted();
            write({piece.offset, piece.length, 0}, data.first(piece.length));
            data = data.subspan(piece.length);
        }
    }

    /// Reads all pieces in one request, one after the other into `data`; returns how many bytes there were before the
    /// end of the file.
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

    /// Begins a request, and returns before it is made where the back-end has such calls; the others make it now. Its
    /// data stay in place until wait() has returned. Never collective.
    virtual void begin_write(Operation const& operation, std::span<std::byte const> data) { write(operation, data); }

    /// `got`, how many bytes there were before the end of the file, is there after wait() too.
    virtual void begin_read(Operation const& operation, std::span<std::byte> data, std::size_t& got) {
        got = read(operation, data);
    }

    /// Returns when nothing that was begun is on its way any more. Throws the first failure among them. Local.
    virtual void wait() {}

    /// Does it take a part of an array by its section, and need no pieces?
    [[nodiscard]] virtual bool takes_parts() const { return false; }

    /// Writes this rank's part of an array in one request; `data` holds it packed, and is empty where it has none.
    /// Collective like write(): a rank that has failed passes any data. A back-end that knows bytes alone makes one
    /// request of its pieces.
    virtual void write_part(PartRequest const& request, std::span<std::byte const> data) {
        write_pieces(request.pieces, data);
    }

    /// Reads it in the same way; returns how many bytes of it there were before the end of the file.
    virtual std::size_t read_part(PartRequest const& request, std::span<std::byte> data) {
        return read_pieces(request.pieces, data);
    }

    /// Reserves the file's space. Called by the ranks that the step names; where ranks sync together, by all that
    /// opened the file. Each finds it reserved when its call has returned.
    virtual void preallocate(std::uint64_t bytes) = 0;

    /// Returns when what this rank has written is on the device.
    virtual void sync() = 0;

    /// Must all ranks of the file sync together? Then the engine keeps them in step where they sync after every
    /// request.
    [[nodiscard]] virtual bool syncs_together() const { return false; }

    virtual void close() = 0;

    /// The hints that the library says are in force.
    [[nodiscard]] virtual Hints hints() const { return {}; }

  protected:
    /// write_all() by write(), and read_all() by read(): of a final class, the compiler makes each one loop.
    template <class File>
    static void write_each(File& file, Operations& operations, std::span<std::byte const> data, Meter& meter) {
        for (Operation operation; operations.next(operation);) {
            throw_if_interrupted();
            auto const began = meter.begin();
            file.write(operation, data.first(operation.length));
            meter.end(began, Direction::write, operation);
        }
    }
    template <class File>
    static void read_each(File& file, Operations& operations, std::span<std::byte> data, Meter& meter) {
        for (Operation operation; operations.next(operation);) {
            throw_if_interrupted();
            auto const began = meter.begin();
            auto const got = file.read(operation, data.first(operation.length));
            if (got < operation.length) [[unlikely]] {
                throw ShortRead{operation, got};
            }
            meter.end(began, Direction::read, operation);
        }
    }
};

/// A way to reach storage. One object a rank and case.
class Backend {
  public:
    virtual ~Backend() = default;

    /// Declares the options that only this back-end has.
    virtual void declare(OptionSet&) {}

    /// Refuses what its options make impossible with the files of a pattern (Error, usage). Local.
    virtual void check_files([[maybe_unused]] Pattern const& files) const {}

    /// Told once, before anything is timed, the buffer that requests will be made from; it stays where it is. Local.
    virtual void prepare(std::span<std::byte>) {}

    /// Bytes of memory that it takes for this on each rank, where that buffer has so many.
    [[nodiscard]] virtual std::uint64_t memory_bytes([[maybe_unused]] std::uint64_t buffer_bytes) const { return 0; }

    /// Opens a file. Where the interface is collective over the request's communicator and opening fails on one rank,
    /// it must throw on all.
    virtual std::unique_ptr<OpenFile> open(OpenRequest const&) = 0;

    /// Removes a file; one that is not there is fine. Local.
    virtual void remove(std::filesystem::path const&);

    /// Puts a file in the place of another one; returns when that is on the device. Local.
    virtual void rename(std::filesystem::path const& from, std::filesystem::path const& to);

    /// How this back-end's reads avoid caches, in a word for the record ("direct"); empty if they do not.
    [[nodiscard]] virtual std::string avoids_caches() const { return {}; }
};

/// What is registered: knows a back-end's name and features, and makes one.
class BackendKind {
  public:
    virtual ~BackendKind() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual std::string_view summary() const = 0;
    [[nodiscard]] virtual Features features() const = 0;

    /// The library that it uses, with its version, for the record; empty where it is none of its own.
    [[nodiscard]] virtual std::string library() const { return {}; }

    [[nodiscard]] virtual std::unique_ptr<Backend> make() const = 0;
};

/// The kind of a class that says `name`, `summary` and `features` as static constants, and maybe its `library()`.
template <class Type>
class KindOf final : public BackendKind {
  public:
    [[nodiscard]] std::string_view name() const override { return Type::name; }
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

/// Is any of the files one of arrays?
bool has_arrays(Pattern const& files);

/// Error (usage) where an array begins or ends within a block of a device, which no direct request can.
void refuse_direct_arrays(Pattern const& files);

/// A request for bytes of a file of arrays, in a format that has none outside them: Error (usage).
[[noreturn]] void refuse_bytes(std::string const& file_name, char const* format);

using Backends = Registry<BackendKind>;

/// The back-ends that this build lacks, with the reason of each; CMake's weir_backend_left_out() adds them.
std::map<std::string, std::string>& left_out_backends();

/// `static RegisterBackend<PosixBackend> registration;` is all that a back-end needs to be found.
template <class Type>
using RegisterBackend = Registration<BackendKind, KindOf<Type>>;

}  // namespace weir
