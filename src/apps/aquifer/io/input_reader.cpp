#include "apps/aquifer/io/input_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "apps/aquifer/io/input_maker.hpp"
#include "comm/collective_error.hpp"
#include "core/enum_names.hpp"

namespace weir::aquifer {
namespace {

/// Memory for so many: touched now, not while the input is read.
template <class Value>
void make_room(std::vector<Value>& values, std::size_t count) {
    values.resize(count);
    values.clear();
}

template <class Number>
void append_to(std::vector<Number>& all, std::span<std::byte const> data) {
    auto const before = all.size();
    all.resize(before + data.size() / sizeof(Number));
    std::memcpy(all.data() + before, data.data(), data.size() / sizeof(Number) * sizeof(Number));
}

}  // namespace

InputReader::InputReader(Communicator comm, Box const& box)
    : comm_(std::move(comm)),
      box_(box),
      ranks_(ranks_for(box.cells, comm_.size())),
      block_(block_of(box, ranks_, comm_.rank())),
      count_(volume(box.cells)),
      has_material_(block_.count()),
      has_permeability_(block_.count()) {
    data_.permeability.resize(block_.count());
    data_.material.resize(block_.count());
    make_room(found_, block_.count());
    auto const region = static_cast<std::size_t>(count_) / comm_.size() + 1;
    make_room(ids_, region);
    make_room(values_, region);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        for (Index rank = 0; rank < ranks_[axis]; ++rank) {
            auto const held = held_along(static_cast<std::uint64_t>(box.cells[axis]), 0,
                                         static_cast<std::uint64_t>(ranks_[axis]), static_cast<std::uint64_t>(rank));
            coordinates_[axis].insert(coordinates_[axis].end(), held.owned, rank);
        }
    }
}

void InputReader::take(InputArray array, std::uint64_t first, std::span<std::byte const> data) {
    switch (array) {
        case InputArray::material_cells:
            look_up(first, {data});
            break;
        case InputArray::materials:
            take_materials(first, {data});
            break;
        case InputArray::cells:
            first_id_ = first;
            append_to(ids_, data);
            break;
        case InputArray::permeability:
            append_to(values_, data);
            break;
        case InputArray::well:
            append_to(wells_, data);
            break;
        case InputArray::source:
            append_to(sources_, data);
            break;
    }
}

void InputReader::complain(InputArray array, std::string what, std::string why) {
    if (!problem_) {
        problem_ = Diagnosis{fmt::format("the input's '{}' {}", to_text(array), what), std::move(why),
                             "Correct the input, or leave it out: one is made.", ExitCode::usage};
    }
}

/// The natural index, from 0, or nothing for an id of no cell.
std::optional<std::uint64_t> InputReader::cell_of_id(std::int32_t id, InputArray array, std::uint64_t place) {
    if (id >= 1 && id <= count_) {
        return static_cast<std::uint64_t>(id - 1);
    }
    complain_of_range(id, array, place);
    return {};
}

void InputReader::complain_of_range(std::int32_t id, InputArray array, std::uint64_t place) {
    complain(array, fmt::format("has an id out of range: {}", id),
             fmt::format("it is number {}, and the cells are numbered from 1 to {}", place + 1, count_));
}

/// Every rank looks at all ids, which costs it more than reading them.
void InputReader::look_up(std::uint64_t first, Integers ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto const cell = cell_of_id(ids[i], InputArray::material_cells, first + i);
        auto const own = cell ? block_.own(cell_of(box_.cells, *cell)) : std::nullopt;
        if (!own) {
            continue;
        }
        if (has_material_[*own]) [[unlikely]] {
            complain(InputArray::material_cells, fmt::format("has the id {} twice", ids[i]),
                     fmt::format("the second time as number {}, and each cell has one material", first + i + 1));
        }
        has_material_[*own] = true;
        found_.push_back({static_cast<std::uint32_t>(first + i), static_cast<std::uint32_t>(*own)});
    }
}

/// Those of this rank's cells, whose places are in ascending order.
void InputReader::take_materials(std::uint64_t first, Integers materials) {
    auto next = std::ranges::lower_bound(found_, first, {}, &FoundCell::place);
    for (; next != found_.end() && next->place < first + materials.size(); ++next) {
        auto const material = materials[next->place - first];
        if (material < 1) {
            complain(InputArray::materials, fmt::format("has a material {}", material),
                     fmt::format("it is number {}, and materials are numbered from 1", next->place + 1));
            continue;
        }
        data_.material[next->own] = static_cast<std::uint64_t>(material);
    }
}

std::uint64_t InputReader::owner_of(std::uint64_t cell) const {
    auto const at = cell_of(box_.cells, cell);
    auto const along = [&](std::size_t axis) { return coordinates_[axis][static_cast<std::size_t>(at[axis])]; };
    return static_cast<std::uint64_t>(along(0) + ranks_[0] * (along(1) + ranks_[1] * along(2)));
}

/// The values of this rank's cells, from the ranks that have read them. Collective.
std::vector<InputReader::Value> InputReader::brought_home() {
    std::vector<std::vector<Value>> to(comm_.size());
    for (std::size_t i = 0; i < std::min(ids_.size(), values_.size()); ++i) {
        if (auto const cell = cell_of_id(ids_[i], InputArray::cells, first_id_ + i)) {
            to[owner_of(*cell)].push_back({*cell, values_[i]});
        }
    }
    auto const exchange = [&](auto const& outgoing, auto const& incoming) {
        std::vector<Communicator::Outgoing> out;
        std::vector<Communicator::Incoming> in;
        for (std::uint64_t rank = 0; rank < comm_.size(); ++rank) {
            if (rank != comm_.rank() && !outgoing(rank).empty()) {
                out.push_back({rank, outgoing(rank)});
            }
            if (rank != comm_.rank() && !incoming(rank).empty()) {
                in.push_back({rank, incoming(rank)});
            }
        }
        comm_.exchange(out, in);
    };
    std::vector<std::uint64_t> sent(comm_.size());
    std::vector<std::uint64_t> counts(comm_.size());
    for (std::uint64_t rank = 0; rank < comm_.size(); ++rank) {
        sent[rank] = to[rank].size();
    }
    exchange([&](std::uint64_t rank) { return std::as_bytes(std::span(&sent[rank], 1)); },
             [&](std::uint64_t rank) { return std::as_writable_bytes(std::span(&counts[rank], 1)); });
    std::vector<std::vector<Value>> from(comm_.size());
    for (std::uint64_t rank = 0; rank < comm_.size(); ++rank) {
        from[rank].resize(rank == comm_.rank() ? 0 : counts[rank]);
    }
    exchange([&](std::uint64_t rank) { return std::as_bytes(std::span(to[rank])); },
             [&](std::uint64_t rank) { return std::as_writable_bytes(std::span(from[rank])); });
    auto all = std::move(to[comm_.rank()]);
    for (auto const& one : from) {
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

void InputReader::put_permeabilities(std::vector<Value> const& values) {
    for (auto const& [cell, value] : values) {
        auto const own = block_.own(cell_of(box_.cells, cell));
        expect(own.has_value(), "values go to the ranks of their cells");
        if (has_permeability_[*own]) {
            complain(InputArray::cells, fmt::format("has the id {} twice", cell + 1), "each cell has one permeability");
        }
        if (!(value > 0) || !std::isfinite(value)) {
            complain(InputArray::permeability, fmt::format("has {:g} m^2 for the cell {}", value, cell + 1),
                     "a permeability is positive");
        }
        has_permeability_[*own] = true;
        data_.permeability[*own] = value;
    }
}

/// A region's cells, from the ranks that have read its parts. Collective.
std::vector<Triple> InputReader::everywhere(InputArray array) {
    auto const& mine = array == InputArray::well ? wells_ : sources_;
    std::string const bytes(reinterpret_cast<char const*>(mine.data()), mine.size() * sizeof(std::int32_t));
    std::vector<Triple> cells;
    std::vector<std::int32_t> ids;
    for (auto const& part : comm_.all_gather(bytes)) {
        append_to(ids, std::as_bytes(std::span(part.data(), part.size())));
    }
    for (std::size_t place = 0; place < ids.size(); ++place) {
        if (auto const cell = cell_of_id(ids[place], array, place)) {
            cells.push_back(cell_of(box_.cells, *cell));
        }
    }
    std::ranges::sort(ids);
    auto const twice = std::ranges::adjacent_find(ids);
    if (twice != ids.end()) {
        complain(array, fmt::format("has the id {} twice", *twice), "a region has each cell once");
    }
    return cells;
}

void InputReader::check_all_found(std::vector<bool> const& found, InputArray array) {
    block_.each_cell([&](std::size_t own, std::size_t) {
        if (!found[own]) {
            complain(array, fmt::format("lacks the id {}", index_of(box_.cells, block_.cell(own)) + 1),
                     "every cell has its value in the input");
        }
    });
}

InputData InputReader::conclude() {
    put_permeabilities(brought_home());
    data_.well = everywhere(InputArray::well);
    data_.source = everywhere(InputArray::source);
    run_together(comm_, [&] { throw_kept(problem_); });
    check_all_found(has_material_, InputArray::material_cells);  // an id is missing where another is wrong
    check_all_found(has_permeability_, InputArray::cells);
    run_together(comm_, [&] { throw_kept(problem_); });
    return std::move(data_);
}

}  // namespace weir::aquifer
