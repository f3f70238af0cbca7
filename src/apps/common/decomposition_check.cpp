#include "apps/common/decomposition_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "core/join.hpp"

namespace weir {
namespace {

/// Calls `visit` with each factorisation of the number of ranks along x, y and z.
template <class Visit>
void each_cut(Index size, Visit visit) {
    for (Index px = 1; px <= size; ++px) {
        for (Index py = 1; size % px == 0 && py <= size / px; ++py) {
            if (size / px % py == 0) {
                visit(Triple{px, py, size / px / py});
            }
        }
    }
}

bool is_cut_well(Triple const& cells, Triple const& ranks, Demands const& demands) {
    for (std::size_t a = 0; a < axes; ++a) {
        if (cells[a] % ranks[a] != 0 || cells[a] / ranks[a] < demands.thinnest) {
            return false;
        }
    }
    return !demands.whole_planes || cells[2] % volume(ranks) == 0;
}

/// The multiple of `step` nearest to n, and no less than `least`.
Index nearest_multiple(Index n, Index step, Index least) {
    auto const near = (n + step / 2) / step * step;
    return std::max(near, (least + step - 1) / step * step);
}

Triple cells_for(Triple const& cells, Triple const& ranks, Demands const& demands) {
    Triple fit{};
    for (std::size_t a = 0; a < axes; ++a) {
        auto const planes = a == 2 && demands.whole_planes ? volume(ranks) : Index{1};
        fit[a] = nearest_multiple(cells[a], std::lcm(ranks[a], planes), demands.thinnest * ranks[a]);
    }
    return fit;
}

/// The distance between two grids: by the ratios of their axes, so that each axis counts the same.
double distance(Triple const& one, Triple const& other) {
    double sum = 0;
    for (std::size_t a = 0; a < axes; ++a) {
        sum += std::abs(std::log(static_cast<double>(one[a]) / static_cast<double>(other[a])));
    }
    return sum;
}

bool fits_some(Triple const& cells, Index size, Demands const& demands) {
    bool fits = false;
    each_cut(size, [&](Triple const& ranks) { fits = fits || is_cut_well(cells, ranks, demands); });
    return fits;
}

std::vector<std::string> misfits_of(Triple const& cells, Triple const& ranks, Demands const& demands) {
    constexpr std::array names{'x', 'y', 'z'};
    std::vector<std::string> found;
    for (std::size_t a = 0; a < axes; ++a) {
        if (cells[a] % ranks[a] != 0) {
            found.push_back(
                fmt::format("{} cells along {} cannot be divided by {} ranks", cells[a], names[a], ranks[a]));
        } else if (cells[a] / ranks[a] < demands.thinnest) {
            found.push_back(fmt::format("a block has {} cells along {}, and its neighbours need {}",
                                        cells[a] / ranks[a], names[a], demands.thinnest));
        }
    }
    return found;
}

}  // namespace

std::vector<std::string> misfits(Triple const& cells, Index size, std::optional<Triple> const& asked,
                                 Demands const& demands) {
    std::vector<std::string> found;
    if (asked) {
        if (volume(*asked) != size) {
            found.push_back(fmt::format("ranks_along = {} are {} ranks, and this launch has {}", to_text(*asked),
                                        volume(*asked), size));
        }
        auto const more = misfits_of(cells, *asked, demands);
        found.insert(found.end(), more.begin(), more.end());
    } else if (!fits_some(cells, size, {demands.thinnest, false})) {
        found.push_back(fmt::format("no {} equal blocks of at least {} cells along each direction can be cut", size,
                                    demands.thinnest));
    }
    if (demands.whole_planes && cells[2] % size != 0) {
        found.push_back(fmt::format("method = two-phase has {} ranks write as many complete planes, and there are {}",
                                    size, cells[2]));
    }
    return found;
}

Triple nearest_cells(Triple const& cells, Index size, std::optional<Triple> const& asked, Demands const& demands) {
    if (asked && volume(*asked) == size) {
        return cells_for(cells, *asked, demands);
    }
    Triple best{};
    auto least = std::numeric_limits<double>::infinity();
    each_cut(size, [&](Triple const& ranks) {
        auto const fit = cells_for(cells, ranks, demands);
        if (auto const far = distance(fit, cells); far < least) {
            least = far;
            best = fit;
        }
    });
    return best;
}

std::optional<Index> nearest_size(Triple const& cells, Index size, Demands const& demands) {
    for (Index far = 0; far < size; ++far) {
        for (auto const near : {size - far, size + far}) {
            if (near <= volume(cells) && fits_some(cells, near, demands)) {
                return near;
            }
        }
    }
    return {};
}

void check_fit(Triple const& cells, Index size, std::optional<Triple> const& asked, Demands const& demands) {
    auto const found = misfits(cells, size, asked, demands);
    if (found.empty()) {
        return;
    }
    auto const good = nearest_cells(cells, size, asked, demands);
    auto const keeps = asked && volume(*asked) == size;
    auto const loose = asked && !keeps ? " without ranks_along" : "";
    std::vector<std::string> advice;
    if (good != cells) {
        advice.push_back(fmt::format("cells = {}{}", to_text(good), loose));
    } else {
        advice.emplace_back("no ranks_along");
    }
    if (auto const other = nearest_size(cells, size, demands); other && (*other != size || (keeps && good != cells))) {
        advice.push_back(*other == size ? "no ranks_along"
                                        : fmt::format("{} rank{}{}", *other, *other == 1 ? "" : "s",
                                                      asked ? " without ranks_along" : ""));
    }
    if (demands.whole_planes && misfits(cells, size, asked, {demands.thinnest, false}).empty()) {
        advice.emplace_back("method = rank0 or independent");
    }
    throw Error({fmt::format("a grid of {} cells does not fit {} ranks", to_text(cells), size), join(found, "; "),
                 fmt::format("Take {}.", join(advice, ", or ")), ExitCode::usage});
}

}  // namespace weir
