// The benchmark `random-access`: random updates of memory, as the HPC Challenge's RandomAccess.
//
// Work model: `updates_per_word` (4) updates for each of the 2^k words of the table, or those of `longest` (60 s, as
// HPCC's program of its global test), by the time of the slowest rank, in 10^9 updates a second (GUP/s). global: one
// table over all ranks, of which a rank holds at most `look_ahead` (1,024) updates back; star: each rank its own table,
// all at once, and their mean counts; single: one rank while others wait. Checked by the same updates in another way,
// which undo them: wrong words up to 1 % of the words, and of the updates where these are fewer, pass.

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "bench/compute/linear/rank_memory.hpp"
#include "bench/compute/linear/sharing.hpp"
#include "bench/compute/linear/test_sample.hpp"
#include "bench/compute/random_access/update_table.hpp"
#include "bench/enough_memory.hpp"
#include "bench/measure.hpp"
#include "bench/progress.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/fast_clock.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"
#include "core/rank_progress.hpp"

namespace weir {
namespace {

constexpr double most_wrong_share = 0.01;
constexpr std::uint64_t most_stored = 1024;  ///< updates on a rank, by the rules of the HPC Challenge

class RandomAccessJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{.name = "random-access", .summary = "random updates of a table in memory"};

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most_bits = 48;
        constexpr std::uint64_t most_updates = 1024;
        options.group("table");
        options.add("sharing", table_of_, "global: one table over all ranks; star: one each; single: one rank alone");
        options.add("log2_words", log2_words_, "binary logarithm of a table's words; 0: the largest that fits",
                    {{}, most_bits});
        memory_.declare(options);
        options.group("work");
        options.add("numbers", numbers_, "polynomial: those of the specification; linear: HPCC's LCG variant");
        options.add("updates_per_word", updates_per_word_, "updates for each word of the table",
                    {std::uint64_t{1}, most_updates});
        options.add("longest", longest_,
                    "about how long all updates may take, else fewer are made; 0: as long as it takes", {0.0, {}});
        options.add("look_ahead", look_ahead_,
                    "updates that a rank makes at most before it passes them on; never less than one for each rank",
                    {std::uint64_t{1}, most_stored});
        options.group("measuring");
        options.add("check", check_, "whether all updates are made a second time, and the words compared");
        options.add("plant_errors", plant_errors_, "share of the words to change before the check, to test it",
                    {0.0, 1.0});
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        auto const words = std::uint64_t{1} << bits(memory_.of_rank_here(ranks), ranks);
        return describe_without_files(words * sizeof(std::uint64_t) / (table_of_ == Scope::global ? ranks : 1));
    }

    void run(JobContext& context) override {
        auto const k = bits(memory_.of_rank(context.comm), context.comm.size());
        validate(table_of_ != Scope::global || (std::uint64_t{1} << k) >= context.comm.size(),
                 "a table of 2^" + std::to_string(k) + " words is too small", "some rank would have none",
                 "choose a larger log2_words");
        validate(plant_errors_ == 0 || std::ldexp(plant_errors_, static_cast<int>(k)) >= 1,
                 fmt::format("plant_errors {} of 2^{} words are none", plant_errors_, k), "nothing would be tested",
                 fmt::format("choose {} or more", std::ldexp(1.0, -static_cast<int>(k))));
        validate(plant_errors_ == 0 || check_, "plant_errors without a check", "nothing would be tested",
                 "leave one of them out");
        auto const together = table_of_ == Scope::global ? context.comm.size() : 1;
        refuse_more_memory(context.comm, (sizeof(std::uint64_t) << k) / together, [&](std::uint64_t bytes) {
            auto const words = std::max<std::uint64_t>(bytes / sizeof(std::uint64_t) * together, 2);
            return "--log2-words " + std::to_string(std::bit_width(words) - 1);
        });
        cache_share_ = CacheShare(context.comm, (sizeof(std::uint64_t) << k) / together, sharing());
        auto const works = table_of_ == Scope::global || takes_part(context.comm, sharing());
        std::unique_ptr<UpdateTable> table;
        run_together(context.comm, [&] {
            if (works) {
                auto const comm = table_of_ == Scope::global ? context.comm : Communicator();
                table = UpdateTable::make(numbers_, comm, k, memory_.pages());
            }
        });
        repetitions_.each(context.clock, [&](Turn const& turn) { update_once(context, turn, table.get()); });
    }

  private:
    [[nodiscard]] Sharing sharing() const { return sharing_of(table_of_); }

    [[nodiscard]] unsigned bits(std::uint64_t bytes_of_rank, std::uint64_t ranks) const {
        if (log2_words_ > 0) {
            return static_cast<unsigned>(log2_words_);
        }
        auto const bytes = bytes_of_rank * (table_of_ == Scope::global ? ranks : 1);
        return static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(bytes / sizeof(std::uint64_t), 2))) - 1;
    }

    /// Of one repetition.
    struct Outcome {
        std::string started;
        double took_s = 0;                   ///< on this rank
        UpdateTable::Made made{};            ///< by this rank
        std::uint64_t updates = 0;           ///< of all ranks
        std::optional<std::uint64_t> wrong;  ///< words of all ranks; nothing without a check
        double check_s = 0;
    };

    void update_once(JobContext& context, Turn const& turn, UpdateTable* table) {
        auto const& comm = context.comm;
        Outcome found;
        found.started = utc_time();
        Progress progress(place_for_progress(context), context.clock);
        note_phase("random-access");
        wait_for_turn(comm, sharing());
        if (table != nullptr) {
            table->reset();
            tell_of(*table, "updates", longest_, progress, context.clock);
        }
        wait_for_turn(comm, sharing());
        if (table != nullptr) {
            auto const from_s = FastClock::shared().now_s();
            found.made = table->update(updates_per_word_ * table->words(), look_ahead_, [&] {
                return longest_.value > 0 && FastClock::shared().now_s() - from_s > longest_.value;
            });
            found.took_s = FastClock::shared().now_s() - from_s;
        }
        wait_for_turn(comm, sharing());
        found.updates = comm.sum(found.made.updates);
        if (check_) {
            auto const from_s = context.clock.now_s();
            if (table != nullptr) {
                tell_of(*table, "check", {}, progress, context.clock);
            }
            found.wrong = wrong_words(comm, table, found.made.updates);
            found.check_s = comm.max(context.clock.now_s() - from_s);
        }
        if (table != nullptr) {
            table->tell({});
        }
        note_phase("");
        write(context, turn, table, found);
        auto const words =
            comm.max(table != nullptr ? table->words() : 0) * (table_of_ == Scope::star ? comm.size() : 1);
        auto const most_wrong = most_wrong_share * static_cast<double>(std::min(words, found.updates));
        if (static_cast<double>(found.wrong.value_or(0)) > most_wrong) {
            throw Error({"RandomAccess left wrong words in its table",
                         fmt::format("{} of {} words after {} updates, and {:.0f} may be", *found.wrong, words,
                                     found.updates, std::floor(most_wrong)),
                         "Check the memory and the network.", ExitCode::wrong_data});
        }
    }

    /// At most `longest`, unless that is 0.
    static void tell_of(UpdateTable& table, std::string const& what, Seconds longest, Progress& progress,
                        Clock const& clock) {
        table.tell([&progress, &clock, what, longest, from_s = clock.now_s()](std::uint64_t made, std::uint64_t all) {
            if (made > 0) {
                auto const elapsed_s = clock.now_s() - from_s;
                auto const share = std::max(static_cast<double>(made) / static_cast<double>(all),
                                            longest.value > 0 ? std::min(elapsed_s / longest.value, 1.0) : 0.0);
                progress.tell(fmt::format("RandomAccess: {:.0f} % of the {}, about {:.0f} s left", 100 * share, what,
                                          elapsed_s * (1 / share - 1)));
            }
        });
    }

    /// Over all ranks, once the updates that each made are undone. Collective.
    std::uint64_t wrong_words(Communicator const& comm, UpdateTable* table, std::uint64_t made) const {
        note_phase("random-access: check");
        std::uint64_t mine = 0;
        if (table != nullptr) {
            if (plant_errors_ > 0) {
                table->spoil(plant_errors_);
            }
            table->update_plainly(updates_per_word_ * table->words(), made);
            mine = table->wrong_words();
        }
        wait_for_turn(comm, sharing());
        return comm.sum(mine);
    }

    void write(JobContext& context, Turn const& turn, UpdateTable const* table, Outcome const& found) const {
        auto const& comm = context.comm;
        auto const global = table_of_ == Scope::global;
        auto const slowest_s = comm.max(found.took_s);
        auto const rates =
            rates_of_workers(comm, table != nullptr, static_cast<double>(found.made.updates) / found.took_s);
        auto const rate = global ? static_cast<double>(found.updates) / slowest_s : rates.mean;
        auto const most_held = comm.max(found.made.most_held);
        Json const details{{"words", table != nullptr ? table->words() : 0},
                           {"updates", global ? found.updates : found.made.updates},
                           {"working_ranks", rates.workers},
                           {"longest_s", longest_.value > 0 ? Json(longest_.value) : Json()},
                           {"most_held", most_held},
                           {"conforming", most_held <= most_stored},
                           {"wrong", found.wrong ? Json(*found.wrong) : Json()},
                           {"check_s", found.wrong ? Json(found.check_s) : Json()}};
        write_sample(context, turn,
                     {"random-access",
                      found.started,
                      slowest_s,
                      {{"updates_per_s", rate, "UP/s", global ? "update rate" : "update rate per process",
                        Better::higher, global ? OverRanks::slowest : OverRanks::mean},
                       elapsed_time(slowest_s),
                       {"wrong_words", found.wrong ? std::optional(static_cast<double>(*found.wrong)) : std::nullopt,
                        "1", "wrong words", Better::lower, OverRanks::sum}},
                      details,
                      optimized,
                      {},
                      Json::array(),
                      cache_share_});
    }

    Scope table_of_ = Scope::global;
    std::uint64_t log2_words_ = 0;
    RankMemory memory_;
    UpdateNumbers numbers_ = UpdateNumbers::polynomial;
    std::uint64_t updates_per_word_ = 4;
    Seconds longest_{60};              ///< TIME_BOUND of HPCC 1.5.0
    std::uint64_t look_ahead_ = 1000;  ///< half of it, which leaves, is below 4 KiB: many MPIs send that at once
    bool check_ = true;
    double plant_errors_ = 0;
    CacheShare cache_share_;
    Repetitions repetitions_;
};

JobRegistration<RandomAccessJob> const random_access_registration;

}  // namespace
}  // namespace weir
