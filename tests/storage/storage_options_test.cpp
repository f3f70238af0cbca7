#include "storage/storage_options.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "pattern/pattern_json.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct Storage : ::testing::Test {
    Storage() { options.declare(set); }
    void expect_refused(std::string const& words) {
        try {
            options.validate_choices();
            FAIL() << "not refused";
        } catch (Error const& error) {
            EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    }
    StorageOptions options;
    OptionSet set;
};

TEST_F(Storage, TakesItsDefaults) { EXPECT_NO_THROW(options.validate_choices()); }

TEST_F(Storage, RefusesWhatTheBackendCannotDo) {
    set.set("collective", true);
    expect_refused("collective contradicts backend = posix");
}

TEST_F(Storage, RefusesHintsWhereThereAreNone) {
    set.set("hint", Json::array({"a=1"}));
    expect_refused("takes no hints");
}

TEST_F(Storage, RefusesAnotherBackendsOption) {
    set.set("backend", "mpiio");
    set.set("direct", true);
    expect_refused("direct contradicts backend = mpiio");
}

TEST_F(Storage, RefusesToCheckWhatIsNotStored) {
    set.set("backend", "null");
    set.set("check", true);
    expect_refused("stores nothing");
}

TEST_F(Storage, RefusesBrokenHints) {
    set.set("backend", "mpiio");
    set.set("hint", Json::array({"cb_nodes"}));
    expect_refused("not key=value");
    set.set("hint", Json::array({"cb_nodes=2", "x=a=b"}));
    EXPECT_EQ(options.parse_hints(), (Hints{{"cb_nodes", "2"}, {"x", "a=b"}}));
}

TEST_F(Storage, RefusesUnknownBackends) { EXPECT_THROW(set.set("backend", "floppy"), Error); }

TEST_F(Storage, TakesAPatternFromAFile) {
    testing::TemporaryDirectory const directory;
    auto const path = (directory.path() / "pattern.json").string();
    Parameters p;
    p.ranks = 2;
    p.segments = 3;
    std::ofstream(path) << to_json(make_pattern(p)).dump();
    set.set("pattern", path);
    EXPECT_EQ(options.make_pattern(2, 2), make_pattern(p));
    EXPECT_THROW(static_cast<void>(options.make_pattern(3, 3)), Error);
    set.set("pattern", "/nonexistent.json");
    EXPECT_THROW(static_cast<void>(options.make_pattern(2, 2)), Error);
}

TEST_F(Storage, CountsTasks) {
    EXPECT_EQ(options.tasks_of(4), 4U);
    set.set("tasks", 3);
    EXPECT_EQ(options.tasks_of(4), 3U);
    EXPECT_THROW(static_cast<void>(options.tasks_of(2)), Error);
}

}  // namespace
}  // namespace weir
