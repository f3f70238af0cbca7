#pragma once

#include <functional>

#include "support/arrays/dump_case.hpp"

namespace weir::testing {

/// Smaller cases than this one, the boldest steps first; some may be none that the library takes.
class Shrinking {
  public:
    explicit Shrinking(DumpCase const& dump) : dump_(dump) {
        for (std::size_t i = 0; dump.write.layouts.size() > 1 && i < dump.write.layouts.size(); ++i) {
            with([&](DumpCase& d) { without_array(d, i); });
        }
        with([](DumpCase& d) { d.read = d.write; });
        with([](DumpCase& d) { d.move = d.start = false; });
        with([](DumpCase& d) { d.gaps.clear(); });
        with([](DumpCase& d) { d.numbers.clear(); });
        with([](DumpCase& d) { d.before = d.offset = 0; });
        fewer_options(&DumpCase::write);
        fewer_options(&DumpCase::read);
        for (std::size_t i = 0; i < dump.write.layouts.size(); ++i) {
            smaller_array(i);
            plainer_holders(&DumpCase::write, i);
            plainer_holders(&DumpCase::read, i);
        }
        fewer_ranks(&DumpCase::write);
        fewer_ranks(&DumpCase::read);
    }

    [[nodiscard]] std::vector<DumpCase> take() { return std::move(cases_); }

  private:
    /// Only what is shorter in words, or has smaller numbers: so it comes to an end.
    template <class Change>
    void with(Change change) {
        auto smaller = dump_;
        change(smaller);
        auto const is = text_of(smaller);
        auto const was = text_of(dump_);
        if (is.size() < was.size() || (is.size() == was.size() && is < was)) {
            cases_.push_back(std::move(smaller));
        }
    }

    static void without_array(DumpCase& dump, std::size_t i) {
        auto const at = static_cast<std::ptrdiff_t>(i);
        dump.write.layouts.erase(dump.write.layouts.begin() + at);
        dump.read.layouts.erase(dump.read.layouts.begin() + at);
        for (auto* values : {&dump.gaps, &dump.numbers}) {
            if (!values->empty()) {
                values->erase(values->begin() + at);
            }
        }
    }

    void fewer_options(Side DumpCase::*side) {
        auto const words = split((dump_.*side).options, ' ');
        for (std::size_t left_out = 0; left_out < words.size(); ++left_out) {
            std::string rest;
            for (std::size_t i = 0; i < words.size(); ++i) {
                rest += i == left_out || words[i].empty() ? "" : (rest.empty() ? "" : " ") + words[i];
            }
            with([&](DumpCase& d) { (d.*side).options = rest; });
        }
    }

    void plainer_holders(Side DumpCase::*side, std::size_t i) {
        auto const layout = [side, i](DumpCase& d) -> Layout& { return (d.*side).layouts[i]; };
        with([&](DumpCase& d) {
            auto& l = layout(d);
            l.distribution = Distribution::blocks;
            l.grid.clear();
            l.block.clear();
        });
        with([&](DumpCase& d) { layout(d).block.clear(); });
        with([&](DumpCase& d) { layout(d).before.clear(), layout(d).after.clear(); });
        with([&](DumpCase& d) { layout(d).memory_order = layout(d).order; });
    }

    /// Changes an array on both sides alike.
    template <class Change>
    void both(std::size_t i, Change change) {
        with([&](DumpCase& d) {
            change(d.write.layouts[i]);
            change(d.read.layouts[i]);
        });
    }

    void smaller_array(std::size_t i) {
        auto const& array = dump_.write.layouts[i];
        both(i, [](Layout& l) { l.larger_shape.clear(), l.larger_start.clear(); });
        for (std::uint64_t const bytes : {std::uint64_t{1}, array.element_bytes / 2, array.element_bytes - 1}) {
            if (bytes > 0 && bytes < array.element_bytes) {
                both(i, [&](Layout& l) { l.element_bytes = bytes; });
            }
        }
        for (std::size_t k = 0; k < array.shape.size(); ++k) {
            auto const extent = array.shape[k];
            for (auto const smaller : {std::int64_t{0}, std::int64_t{1}, extent / 2, extent - 1}) {
                if (smaller >= 0 && smaller < extent) {
                    both(i, [&](Layout& l) { cut(l, k, smaller); });
                }
            }
            if (extent == 1 && array.shape.size() > 1) {
                both(i, [&](Layout& l) { drop_dimension(l, k); });
            }
        }
    }

    static void cut(Layout& layout, std::size_t k, std::int64_t extent) {
        layout.shape[k] = extent;
        for (std::uint64_t rank = 0; rank < layout.starts.size(); ++rank) {
            for (std::size_t b = 0; b < layout.starts[rank].size(); ++b) {
                auto& start = layout.starts[rank][b][k];
                auto& count = layout.counts[rank][b][k];
                start = std::min(start, extent);
                count = std::min(count, extent - start);
            }
            for (std::size_t p = 0; p < layout.offsets[rank].size(); ++p) {
                auto& offset = layout.offsets[rank][p];
                auto& length = layout.lengths[rank][p];
                offset = std::min(offset, extent);
                length = std::min(length, extent - offset);
            }
        }
    }

    static void drop_dimension(Layout& layout, std::size_t k) {
        auto const at = static_cast<std::ptrdiff_t>(k);
        for (auto* values : {&layout.shape, &layout.grid, &layout.block, &layout.before, &layout.after,
                             &layout.larger_shape, &layout.larger_start}) {
            if (!values->empty()) {
                values->erase(values->begin() + at);
            }
        }
        for (auto* boxes : {&layout.starts, &layout.counts}) {
            for (auto& of_rank : *boxes) {
                for (auto& box : of_rank) {
                    box.erase(box.begin() + at);
                }
            }
        }
    }

    /// One rank less: what the last one held of lists goes to rank 0, grids are made again.
    void fewer_ranks(Side DumpCase::*side) {
        if ((dump_.*side).ranks == 1) {
            return;
        }
        for (auto const k : {0U, 1U, 2U}) {
            with([&](DumpCase& d) {
                auto& s = d.*side;
                --s.ranks;
                for (auto& layout : s.layouts) {
                    shed_rank(layout, k);
                }
            });
        }
    }

    static void shed_rank(Layout& layout, std::size_t dimension) {
        auto const move_to_first = [](auto& lists) {
            if (lists.size() > 1) {
                lists.front().insert(lists.front().end(), lists.back().begin(), lists.back().end());
                lists.pop_back();
            }
        };
        move_to_first(layout.starts);
        move_to_first(layout.counts);
        move_to_first(layout.offsets);
        move_to_first(layout.lengths);
        --layout.ranks;
        if (!layout.grid.empty()) {
            std::ranges::fill(layout.grid, 1);
            layout.grid[std::min(dimension, layout.grid.size() - 1)] = static_cast<std::int64_t>(layout.ranks);
        }
    }

    DumpCase dump_;
    std::vector<DumpCase> cases_;
};

/// The smallest case that can be reached and that still fails in the same way. `fails` may be asked often.
inline DumpCase shrunk(DumpCase dump, std::function<bool(DumpCase const&)> const& fails) {
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (auto& next : Shrinking(dump).take()) {
            if (fails(next)) {
                dump = std::move(next);
                smaller = true;
                break;
            }
        }
    }
    return dump;
}

}  // namespace weir::testing
