// Marks: a program's own phases, set through include/weir/mark.h.
//
// The beginning of a phase is a record of zero duration, so that it is in the trace if the program is killed within the
// phase; its end is a record from its beginning on. Neither changes the level of nested calls: a phase is not a call.
// Their `length` is the number of enclosing phases of the thread.

#include <string.h>

#include "trace/recorder/names.hpp"
#include "trace/recorder/recorder.hpp"

using namespace weir::trace;

namespace {

/// A phase is identified by a hash of its name: numbers of names change in the child of a fork.
struct OpenPhase {
    uint64_t name;
    uint64_t begin;
};

/// Deeper phases have no beginning: their ends are instants.
constexpr uint32_t deepest = 64;

struct Phases {
    uint32_t count = 0;
    OpenPhase open[deepest] = {};
};
thread_local __attribute__((tls_model("initial-exec"))) Phases phases;

bool can_record(char const* name) {
    if (!recording()) {
        begin_process();
    }
    return name != nullptr && name[0] != 0 && recording();
}

void record(Call const& call, char const* name, uint64_t begin, uint64_t around) {
    Recording recording(call, begin);
    uint32_t number = 0;
    {
        system::KeepErrno const keep;
        AtWork const at_work;
        number = name_number(mark_name, name);
    }
    recording.end(number, -1, around, 0);
}

/// The innermost open phase of this name; `count` if there is none.
uint32_t find(uint64_t name) {
    auto const known = phases.count < deepest ? phases.count : deepest;
    for (auto i = known; i > 0; --i) {
        if (phases.open[i - 1].name == name) {
            return i - 1;
        }
    }
    return phases.count;
}

}  // namespace

WEIR_CALL(MARK, weir_mark, mark);
WEIR_EXPORT void weir_recorder_mark(char const* name) {
    if (can_record(name)) {
        record(call_weir_mark, name, ticks(), phases.count);
    }
}

WEIR_CALL(MARK, weir_mark_begin, mark);
WEIR_EXPORT void weir_recorder_mark_begin(char const* name) {
    if (!can_record(name)) {
        return;
    }
    auto const now = ticks();
    record(call_weir_mark_begin, name, now, phases.count);
    if (phases.count < deepest) {
        phases.open[phases.count] = {hash_text(name), now};
    }
    ++phases.count;
}

WEIR_CALL(MARK, weir_mark_end, mark);
WEIR_EXPORT void weir_recorder_mark_end(char const* name) {
    if (!can_record(name)) {
        return;
    }
    auto const place = find(hash_text(name));
    if (place < phases.count) {
        phases.count = place;
        record(call_weir_mark_end, name, phases.open[place].begin, place);
    } else {
        record(call_weir_mark, name, ticks(), phases.count);  // without a beginning: an instant
    }
}
