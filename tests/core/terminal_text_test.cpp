#include "core/terminal_text.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace weir {
namespace {

TEST(Talk, WhatSteersATerminalIsEscaped) {
    std::vector<std::pair<std::string, std::string>> const cases{
        {"plain text, naïve … 数 🙂\nnext", "plain text, naïve … 数 🙂\nnext"},
        {"\x1b]0;owned\x07", "\\x1b]0;owned\\x07"},
        {"a\rb\tc\x7f", "a\\x0db\\x09c\\x7f"},
        {"\xc2\x9b"
         "31m",
         "\\x9b31m"},
        {"\xe2\x80\xaegnp\xe2\x80\xa8", "\\u202egnp\\u2028"},
        {std::string("a\0b", 3), "a\\x00b"},
        {"", ""},
    };
    for (auto const& [text, shown] : cases) {
        EXPECT_EQ(printable(text), shown);
    }
}

TEST(Talk, BytesThatAreNoUtf8AreEscaped) {
    // A lone byte, a continuation, cut off, too long a form of '/', a surrogate, beyond the last code point.
    EXPECT_EQ(printable("\xff"), "\\xff");
    EXPECT_EQ(printable("a\x80z"), "a\\x80z");
    EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
    EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(printable("\xf5zzz"), "\\xf5zzz");
}

TEST(Talk, Utf8IsKnown) {
    for (auto const* text : {"", "a", "naïve … 数 🙂", "\x1b"}) {
        EXPECT_TRUE(is_utf8(text)) << text;
    }
    for (auto const* text : {"\xff", "a\x80", "\xe2\x80", "\xc0\xaf", "\xed\xa0\x80"}) {
        EXPECT_FALSE(is_utf8(text)) << printable(text);
    }
}

}  // namespace
}  // namespace weir
