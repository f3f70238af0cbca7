#include "bench/storage/kept_note.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "support/failures/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct Kept : ::testing::Test {
    Kept() { std::ofstream(data) << "what a run has written"; }
    void keep() const {
        KeptNote note;
        note.file = open_own_file(data).identity();
        write_new_file(note_of(data), to_text(note));
    }
    void expect_refused(std::string const& why) const {
        auto const error = testing::error_of([&] { require_kept(data); });
        EXPECT_NE(error.diagnosis().reason.find(why), std::string::npos) << error.what();
    }
    testing::TemporaryDirectory place;
    std::filesystem::path const data = place.path() / "weir-data";
};

TEST_F(Kept, TheNoteComesBackAsItWas) {
    KeptNote const note{true, true, ~std::uint64_t{0}, 7, 4096, "hdf5", "0123456789abcdef", {1, 2, -3}};
    EXPECT_EQ(kept_note_from(to_text(note)), note);
    EXPECT_FALSE(kept_note_from(""));
    EXPECT_FALSE(kept_note_from("[]"));
    EXPECT_FALSE(kept_note_from("{\"weir_kept\": 1}"));
    auto other = to_text(note);
    other.replace(other.find(": 1"), 3, ": 2");
    EXPECT_FALSE(kept_note_from(other)) << "of a later version";
}

TEST_F(Kept, AFileIsOurs) {
    keep();
    EXPECT_NO_THROW(require_kept(data));
}

TEST_F(Kept, NotWithoutANote) { expect_refused("no note next to it"); }

TEST_F(Kept, NotWithSomebodysNote) {
    std::ofstream(note_of(data)) << "remember the milk";
    expect_refused("none that Weir has made");
}

TEST_F(Kept, NotWhenChangedOrReplaced) {
    keep();
    std::ofstream(data, std::ios::app) << "x";
    expect_refused("changed or replaced");
    std::filesystem::remove(note_of(data));
    keep();
    std::ofstream(place.path() / "mine") << "what a run has written?";
    std::filesystem::rename(place.path() / "mine", data);
    expect_refused("changed or replaced");
}

TEST_F(Kept, NotThroughALink) {
    keep();
    std::filesystem::rename(data, place.path() / "moved");
    std::filesystem::create_symlink(place.path() / "moved", data);
    expect_refused("it is a link");
}

}  // namespace
}  // namespace weir
