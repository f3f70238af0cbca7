#include "apps/cloud/dump/shared_file.hpp"

#include "apps/cloud/dump/layout.hpp"
#include "apps/cloud/dump/plans.hpp"
#include "comm/agreement.hpp"

namespace weir::cloud {
namespace {

/// An array's bytes from a place in a file on. What fails is kept, since the library has only words for it.
class ArraySink final : public io::Sink {
  public:
    ArraySink(std::optional<CountedFile>& file, std::uint64_t begin) : file_(file), begin_(begin) {}

    void write(int, std::int64_t start, std::int64_t bytes, void const* data) override {
        attempt([&] {
            file_->write(begin_ + static_cast<std::uint64_t>(start),
                         {static_cast<std::byte const*>(data), static_cast<std::size_t>(bytes)});
        });
    }
    void read(int, std::int64_t start, std::int64_t bytes, void* data) override {
        attempt([&] {
            file_->read(begin_ + static_cast<std::uint64_t>(start),
                        {static_cast<std::byte*>(data), static_cast<std::size_t>(bytes)});
        });
    }
    [[nodiscard]] std::optional<Diagnosis> const& failure() const { return failure_; }

  private:
    template <class Work>
    void attempt(Work work) {
        try {
            work();
        } catch (Error const& error) {
            failure_ = error.diagnosis();
            throw;
        }
    }

    std::optional<CountedFile>& file_;
    std::uint64_t begin_;
    std::optional<Diagnosis> failure_;
};

}  // namespace

SharedFile::SharedFile(Communicator comm, std::filesystem::path path, Method method, Tally& log, Clock& clock)
    : comm_(std::move(comm)), path_(std::move(path)), method_(method), log_(log), clock_(clock) {}

void SharedFile::open(Access access, std::function<void(CountedFile&)> const& with_header) {
    run_together(comm_, [&] {
        if (comm_.is_root()) {
            with_header(file_.emplace(path_, access, log_, clock_));
        }
    });
    run_together(comm_, [&] {
        if (shared() && !comm_.is_root()) {
            file_.emplace(path_, access == Access::create ? Access::write : access, log_, clock_);
            file_->seek(header_bytes);
        }
    });
    next_ = header_bytes;
}

template <class Transfer>
void SharedFile::move(io::Plan& plan, Transfer transfer) {
    ArraySink sink(file_, next_);
    try {
        transfer(sink);
    } catch (io::Error const& error) {  // on all ranks
        agree(comm_, sink.failure());
        throw our_error(error);
    }
    auto const times = plan.times();
    log_[IoCall::communication].count += static_cast<std::uint64_t>(times.messages);
    log_[IoCall::communication].time_s += times.exchange + times.wait;
    log_.waiting_s += times.wait;
    next_ += static_cast<std::uint64_t>(plan.file_bytes());
    if (shared()) {
        file_->seek(next_);
    }
}

void SharedFile::write(io::Plan& plan, std::span<std::byte const> block) {
    move(plan, [&](io::Sink& sink) { plan.write(sink, {block}); });
}

void SharedFile::read(io::Plan& plan, std::span<std::byte> block) {
    move(plan, [&](io::Sink& sink) { plan.read(sink, {block}); });
}

void SharedFile::sync() {
    run_together(comm_, [&] {
        if (file_) {
            file_->sync();
        }
    });
}

void SharedFile::close() {
    run_together(comm_, [&] {
        if (file_) {
            file_->close();
        }
    });
}

}  // namespace weir::cloud
