#include "bench/storage/storage_options.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "core/json.hpp"
#include "pattern/pattern_json.hpp"
#include "support/failures/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct DeclaredOptions {
    DeclaredOptions() { options.declare(set); }
    void expect_refused(std::string const& words) {
        testing::expect_error(ExitCode::usage, words, [&] { options.validate_choices(); });
    }
    StorageOptions options;
    OptionSet set;
};

struct Storage : ::testing::Test, DeclaredOptions {};

TEST_F(Storage, TakesItsDefaults) { EXPECT_NO_THROW(options.validate_choices()); }

TEST(StorageChoices, AreRefusedWhereTheyContradictTheBackend) {
    std::vector<std::pair<Json, std::string>> const cases{
        {{{"collective", true}}, "collective contradicts backend = posix"},
        {{{"hint", Json::array({"a=1"})}}, "takes no hints"},
        {{{"backend", "mpiio"}, {"direct", true}}, "direct contradicts backend = mpiio"},
        {{{"backend", "null"}, {"check", true}}, "stores nothing"},
        {{{"block", 0}, {"transfer", 0}}, "block = 0B contradicts backend = posix"},
        {{{"backend", "null"}, {"collective", true}, {"together", true}}, "together contradicts collective"},
    };
    for (auto const& [given, words] : cases) {
        DeclaredOptions one;
        one.set.set_all(given);
        one.expect_refused(words);
    }
}

TEST_F(Storage, RefusesBrokenHints) {
    set.set("backend", "mpiio");
    set.set("hint", Json::array({"cb_nodes"}));
    expect_refused("not key=value");
    set.set("hint", Json::array({"cb_nodes=2", "x=a=b"}));
    EXPECT_EQ(options.hints.parsed(""), (Hints{{"cb_nodes", "2"}, {"x", "a=b"}}));
}

TEST_F(Storage, TakesHintsFromAFile) {
    set.set("backend", "mpiio");
    set.set("hint_file", "hints.txt");
    set.set("hint", Json::array({"cb_nodes=4"}));
    auto const text = "# from the vendor\ncb_nodes = 2\r\n\nromio_cb_write enable  # always\n";
    EXPECT_EQ(options.hints.parsed(text), (Hints{{"cb_nodes", "4"}, {"romio_cb_write", "enable"}}));
    auto const error = testing::error_of([&] { static_cast<void>(options.hints.parsed("cb_nodes=2\nnonsense\n")); });
    EXPECT_TRUE(testing::has(error.diagnosis().problem, "'hints.txt', line 2"));
}

TEST_F(Storage, TellsWhyABackendIsLeftOut) {
    left_out_backends()["floppy"] = "no floppy was found; install floppy-dev";
    StorageOptions later;
    OptionSet options_with_it;
    later.declare(options_with_it);
    options_with_it.set("backend", "floppy");
    auto const error = testing::error_of([&] { later.validate_choices(); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
    EXPECT_EQ(error.diagnosis().reason, "no floppy was found; install floppy-dev");
    left_out_backends().erase("floppy");
}

TEST_F(Storage, RefusesUnknownBackends) { EXPECT_THROW(set.set("backend", "floppy"), Error); }

struct PatternFile : Storage {
    Pattern read(std::uint64_t ranks) {
        auto const path = (directory.path() / "pattern.json").string();
        std::ofstream(path) << to_json(pattern).dump();
        set.set("pattern", path);
        options.validate_choices();
        return options.make_pattern(ranks, ranks, options.read_pattern_file());
    }
    testing::TemporaryDirectory directory;
    Pattern pattern = make_pattern({.ranks = 2, .segments = 3});
};

TEST_F(PatternFile, IsCarriedOutAsItIs) { EXPECT_EQ(read(2), pattern); }

TEST_F(PatternFile, IsForAsManyRanksAsItSays) { EXPECT_THROW(read(3), Error); }

TEST_F(PatternFile, MustBeThere) {
    set.set("pattern", "/nonexistent.json");
    EXPECT_THROW(static_cast<void>(options.read_pattern_file()), Error);
}

TEST_F(PatternFile, AllowsNoParametersBesideIt) {
    read(2);
    for (auto const& [option, value] :
         std::map<std::string, Json>{{"block", 4096U}, {"time_limit", 5.0}, {"sync", "never"}, {"collective", true}}) {
        StorageOptions fresh;
        OptionSet own;
        fresh.declare(own);
        own.set("pattern", "pattern.json");
        own.set("seed", 3);
        own.set("repetitions", 2);
        EXPECT_NO_THROW(fresh.validate_choices());
        own.set("backend", "mpiio");
        own.set(option, value);
        EXPECT_THROW(fresh.validate_choices(), Error) << option;
    }
}

TEST_F(PatternFile, MustSuitTheBackend) {
    pattern.phases.at(0).collective = true;
    EXPECT_THROW(read(2), Error);
    set.set("backend", "mpiio");
    EXPECT_NO_THROW(read(2));
}

TEST_F(PatternFile, OfCollectiveAccessesMustSuitTheBackend) {
    auto& access = std::get<Access>(pattern.phases.at(0).steps.at(1));
    access.collective = true;
    EXPECT_THROW(read(2), Error);
    set.set("backend", "null");
    EXPECT_NO_THROW(read(2));
    access.list_io = true;
    EXPECT_THROW(read(2), Error);
}

TEST_F(PatternFile, ChecksOddPlacesToo) {
    auto& access = std::get<Access>(pattern.phases.at(1).steps.at(1));
    access.verb = Verb::check;
    access.extent.start = 3;
    EXPECT_NO_THROW(read(2));
}

TEST_F(Storage, CountsTasks) {
    EXPECT_EQ(options.tasks_of(4), 4U);
    set.set("tasks", 3);
    EXPECT_EQ(options.tasks_of(4), 3U);
    EXPECT_THROW(static_cast<void>(options.tasks_of(2)), Error);
}

}  // namespace
}  // namespace weir
