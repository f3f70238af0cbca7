#pragma once

#include <cstdint>
#include <optional>

#include "apps/cmb/model/shape.hpp"
#include "apps/cmb/model/source.hpp"
#include "pattern/parametric.hpp"

namespace weir::cmb {

/// Does it compute, or is it busy for as long?
enum class Mode { io, compute };
constexpr std::array<std::string_view, 2> enum_names(Mode) { return {"io", "compute"}; }

/// How the matrices are moved, besides their shape.
struct Course {
    Mode mode = Mode::io;
    std::optional<double>
        exponent{};                 ///< of busy work, (pixels^2)^exponent operations; none: the routine's natural cost
    double operations_per_s = 1e9;  ///< of a rank, in place of its computing
    Layout layout = Layout::shared;
    std::uint64_t read_turns = 1;   ///< of so many consecutive ranks one reads at once
    std::uint64_t write_turns = 1;  ///< or writes
    bool asynchronous = false;
    bool sync = false;  ///< phases that write end with a sync
};

/// Refuses what does not fit this shape (Error, usage). Pure, as all here.
void validate_course(Course const&, Shape const&);

/// The phases S, D (if it computes), W and C. Each rank's part of a matrix is one request. The file stays open from S
/// to C.
Pattern make_pattern(Shape const&, Course const&);

/// Requests of a rank in a phase, the same on all of them.
std::uint64_t requests_of_a_rank(Phase const&);

}  // namespace weir::cmb
