#pragma once

#include <array>
#include <span>
#include <string>

#include "comm/communicator.hpp"

namespace weir {

/// The sum over all ranks, by the values' `void add(T const&)`, of values that travel as text, since their lengths
/// differ. Ranks add up in pairs, so that none reads more than log2(size) texts. Collective; an MPI error is left
/// pending.
template <class T, class ToText, class FromText>
T sum_as_text(Communicator const& comm, T mine, ToText to_text, FromText from_text) {
    auto const as_bytes = [](auto&& values) { return std::as_writable_bytes(std::span(values)); };
    auto const rank = comm.rank();
    for (std::uint64_t step = 1; step < comm.size(); step *= 2) {
        if (rank % (2 * step) == step) {
            auto text = to_text(mine);
            std::array length{text.size()};
            comm.exchange(as_bytes(length), rank - step, {}, {});
            comm.exchange(as_bytes(text), rank - step, {}, {});
            break;
        }
        if (rank + step < comm.size()) {
            std::array length{std::size_t{0}};
            comm.exchange({}, {}, as_bytes(length), rank + step);
            std::string text(length[0], ' ');
            comm.exchange({}, {}, as_bytes(text), rank + step);
            if (!comm.has_trouble()) {
                mine.add(from_text(text));
            }
        }
    }
    auto const sum = comm.broadcast(comm.is_root() ? to_text(mine) : "");
    return comm.has_trouble() ? mine : from_text(sum);
}

}  // namespace weir
