#include "apps/aquifer/io/aquifer_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/common/run/pattern_of_dumps.hpp"

namespace weir::aquifer {
namespace {

constexpr auto input = static_cast<std::uint64_t>(AquiferFile::input);
constexpr auto output = static_cast<std::uint64_t>(AquiferFile::output);
constexpr std::uint64_t of_root = 0;   // partitions: of rank 0
constexpr std::uint64_t of_block = 1;  // its block of cells
constexpr std::uint64_t of_part = 2;   // as many cells as its block has, after those of the ranks before

Element real() { return {Element::Kind::real, 8}; }
Element integer() { return {Element::Kind::integer, 4}; }

std::uint64_t along(Box const& box, std::size_t axis) { return static_cast<std::uint64_t>(box.cells[axis]); }

/// Sets offsets, the first of which is given.
std::vector<Array> one_after_the_other(std::vector<Array> arrays, std::uint64_t offset) {
    for (auto& array : arrays) {
        array.offset = offset;
        offset += bytes_of(array);
    }
    return arrays;
}

std::vector<Array> input_arrays(FileShape const& shape) {
    auto const& cells = shape.box.cells;
    std::vector<Array> arrays;
    for (auto const name : enum_names(InputArray{})) {
        arrays.push_back({std::string(name), integer(), {shape.count()}});
    }
    auto const of = [&](InputArray which) -> Array& { return arrays[static_cast<std::size_t>(which)]; };
    of(InputArray::permeability).element = real();
    of(InputArray::well).shape = {well_cells(cells).size()};
    of(InputArray::source).shape = {source_cells(cells).size()};
    return one_after_the_other(std::move(arrays), 0);
}

std::vector<Array> coordinates(Box const& box) {
    std::vector<Array> arrays;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        arrays.push_back({fmt::format("Coordinates/{} [m]", "XYZ"[axis]), real(), {along(box, axis) + 1}});
    }
    return arrays;
}

constexpr std::string_view input_text = "PFLOTRAN/pflotran_input_file";

/// The texts on the program, and where cells are. Numbers begin at a multiple of their size.
std::vector<Array> head_of(Box const& box) {
    constexpr std::uint64_t word = 32;  // PFLOTRAN's MAXWORDLENGTH
    constexpr std::uint64_t unknown = 7;
    std::vector<Array> texts;
    for (auto const name : provenance_names) {
        auto const characters = name == input_text ? word : unknown;
        texts.push_back({fmt::format("Provenance/{}", name), {Element::Kind::text, characters}, {1}});
    }
    texts = one_after_the_other(std::move(texts), 0);
    auto const end = *texts.back().offset + bytes_of(texts.back());
    auto const begin = (end + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    auto const edges = one_after_the_other(coordinates(box), begin);
    texts.insert(texts.end(), edges.begin(), edges.end());
    return texts;
}

std::string name_of(FileShape const& shape, OutputVariable const& variable) {
    switch (variable.kind) {
        case OutputKind::pressure:
            return "Liquid_Pressure [Pa]";
        case OutputKind::saturation:
            return "Liquid_Saturation";
        case OutputKind::concentration:
            return fmt::format("Total_{} [M]", shape.species[variable.number]);
        case OutputKind::material:
            return "Material_ID";
        case OutputKind::velocity:
            break;
    }
    return fmt::format("Liquid {}-Velocity [m_per_d]", "XYZ"[variable.number]);
}

/// One even part a rank, the first ones longer.
std::vector<std::uint64_t> even_parts(std::uint64_t count, std::uint64_t ranks) {
    std::vector<std::uint64_t> parts;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        parts.push_back(held_along(count, 0, ranks, rank).owned);
    }
    return parts;
}

Partition by_counts(std::vector<std::uint64_t> counts) {
    auto const equal = std::ranges::all_of(counts, [&](std::uint64_t count) { return count == counts.front(); });
    return equal ? Partition{.counts = {counts.front()}, .cycle = true} : Partition{.counts = std::move(counts)};
}

/// Builds a plan: its partitions, and the accesses by them.
class Plan {
  public:
    Plan(FileShape const& shape, std::uint64_t ranks) : shape_(shape) {
        auto const grid = ranks_for(shape.box.cells, ranks);
        plan_.shape.name = "aquifer";
        plan_.shape.ranks = ranks;
        plan_.shape.partitions = {Partition{}, Partition{.grid = {grid.begin(), grid.end()}, .first_fastest = true},
                                  by_counts(cells_of_ranks(shape.box.cells, ranks))};
        auto const suffix = shape.hdf5 ? "h5" : "raw";
        plan_.shape.files = {{.name = fmt::format("aquifer-input.{}", suffix)},
                             {.name = fmt::format("aquifer{}.{}", is_one() ? "" : "-###", suffix)}};
        plan_.shape.files[input].arrays = input_arrays(shape);
        plan_.lasting = {true, is_one()};
    }

    DumpPlan with_output(std::uint64_t step, bool first) {
        add_initialisation();
        add_input();
        add_output(step, first);
        return std::move(plan_);
    }

  private:
    [[nodiscard]] bool is_one() const { return shape_.files == OutputFiles::one; }

    std::uint64_t add(Partition by) {
        auto& partitions = plan_.shape.partitions;
        auto const known = std::ranges::find(partitions, by);
        if (known == partitions.end()) {
            partitions.push_back(std::move(by));
            return partitions.size() - 1;
        }
        return static_cast<std::uint64_t>(known - partitions.begin());
    }

    [[nodiscard]] Access access(Verb verb, std::uint64_t file, std::uint64_t array, std::uint64_t partition) const {
        auto const ranks = partition == of_root ? 1 : plan_.shape.ranks;
        return access_to(plan_.shape, verb, file, array, partition, {0, ranks, 1});
    }

    /// PFLOTRAN's reads are all independent.
    void add_initialisation() {
        auto& steps = plan_.restart;
        steps.emplace_back(Open{input, OpenMode::read});
        auto const begin_part = [&](char const* name) {
            plan_.restart_parts.push_back({name, plan_.restart_parts.empty() ? 0 : steps.size()});
        };
        auto const read = [&](InputArray array, std::uint64_t partition) {
            steps.emplace_back(access(Verb::read, input, static_cast<std::uint64_t>(array), partition));
        };
        begin_part("same region");
        for (auto const array : {InputArray::material_cells, InputArray::materials}) {
            for (std::uint64_t first = 0; first < shape_.count(); first += shape_.buffer) {
                read(array, add(Partition{.same = IndexRange{first, std::min(shape_.buffer, shape_.count() - first)}}));
            }
        }
        begin_part("own region");
        read(InputArray::cells, of_part);
        read(InputArray::permeability, of_part);
        begin_part("regions");
        for (auto const array : {InputArray::well, InputArray::source}) {
            read(array, of_region(array));
        }
        steps.emplace_back(Close{input});
    }

    std::uint64_t of_region(InputArray array) {
        auto const& shape = plan_.shape.files[input].arrays[static_cast<std::size_t>(array)].shape;
        return add(by_counts(even_parts(shape[0], plan_.shape.ranks)));
    }

    /// Each rank makes a part of the input file.
    void add_input() {
        plan_.input.emplace_back(Open{input, OpenMode::create});
        for (std::uint64_t array = 0; array < plan_.shape.files[input].arrays.size(); ++array) {
            auto const is_region = array >= static_cast<std::uint64_t>(InputArray::well);
            auto const partition = is_region ? of_region(static_cast<InputArray>(array)) : of_part;
            plan_.input.emplace_back(access(Verb::write, input, array, partition));
        }
        plan_.input.emplace_back(Close{input});
    }

    void add_output(std::uint64_t step, bool first) {
        auto const& box = shape_.box;
        auto const group = group_of_time(static_cast<double>(step) * shape_.interval_d);
        std::vector<Array> fields;
        for (auto const& variable : variables_of(shape_)) {
            fields.push_back({group + "/" + name_of(shape_, variable),
                              variable.kind == OutputKind::material ? integer() : real(),
                              {along(box, 0), along(box, 1), along(box, 2)}});
        }
        auto const head = head_of(box);
        auto const begin = *head.back().offset + bytes_of(head.back());
        fields = one_after_the_other(std::move(fields), 0);
        auto const bytes = *fields.back().offset + bytes_of(fields.back());
        fields = one_after_the_other(std::move(fields), begin + (is_one() ? step * bytes : 0));
        plan_.grows_by = is_one() ? bytes : 0;
        plan_.parts = {{"output", 0}};
        auto const is_new = first || !is_one();
        auto& arrays = plan_.shape.files[output].arrays;
        arrays = is_new ? head : std::vector<Array>();
        arrays.insert(arrays.end(), fields.begin(), fields.end());
        auto const makes = is_one() ? std::optional(IndexRange{0, arrays.size()}) : std::nullopt;
        plan_.dump.emplace_back(Open{output, is_new ? OpenMode::create : OpenMode::update, {}, {}, true, makes});
        for (std::uint64_t array = 0; array < arrays.size(); ++array) {
            auto const is_head = is_new && array < head_arrays;
            plan_.dump.emplace_back(access(Verb::write, output, array, is_head ? of_root : of_block));
            std::get<Access>(plan_.dump.back()).collective = !is_head;
        }
        plan_.dump.emplace_back(Close{output});
    }

    FileShape const& shape_;
    DumpPlan plan_;
};

}  // namespace

std::vector<Triple> well_cells(Triple const& cells) {
    std::vector<Triple> column;
    for (Index k = 0; k < cells[2]; ++k) {
        column.push_back({(3 * cells[0]) / 4, cells[1] / 2, k});
    }
    return column;
}

std::vector<Triple> source_cells(Triple const& cells) {
    Triple first{}, end{};
    for (std::size_t axis = 0; axis < axes; ++axis) {
        auto const n = cells[axis];
        auto const width = axis == 2 ? std::max<Index>(1, n / 2) : std::max<Index>(1, n / 8);
        first[axis] = axis == 0 ? n / 8 : axis == 1 ? (n - width) / 2 : 0;
        end[axis] = first[axis] + width;
    }
    std::vector<Triple> block;
    for (auto k = first[2]; k < end[2]; ++k) {
        for (auto j = first[1]; j < end[1]; ++j) {
            for (auto i = first[0]; i < end[0]; ++i) {
                block.push_back({i, j, k});
            }
        }
    }
    return block;
}

std::string_view provenance(std::string_view name) {
    return name.ends_with(input_text) ? "weir-core aquifer" : "unknown";
}

std::vector<OutputVariable> variables_of(FileShape const& shape) {
    std::vector<OutputVariable> variables{{OutputKind::pressure}, {OutputKind::saturation}};
    for (std::size_t species = 0; species < shape.species.size(); ++species) {
        variables.push_back({OutputKind::concentration, species});
    }
    variables.push_back({OutputKind::material});
    for (std::size_t axis = 0; shape.velocities && axis < axes; ++axis) {
        variables.push_back({OutputKind::velocity, axis});
    }
    return variables;
}

std::string group_of_time(double days) { return fmt::format("Time:{:13.5E} d", days); }

std::vector<std::uint64_t> cells_of_ranks(Triple const& cells, std::uint64_t ranks) {
    auto const grid = ranks_for(cells, ranks);
    std::array<std::vector<std::uint64_t>, axes> owned;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        owned[axis] = even_parts(static_cast<std::uint64_t>(cells[axis]), static_cast<std::uint64_t>(grid[axis]));
    }
    std::vector<std::uint64_t> counts;
    counts.reserve(ranks);
    for (auto const z : owned[2]) {
        for (auto const y : owned[1]) {
            for (auto const x : owned[0]) {
                counts.push_back(x * y * z);
            }
        }
    }
    return counts;
}

DumpPlan plan_of(FileShape const& shape, std::uint64_t ranks, std::uint64_t step, bool first) {
    return Plan(shape, ranks).with_output(step, first);
}

}  // namespace weir::aquifer
