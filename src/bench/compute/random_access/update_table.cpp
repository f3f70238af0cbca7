#include "bench/compute/random_access/update_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"

namespace weir {
namespace {

/// Words that are fetched ahead of their update, so that many are on their way from memory at a time.
constexpr std::uint64_t fetched_ahead = 32;

/// What a rank makes in a round: at most `of_all`, and at most `of_owner` for any one owner. The routes of d < ranks
/// messages bring to a rank, at any time, the updates of as many pairs of maker and owner as there are ranks; so no
/// rank ever holds more than ranks * of_owner. Up to `most_exact_ranks` this is at most the look-ahead: also where the
/// numbers are far from random, as those after a(2^i) are. With more ranks so few for each owner would leave most
/// rounds half empty: there the look-ahead is kept by room for four standard deviations, and what was held is counted.
struct Quota {
    static constexpr std::uint64_t most_exact_ranks = 64;

    Quota(std::uint64_t look_ahead, std::uint64_t ranks) : of_all(look_ahead), of_owner(look_ahead / ranks) {
        if (ranks > most_exact_ranks) {
            auto const all = static_cast<double>(look_ahead);
            auto const expected = all / static_cast<double>(ranks);
            of_all = static_cast<std::uint64_t>(std::max(all - 4 * std::sqrt(all), 1.0));
            of_owner = static_cast<std::uint64_t>(expected + 4 * std::sqrt(expected));
        }
        of_owner = std::max<std::uint64_t>(of_owner, 1);
    }

    std::uint64_t of_all;
    std::uint64_t of_owner;
};

/// Rounds between two looks at whether somebody asked to stop, or it is over.
constexpr std::uint64_t rounds_between_looks = 256;

/// The updates of one kind of numbers.
template <class Numbers>
class TableOf final : public UpdateTable {
  public:
    TableOf(Communicator const& ranks, unsigned bits, Pages pages) : UpdateTable(ranks, bits, pages) {}

    Made update(std::uint64_t count, std::uint64_t look_ahead, std::function<bool()> const& is_over) override;
    void update_plainly(std::uint64_t count, std::uint64_t made) override;

  private:
    [[nodiscard]] std::uint64_t owner(std::uint64_t update) const {
        return (Numbers::index(update, k()) * comm().size()) >> k();
    }
    /// Of all, those that this rank makes: the first one, and how many.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> own_updates(std::uint64_t all) const {
        auto const ranks = comm().size();
        auto const rank = comm().rank();
        return {all / ranks * rank + std::min(rank, all % ranks), all / ranks + (rank < all % ranks ? 1 : 0)};
    }
    void apply(std::uint64_t const* updates, std::uint64_t count) const;
    std::uint64_t update_alone(std::uint64_t count, std::function<bool()> const& is_over);
    /// Updates that stay and that leave, and how many.
    struct Sorted {
        std::uint64_t* staying;
        std::uint64_t* leaving;
        std::uint64_t stay = 0;
        std::uint64_t leave = 0;
    };

    [[nodiscard]] Sorted nothing_sorted() { return {held_.data(), leaving_.data() + 1}; }
    void place(std::uint64_t update, std::uint64_t apart, Sorted&) const;
    void generate(Quota const&);
    void sort(std::uint64_t apart);
    void exchange(std::uint64_t apart, bool last);
    void exchange_plainly(std::vector<std::vector<std::uint64_t>> const& to) const;

    std::uint64_t last_ = 1;               ///< of the sequence
    std::uint64_t left_ = 0;               ///< updates to be made by this rank
    bool any_left_ = false;                ///< by those ranks that this one has heard of
    std::vector<std::uint64_t> made_for_;  ///< by owner, in this round
    std::vector<std::uint64_t> held_;
    std::uint64_t stay_ = 0;              ///< of those held
    std::vector<std::uint64_t> leaving_;  ///< its first word: whether the sender knows of updates to be made
    std::uint64_t leave_ = 0;             ///< of those leaving
};

template <class Numbers>
UpdateTable::Made TableOf<Numbers>::update(std::uint64_t count, std::uint64_t look_ahead,
                                           std::function<bool()> const& is_over) {
    auto const ranks = comm().size();
    if (ranks == 1) {
        return {update_alone(count, is_over), std::min(count, fetched_ahead)};
    }
    auto const [from, mine] = own_updates(count);
    left_ = mine;
    last_ = Numbers::power(from);
    Quota const quota(look_ahead, ranks);
    auto const room = ranks * quota.of_owner + 1;
    held_.resize(2 * room);
    leaving_.resize(room);
    made_for_.resize(ranks);
    std::uint64_t most = 0;
    any_left_ = true;
    for (std::uint64_t round = 0; any_left_; ++round) {
        if (round % rounds_between_looks == 0) {
            run_together(comm(), [] { throw_if_interrupted(); });
            note(mine - left_, mine);
            if (round > 0 && any(comm(), is_over())) {
                break;
            }
        }
        generate(quota);
        most = std::max(most, stay_ + leave_);
        for (std::uint64_t apart = 1; apart < ranks; apart *= 2) {
            if (apart > 1) {
                sort(apart);
            }
            exchange(apart, 2 * apart >= ranks);
            most = std::max(most, stay_);
        }
    }
    return {mine - left_, most};
}

/// The chain of the numbers, the fetches and the updates side by side: a number is made when its word is fetched.
/// Returns how many there were.
template <class Numbers>
std::uint64_t TableOf<Numbers>::update_alone(std::uint64_t count, std::function<bool()> const& is_over) {
    static_assert(std::has_single_bit(fetched_ahead));
    std::array<std::uint64_t, fetched_ahead> ring{};
    auto const bits = k();
    auto last = Numbers::power(0);
    auto const make = [&](std::uint64_t place) {
        last = Numbers::next(last);
        ring[place % fetched_ahead] = last;
        __builtin_prefetch(word(Numbers::index(last, bits)), 1);
    };
    for (std::uint64_t place = 0; place < fetched_ahead; ++place) {
        make(place);
    }
    constexpr std::uint64_t between_looks = std::uint64_t{1} << 20U;
    std::uint64_t done = 0;
    while (done < count && (done == 0 || !is_over())) {
        throw_if_interrupted();
        note(done, count);
        for (auto const end = std::min(count, done + between_looks); done < end; ++done) {
            auto const update = ring[done % fetched_ahead];
            *word(Numbers::index(update, bits)) ^= update;
            make(done);
        }
    }
    return done;
}

/// With those that stay or with those that leave: where its owner's distance has this binary digit.
template <class Numbers>
void TableOf<Numbers>::place(std::uint64_t update, std::uint64_t apart, Sorted& sorted) const {
    auto const ranks = comm().size();
    auto distance = owner(update) + ranks - comm().rank();
    distance = distance >= ranks ? distance - ranks : distance;
    auto const goes = (distance & apart) != 0 ? std::uint64_t{1} : 0;
    sorted.leaving[sorted.leave] = update;
    sorted.staying[sorted.stay] = update;
    sorted.leave += goes;
    sorted.stay += 1 - goes;
}

/// Makes updates until one quota is used up. So many as the owner with the most has room for need no look at each. Of
/// two ranks, all that stay are of one owner, and all that leave.
template <class Numbers>
void TableOf<Numbers>::generate(Quota const& quota) {
    std::fill(made_for_.begin(), made_for_.end(), 0);
    auto const two = comm().size() == 2;
    auto last = last_;
    auto sorted = nothing_sorted();
    std::uint64_t made = 0;
    std::uint64_t greatest = 0;  // of those for one owner
    auto const room = [&] { return std::min(std::min(left_, quota.of_all) - made, quota.of_owner - greatest); };
    for (auto some = room(); some > 0; some = room()) {
        for (std::uint64_t i = 0; i < some; ++i) {
            last = Numbers::next(last);
            place(last, 1, sorted);
            greatest = two ? greatest : std::max(greatest, ++made_for_[owner(last)]);
        }
        greatest = two ? std::max(sorted.stay, sorted.leave) : greatest;
        made += some;
    }
    last_ = last;
    left_ -= made;
    any_left_ = left_ > 0;
    stay_ = sorted.stay;
    leave_ = sorted.leave;
}

/// Those that are held.
template <class Numbers>
void TableOf<Numbers>::sort(std::uint64_t apart) {
    auto sorted = nothing_sorted();
    for (std::uint64_t i = 0; i < stay_; ++i) {
        place(held_[i], apart, sorted);
    }
    stay_ = sorted.stay;
    leave_ = sorted.leave;
}

/// Sends on those that leave and takes those that come. In the last such step all that stay are this rank's own: they
/// are applied while messages are on their way.
template <class Numbers>
void TableOf<Numbers>::exchange(std::uint64_t apart, bool last) {
    auto const ranks = comm().size();
    auto const me = comm().rank();
    constexpr int tag = 0;
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::array<MPI_Status, 2> statuses{};
    auto* const came = held_.data() + stay_;
    leaving_[0] = any_left_ ? 1 : 0;
    check_mpi(MPI_Irecv(came, static_cast<int>(leaving_.size()), MPI_UINT64_T,
                        static_cast<int>((me + ranks - apart) % ranks), tag, comm().handle(), &requests[0]),
              "cannot receive updates");
    check_mpi(MPI_Isend(leaving_.data(), static_cast<int>(1 + leave_), MPI_UINT64_T,
                        static_cast<int>((me + apart) % ranks), tag, comm().handle(), &requests[1]),
              "cannot send updates");
    if (last) {
        apply(held_.data(), stay_);
    }
    check_mpi(MPI_Waitall(2, requests.data(), statuses.data()), "cannot exchange updates");
    int words = 0;
    check_mpi(MPI_Get_count(&statuses[0], MPI_UINT64_T, &words), "cannot count updates");
    any_left_ = any_left_ || *came != 0;
    auto const updates = static_cast<std::uint64_t>(words) - 1;
    if (last) {
        apply(came + 1, updates);
    } else {
        *came = came[updates];  // the order of updates does not matter
    }
    stay_ += updates;
}

template <class Numbers>
void TableOf<Numbers>::apply(std::uint64_t const* updates, std::uint64_t count) const {
    auto const bits = k();
    for (std::uint64_t i = 0; i < std::min(count, fetched_ahead); ++i) {
        __builtin_prefetch(word(Numbers::index(updates[i], bits)), 1);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i + fetched_ahead < count) {
            __builtin_prefetch(word(Numbers::index(updates[i + fetched_ahead], bits)), 1);
        }
        auto const index = Numbers::index(updates[i], bits);
        if (is_mine(index)) {  // a damaged message must not lead outside the table; its update is found to lack
            *word(index) ^= updates[i];
        }
    }
}

template <class Numbers>
void TableOf<Numbers>::update_plainly(std::uint64_t count, std::uint64_t made) {
    constexpr std::uint64_t at_a_time = 1U << 16U;
    std::vector<std::vector<std::uint64_t>> to(comm().size());
    auto const most = comm().max(made);
    auto update = Numbers::power(own_updates(count).first);
    auto left = made;
    for (std::uint64_t done = 0; done < most; done += at_a_time) {
        run_together(comm(), [] { throw_if_interrupted(); });
        note(made - left, made);
        for (auto& some : to) {
            some.clear();
        }
        for (auto now = std::min(left, at_a_time); now > 0; --now, --left) {
            update = Numbers::next(update);
            to[owner(update)].push_back(update);
        }
        exchange_plainly(to);
    }
}

/// Each rank's updates to their owner, a rank after the other, by two messages.
template <class Numbers>
void TableOf<Numbers>::exchange_plainly(std::vector<std::vector<std::uint64_t>> const& to) const {
    auto const ranks = comm().size();
    std::vector<std::uint64_t> came;
    for (std::uint64_t apart = 0; apart < ranks; ++apart) {
        auto const& leaving = to[(comm().rank() + apart) % ranks];
        if (apart == 0) {
            apply(leaving.data(), leaving.size());
            continue;
        }
        auto const next = static_cast<int>((comm().rank() + apart) % ranks);
        auto const before = static_cast<int>((comm().rank() + ranks - apart) % ranks);
        std::uint64_t const count = leaving.size();
        std::uint64_t coming = 0;
        check_mpi(MPI_Sendrecv(&count, 1, MPI_UINT64_T, next, 1, &coming, 1, MPI_UINT64_T, before, 1, comm().handle(),
                               MPI_STATUS_IGNORE),
                  "cannot exchange updates");
        came.resize(coming);
        check_mpi(MPI_Sendrecv(leaving.data(), static_cast<int>(count), MPI_UINT64_T, next, 2, came.data(),
                               static_cast<int>(coming), MPI_UINT64_T, before, 2, comm().handle(), MPI_STATUS_IGNORE),
                  "cannot exchange updates");
        apply(came.data(), came.size());
    }
}

}  // namespace

std::uint64_t begin_of_range(std::uint64_t rank, std::uint64_t ranks, unsigned k) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(((static_cast<Wide>(rank) << k) + ranks - 1) / ranks);
}

UpdateTable::UpdateTable(Communicator const& comm, unsigned k, Pages pages)
    : comm_(comm),
      k_(k),
      begin_(begin_of_range(comm.rank(), comm.size(), k)),
      end_(begin_of_range(comm.rank() + 1, comm.size(), k)),
      memory_(std::make_unique<Buffer>((end_ - begin_) * sizeof(std::uint64_t), pages)),
      table_(reinterpret_cast<std::uint64_t*>(memory_->bytes().data())) {
    reset();
}

std::unique_ptr<UpdateTable> UpdateTable::make(UpdateNumbers numbers, Communicator const& comm, unsigned k,
                                               Pages pages) {
    if (numbers == UpdateNumbers::linear) {
        return std::make_unique<TableOf<LinearNumbers>>(comm, k, pages);
    }
    return std::make_unique<TableOf<PolynomialNumbers>>(comm, k, pages);
}

void UpdateTable::reset() {
    for (auto i = begin_; i < end_; ++i) {
        table_[i - begin_] = i;
    }
}

std::uint64_t UpdateTable::wrong_words() const {
    std::uint64_t wrong = 0;
    for (auto i = begin_; i < end_; ++i) {
        wrong += table_[i - begin_] != i ? 1 : 0;
    }
    return wrong;
}

void UpdateTable::spoil(double share) {
    auto const spoiled_below = [&](std::uint64_t i) { return std::floor(static_cast<double>(i) * share); };
    auto before = spoiled_below(begin_);
    for (auto i = begin_; i < end_; ++i) {
        auto const now = spoiled_below(i + 1);
        table_[i - begin_] ^= now > before ? 1 : 0;
        before = now;
    }
}

}  // namespace weir
