#include "bench/compute/random_access/update_table.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"

namespace weir {
namespace {

/// Words that are fetched ahead of their update, so that many are on their way from memory at a time.
constexpr std::uint64_t fetched_ahead = 32;

/// More than any rank receives at once: messages have half of what a rank holds, on average.
std::uint64_t most_of_message(std::uint64_t look_ahead) { return 4 * look_ahead + 256; }

/// Rounds between two looks at whether somebody asked to stop.
constexpr std::uint64_t rounds_between_looks = 1024;

/// The updates of one kind of numbers.
template <class Numbers>
class TableOf final : public UpdateTable {
  public:
    TableOf(Communicator const& ranks, unsigned bits, Pages pages) : UpdateTable(ranks, bits, pages) {}

    std::uint64_t update(std::uint64_t count, std::uint64_t look_ahead) override;
    void update_plainly(std::uint64_t count) override;

  private:
    [[nodiscard]] std::uint64_t owner(std::uint64_t update) const {
        return (Numbers::index(update, k()) * comm().size()) >> k();
    }
    void apply(std::uint64_t const* updates, std::uint64_t count) const;
    void update_alone(std::uint64_t count);
    void generate(std::uint64_t count);
    std::uint64_t pass_on(std::uint64_t apart, bool last, std::uint64_t look_ahead);
    void exchange_plainly(std::vector<std::vector<std::uint64_t>> const& to) const;

    std::uint64_t last_ = 1;  ///< of the sequence
    std::uint64_t held_count_ = 0;
    std::vector<std::uint64_t> held_;
    std::vector<std::uint64_t> leaving_;
};

template <class Numbers>
std::uint64_t TableOf<Numbers>::update(std::uint64_t count, std::uint64_t look_ahead) {
    auto const ranks = comm().size();
    if (ranks == 1) {
        update_alone(count);
        return fetched_ahead;
    }
    auto const from = count / ranks * comm().rank() + std::min(comm().rank(), count % ranks);
    auto left = count / ranks + (comm().rank() < count % ranks ? 1 : 0);
    last_ = Numbers::power(from);
    auto const room = look_ahead + 64 * most_of_message(look_ahead);  // 64 digits, at most
    held_.resize(room);
    leaving_.resize(room);
    auto const rounds = (count / ranks + 1 + look_ahead - 1) / look_ahead;
    std::uint64_t most = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        if (round % rounds_between_looks == 0) {
            run_together(comm(), [] { throw_if_interrupted(); });
        }
        auto const now = std::min(left, look_ahead);
        left -= now;
        generate(now);
        most = std::max(most, held_count_);
        for (std::uint64_t apart = 1; apart < ranks; apart *= 2) {
            most = std::max(most, pass_on(apart, 2 * apart >= ranks, look_ahead));
        }
        apply(held_.data(), held_count_);
    }
    return most;
}

/// The chain of the numbers, the fetches and the updates side by side: a number is made when its word is fetched.
template <class Numbers>
void TableOf<Numbers>::update_alone(std::uint64_t count) {
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
    for (std::uint64_t done = 0; done < count;) {
        throw_if_interrupted();
        for (auto const end = std::min(count, done + between_looks); done < end; ++done) {
            auto const update = ring[done % fetched_ahead];
            *word(Numbers::index(update, bits)) ^= update;
            make(done);
        }
    }
}

template <class Numbers>
void TableOf<Numbers>::generate(std::uint64_t count) {
    auto last = last_;
    for (std::uint64_t i = 0; i < count; ++i) {
        last = Numbers::next(last);
        held_[i] = last;
    }
    last_ = last;
    held_count_ = count;
}

/// Sends on the updates whose owner's distance has this binary digit, and takes those that come. In the last such step
/// all that stay are this rank's own: they are applied while messages are on their way.
template <class Numbers>
std::uint64_t TableOf<Numbers>::pass_on(std::uint64_t apart, bool last, std::uint64_t look_ahead) {
    auto const ranks = comm().size();
    auto const me = comm().rank();
    std::uint64_t stay = 0;
    std::uint64_t leave = 0;
    for (std::uint64_t i = 0; i < held_count_; ++i) {
        auto const update = held_[i];
        auto distance = owner(update) + ranks - me;
        distance = distance >= ranks ? distance - ranks : distance;
        auto const goes = (distance & apart) != 0 ? std::uint64_t{1} : 0;
        leaving_[leave] = update;
        held_[stay] = update;
        leave += goes;
        stay += 1 - goes;
    }
    auto const most = most_of_message(look_ahead);
    if (leave > most) {
        throw Error({"RandomAccess has too many updates for one rank", "they are not random any more",
                     "Report this: it is a defect.", ExitCode::internal});
    }
    constexpr int tag = 0;
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::array<MPI_Status, 2> statuses{};
    check_mpi(MPI_Irecv(held_.data() + stay, static_cast<int>(most), MPI_UINT64_T,
                        static_cast<int>((me + ranks - apart) % ranks), tag, comm().handle(), &requests[0]),
              "cannot receive updates");
    check_mpi(MPI_Isend(leaving_.data(), static_cast<int>(leave), MPI_UINT64_T, static_cast<int>((me + apart) % ranks),
                        tag, comm().handle(), &requests[1]),
              "cannot send updates");
    if (last) {
        apply(held_.data(), stay);
    }
    check_mpi(MPI_Waitall(2, requests.data(), statuses.data()), "cannot exchange updates");
    int came = 0;
    check_mpi(MPI_Get_count(&statuses[0], MPI_UINT64_T, &came), "cannot count updates");
    auto const all = stay + static_cast<std::uint64_t>(came);
    if (last) {
        std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(stay), came, held_.begin());
    }
    held_count_ = last ? static_cast<std::uint64_t>(came) : all;
    return all;
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
void TableOf<Numbers>::update_plainly(std::uint64_t count) {
    auto const ranks = comm().size();
    constexpr std::uint64_t at_a_time = 1U << 16U;
    std::vector<std::vector<std::uint64_t>> to(ranks);
    auto const from = count / ranks * comm().rank() + std::min(comm().rank(), count % ranks);
    auto left = count / ranks + (comm().rank() < count % ranks ? 1 : 0);
    auto update = Numbers::power(from);
    for (std::uint64_t done = 0; done < count / ranks + 1; done += at_a_time) {
        run_together(comm(), [] { throw_if_interrupted(); });
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
    double due = 0;
    for (auto i = begin_; i < end_; ++i) {
        due += share;
        if (due >= 1) {
            due -= 1;
            table_[i - begin_] ^= 1;
        }
    }
}

}  // namespace weir
