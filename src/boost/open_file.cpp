#include "boost/open_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "boost/known_types.hpp"
#include "boost/mpi_io.hpp"
#include "boost/settings.hpp"

namespace weir::boost {
namespace {

constexpr double nanoseconds = 1e9;

/// A name without the file system in front of it that ROMIO understands, as "ufs:/a/b".
char const* path_of(char const* name) {
    auto const* const colon = std::strchr(name, ':');
    auto const* const slash = std::strchr(name, '/');
    return colon != nullptr && (slash == nullptr || colon < slash) ? colon + 1 : name;
}

int flags_of(int mode) {
    auto const access = (mode & MPI_MODE_RDWR) != 0 ? O_RDWR : (mode & MPI_MODE_WRONLY) != 0 ? O_WRONLY : O_RDONLY;
    return access | O_CLOEXEC;
}

void set_status(MPI_Status* status, std::uint64_t bytes) {
    if (status != MPI_STATUS_IGNORE) {
        PMPI_Status_set_elements_x(status, MPI_BYTE, static_cast<MPI_Count>(bytes));
        PMPI_Status_set_cancelled(status, 0);
    }
}

}  // namespace

OpenFile::OpenFile(MPI_Comm comm, MPI_File file, char const* name, int mode, bool always)
    : team_(Team::of(comm)),
      ranks_(team_->ranks),
      always_(always || settings().always),
      ways_(mpi_io_of(ranks_.comm(), path_of(name))) {
    bool const used = !settings().never && (ranks_.on_one_node() || !is_cached_apart(ranks_.comm(), path_of(name)));
    if (ranks_.own_aggregator() >= 0 && used) {
        descriptor_ = ::open(path_of(name), flags_of(mode));
    }
    int atomic = 0;
    PMPI_File_get_atomicity(file, &atomic);
    atomic_ = atomic != 0;
}

OpenFile::~OpenFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void OpenFile::view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, char const* representation) {
    if (settings().never) {
        return;
    }
    auto const elementary = known_type(etype);
    auto const type = known_type(filetype);
    bool const native = std::strcmp(representation, "native") == 0 && displacement >= 0;
    view_left_ = Left::unknown;
    ask_again();
    if (elementary && type && native && elementary->map.size() > 0) {
        view_ = FileView(displacement, elementary->map.size(), *type);
        view_left_ = view_.increases_to(0) ? Left::taken : Left::unknown;
    }
}

Facts OpenFile::facts_of(Call const& call, std::optional<Datatype> const& type) const {
    Facts mine;
    auto const own = ranks_.own_aggregator();
    bool const understood = type && view_left_ == Left::taken && !atomic_ && call.count >= 0 && call.offset >= 0 &&
                            (own < 0 || descriptor_ >= 0);
    if (!understood) {
        mine.strange = 1;
        return mine;
    }
    if (own == 0 && call.direction == Direction::read) {
        struct stat status {};
        mine.file_end = ::fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
    }
    mine.bytes = type->map.size() * static_cast<std::uint64_t>(call.count);
    auto const from = static_cast<std::uint64_t>(call.offset) * view_.etype_bytes();
    bool const whole = mine.bytes % view_.etype_bytes() == 0;
    if (!whole || (mine.bytes > 0 && !view_.increases_to(from + mine.bytes))) {
        mine.strange = 1;
    } else if (mine.bytes > 0) {
        auto const first = static_cast<std::uint64_t>(view_.offset_of(from));
        mine.before = Facts::furthest - first;
        mine.end = static_cast<std::uint64_t>(view_.offset_of(from + mine.bytes - 1)) + 1;
        mine.hulls = mine.end - first;
        mine.pieces = view_.pieces(from, mine.bytes);
        mine.most_pieces = mine.pieces;
    }
    return mine;
}

Way OpenFile::choose(Facts const& all, bool writes) {
    if (always_) {
        return settings().direct ? Way::direct : Way::exchange;
    }
    auto const ranks = static_cast<std::uint64_t>(ranks_.size());
    auto const hull = all.hull();
    auto const span = static_cast<std::uint64_t>(hull.end - hull.begin);
    return ways_.choose({.writes = writes,
                         .interleaved = all.hulls >= span + span / 4,
                         .bytes = all.bytes,
                         .bytes_a_rank = all.bytes / ranks,
                         .piece = all.bytes / std::max<std::uint64_t>(all.pieces, 1),
                         .gap = span / std::max<std::uint64_t>(all.pieces, 1),
                         .one_piece = all.most_pieces <= 1,
                         .one_node = ranks_.on_one_node()});
}

void OpenFile::atomic(bool whether) {
    atomic_ = whether;
    ask_again();
}

void OpenFile::ask_again() {
    in_row_ = 0;
    skip_ = 0;
}

bool OpenFile::end_split(MPI_Status* status) {
    if (!split_bytes_) {
        return false;
    }
    set_status(status, *split_bytes_);
    split_bytes_.reset();
    return true;
}

MPI_Offset OpenFile::behind(Call const& call) const {
    MPI_Count size = 0;
    PMPI_Type_size_x(call.type, &size);
    auto const bytes = static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(call.count);
    return call.offset + static_cast<MPI_Offset>(bytes / view_.etype_bytes());
}

/// Where several calls by one view were left to MPI, more are, without asking the other ranks: each of these counts the
/// same calls and got the same answers.
bool OpenFile::carry_out(Call const& call) {
    constexpr std::uint64_t enough = 3;
    constexpr std::uint64_t most = 8;  // 2^8 calls without asking
    if (settings().never) {
        count_call(Left::never, rank());
        return false;
    }
    auto const began = PMPI_Wtime();
    if (skip_ > 0) {
        --skip_;
    } else {
        last_ = carry_out_or(call);
        bool const by_kind = last_ != Left::taken && last_ != Left::failed && !always_;
        in_row_ = by_kind ? in_row_ + 1 : 0;
        skip_ = in_row_ < enough ? 0 : std::uint64_t{1} << std::min(in_row_, most);
    }
    count_call(last_, rank());
    count(last_ == Left::taken ? tally().taken_s : tally().left_s, PMPI_Wtime() - began);
    return last_ == Left::taken;
}

void OpenFile::took(double seconds) {
    if (timing_) {
        last_s_ = seconds;
        timing_ = false;
    }
}

/// Or says why MPI must.
Left OpenFile::carry_out_or(Call const& call) {
    auto const type = known_type(call.type);
    auto mine = facts_of(call, type);
    mine.quickest = last_s_ ? Facts::furthest - static_cast<std::uint64_t>(*last_s_ * nanoseconds) : 0;
    auto const all = mine.of_all(ranks_.comm());
    if (all.quickest > 0) {
        ways_.took(static_cast<double>(Facts::furthest - all.quickest) / nanoseconds);
    }
    last_s_.reset();
    timing_ = false;
    if (all.strange != 0 || all.bytes == 0) {
        return all.strange != 0 ? Left::unknown : Left::empty;
    }
    bool const writes = call.direction == Direction::write;
    bool const within = writes || static_cast<std::uint64_t>(all.hull().end) <= all.file_end;
    if (!within) {
        return Left::failed;
    }
    auto const way = choose(all, writes);
    timing_ = true;
    if (way == Way::mpi) {
        return Left::quicker;
    }
    auto const began = PMPI_Wtime();
    if (!move(call, way, type->times(static_cast<std::uint64_t>(call.count)), mine, all)) {
        timing_ = false;
        return Left::failed;
    }
    took(PMPI_Wtime() - began);
    return Left::taken;
}

int OpenFile::move_mine(Request const& request, Way way, bool writes, Facts const& all) {
    auto& exchange = team_->exchange;
    auto& direct = team_->direct;
    if (way == Way::direct) {
        return writes ? direct.write(request, descriptor_) : direct.read(request, descriptor_);
    }
    Whole const whole{all.hull(), all.bytes};
    return writes ? exchange.write(request, whole, descriptor_) : exchange.read(request, whole, descriptor_);
}

bool OpenFile::move(Call const& call, Way way, TypeMap const& memory, Facts const& mine, Facts const& all) {
    Request const request{&view_, static_cast<std::uint64_t>(call.offset) * view_.etype_bytes(), mine.bytes, &memory,
                          static_cast<std::byte*>(call.buffer)};
    auto const before = team_->requests();
    bool const moved = move_mine(request, way, call.direction == Direction::write, all) == 0;
    unsynced_ = unsynced_ || call.direction == Direction::write;
    if (!true_on_all(ranks_.comm(), moved)) {
        return false;
    }
    count(tally().requests, team_->requests() - before);
    count(tally().pieces, mine.pieces);
    if (call.splits) {
        split_bytes_ = mine.bytes;
    } else {
        set_status(call.status, mine.bytes);
    }
    return true;
}

bool OpenFile::sync() {
    if (descriptor_ < 0 || !unsynced_) {
        return true;
    }
    unsynced_ = ::fsync(descriptor_) != 0;
    return !unsynced_;
}

}  // namespace weir::boost
