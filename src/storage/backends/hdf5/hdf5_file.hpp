#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/backend.hpp"
#include "storage/backends/hdf5/hdf5_handle.hpp"
#include "storage/datasets.hpp"
#include "storage/write_watch.hpp"

namespace weir {

/// How a file is laid out and its metadata treated; sizes in bytes, 0 leaves the library its own way.
struct Hdf5Settings {
    std::uint64_t chunk = 0;  ///< datasets in chunks of this size; 0: contiguous
    std::uint64_t alignment = 0;
    std::uint64_t metadata_block = 0;
    bool collective_metadata = false;
};

/// An HDF5 file of byte datasets "segment-000000" and so on, through the library's MPI-IO driver.
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
    struct Dataset {
        Hdf5Handle data;
        Hdf5Handle space;  ///< its selection is what the next request is for
        std::uint64_t bytes = 0;
    };

    void open_file(OpenRequest const&, Hdf5Settings const&);
    void create_datasets(Hdf5Settings const&);
    void open_datasets();
    herr_t add(hid_t data);
    herr_t close_all();

    /// Selects a part of a dataset and as much memory, and makes the call `transfer` for it; nothing where `bytes` is
    /// 0.
    template <class Transfer>
    void request(std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes, Transfer transfer);

    /// The same by this rank alone, in pieces that the library takes; `transfer` is told where in the data each begins.
    template <class Transfer>
    void request_alone(std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes, Transfer transfer);

    /// The same by all ranks together, each for its own part or none.
    template <class Transfer>
    void request_together(std::uint64_t dataset, std::uint64_t offset, std::uint64_t bytes, Transfer transfer);
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
    Datasets shape_;
    Hdf5Handle file_;
    Hdf5Handle transfer_;  ///< the transfer properties
    Hdf5Handle memory_;
    Hdf5Handle nothing_;
    std::uint64_t memory_bytes_ = 0;
    std::optional<int> lost_;  ///< the error of a write below the library that failed
    std::vector<Dataset> datasets_;
};

}  // namespace weir
