// One rank has the file open, and broadcasts the results to the others.

#include <utility>

#include "bench/metadata/file_calls.hpp"
#include "comm/collective_error.hpp"

namespace weir {
namespace {

class BroadcastCalls final : public FileCalls {
  public:
    BroadcastCalls(std::unique_ptr<FileCalls> inner, Communicator comm)
        : inner_(std::move(inner)), comm_(std::move(comm)) {}

    void enter(std::filesystem::path const& directory) override { inner_->enter(directory); }

    void open(FileName const& file) override {
        size_ = -1;
        auto const failure = on_root([&] {
            inner_->open(file);
            size_ = inner_->size();
        });
        broadcast(&size_, sizeof size_);
        throw_kept(failure);
    }

    [[nodiscard]] std::int64_t size() override { return size_; }

    void close() override {
        if (comm_.is_root()) {
            inner_->close();
        }
    }

    void read(std::uint64_t offset, std::span<std::byte> data) override {
        auto const failure = on_root([&] { inner_->read(offset, data); });
        broadcast(data.data(), data.size());
        throw_kept(failure);
    }

    void stat(FileName const& file) override {
        std::int64_t known = 0;
        auto const failure = on_root([&] {
            inner_->stat(file);
            known = 1;
        });
        broadcast(&known, sizeof known);
        throw_kept(failure);
    }

    void create(FileName const&) override { refuse(); }
    void sync() override { refuse(); }
    void write(std::uint64_t, std::span<std::byte const>) override { refuse(); }
    void rename(FileName const&, FileName const&) override { refuse(); }
    void unlink(FileName const&) override { refuse(); }

  private:
    static void refuse() { expect(false, "only asking, opening, reading and closing are broadcast"); }

    /// The others wait for the broadcast, so a failure is kept until after it.
    template <class Step>
    std::optional<Diagnosis> on_root(Step step) const {
        std::optional<Diagnosis> failure;
        if (comm_.is_root()) {
            keep_failure(failure, step);
        }
        return failure;
    }

    void broadcast(void* data, std::size_t bytes) const {
        if (comm_.size() > 1) {
            MPI_Bcast(data, static_cast<int>(bytes), MPI_BYTE, 0, comm_.handle());
        }
    }

    std::unique_ptr<FileCalls> inner_;
    Communicator comm_;
    std::int64_t size_ = 0;
};

}  // namespace

std::unique_ptr<FileCalls> broadcast_calls(std::unique_ptr<FileCalls> inner, Communicator comm) {
    return std::make_unique<BroadcastCalls>(std::move(inner), std::move(comm));
}

}  // namespace weir
