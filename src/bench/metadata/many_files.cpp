#include <unistd.h>

#include "bench/metadata/file_phases.hpp"
#include "comm/collective_error.hpp"
#include "comm/other_nodes.hpp"
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
          other_nodes_(node_of_each_rank(comm_)) {
        if (options_.order == FileOrder::shuffled) {
            order_.emplace(options_.files, mix(options_.seed) + comm_.rank());
        }
    }

    void run(MetadataPhase& phase) override {
        auto const rank = (comm_.rank() + shift_) % comm_.size();
        run_together(comm_, [&] { calls_->enter(directory_.of_rank(rank)); });
        run_together(comm_, [&] { carry_out(phase, rank); });
        shift_ = next_shift();
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
    /// Each phase goes on to another rank or node, so that it does not find what the previous ones have cached.
    [[nodiscard]] std::uint64_t next_shift() {
        if (options_.reorder == Visits::node) {
            return other_nodes_.next();
        }
        // If it comes around to its own files, it takes the next ones.
        auto const next = options_.reorder == Visits::rank ? (shift_ + 1) % comm_.size() : 0;
        return options_.reorder == Visits::rank && next == 0 && comm_.size() > 1 ? 1 : next;
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

    OtherNodes other_nodes_;
    std::optional<Shuffle> order_;
    std::uint64_t created_ = 0;  ///< files that this rank has created
    std::uint64_t shift_ = 0;    ///< to the rank whose files the next phase visits
    bool renamed_ = false;
};

}  // namespace

std::unique_ptr<FilePhases> many_files(MetadataSetting const& setting) { return std::make_unique<ManyFiles>(setting); }

}  // namespace weir
