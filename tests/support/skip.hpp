#pragma once

#include <gtest/gtest.h>

/// Skips the test where this is so; why follows after <<.
#define WEIR_SKIP_IF(condition)   \
    GTEST_AMBIGUOUS_ELSE_BLOCKER_ \
    if (!(condition)) {           \
    } else                        \
        GTEST_SKIP()
