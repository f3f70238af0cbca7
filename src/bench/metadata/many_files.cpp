#include <unistd.h>

#include "bench/metadata/file_phases.hpp"
#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"
#include "core/random.hpp"

namespace weir {
namespace {

constexpr char const* plain_kind = "weir-file";
constexpr char const* renamed_kind = "weir-renamed";

std::unique_ptr<FileCalls> calls_of(Interface interface) {
    return interface == Interface::posix ? posix_calls() : mpiio_calls(Communicator(), {});
}

DirectoryUse use_of(MetadataLayout layout) {
    return layout == MetadataLayout::private_directory ? DirectoryUse::one_a_rank : DirectoryUse::common;
}

class ManyFiles final : public FilePhases {
  public:
    explicit ManyFiles(MetadataSetting const& setting)
        : FilePhases(setting, use_of(setting.options.layout), calls_of(setting.options.interface)),
          ranks_per_node_(comm_.max(comm_.node().size())) {
        if (options_.order == FileOrder::shuffled) {
            order_.emplace(options_.files, mix(options_.seed) + comm_.rank());
        }
    }

    void run(MetadataPhase& phase) override {
        auto const rank = acting_rank();
        run_together(comm_, [&] { calls_->enter(directory_.of_rank(rank)); });
        run_together(comm_, [&] { carry_out(phase, rank); });
        ++phases_done_;
        renamed_ = renamed_ || phase.phase == MetadataCall::rename;
        if (phase.phase == MetadataCall::unlink) {
            created_ = 0;
        }
    }

    void remove() override {
        calls_.reset();
        // Each rank removes its own: one rank would take long for the files of thousands.
        for (auto const* kind : {plain_kind, renamed_kind}) {
            FileName file(directory_.of_rank(comm_.rank()), kind, comm_.rank(), options_.files);
            for (std::uint64_t i = 0; i < created_; ++i) {
                file.number(i);
                ::unlink(file.path());
                note_step();
            }
        }
        directory_.remove();
    }

  private:
    /// Each phase shifts by one more rank or node, so that it does not find what the previous one has cached.
    [[nodiscard]] std::uint64_t acting_rank() const {
        auto const step = options_.reorder == Visits::none ? 0 : options_.reorder == Visits::rank ? 1 : ranks_per_node_;
        auto const whole = step % comm_.size() == 0 && step > 0 ? 1 : step;
        auto const shift = phases_done_ * whole % comm_.size();
        // If the shift wraps around to its own files, it takes the next ones.
        return (comm_.rank() + (shift == 0 && phases_done_ > 0 ? whole : shift)) % comm_.size();
    }

    [[nodiscard]] std::uint64_t place(std::uint64_t step) const { return order_ ? (*order_)(step) : step; }

    void carry_out(MetadataPhase& phase, std::uint64_t rank) {
        FileName file(directory_.of_rank(rank), renamed_ ? renamed_kind : plain_kind, rank, options_.files);
        FileName renamed(directory_.of_rank(rank), renamed_kind, rank, options_.files);
        comm_.barrier();
        phase.start_s = clock_.now_s() + clock_offset_s_;
        Stopwatch watch(clock_, phase.times);
        if (phase.phase == MetadataCall::create) {
            create(phase, watch, file);
        } else {
            visit(phase, watch, file, renamed);
        }
        phase.end_s = clock_.now_s() + clock_offset_s_;
    }

    void create(MetadataPhase& phase, Stopwatch& watch, FileName& file) {
        auto const bytes = options_.file_bytes.value;
        for (std::uint64_t i = 0; i < options_.files; ++i) {
            throw_if_interrupted();
            file.number(i);
            created_ = i + 1;
            calls_->create(file);
            watch.lap(MetadataCall::create);
            if (bytes > 0) {
                in_pieces(buffer_.size(), bytes,
                          [&](std::uint64_t at, std::uint64_t n) { calls_->write(at, buffer_.first(n)); });
                watch.lap(MetadataCall::write);
                phase.bytes_written += bytes;
            }
            if (options_.sync) {
                calls_->sync();
                watch.lap(MetadataCall::sync);
            }
            calls_->close();
            watch.lap(MetadataCall::close);
            ++phase.operations;
        }
    }

    void visit(MetadataPhase& phase, Stopwatch& watch, FileName& file, FileName& renamed) {
        auto const bytes = options_.file_bytes.value;
        for (std::uint64_t i = 0; i < options_.files; ++i) {
            throw_if_interrupted();
            file.number(place(i));
            switch (phase.phase) {
                case MetadataCall::stat:
                    calls_->stat(file);
                    break;
                case MetadataCall::rename:
                    renamed.number(place(i));
                    calls_->rename(file, renamed);
                    break;
                case MetadataCall::unlink:
                    calls_->unlink(file);
                    break;
                default:
                    calls_->open(file);
                    watch.lap(MetadataCall::open);
                    if (phase.phase == MetadataCall::read) {
                        in_pieces(buffer_.size(), bytes,
                                  [&](std::uint64_t at, std::uint64_t n) { calls_->read(at, buffer_.first(n)); });
                        watch.lap(MetadataCall::read);
                        phase.bytes_read += bytes;
                    }
                    calls_->close();
                    break;
            }
            auto const closes = phase.phase == MetadataCall::open || phase.phase == MetadataCall::read;
            watch.lap(closes ? MetadataCall::close : phase.phase);
            ++phase.operations;
        }
    }

    std::uint64_t ranks_per_node_;
    std::optional<Shuffle> order_;
    std::uint64_t created_ = 0;      ///< files that this rank has created
    std::uint64_t phases_done_ = 0;  ///< including creation
    bool renamed_ = false;
};

}  // namespace

std::unique_ptr<FilePhases> many_files(MetadataSetting const& setting) { return std::make_unique<ManyFiles>(setting); }

}  // namespace weir
