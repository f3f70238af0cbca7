#include "bench/network/window_call.hpp"

#include <utility>

namespace weir {

WindowCall::WindowCall(CallSetting const& setting, Exposed exposed, std::vector<int> targets, std::vector<int> origins)
    : NetworkCall(setting),
      exposed_(exposed),
      synchronisation_(setting.choices.synchronisation),
      targets_(std::move(targets)),
      origins_(std::move(origins)) {}

WindowCall::~WindowCall() {
    if (window_ == MPI_WIN_NULL) {
        return;
    }
    if (synchronisation_ == Synchronisation::lock) {
        MPI_Win_unlock_all(window_);
    }
    MPI_Win_free(&window_);
    MPI_Group_free(&to_);
    MPI_Group_free(&from_);
}

void WindowCall::attach(std::span<std::byte> send, std::span<std::byte> receive) {
    auto const exposed = exposed_ == Exposed::send ? send : receive;
    base_ = exposed.data();
    check(MPI_Win_create(base_, static_cast<MPI_Aint>(exposed.size()), 1, MPI_INFO_NULL, comm(), &window_));
    if (window_ == MPI_WIN_NULL) {
        return;
    }
    check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN));
    to_ = group(targets_);
    from_ = group(origins_);
    if (synchronisation_ == Synchronisation::lock) {
        check(MPI_Win_lock_all(0, window_));
    } else if (synchronisation_ == Synchronisation::fence) {
        check(MPI_Win_fence(0, window_));
    }
}

MPI_Group WindowCall::group(std::vector<int> const& ranks) const {
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Group some = MPI_GROUP_NULL;
    check(MPI_Comm_group(comm(), &all));
    check(MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some));
    check(MPI_Group_free(&all));
    return some;
}

void WindowCall::begin(Opens opens) {
    if (synchronisation_ == Synchronisation::fence && opens == Opens::yes) {
        check(MPI_Win_fence(MPI_MODE_NOPRECEDE, window_));
    }
    if (synchronisation_ == Synchronisation::pscw) {
        if (!origins_.empty()) {
            check(MPI_Win_post(from_, 0, window_));
        }
        if (!targets_.empty()) {
            check(MPI_Win_start(to_, 0, window_));
        }
    }
}

void WindowCall::end(Opens opens) {
    switch (synchronisation_) {
        case Synchronisation::fence:
            return check(MPI_Win_fence(opens == Opens::yes ? MPI_MODE_NOSUCCEED : 0, window_));
        case Synchronisation::pscw:
            if (!targets_.empty()) {
                check(MPI_Win_complete(window_));
            }
            return origins_.empty() ? void() : check(MPI_Win_wait(window_));
        case Synchronisation::lock:
            for (auto const target : targets_) {
                check(MPI_Win_flush(target, window_));
            }
    }
}

namespace {

bool reaches(CallSetting const& setting, Ways ways) { return ways == Ways::both || setting.ranks.rank() == 0; }
bool is_reached(CallSetting const& setting, Ways ways) { return ways == Ways::both || setting.ranks.rank() == 1; }

std::vector<int> other_if(bool wanted, CallSetting const& setting) {
    return wanted ? std::vector<int>{1 - static_cast<int>(setting.ranks.rank())} : std::vector<int>{};
}

}  // namespace

PairWindowCall::PairWindowCall(CallSetting const& setting, Ways ways, Exposed exposed)
    : WindowCall(setting, exposed, other_if(reaches(setting, ways), setting),
                 other_if(is_reached(setting, ways), setting)),
      receives_(exposed == Exposed::receive ? is_reached(setting, ways) : reaches(setting, ways)) {}

void PairWindowCall::expect(int /*root*/, ExpectedData& expected) const {
    if (receives_) {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(next()), 0);
    }
}

/// What this rank wrote itself must not meet what others write in the same epoch.
void WindowCall::prepare_check(CallPlace const& /*at*/) {
    if (synchronisation_ == Synchronisation::fence) {
        check(MPI_Win_fence(0, window_));
    } else if (synchronisation_ == Synchronisation::lock) {
        check(MPI_Win_sync(window_));
    }
}

/// A passive target does not know by itself when the data are there.
void WindowCall::finish_check() {
    if (synchronisation_ == Synchronisation::lock) {
        check(MPI_Barrier(comm()));
        check(MPI_Win_sync(window_));
    }
}

}  // namespace weir
