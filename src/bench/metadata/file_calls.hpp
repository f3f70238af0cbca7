#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "comm/collective_error.hpp"
#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "storage/backend.hpp"

namespace weir {

/// The names of one rank's files in one directory, formatted in place, without allocation.
class FileName {
  public:
    /// Names `KIND-RANK-NUMBER` for numbers below `files`.
    FileName(std::filesystem::path const& directory, std::string const& kind, std::uint64_t rank, std::uint64_t files)
        : path_(directory.string() + "/"), name_at_(path_.size()) {
        path_ += kind + "-" + std::to_string(rank) + "-";
        digits_at_ = path_.size();
        path_.append(std::to_string(files - 1).size(), '0');
    }

    void number(std::uint64_t index) {
        for (auto place = path_.size(); place-- > digits_at_; index /= 10) {
            path_[place] = static_cast<char>('0' + index % 10);
        }
    }

    [[nodiscard]] char const* path() const { return path_.c_str(); }
    [[nodiscard]] char const* name() const { return path_.c_str() + name_at_; }

  private:
    std::string path_;
    std::size_t name_at_ = 0;
    std::size_t digits_at_ = 0;
};

/// An interface's calls on files by name, one file open at a time. All throw Error. The destructor closes what is open,
/// unless closing is collective.
class FileCalls {
  public:
    virtual ~FileCalls() = default;

    /// The directory of the following names.
    virtual void enter(std::filesystem::path const& directory) = 0;

    virtual void create(FileName const&) = 0;
    virtual void open(FileName const&) = 0;  ///< for reading
    virtual void close() = 0;
    virtual void sync() = 0;
    [[nodiscard]] virtual std::int64_t size() = 0;  ///< of the open file

    /// All of `data` at this offset of the open file.
    virtual void write(std::uint64_t offset, std::span<std::byte const> data) = 0;
    virtual void read(std::uint64_t offset, std::span<std::byte> data) = 0;

    virtual void stat(FileName const&) = 0;
    virtual void rename(FileName const& from, FileName const& to) = 0;
    virtual void unlink(FileName const&) = 0;

    /// The hints that the library reports as in force for the open file.
    [[nodiscard]] virtual Hints hints() const { return {}; }
};

/// Makes `request(offset, length)` for each piece of a file of `bytes`. After a failure it continues, and throws at the
/// end: if the calls are collective, the other ranks make all of theirs.
template <class Request>
void in_pieces(std::uint64_t piece, std::uint64_t bytes, Request request) {
    std::optional<Diagnosis> failure;
    for (std::uint64_t done = 0; done < bytes; done += piece) {
        keep_failure(failure, [&] { request(done, std::min(piece, bytes - done)); });
    }
    throw_kept(failure);
}

/// openat(), unlinkat() and so on, relative to the directory.
std::unique_ptr<FileCalls> posix_calls();

/// MPI_File_open and so on; opening, reading and closing are collective over `comm`. Has no stat and no rename.
std::unique_ptr<FileCalls> mpiio_calls(Communicator comm, Hints const&);

/// Rank 0 makes the calls of `inner`, and broadcasts the result: of an open, success and the file's size; of a read,
/// the bytes. Collective over `comm`; only for stat, opening, reading and closing.
std::unique_ptr<FileCalls> broadcast_calls(std::unique_ptr<FileCalls> inner, Communicator comm);

}  // namespace weir
