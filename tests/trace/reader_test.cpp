#include "trace/reader/reader.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <span>

#include "core/error.hpp"
#include "trace/damaged_bytes.hpp"

namespace weir::trace {
namespace {

using test::File;

TEST(AStream, ThatHasEndedIsAllBehindItsHead) {
    auto const file = test::ended_stream(10);
    auto const stream = parse_stream(file);
    ASSERT_EQ(stream.size(), 10U);
    EXPECT_EQ(stream[9].offset, 9);
    EXPECT_TRUE(stream.note.empty());
}

TEST(AStream, EndsAtItsFirstEmptyRecord) {
    auto file = test::ended_stream(10);
    file.resize(file.size() + 5 * sizeof(Record));
    EXPECT_EQ(parse_stream(file).size(), 10U);
}

TEST(AStream, ThatIsCutOffSaysSo) {
    auto file = test::ended_stream(10);
    file.resize(file.size() - 7);
    auto const stream = parse_stream(file);
    EXPECT_EQ(stream.size(), 9U);
    EXPECT_EQ(stream.note, "it was cut off, and at least 1 of its records are missing");
}

TEST(AStream, OfAKilledProgramGoesOnInAWindow) {
    for (std::uint64_t records : {0U, 5U, 85U, 86U, 170U, 171U, 400U}) {
        auto const file = test::growing_stream(records);
        auto const stream = parse_stream(file);
        ASSERT_EQ(stream.size(), records);
        for (std::uint64_t i = 0; i < records; ++i) {
            ASSERT_EQ(stream[i].offset, static_cast<std::int64_t>(i));
        }
    }
}

TEST(AStream, OfAnotherVersionIsRefused) {
    auto file = test::ended_stream(1);
    std::memcpy(file.data(), "WEIRTRC9", 8);
    EXPECT_THROW(parse_stream(file), Error);
    EXPECT_THROW(parse_stream(Bytes{}), Error);
}

TEST(Names, AreReadUpToWhereTheyAreCutOff) {
    auto file = test::names({{1, 7, "POSIX pwrite write"}, {2, 1, "/data/a"}, {2, 2, "/data/b"}});
    auto const whole = parse_names(file);
    EXPECT_EQ(whole.calls.at(7).name, "pwrite");
    EXPECT_EQ(whole.others.at(2).text, "/data/b");
    file.resize(file.size() - 3);
    EXPECT_EQ(parse_names(file).others.size(), 1U);
}

TEST(Facts, AreReadUpToWhereTheyAreCutOff) {
    std::string const text = "{\"weir_trace\":1,\"rank\":-1}\n{\"rank\":3}\n{\"end_re";
    auto const lines = parse_facts(std::as_bytes(std::span(text)));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[1].at("rank"), "3");
}

TEST(ATrace, IsReadFromItsFolder) {
    auto const folder = std::filesystem::path(::testing::TempDir()) / "weir-reader-test";
    std::filesystem::create_directories(folder);
    auto const store = [&](char const* name, File const& file) {
        std::ofstream(folder / name, std::ios::binary)
            .write(reinterpret_cast<char const*>(file.data()), static_cast<std::streamsize>(file.size()));
    };
    std::string const facts = "{\"weir_trace\":1,\"process\":5}\n";
    store("node-5-1.process", File(std::as_bytes(std::span(facts)).begin(), std::as_bytes(std::span(facts)).end()));
    store("node-5-1.names", test::names({{2, 1, "/data/a"}}));
    store("node-5-1.1.records", test::ended_stream(3));
    store("node-5-1.2.records", File(10));
    auto const processes = read_trace(folder);
    ASSERT_EQ(processes.size(), 1U);
    EXPECT_EQ(processes[0].facts.at(0).at("process"), "5");
    ASSERT_EQ(processes[0].streams.size(), 1U);
    EXPECT_EQ(processes[0].streams[0].size(), 3U);
    EXPECT_EQ(processes[0].names.others.size(), 1U);
    EXPECT_EQ(processes[0].notes.size(), 1U);
    std::filesystem::remove_all(folder);
    EXPECT_THROW(read_trace(folder), Error);
}

}  // namespace
}  // namespace weir::trace
