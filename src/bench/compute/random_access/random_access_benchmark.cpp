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

#include "bench/compute/linear/checked_test.hpp"
#include "bench/compute/random_access/update_table.hpp"
#include "bench/progress.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr double most_wrong_share = 0.01;
constexpr std::uint64_t most_stored = 1024;  ///< updates on a rank, by the rules of the HPC Challenge

class RandomAccessJob final : public CheckedTest {
  public:
    static constexpr BenchmarkFacts facts{.name = "random-access", .summary = "random updates of a table in memory"};
    RandomAccessJob() : CheckedTest(facts.name) {}

  private:
    void declare_work(OptionSet& options) override {
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
    }

    void declare_check(OptionSet& options) override {
        options.add("check", check_, "whether all updates are made a second time, and the words compared");
        options.add("plant_errors", plant_errors_, "share of the words to change before the check, to test it",
                    {0.0, 1.0});
    }

    [[nodiscard]] bool is_global() const { return table_of_ == Scope::global; }
    [[nodiscard]] Sharing sharing() const override { return sharing_of(table_of_); }
    [[nodiscard]] std::uint64_t ranks_of_table(std::uint64_t ranks) const { return is_global() ? ranks : 1; }

    static unsigned bits_within(std::uint64_t bytes) {
        return static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(bytes / sizeof(std::uint64_t), 2))) - 1;
    }

    void choose_size(std::uint64_t bytes_of_rank, std::uint64_t ranks) override {
        bits_ =
            log2_words_ > 0 ? static_cast<unsigned>(log2_words_) : bits_within(bytes_of_rank * ranks_of_table(ranks));
    }

    [[nodiscard]] std::uint64_t bytes(std::uint64_t ranks) const override {
        return (sizeof(std::uint64_t) << bits_) / ranks_of_table(ranks);
    }

    [[nodiscard]] std::string option_within(std::uint64_t bytes, std::uint64_t ranks) const override {
        return "--log2-words " + std::to_string(bits_within(bytes * ranks_of_table(ranks)));
    }

    [[nodiscard]] std::uint64_t bytes_in_use(std::uint64_t ranks) const override { return bytes(ranks); }

    [[nodiscard]] Repetition prepare(JobContext& context) override {
        check_options(context.comm.size());
        std::shared_ptr<UpdateTable> table;
        run_together(context.comm, [&] {
            if (is_global() || takes_part(context.comm, sharing())) {
                table =
                    UpdateTable::make(numbers_, is_global() ? context.comm : Communicator(), bits_, memory_.pages());
            }
        });
        return [this, table](TestRun const& run) { update_once(run, table.get()); };
    }

    void check_options(std::uint64_t ranks) const {
        validate(!is_global() || (std::uint64_t{1} << bits_) >= ranks,
                 "a table of 2^" + std::to_string(bits_) + " words is too small", "some rank would have none",
                 "choose a larger log2_words");
        validate(plant_errors_ == 0 || std::ldexp(plant_errors_, static_cast<int>(bits_)) >= 1,
                 fmt::format("plant_errors {} of 2^{} words are none", plant_errors_, bits_), "nothing would be tested",
                 fmt::format("choose {} or more", std::ldexp(1.0, -static_cast<int>(bits_))));
        validate(plant_errors_ == 0 || check_, "plant_errors without a check", "nothing would be tested",
                 "leave one of them out");
    }

    /// Of one repetition.
    struct Outcome {
        double took_s = 0;                   ///< on this rank
        UpdateTable::Made made{};            ///< by this rank
        std::uint64_t updates = 0;           ///< of all ranks
        std::optional<std::uint64_t> wrong;  ///< words of all ranks; nothing without a check
        double check_s = 0;
    };

    void update_once(TestRun const& run, UpdateTable* table) const {
        auto const& comm = run.context.comm;
        auto const& clock = run.context.clock;
        Outcome found;
        Progress progress(place_for_progress(run.context), clock);
        wait_for_turn(comm, sharing());
        if (table != nullptr) {
            table->reset();
            tell_of(*table, "updates", longest_, progress, clock);
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
            auto const from_s = clock.now_s();
            if (table != nullptr) {
                tell_of(*table, "check", {}, progress, clock);
            }
            found.wrong = wrong_words(comm, table, found.made.updates);
            found.check_s = comm.max(clock.now_s() - from_s);
        }
        if (table != nullptr) {
            table->tell({});
        }
        write(run, table, found);
        auto const words =
            comm.max(table != nullptr ? table->words() : 0) * (table_of_ == Scope::star ? comm.size() : 1);
        auto const most_wrong = most_wrong_share * static_cast<double>(std::min(words, found.updates));
        auto const wrong = found.wrong.value_or(0);
        expect_right(static_cast<double>(wrong) <= most_wrong, "RandomAccess left wrong words in its table",
                     fmt::format("{} of {} words after {} updates, and {:.0f} may be", wrong, words, found.updates,
                                 std::floor(most_wrong)),
                     "Check the memory and the network.");
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

    void write(TestRun const& run, UpdateTable const* table, Outcome const& found) const {
        auto const& comm = run.context.comm;
        auto const global = is_global();
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
        run.write({"random-access",
                   slowest_s,
                   {{"updates_per_s", rate, "UP/s", global ? "update rate" : "update rate per process", Better::higher,
                     global ? OverRanks::slowest : OverRanks::mean},
                    elapsed_time(slowest_s),
                    {"wrong_words", found.wrong ? std::optional(static_cast<double>(*found.wrong)) : std::nullopt, "1",
                     "wrong words", Better::lower, OverRanks::sum}},
                   details,
                   optimized});
    }

    Scope table_of_ = Scope::global;
    std::uint64_t log2_words_ = 0;
    unsigned bits_ = 0;  ///< that many, or from the memory
    UpdateNumbers numbers_ = UpdateNumbers::polynomial;
    std::uint64_t updates_per_word_ = 4;
    Seconds longest_{60};              ///< TIME_BOUND of HPCC 1.5.0
    std::uint64_t look_ahead_ = 1000;  ///< half of it, which leaves, is below 4 KiB: many MPIs send that at once
    bool check_ = true;
    double plant_errors_ = 0;
};

JobRegistration<RandomAccessJob> const random_access_registration;

}  // namespace
}  // namespace weir
