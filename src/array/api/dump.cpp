#include "array/api/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "array/exchange/scoped_timer.hpp"

namespace weir::array {
namespace {

Buffers buffers_of(Plan const& plan, void* const* buffers) { return {buffers, plan.arrays().descriptions.size()}; }

/// Throws Failure if a rank that holds bytes of an array gives no buffer for it, or the direction cannot be used.
/// Local.
void check_buffers(Direction const& direction, void* const* buffers) {
    for (auto const& part : *direction.share) {
        if (part.bytes() > 0 && (buffers == nullptr || buffers[part.array()] == nullptr)) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("the buffer of array {} is null", part.array()),
                 fmt::format("this rank holds {} bytes of it", part.bytes()), "Pass the local array.");
        }
    }
    if (direction.problem) {
        throw Failure(*direction.problem);
    }
}

/// Throws Failure if the file name is missing, an offset is negative, or the number size does not divide the element
/// size. Local.
void check_place(Arrays const& arrays, char const* path, FileLayout const& layout) {
    if (path == nullptr || *path == 0) {
        fail(WEIR_BAD_ARGUMENT, "no file is named", "the path is null or empty", "Pass a path.");
    }
    for (std::size_t i = 0; i < layout.offsets.size(); ++i) {
        auto const offset = layout.offsets[i];
        if (offset < 0) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("a file has no byte {}", offset), "it is negative",
                 "Offsets count from 0.");
        }
        auto const bytes = arrays.descriptions[i].file_bytes();
        auto const end = static_cast<std::uint64_t>(offset) + bytes;
        if (end > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("array {} would end beyond byte 2^63", i),
                 fmt::format("it has {} bytes, from byte {} on", bytes, offset), "No file is so long.");
        }
    }
    for (std::size_t i = 0; i < layout.numbers.size(); ++i) {
        auto const element = static_cast<std::int64_t>(arrays.descriptions[i].element_bytes);
        auto const number = layout.numbers[i];
        if (number <= 0 || element % number != 0) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("array {} does not consist of numbers of {} bytes", i, number),
                 fmt::format("its elements have {} bytes", element), "Pass 1 for what has no byte order.");
        }
    }
}

/// Throws the failure of any rank, also if ranks disagree on file or layout. Collective.
void agree_on_place(Plan& plan, char const* path, FileLayout const& layout, FirstFailure& failure) {
    auto const& comm = plan.comm();
    std::string mine;
    failure.attempt([&] {
        mine = path == nullptr ? "" : path;
        for (auto const offset : layout.offsets) {
            mine += fmt::format(", byte {}", offset);
        }
        for (auto const number : layout.numbers) {
            mine += fmt::format(", numbers of {} bytes reversed", number);
        }
    });
    if (!plan.agree(failure, std::hash<std::string>{}(mine))) {
        agree_on_text(comm, mine, "ranks name different files or places in them", "Pass the same on all ranks.");
    }
}

/// Throws Failure unless both plans have the same ranks and arrays of the same shapes. Local; the same result on all
/// ranks.
void check_alike(Plan const& a, Plan const& b) {
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(a.comm().handle(), b.comm().handle(), &result);
    if (result != MPI_CONGRUENT && result != MPI_IDENT) {
        fail(WEIR_OTHER_COMM, "the plans belong to different communicators",
             "their ranks are not the same, or not in the same order", "Make both plans with one communicator.");
    }
    auto const alike = [](Description const& x, Description const& y) {
        return x.shape == y.shape && x.element_bytes == y.element_bytes && (x.order == y.order || x.shape.size() == 1);
    };
    if (!std::ranges::equal(a.arrays().descriptions, b.arrays().descriptions, alike)) {
        fail(WEIR_BAD_ARGUMENT, "the plans are of different arrays",
             "their number, shapes, element sizes or orders differ",
             "Describe the same arrays in both, distributed as you like.");
    }
}

}  // namespace

WriteDump::WriteDump(Plan& plan, char const* path, FileLayout const& layout, void* const* buffers, Waiting waiting,
                     FirstFailure const& before)
    : plan_(&plan), waiting_(waiting), began_(now()) {
    plan.times = {};
    auto checked = before;
    std::optional<NewFile> made;
    checked.attempt([&] {
        check_place(plan.arrays(), path, layout);
        check_buffers(plan.writing(), buffers);
        path_ = path;
        file_ = plan.options().safe ? part_path(resolved(path_)) : path_;
        if (plan.options().safe && plan.comm().is_root()) {
            ScopedTimer const watch(plan.times.open);
            part_.emplace(path_);
            auto const outside = FileMap(plan.arrays(), layout.offsets).outside_arrays(part_->old_bytes());
            bool const all = plan.options().holes == HoleUse::keep;
            part_->keep(all ? std::vector<FileRange>{{0, part_->old_bytes()}} : outside);
        } else if (plan.comm().is_root() && plan.on_several_nodes()) {
            ScopedTimer const watch(plan.times.open);
            made.emplace(file_);  // others then see whether theirs is the same
        }
    });
    agree_on_place(plan, path, layout, checked);
    if (made) {
        made->keep();
    }
    failure_.attempt([&] { open(layout); });
    bool const behind = waiting == Waiting::later || plan.options().thread;
    plan.write(sink(), buffers_of(plan, buffers), failure_, behind);
    if (behind && waiting == Waiting::later && sink_ && plan.options().sync) {
        plan.later([this] { sync(); });
    }
}

WriteDump::~WriteDump() {
    if (!completed_ && plan_ != nullptr) {
        plan_->finish();
    }
}

void WriteDump::abandon() {
    plan_->finish();
    swapped_.reset();
    sink_.reset();
    part_.reset();
    plan_ = nullptr;
}

void WriteDump::open(FileLayout const& layout) {
    FileMap const map(plan_->arrays(), layout.offsets);
    end_of_file_ =
        plan_->options().holes == HoleUse::refuse ? map.end_of_larger() : std::max(map.end_of_larger(), map.end());
    if (plan_->verifies()) {
        checksums_.emplace(map.begin(), map.end());
    }
    if (plan_->touches(plan_->writing())) {
        ScopedTimer const watch(plan_->times.open);
        if (!plan_->shares_node_of_root()) {
            seen_.emplace(file_).check();
        }
        auto const open_as = plan_->options().safe ? OpenAs::part : OpenAs::output;
        sink_.emplace(file_, open_as, map, checksums_ ? &*checksums_ : nullptr, plan_->options().sync);
        if (!layout.numbers.empty()) {
            swapped_.emplace(*sink_, plan_->arrays(), layout.numbers);
        }
    }
}

Sink* WriteDump::sink() {
    if (swapped_) {
        return &*swapped_;
    }
    return sink_ ? &*sink_ : nullptr;
}

void WriteDump::sync() {
    failure_.attempt([&] {
        ScopedTimer const watch(plan_->times.sync);
        sink_->sync();
    });
}

bool WriteDump::written() const { return plan_ == nullptr || plan_->finished(); }

void WriteDump::complete() {
    if (plan_ == nullptr) {
        fail(WEIR_BAD_ARGUMENT, "the dump is not complete", "its plan was freed before weir_wait()",
             "Call weir_wait() before weir_plan_free().");
    }
    completed_ = true;
    plan_->pending = nullptr;
    plan_->finish();
    try {
        if (plan_->completes_together()) {
            plan_->agree(failure_);  // all is written
        }
        if (end_of_file_ > 0 && plan_->comm().is_root()) {
            failure_.attempt([&] {
                ScopedTimer const watch(plan_->times.open);
                extend_file(file_, end_of_file_, plan_->options().sync);
            });
        }
        if (waiting_ == Waiting::here && sink_ && plan_->syncs() && plan_->options().sync) {
            sync();
        }
        if (sink_) {
            failure_.attempt([&] {
                ScopedTimer const watch(plan_->times.open);
                sink_->close();
            });
        }
        if (checksums_) {
            ScopedTimer const watch(plan_->times.checksum);
            checksums_->gather(plan_->comm());
        }
        plan_->agree(failure_);
    } catch (Failure const&) {
        part_.reset();
        throw;
    }
    settle();
    plan_->times.total = now() - began_;
}

void WriteDump::settle() {
    if (!plan_->options().safe && !checksums_) {
        return;
    }
    if (plan_->comm().is_root()) {
        failure_.attempt([&] {
            ScopedTimer const watch(plan_->times.open);
            ChecksumFile const kept(path_);
            if (plan_->options().safe) {
                if (checksums_) {
                    kept.announce(*checksums_);
                }
                part_->put_in_place();
            }
            if (checksums_) {
                kept.settle(*checksums_);
            }
        });
    }
    plan_->agree(failure_);
}

void read_file(Plan& plan, char const* path, FileLayout const& layout, void* const* buffers, FirstFailure failure) {
    plan.times = {};
    ScopedTimer const total(plan.times.total);
    failure.attempt([&] {
        check_place(plan.arrays(), path, layout);
        check_buffers(plan.reading(), buffers);
    });
    agree_on_place(plan, path, layout, failure);
    std::optional<Checksums> checksums;
    std::optional<FileSink> file;
    std::optional<SwappedSink> swapped;
    Sink* sink = nullptr;
    failure.attempt([&] {
        FileMap const map(plan.arrays(), layout.offsets);
        if (plan.verifies()) {
            checksums.emplace(map.begin(), map.end());
        }
        if (plan.touches(plan.reading())) {
            ScopedTimer const watch(plan.times.open);
            sink = &file.emplace(path, OpenAs::input, map, checksums ? &*checksums : nullptr);
            if (!layout.numbers.empty()) {
                sink = &swapped.emplace(*file, plan.arrays(), layout.numbers);
            }
        }
    });
    plan.read(sink, buffers_of(plan, buffers), failure);
    plan.agree(failure);
    if (checksums) {
        ScopedTimer const watch(plan.times.checksum);
        checksums->gather(plan.comm());
        if (plan.comm().is_root()) {
            failure.attempt([&] { ChecksumFile(path).verify(*checksums); });
        }
        plan.agree(failure);
    }
}

void move_through_target(Plan& plan, Use use, weir_target const* target, void* const* buffers) {
    plan.times = {};
    ScopedTimer const total(plan.times.total);
    bool const writing = use == Use::write;
    FirstFailure failure;
    failure.attempt([&] {
        if (target == nullptr || (writing ? target->write == nullptr : target->read == nullptr)) {
            fail(WEIR_BAD_ARGUMENT, "there is no target", "it, or its function, is null",
                 "Pass a weir_target with the function for this direction.");
        }
        check_buffers(writing ? plan.writing() : plan.reading(), buffers);
    });
    plan.agree(failure);
    TargetSink sink(plan.arrays(), *target);
    if (writing) {
        plan.write(&sink, buffers_of(plan, buffers), failure, false);
    } else {
        plan.read(&sink, buffers_of(plan, buffers), failure);
    }
    plan.agree(failure);
}

void redistribute(Plan& from, void* const* source, Plan& to, void* const* target) {
    check_alike(from, to);
    FirstFailure failure;
    failure.attempt([&] {
        check_buffers(from.writing(), source);
        check_buffers(to.reading(), target);
    });
    from.agree(failure);
    from.times = {};
    ScopedTimer const total(from.times.total);
    ExchangePlan giving;
    ExchangePlan taking;
    failure.attempt([&] {
        giving = from.in_memory(*from.writing().share, 5);
        taking = from.in_memory(*to.reading().share, 6);
    });
    from.agree(failure);
    // Both exchanges have the same file domains: the second reads from an aggregator's memory what the first wrote
    // there.
    Exchange give(std::move(giving), failure);
    Exchange take(std::move(taking), failure);
    std::optional<MemorySink> sink;
    failure.attempt([&] {
        if (!give.has_memory() || !take.has_memory()) {
            fail(WEIR_NO_MEMORY, "there is no memory to exchange through", "it is used up",
                 "Give a bound such as memory=16MiB.");
        }
        sink.emplace(give.domain().begin, give.domain().end - give.domain().begin);
    });
    from.agree(failure);
    give.write(buffers_of(from, source), &*sink, false, failure, from.times);
    from.agree(failure);
    take.read(buffers_of(to, target), &*sink, failure, from.times);
    from.agree(failure);
}

}  // namespace weir::array
