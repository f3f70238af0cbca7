// Every property of an access with every other one, and with every option of each back-end: what is in the file then is
// what posix writes, what is read is what was written, or the combination is refused with a reason.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <set>

#include "bench/storage/storage_options.hpp"
#include "comm/collective_error.hpp"
#include "core/option_facts.hpp"
#include "pattern/loops.hpp"
#include "pattern/pattern_json.hpp"
#include "storage/engine/engine.hpp"
#include "storage/grouped/grouping.hpp"
#include "support/file_bytes.hpp"
#include "support/patterns/all_backends.hpp"
#include "support/patterns/crossed_access.hpp"
#include "support/skip.hpp"

namespace weir {
namespace {

using testing::Choices;
using testing::CrossedAccess;

/// What a pattern came to: the file after each phase, and what was read.
struct Outcome {
    std::vector<std::vector<std::byte>> files;
    std::uint64_t taken = 0;
    std::uint64_t wrong = 0;
    std::vector<std::uint64_t> moved;  ///< by all ranks: written and read in each phase
    bool operator==(Outcome const&) const = default;
};

/// A file without what its holes may hold. MPI's libraries leave old memory in those of a collective write beyond the
/// end (docs/explanation/mpi-io-faults.md), which is zeros only where nothing else was there before.
std::vector<std::byte> without_holes(std::vector<std::byte> file, std::vector<std::byte> const& expected) {
    for (std::size_t at = 0; at < std::min(file.size(), expected.size()); ++at) {
        if (expected[at] == std::byte{0}) {
            file[at] = std::byte{0};
        }
    }
    return file;
}

/// The same accesses, each rank by itself.
Pattern independent(Pattern pattern) {
    for (auto& phase : pattern.phases) {
        phase.collective = false;
        auto const alone = [](auto const& self, std::vector<Step>& steps) -> void {
            for (auto& step : steps) {
                if (auto* access = std::get_if<Access>(&step)) {
                    access->collective = false;
                } else if (auto* repeat = std::get_if<Repeat>(&step)) {
                    self(self, repeat->steps);
                }
            }
        };
        alone(alone, phase.steps);
    }
    return pattern;
}

class CrossedAccesses : public testing::EachBackend {
  protected:
    void SetUp() override {
        WEIR_SKIP_IF(comm.size() != 2) << "two ranks are enough to differ, and these are many cases";
        EachBackend::SetUp();
        if (IsSkipped()) {
            return;
        }
        for (auto const& option : options.options()) {
            if (auto const other = other_value(option); !other.is_null()) {
                others_[option.name] = other;
            }
        }
    }

    /// Another value than the usual one; null: none that a test can choose.
    static Json other_value(Option const& option) {
        switch (option.type) {
            case OptionType::boolean:
                return !option.default_value.get<bool>();
            case OptionType::bytes:
                return option.default_value.get<std::uint64_t>() == 0 ? 4096 : 8192;
            case OptionType::count: {
                auto const usual = option.default_value.get<std::uint64_t>();
                return usual == 3 ? 2 : 3;
            }
            default:
                return {};
        }
    }

    [[nodiscard]] std::vector<testing::Property> properties() const {
        auto all = testing::properties_of_accesses();
        for (auto const& option : options.options()) {
            if (option.type == OptionType::choice) {
                auto values = option.choices;
                auto const usual = option.default_value.get<std::string>();
                std::erase(values, usual);
                values.insert(values.begin(), usual);
                all.push_back({option.name, values});
            } else if (others_.contains(option.name)) {
                all.push_back({option.name, {"usual", "other"}});
            }
        }
        return all;
    }

    /// Some options need others.
    [[nodiscard]] std::vector<Choices> bases() const {
        auto all = testing::bases_of_accesses();
        auto const accesses = all;
        for (auto const& [name, ignored] : others_) {
            for (std::size_t i : {0, 2, 5}) {
                auto one = accesses.at(i);
                one[name] = "other";
                all.push_back(one);
            }
        }
        return all;
    }

    /// The options of these choices, as a user would give them, and the back-end with them.
    struct Given {
        explicit Given(std::string const& backend) {
            storage.declare(set);
            set.set("backend", backend);
            set.set("pattern", "crossed.json");
        }
        StorageOptions storage;
        OptionSet set;
        std::shared_ptr<Backend> through;
    };

    [[nodiscard]] std::unique_ptr<Given> given(Choices const& choices) const {
        auto one = std::make_unique<Given>(GetParam());
        for (auto const& option : options.options()) {
            if (option.type == OptionType::choice) {
                one->set.set(option.name, choices.at(option.name));
            } else if (others_.contains(option.name) && choices.at(option.name) == "other") {
                one->set.set(option.name, others_.at(option.name));
            }
        }
        one->through = one->storage.backend.shared();
        if (choices.at("groups") != "none") {
            Grouping const by{2, 2, choices.at("groups") == "node" ? GroupBy::node : GroupBy::count};
            one->through = std::make_shared<GroupedBackend>(one->through, by);
        }
        return one;
    }

    /// Why these choices are refused before anything runs; nothing if they are not. Local.
    [[nodiscard]] std::optional<Diagnosis> refusal(Choices const& choices) const {
        std::optional<Diagnosis> why;
        CrossedAccess const crossed(choices, comm.size());
        keep_failure(why, [&] {
            auto const one = given(choices);
            one->storage.validate_choices();
            auto const text = json_text(to_json(crossed.pattern()));
            one->through->check_files(one->storage.make_pattern(comm.size(), comm.size(), text));
            validate(!crossed.is("data", "application") || !one->through->decides_places(), "no such case",
                     "the engine refuses an application's data there", "");
            validate(!crossed.is("then", "check") || !crossed.is("data", "fixed"), "no such case",
                     "only stamps can be checked", "");
        });
        return why;
    }

    /// Carries a pattern out; throws on all ranks or on none.
    Outcome carry_out(Choices const& choices, Backend& through, Pattern const& pattern, char const* where) {
        auto const place = directory.path() / where;
        run_together(comm, [&] {
            if (comm.is_root()) {
                std::filesystem::remove_all(place);
                std::filesystem::create_directory(place);
            }
        });
        comm.barrier();
        EngineSettings settings{place, choices.at("data") == "stamps"};
        settings.seed = 5;
        Engine engine(through, comm, settings, clock);
        engine.declare(pattern);
        testing::CrossedBytes source;
        Outcome outcome;
        for (auto const& phase : pattern.phases) {
            if (phase.name == "read" && !kind.features().stores) {
                continue;
            }
            source.acting = acting_rank(phase.reorder, Rank{comm.rank()}, comm.size());
            engine.run(phase, choices.at("data") == "application" ? &source : nullptr);
            auto const result = engine.report(phase.name);
            outcome.wrong += result.words.wrong;
            for (auto const& rank : result.ranks) {
                outcome.moved.insert(outcome.moved.end(), {rank.bytes_written, rank.bytes_read});
            }
            comm.barrier();
            outcome.files.push_back(testing::bytes_of_file(engine.path_of(0, Rank{comm.rank()})));
            comm.barrier();
        }
        outcome.taken = source.taken;
        outcome.wrong += source.wrong;
        return outcome;
    }

    /// Do independent requests land where they find room?
    [[nodiscard]] bool places_are_open(Choices const& choices, Backend const& through) const {
        auto const is = [&](char const* property, char const* value) { return choices.at(property) == value; };
        auto const alone = !is("manner", "collective") || is("before", "asynchronous") || is("before", "together");
        auto const independent = alone && !is("manner", "of-a-collective-phase");
        return comm.size() > 1 && independent && is("file", "shared") && through.decides_places();
    }

    /// Runs a case through the back-end and through posix; false: it was refused.
    bool run(Choices const& choices) {
        auto const one = given(choices);
        auto const text = json_text(to_json(CrossedAccess(choices, comm.size()).pattern()));
        auto const pattern = one->storage.make_pattern(comm.size(), comm.size(), text);
        std::optional<Diagnosis> failure;
        Outcome outcome;
        keep_failure(failure, [&] { outcome = carry_out(choices, *one->through, pattern, "through"); });
        auto const failures = comm.sum(std::uint64_t{failure ? 1U : 0U});
        EXPECT_TRUE(failures == 0 || failures == comm.size()) << in_words(choices);
        if (failure) {
            EXPECT_EQ(failure->exit_code, ExitCode::usage) << Error(*failure).what() << "\n" << in_words(choices);
            EXPECT_FALSE(failure->problem.empty() || failure->reason.empty() || failure->suggestion.empty());
        }
        if (failures > 0) {
            return false;
        }
        auto const posix = Backends::instance().find("posix")->make();
        auto const expected = carry_out(choices, *posix, independent(pattern), "posix");
        ++compared_;
        EXPECT_EQ(outcome.wrong, 0U) << in_words(choices);
        if (!kind.features().stores) {
            return true;
        }
        EXPECT_EQ(expected.wrong, 0U) << in_words(choices);
        EXPECT_EQ(outcome.taken, expected.taken) << in_words(choices);
        EXPECT_EQ(outcome.moved, expected.moved) << in_words(choices);
        if (kind.features().raw && !places_are_open(choices, *one->through)) {
            for (std::size_t phase = 0; phase < expected.files.size(); ++phase) {
                auto const& should = expected.files[phase];
                auto const& is = outcome.files[phase];
                auto const by_mpi = std::string_view(GetParam()) == "mpiio";
                EXPECT_EQ(testing::difference(by_mpi ? without_holes(is, should) : is, should), "")
                    << in_words(choices) << " phase " << phase;
            }
        }
        return true;
    }

    [[nodiscard]] std::string in_words(Choices const& choices) const {
        std::string words = GetParam();
        for (auto const& property : properties()) {
            if (choices.at(property.name) != property.values.front()) {
                words += fmt::format(", {} = {}", property.name, choices.at(property.name));
            }
        }
        return words;
    }

    /// What contradicts itself: two properties of an access, or one of it and a back-end.
    [[nodiscard]] std::set<std::string> agreed_refusals() const {
        std::set<std::string> agreed;
        std::ifstream file(agreed_in);
        auto mine = false;
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with('[')) {
                mine = line == "[all]" || line == "[" + GetParam() + "]";
            } else if (mine) {
                agreed.insert(line);
            }
        }
        return agreed;
    }

    static constexpr char const* agreed_in = WEIR_SOURCE_DIR "/tests/golden/crossed-accesses.txt";
    std::map<std::string, Json> others_;  ///< by option
    std::size_t compared_ = 0;
};

TEST_P(CrossedAccesses, WriteWhatPosixWritesOrAreRefused) {
    testing::Pairs pairs(properties(), bases(), [&](Choices const& choices) { return !refusal(choices); });
    auto const left = pairs.each([&](Choices const& choices) { return run(choices); });
    if (comm.is_root()) {
        std::cout << GetParam() << ": " << compared_ << " cases compared, " << left.size() << " refused\n";
        auto const agreed = agreed_refusals();
        for (auto const& one : left) {
            EXPECT_TRUE(agreed.contains(one)) << one << ": refused, and not in " << agreed_in;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, CrossedAccesses, ::testing::ValuesIn(testing::all_backends()), testing::by_name);

}  // namespace
}  // namespace weir
