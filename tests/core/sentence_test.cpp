#include "core/sentence.hpp"

#include <gtest/gtest.h>

namespace {

using weir::sentence;

TEST(Sentence, CauseAndRemedyAreTwoSentences) {
    EXPECT_EQ(sentence("it broke", "too old", "Mend it."), "it broke (too old). Mend it.");
    EXPECT_EQ(sentence("it broke", "", "Mend it."), "it broke. Mend it.");
    EXPECT_EQ(sentence("it broke", "", "mend it"), "it broke. Mend it");
    EXPECT_EQ(sentence("it broke", "", "docs/it.md says how."), "it broke. docs/it.md says how.");
    EXPECT_EQ(sentence("it broke", "too old", ""), "it broke (too old)");
    EXPECT_EQ(sentence("it broke", "", ""), "it broke");
    EXPECT_EQ(sentence("is it broken?", "", "Mend it."), "is it broken? Mend it.");
}

}  // namespace
