#include "array/dump.hpp"

#include "array/agreements.hpp"
#include "array/durable.hpp"
#include "array/exchange_parts.hpp"
#include "array/target_sink.hpp"

namespace weir::array {
namespace {

Buffers span_of(Plan const& plan, void* const* buffers) { return {buffers, plan.arrays().descriptions.size()}; }

}  // namespace

WriteDump::WriteDump(Plan& plan, char const* path, FileLayout const& layout, void* const* buffers, Waiting waiting,
                     FirstFailure const& before)
    : plan_(&plan), waiting_(waiting), began_(now()) {
    plan.times = {};
    auto checked = before;
    checked.attempt([&] {
        check_place(plan.arrays(), path, layout);
        check_buffers(*plan.writing().share, buffers);
        if (plan.writing().problem) {
            throw Failure(*plan.writing().problem);
        }
    });
    checked.attempt([&] {
        path_ = path;
        file_ = plan.options().safe ? aside(followed(path_)) : path_;
        if (plan.options().safe && plan.comm().is_root()) {
            Stopwatch const watch(plan.times.open);
            part_.emplace(path_);
            part_->keep(FileMap(plan.arrays(), layout.offsets).beside(part_->old_bytes()));
        }
    });
    agree_on_place(plan, path, layout, checked);
    failure_.attempt([&] { open(layout); });
    bool const behind = waiting == Waiting::later || plan.options().thread;
    plan.write(sink(), span_of(plan, buffers), failure_, behind);
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
    end_of_larger_ = map.end_of_larger();
    if (plan_->options().checksum) {
        checksums_.emplace(map.begin(), map.end());
    }
    if (plan_->touches(plan_->writing())) {
        Stopwatch const watch(plan_->times.open);
        auto const access = plan_->options().safe ? Access::part : Access::write;
        sink_.emplace(file_, access, map, checksums_ ? &*checksums_ : nullptr, plan_->options().sync);
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
        Stopwatch const watch(plan_->times.sync);
        sink_->sync();
    });
}

bool WriteDump::written() const { return plan_ == nullptr || plan_->finished(); }

void WriteDump::complete() {
    require(plan_ != nullptr, WEIR_BAD_ARGUMENT, [] {
        return std::array<std::string, 3>{"the dump is not complete", "its plan was freed while it was on its way",
                                          "Call weir_wait() before weir_plan_free()."};
    });
    completed_ = true;
    plan_->pending = nullptr;
    plan_->finish();
    FirstFailure const& all_written = failure_;
    try {
        plan_->agree(all_written);
        if (end_of_larger_ > 0 && plan_->comm().is_root()) {
            failure_.attempt([&] {
                Stopwatch const watch(plan_->times.open);
                make_reach(file_, end_of_larger_, plan_->options().sync);
            });
        }
        if (waiting_ == Waiting::here && sink_ && plan_->syncs() && plan_->options().sync) {
            sync();
        }
        if (sink_) {
            failure_.attempt([&] {
                Stopwatch const watch(plan_->times.open);
                sink_->close();
            });
        }
        if (checksums_) {
            Stopwatch const watch(plan_->times.checksum);
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
            Stopwatch const watch(plan_->times.open);
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
    Stopwatch const total(plan.times.total);
    failure.attempt([&] {
        check_place(plan.arrays(), path, layout);
        check_buffers(*plan.reading().share, buffers);
    });
    agree_on_place(plan, path, layout, failure);
    std::optional<Checksums> checksums;
    std::optional<FileSink> file;
    std::optional<SwappedSink> swapped;
    Sink* sink = nullptr;
    failure.attempt([&] {
        FileMap const map(plan.arrays(), layout.offsets);
        if (plan.options().checksum) {
            checksums.emplace(map.begin(), map.end());
        }
        if (plan.touches(plan.reading())) {
            Stopwatch const watch(plan.times.open);
            sink = &file.emplace(path, Access::read, map, checksums ? &*checksums : nullptr);
            if (!layout.numbers.empty()) {
                sink = &swapped.emplace(*file, plan.arrays(), layout.numbers);
            }
        }
    });
    plan.read(sink, span_of(plan, buffers), failure);
    plan.agree(failure);
    if (checksums) {
        Stopwatch const watch(plan.times.checksum);
        checksums->gather(plan.comm());
        if (plan.comm().is_root()) {
            failure.attempt([&] { ChecksumFile(path).verify(*checksums); });
        }
        plan.agree(failure);
    }
}

namespace {

void check_target(weir_target const* target, bool writing) {
    bool const there = target != nullptr && (writing ? target->write != nullptr : target->read != nullptr);
    require(there, WEIR_BAD_ARGUMENT, [] {
        return std::array<std::string, 3>{"there is no target", "it, or its function, is null",
                                          "Pass a weir_target with the function for this direction."};
    });
}

}  // namespace

void write_target(Plan& plan, weir_target const* target, void* const* buffers) {
    plan.times = {};
    Stopwatch const total(plan.times.total);
    FirstFailure failure;
    failure.attempt([&] {
        check_target(target, true);
        check_buffers(*plan.writing().share, buffers);
        if (plan.writing().problem) {
            throw Failure(*plan.writing().problem);
        }
    });
    plan.agree(failure);
    TargetSink sink(plan.arrays(), *target);
    plan.write(&sink, span_of(plan, buffers), failure, false);
    plan.agree(failure);
}

void read_target(Plan& plan, weir_target const* target, void* const* buffers) {
    plan.times = {};
    Stopwatch const total(plan.times.total);
    FirstFailure failure;
    failure.attempt([&] {
        check_target(target, false);
        check_buffers(*plan.reading().share, buffers);
    });
    plan.agree(failure);
    TargetSink sink(plan.arrays(), *target);
    plan.read(&sink, span_of(plan, buffers), failure);
    plan.agree(failure);
}

void redistribute(Plan& from, void* const* source, Plan& to, void* const* target) {
    check_alike(from, to);
    FirstFailure failure;
    failure.attempt([&] {
        check_buffers(*from.writing().share, source);
        check_buffers(*to.reading().share, target);
        if (from.writing().problem) {
            throw Failure(*from.writing().problem);
        }
    });
    from.agree(failure);
    from.times = {};
    Stopwatch const total(from.times.total);
    ExchangePlan giving;
    ExchangePlan taking;
    failure.attempt([&] {
        giving = from.in_memory(*from.writing().share, 5);
        taking = from.in_memory(*to.reading().share, 6);
    });
    from.agree(failure);
    // Both exchanges have the same domains: what the first one puts into an aggregator's memory, the second one takes.
    Exchange give(std::move(giving), failure);
    Exchange take(std::move(taking), failure);
    std::optional<MemorySink> sink;
    failure.attempt([&] {
        require(give.has_memory() && take.has_memory(), WEIR_NO_MEMORY, [] {
            return std::array<std::string, 3>{"there is no memory to exchange through", "it is used up",
                                              "Give a bound such as memory=16MiB."};
        });
        sink.emplace(give.domain().begin, give.domain().end - give.domain().begin);
    });
    from.agree(failure);
    give.write(span_of(from, source), &*sink, false, failure, from.times);
    from.agree(failure);
    take.read(span_of(to, target), &*sink, failure, from.times);
    from.agree(failure);
}

}  // namespace weir::array
