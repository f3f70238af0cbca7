#pragma once

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace weir::testing {

/// What `work` fails with; that it does not fail is a failure of the test.
template <class Work>
Error error_of(Work work) {
    try {
        work();
    } catch (Error const& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was refused";
    return Error(Diagnosis{});
}

}  // namespace weir::testing
