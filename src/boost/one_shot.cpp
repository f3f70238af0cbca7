#include "boost/one_shot.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>

#include "boost/settings.hpp"
#include "core/posix_io.hpp"

namespace weir::boost {
namespace {

constexpr std::int64_t page = 4096;
constexpr std::uint64_t header_bytes = sizeof(std::uint64_t);
/// In the number of a message's pieces: their data are in the window already.
constexpr auto in_place = std::uint64_t{1} << 63;

/// Of an aggregator; a request takes as long as moving so many bytes where the file is on other machines.
constexpr std::uint64_t least_share = 256 << 10;

std::int64_t rounded_up(std::int64_t offset) { return (offset + page - 1) / page * page; }

}  // namespace

void OneShot::Messages::clear(int ranks) {
    bytes.assign(static_cast<std::size_t>(ranks), 0);
    at.assign(static_cast<std::size_t>(ranks), 0);
    data.resize(0);
}

std::byte* OneShot::Messages::add(int rank, std::uint64_t more) {
    auto const before = data.size();
    at[static_cast<std::size_t>(rank)] = static_cast<int>(before);
    bytes[static_cast<std::size_t>(rank)] = static_cast<int>(more);
    data.resize(before + more);
    return data.data() + before;
}

void OneShot::Messages::room_for_all() {
    std::uint64_t all = 0;
    for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
        at[rank] = static_cast<int>(all);
        all += static_cast<std::uint64_t>(bytes[rank]);
    }
    data.resize(all);
}

/// Windows grow with the bytes that were moved: memory that is touched for the first time costs as much as moving a few
/// times as many bytes, and few programs move so much that a round less is worth it.
std::uint64_t OneShot::largest_window() const {
    constexpr std::uint64_t least = 512 << 10;
    auto const each = moved_ / (4 * static_cast<std::uint64_t>(ranks_.aggregators()));
    return std::min(settings().window, std::max(std::bit_floor(each), least));
}

void OneShot::begin(Whole const& whole) {
    auto const aggregators = static_cast<std::uint64_t>(ranks_.aggregators());
    begin_ = whole.hull.begin;
    end_ = whole.hull.end;
    auto const all = static_cast<std::uint64_t>(end_ - begin_);
    share_ = rounded_up(static_cast<std::int64_t>(
        std::max((all + aggregators - 1) / aggregators, std::min(least_share, settings().window))));
    // Lengths of messages are ints, and each byte may have a list's entry of its own.
    auto const entry = sizeof(Piece) + 1;
    auto const most = static_cast<std::uint64_t>(std::numeric_limits<int>::max()) / entry / 2;
    window_bytes_ = std::min(largest_window(), most / static_cast<std::uint64_t>(ranks_.size()));
    auto const longest = static_cast<std::uint64_t>(share_ + page);
    moved_ += whole.bytes;
    windows_.reserve(settings().messages ? 0 : std::min(window_bytes_, longest));
}

/// Of a part's beginning: on a page of the file, but for the first. That behind the last part is the hull's end.
std::int64_t OneShot::edge(int aggregator) const {
    return aggregator == 0 ? begin_ : std::min(end_, rounded_up(begin_ + aggregator * share_));
}

/// A bit for each round whose windows these bytes lie in.
void OneShot::mark_rounds(std::int64_t offset, std::uint64_t bytes, std::vector<std::uint64_t>& marks) const {
    auto const end = offset + static_cast<std::int64_t>(bytes);
    auto aggregator = static_cast<int>((offset - begin_) / share_);
    while (aggregator > 0 && offset < edge(aggregator)) {
        --aggregator;
    }
    while (offset < end) {
        auto const round = static_cast<std::uint64_t>(offset - edge(aggregator)) / window_bytes_;
        marks[round / 64] |= std::uint64_t{1} << (round % 64);
        offset = window(aggregator, round).end;
        aggregator += offset >= edge(aggregator + 1) ? 1 : 0;
    }
}

/// All rounds; where most of the hull is empty, those that are not on some rank. Collective.
void OneShot::find_rounds(Request const& request, Whole const& whole) {
    constexpr std::uint64_t few = 16;
    auto const span = static_cast<std::uint64_t>(end_ - begin_);
    auto const all = (static_cast<std::uint64_t>(share_ + page) + window_bytes_ - 1) / window_bytes_;
    rounds_.clear();
    if (all <= few || whole.bytes >= span / 2) {
        for (std::uint64_t round = 0; round < all; ++round) {
            rounds_.push_back(round);
        }
        return;
    }
    std::vector<std::uint64_t> marks(all / 64 + 1);
    request.view->each(request.from, request.from + request.bytes,
                       [&](std::int64_t offset, std::uint64_t bytes) { mark_rounds(offset, bytes, marks); });
    PMPI_Allreduce(MPI_IN_PLACE, marks.data(), static_cast<int>(marks.size()), MPI_UINT64_T, MPI_BOR, ranks_.comm());
    for (std::uint64_t round = 0; round < all; ++round) {
        if ((marks[round / 64] >> (round % 64) & 1) != 0) {
            rounds_.push_back(round);
        }
    }
}

Hull OneShot::window(int aggregator, std::uint64_t round) const {
    auto const from = edge(aggregator) + static_cast<std::int64_t>(round * window_bytes_);
    auto const until = std::min(edge(aggregator + 1), from + static_cast<std::int64_t>(window_bytes_));
    return {std::min(from, until), until};
}

OneShot::Part OneShot::part_in(Request const& request, Hull const& window) const {
    auto const within = [&](std::int64_t offset) {
        return std::clamp(request.view->bytes_before(offset), request.from, request.from + request.bytes);
    };
    if (request.bytes == 0 || window.begin >= window.end) {
        return {0, 0};
    }
    return {within(window.begin), within(window.end)};
}

void OneShot::list_pieces(Request const& request, Hull const& window, Part const& part) {
    pieces_.clear();
    request.view->each(part.from, part.to, [&](std::int64_t offset, std::uint64_t bytes) {
        auto const at = static_cast<std::uint32_t>(offset - window.begin);
        if (!pieces_.empty() && pieces_.back().at + pieces_.back().bytes == at) {
            pieces_.back().bytes += static_cast<std::uint32_t>(bytes);
        } else {
            pieces_.push_back({at, static_cast<std::uint32_t>(bytes)});
        }
    });
}

/// All that the aggregator reads for this rank, as one piece.
void OneShot::list_for_reading(Request const& request, Hull const& window, Part const& part) {
    auto const first = request.view->offset_of(part.from) - window.begin;
    auto const last = request.view->offset_of(part.to - 1) - window.begin;
    pieces_.assign(1, {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first + 1)});
}

template <class Visit>
void OneShot::each_in_window(Request const& request, Part const& part, Visit visit) const {
    auto piece = pieces_.begin();
    std::uint32_t done = 0;  // of the piece
    request.memory->each(part.from - request.from, part.to - request.from, [&](std::int64_t at, std::uint64_t bytes) {
        while (bytes > 0) {
            auto const length = std::min<std::uint64_t>(bytes, piece->bytes - done);
            visit(piece->at + done, at, length);
            at += static_cast<std::int64_t>(length);
            bytes -= length;
            done += static_cast<std::uint32_t>(length);
            if (done == piece->bytes) {
                ++piece;
                done = 0;
            }
        }
    });
}

/// Makes this round's messages to the aggregators: the number of pieces, the pieces, and their data if it is written.
/// Data for a window that is shared go there.
void OneShot::tell_lists(Request const& request, std::uint64_t round, bool with_data) {
    outgoing_.clear(ranks_.size());
    for (int aggregator = 0; aggregator < ranks_.aggregators(); ++aggregator) {
        auto const window = this->window(aggregator, round);
        auto const part = part_in(request, window);
        if (part.from >= part.to) {
            continue;
        }
        auto* const shared = windows_.of(aggregator);
        shared != nullptr && !with_data ? list_for_reading(request, window, part) : list_pieces(request, window, part);
        auto const list = pieces_.size() * sizeof(Piece);
        bool const packs = with_data && shared == nullptr;
        auto* to = outgoing_.add(ranks_.rank_of(aggregator), header_bytes + list + (packs ? part.to - part.from : 0));
        std::uint64_t const count = pieces_.size() | (shared != nullptr ? in_place : 0);
        std::memcpy(to, &count, header_bytes);
        std::memcpy(to + header_bytes, pieces_.data(), list);
        to += header_bytes + list;
        if (packs) {
            request.memory->each(part.from - request.from, part.to - request.from,
                                 [&](std::int64_t at, std::uint64_t bytes) {
                                     std::memcpy(to, request.buffer + at, bytes);
                                     to += bytes;
                                 });
        } else if (with_data) {
            each_in_window(request, part, [&](std::uint64_t there, std::int64_t at, std::uint64_t bytes) {
                std::memcpy(shared + there, request.buffer + at, bytes);
            });
        }
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void OneShot::tell_bytes(Messages const& outgoing, Messages& incoming) {
    incoming.clear(ranks_.size());
    PMPI_Alltoall(outgoing.bytes.data(), 1, MPI_INT, incoming.bytes.data(), 1, MPI_INT, ranks_.comm());
    incoming.room_for_all();
}

void OneShot::exchange(Messages& from, Messages& to) {
    PMPI_Alltoallv(from.data.data(), from.bytes.data(), from.at.data(), MPI_BYTE, to.data.data(), to.bytes.data(),
                   to.at.data(), MPI_BYTE, ranks_.comm());
}

/// On one node, messages that are short enough lie on boards, and need not be sent. False: one is not.
bool OneShot::exchange_by_boards() {
    auto const ranks = static_cast<std::size_t>(ranks_.size());
    auto const numbers = ranks * sizeof(int);
    auto const head = header_bytes + 2 * numbers;  // the bytes of all, those for each rank, and where they begin
    auto* const board = windows_.board(ranks_.rank());
    bool const fits = head + outgoing_.data.size() <= NodeWindows::board_bytes;
    std::uint64_t const all = fits ? head + outgoing_.data.size() : 0;
    std::memcpy(board, &all, header_bytes);
    if (fits) {
        std::memcpy(board + header_bytes, outgoing_.bytes.data(), numbers);
        std::memcpy(board + header_bytes + numbers, outgoing_.at.data(), numbers);
        std::memcpy(board + head, outgoing_.data.data(), outgoing_.data.size());
    }
    windows_.barrier();
    auto const mine = static_cast<std::size_t>(ranks_.rank()) * sizeof(int);
    bool all_fit = true;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        auto const* const other = windows_.board(static_cast<int>(rank));
        std::uint64_t written = 0;
        int bytes = 0;
        int at = 0;
        std::memcpy(&written, other, header_bytes);
        std::memcpy(&bytes, other + header_bytes + mine, sizeof bytes);
        std::memcpy(&at, other + header_bytes + numbers + mine, sizeof at);
        all_fit = all_fit && written > 0;
        received_[rank] = {other + head + at, static_cast<std::uint64_t>(bytes)};
    }
    return all_fit;
}

void OneShot::exchange_lists() {
    received_.resize(static_cast<std::size_t>(ranks_.size()));
    if (windows_.everywhere() && exchange_by_boards()) {
        return;
    }
    tell_bytes(outgoing_, incoming_);
    exchange(outgoing_, incoming_);
    for (std::size_t rank = 0; rank < received_.size(); ++rank) {
        received_[rank] = {incoming_.data.data() + incoming_.at[rank],
                           static_cast<std::uint64_t>(incoming_.bytes[rank])};
    }
}

/// visit(rank, pieces, their number, what follows them) for each rank's list; null follows where that is in the window.
template <class Visit>
void OneShot::each_list(Visit visit) const {
    for (std::size_t rank = 0; rank < received_.size(); ++rank) {
        if (received_[rank].bytes > 0) {
            auto const* const message = received_[rank].message;
            std::uint64_t count = 0;
            std::memcpy(&count, message, header_bytes);
            bool const placed = (count & in_place) != 0;
            count &= ~in_place;
            auto const* const list = message + header_bytes;
            visit(static_cast<int>(rank), list, count, placed ? nullptr : list + count * sizeof(Piece));
        }
    }
}

namespace {

template <class Piece>
Piece piece_at(std::byte const* list, std::uint64_t i) {
    Piece piece;
    std::memcpy(&piece, list + i * sizeof(Piece), sizeof(Piece));
    return piece;
}

}  // namespace

std::byte* OneShot::own_window(Hull const& window) {
    if (auto* const shared = windows_.of(ranks_.own_aggregator()); shared != nullptr) {
        return shared;
    }
    auto const room = static_cast<std::uint64_t>(window.end - window.begin);
    if (window_.size() < room) {
        window_.resize(room);
    }
    return window_.data();
}

int OneShot::store(Hull const& window, int descriptor) {
    auto* const held = own_window(window);
    coverage_.clear(static_cast<std::uint64_t>(window.end - window.begin));
    each_list([&](int, std::byte const* list, std::uint64_t count, std::byte const* data) {
        for (std::uint64_t i = 0; i < count; ++i) {
            auto const piece = piece_at<Piece>(list, i);
            coverage_.mark(piece.at, piece.bytes);
            if (data != nullptr) {
                std::memcpy(held + piece.at, data, piece.bytes);
                data += piece.bytes;
            }
        }
    });
    int failed = 0;
    coverage_.each_filled([&](std::uint64_t at, std::uint64_t bytes) {
        if (failed == 0) {
            auto const moved = write_at(descriptor, static_cast<std::uint64_t>(window.begin) + at, {held + at, bytes});
            failed = moved.error_number;
            ++requests_;
        }
    });
    return failed;
}

int OneShot::load(Hull const& window, int descriptor) {
    auto const room = static_cast<std::uint64_t>(window.end - window.begin);
    std::uint64_t first = room;
    std::uint64_t last = 0;
    each_list([&](int, std::byte const* list, std::uint64_t count, std::byte const*) {
        auto const end = piece_at<Piece>(list, count - 1);
        first = std::min<std::uint64_t>(first, piece_at<Piece>(list, 0).at);
        last = std::max<std::uint64_t>(last, end.at + std::uint64_t{end.bytes});
    });
    answers_.clear(ranks_.size());
    if (first >= last) {
        return 0;
    }
    auto* const held = own_window(window);
    auto const moved =
        read_at(descriptor, static_cast<std::uint64_t>(window.begin) + first, {held + first, last - first});
    ++requests_;
    each_list([&](int rank, std::byte const* list, std::uint64_t count, std::byte const* sent) {
        if (sent == nullptr) {
            return;
        }
        std::uint64_t bytes = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            bytes += piece_at<Piece>(list, i).bytes;
        }
        auto* to = answers_.add(rank, bytes);
        for (std::uint64_t i = 0; i < count; ++i) {
            auto const piece = piece_at<Piece>(list, i);
            std::memcpy(to, held + piece.at, piece.bytes);
            to += piece.bytes;
        }
    });
    if (moved.error_number != 0) {
        return moved.error_number;
    }
    return moved.bytes < last - first ? end_of_file : 0;
}

/// Each rank knows how long its answers are; there are none where it reaches the window.
void OneShot::expect_answers(Request const& request, std::uint64_t round) {
    incoming_.clear(ranks_.size());
    for (int aggregator = 0; aggregator < ranks_.aggregators(); ++aggregator) {
        if (windows_.of(aggregator) == nullptr) {
            auto const part = part_in(request, window(aggregator, round));
            incoming_.bytes[static_cast<std::size_t>(ranks_.rank_of(aggregator))] =
                static_cast<int>(part.to - part.from);
        }
    }
    incoming_.room_for_all();
}

void OneShot::take_answers(Request const& request, std::uint64_t round) {
    for (int aggregator = 0; aggregator < ranks_.aggregators(); ++aggregator) {
        auto const window = this->window(aggregator, round);
        auto const part = part_in(request, window);
        if (part.from >= part.to) {
            continue;
        }
        if (auto const* const shared = windows_.of(aggregator); shared != nullptr) {
            list_pieces(request, window, part);
            each_in_window(request, part, [&](std::uint64_t there, std::int64_t at, std::uint64_t bytes) {
                std::memcpy(request.buffer + at, shared + there, bytes);
            });
            continue;
        }
        auto const* from = incoming_.data.data() + incoming_.at[static_cast<std::size_t>(ranks_.rank_of(aggregator))];
        request.memory->each(part.from - request.from, part.to - request.from,
                             [&](std::int64_t at, std::uint64_t bytes) {
                                 std::memcpy(request.buffer + at, from, bytes);
                                 from += bytes;
                             });
    }
}

int OneShot::write(Request const& request, Whole const& whole, int descriptor) {
    begin(whole);
    find_rounds(request, whole);
    int failed = 0;
    for (auto const round : rounds_) {
        if (round != rounds_.front()) {
            windows_.barrier();  // those of the last round are stored
        }
        tell_lists(request, round, true);
        exchange_lists();
        if (auto const own = ranks_.own_aggregator(); own >= 0 && failed == 0) {
            failed = store(window(own, round), descriptor);
        }
    }
    return failed;
}

int OneShot::read(Request const& request, Whole const& whole, int descriptor) {
    begin(whole);
    find_rounds(request, whole);
    int failed = 0;
    for (auto const round : rounds_) {
        tell_lists(request, round, false);
        exchange_lists();
        answers_.clear(ranks_.size());
        if (auto const own = ranks_.own_aggregator(); own >= 0) {
            auto const found = load(window(own, round), descriptor);
            failed = failed == 0 ? found : failed;
        }
        windows_.barrier();  // they are loaded
        if (!windows_.everywhere()) {
            expect_answers(request, round);
            exchange(answers_, incoming_);
        }
        take_answers(request, round);
    }
    return failed;
}

}  // namespace weir::boost
