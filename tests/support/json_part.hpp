#pragma once

#include <gtest/gtest.h>

#include "core/json.hpp"

namespace weir::testing {

/// A document has these values at these places, as "limit/bytes".
inline void expect_part(Json const& whole, Json const& part) {
    for (auto const& [place, value] : part.items()) {
        Json::json_pointer const at("/" + place);
        EXPECT_EQ(whole.contains(at) ? whole.at(at) : Json("nothing"), value) << place;
    }
}

}  // namespace weir::testing
