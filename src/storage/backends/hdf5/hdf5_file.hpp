#pragma once

#include <optional>
#include <string>

#include "storage/backend.hpp"
#include "storage/backends/hdf5/hdf5_datasets.hpp"
#include "storage/backends/hdf5/hdf5_handle.hpp"
#include "storage/datasets.hpp"
#include "storage/write_watch.hpp"

namespace weir {

/// An HDF5 file of byte datasets, named by Datasets::name_of(), through the library's MPI-IO driver.
class Hdf5File final : public OpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    Hdf5File(OpenRequest const&, Hdf5Settings const&);
    ~Hdf5File() override;

    void begin(Access const&, Rank acting) override;
    void set_collective(bool) override;
    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    void write_pieces(std::span<Piece const>, std::span<std::byte const> data) override;
    std::size_t read_pieces(std::span<Piece const>, std::span<std::byte> data) override;
    void preallocate(std::uint64_t bytes) override;
    void sync() override;
    [[nodiscard]] bool syncs_together() const override { return comm_.size() > 1; }
    void close() override;
    [[nodiscard]] Hints hints() const override;

  private:
    void open_file(OpenRequest const&, Hdf5Settings const&);
    void find_datasets(OpenRequest const&, Hdf5Settings const&);
    void go_through_datasets();
    herr_t close_all();

    /// Selects a part of a dataset and as much memory, and makes the call `transfer` for it, of nothing where `bytes`
    /// is 0; `what` says what that is.
    template <class Transfer>
    void request(char const* what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes, Transfer transfer);

    /// The same by this rank alone, in pieces that the library takes; `transfer` is told where in the data each begins.
    template <class Transfer>
    void request_alone(char const* what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes,
                       Transfer transfer);

    /// The same by all ranks together, each for its own part or none.
    template <class Transfer>
    void request_together(char const* what, std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes,
                          Transfer transfer);
    void check_collective();

    [[nodiscard]] hid_t memory_of(std::uint64_t bytes);

    /// Makes a call of the library, which says by less than 0 that it failed; throws if it, or a write below it, did.
    template <class Call>
    void attempt(char const* what, Call call) {
        auto const status = [&] {
            WriteWatch const watch(lost_);
            return call();
        }();
        if (status < 0 || lost_) [[unlikely]] {
            fail(what);
        }
    }
    [[noreturn]] void fail(char const* what);

    std::string path_;
    Communicator comm_;
    bool collective_;
    bool checked_collective_ = false;
    OutOfTime out_of_time_;
    Hdf5Handle file_;
    Hdf5Datasets datasets_;
    Hdf5Handle transfer_;  ///< the transfer properties
    Hdf5Handle memory_;
    Hdf5Handle nothing_;
    std::uint64_t memory_bytes_ = 0;
    std::optional<int> lost_;  ///< the error of a write below the library that failed
};

}  // namespace weir
