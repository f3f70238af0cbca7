#include "apps/flash/io/flash_io_program.hpp"

#include <algorithm>
#include <cstring>

#include "apps/flash/io/numbers.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace weir::flash {
namespace {

/// As in the benchmark: one level of leaves without neighbours, all in one place.
double value_in_tree(std::string_view name) {
    using std::string_view_literals::operator""sv;
    constexpr std::array values{std::pair{"refine level"sv, 1.0}, std::pair{"lrefine"sv, 1.0},
                                std::pair{"node type"sv, 1.0},    std::pair{"nodetype"sv, 1.0},
                                std::pair{"gid"sv, -1.0},         std::pair{"coordinates"sv, 0.25},
                                std::pair{"block size"sv, 0.5},   std::pair{"blocksize"sv, 0.5}};
    auto const* const found = std::ranges::find(values, name, &std::pair<std::string_view, double>::first);
    return found == values.end() ? 0 : found->second;
}

constexpr std::size_t dims_of_unknowns = 4;  ///< or 5

/// The unknown with this name in a file; netCDF has underscores for blanks.
std::size_t unknown_called(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return static_cast<std::size_t>(std::ranges::find(unknown_names, name) - unknown_names.begin());
}

void write_text(std::span<std::byte> data, std::string_view text) {
    std::ranges::fill(data, std::byte{0});
    std::memcpy(data.data(), text.data(), std::min(data.size(), text.size()));
}

template <class Number>
std::span<Number> as(std::span<std::byte> data) {
    return {reinterpret_cast<Number*>(data.data()), data.size() / sizeof(Number)};
}

}  // namespace

FlashIoProgram::FlashIoProgram(Communicator const& comm, IoShape const& shape, MemoryOrder order, UnknownValues values,
                               Packing packing)
    : shape_(shape),
      ranks_(comm.size()),
      blocks_(blocks_of(shape, comm.rank())),
      packing_(packing),
      unknowns_(blocks_, shape.side, order, values, all_blocks(shape, comm.rank())) {}

/// Figures 12 and 13 of Saini et al. (2006) show the mean of the three files' bandwidths.
std::vector<Metric> FlashIoProgram::metrics(RunFigures const& run) const {
    double sum = 0;
    bool known = !run.parts.empty();
    for (auto const& part : run.parts) {
        known = known && part.elapsed_s > 0 && part.asked.bytes > 0;
        sum += known ? static_cast<double>(part.asked.bytes) / part.elapsed_s : 0;
    }
    auto const mean = known ? std::optional<double>(sum / static_cast<double>(run.parts.size())) : std::nullopt;
    return {{"average_bandwidth_bytes_per_s", mean, "B/s", "mean of the files' bandwidths"}};
}

Json FlashIoProgram::labels() const {
    auto const record = shape_.blocks * shape_.side * shape_.side * shape_.side * sizeof(double);
    return {{"blocks", all_blocks(shape_, ranks_)}, {"record_bytes", record}, {"pack", to_text(packing_)}};
}

void FlashIoProgram::fill(CurrentAccess const& asked, Operation const&, std::span<std::byte> data) {
    auto const& array = asked.access.part->what;
    auto const kind = static_cast<FileKind>(asked.file);
    if (asked.access.part->partition == of_rank0) {
        fill_header(kind, array, data);
    } else if (array.shape.size() >= dims_of_unknowns) {
        fill_unknowns(kind, array.name, data);
    } else {
        ElementNumbers(array.element, data).fill(value_in_tree(array.name));
    }
}

/// Corners are in no memory: they are computed.
std::optional<StridedMemory> FlashIoProgram::strided(CurrentAccess const& asked) {
    auto const& part = *asked.access.part;
    auto const is_unknown = part.partition != of_rank0 && part.what.shape.size() == dims_of_unknowns;
    auto const is_there = is_unknown && static_cast<FileKind>(asked.file) != FileKind::corner;
    return packing_ == Packing::library && is_there ? std::optional(unknowns_.in_memory(unknown_called(part.what.name)))
                                                    : std::nullopt;
}

double FlashIoProgram::number(FileKind kind, std::string_view name) const {
    if (name == "total blocks" || name == "total_blocks") {
        return static_cast<double>(all_blocks(shape_, ranks_));
    }
    auto const is_side = name == "nxb" || name == "nyb" || name == "nzb";
    return is_side ? static_cast<double>(shape_.side + (kind == FileKind::corner ? 1 : 0)) : 0;
}

void FlashIoProgram::fill_header(FileKind kind, Array const& array, std::span<std::byte> data) const {
    for (auto const& member : array.element.members) {
        ElementNumbers(member.element, data.subspan(member.offset, member.element.bytes))
            .fill(number(kind, member.name));
    }
    if (!array.element.members.empty()) {
        return;
    }
    if (array.element.kind != Element::Kind::text) {
        ElementNumbers(array.element, data).fill(number(kind, array.name));
    } else if (array.name == "unknown names") {
        std::string names;
        for (std::size_t i = 0; i < array.shape.front(); ++i) {
            names += unknown_names.at(kind == FileKind::checkpoint ? i : plotted_unknowns.at(i));
        }
        write_text(data, names);
    } else {
        write_text(data, array.name.starts_with("file") ? "now" : "FLASH-IO of Weir");
    }
}

void FlashIoProgram::fill_unknowns(FileKind kind, std::string_view name, std::span<std::byte> data) const {
    auto const copy = [&](std::size_t unknown, Unknowns::BlockRange blocks, std::span<std::byte> to) {
        if (kind == FileKind::checkpoint) {
            unknowns_.copy(unknown, blocks, as<double>(to));
        } else if (kind == FileKind::plot) {
            unknowns_.copy(unknown, blocks, as<float>(to));
        } else {
            unknowns_.copy_corners(unknown, blocks, as<float>(to));
        }
    };
    if (shape_.datasets == UnknownDatasets::separate) {
        copy(unknown_called(std::string(name)), {0, unknowns_.blocks()}, data);
        return;
    }
    auto const count = kind == FileKind::checkpoint ? unknown_names.size() : plotted_unknowns.size();
    auto const one = data.size() / (count * unknowns_.blocks());
    for (std::size_t block = 0; block < unknowns_.blocks(); ++block) {
        for (std::size_t place = 0; place < count; ++place) {
            auto const unknown = kind == FileKind::checkpoint ? place : plotted_unknowns.at(place);
            copy(unknown, {block, block + 1}, data.subspan((block * count + place) * one, one));
        }
    }
}

void FlashIoProgram::take(CurrentAccess const&, Operation const&, std::span<std::byte const>) {
    expect(false, "the benchmark only writes");
}

}  // namespace weir::flash
