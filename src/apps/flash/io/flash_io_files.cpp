#include "apps/flash/io/flash_io_files.hpp"

#include <utility>

#include "apps/common/run/pattern_of_dumps.hpp"
#include "apps/flash/io/elements.hpp"
#include "apps/flash/io/unknowns.hpp"

namespace weir::flash {
namespace {

constexpr std::uint64_t spread = 3;  ///< ranks have 0, 1 or 2 blocks more

/// Laid out as the benchmark's structure of C, with its gap after the first member.
Element simulation_parameters(Element const& real) {
    std::vector<Member> members{{"total blocks", integers(), 0}};
    auto offset = real.bytes;
    auto const add = [&](char const* name, Element const& element) {
        members.push_back({name, element, offset});
        offset += element.bytes;
    };
    add("time", real);
    add("timestep", real);
    for (auto const* name : {"number of steps", "nxb", "nyb", "nzb"}) {
        add(name, integers());
    }
    return compound_of(std::move(members));
}

/// The header of a file as four datasets, which rank 0 writes.
std::vector<Array> header(FileKind kind) {
    auto const whole = kind == FileKind::checkpoint;
    return {{"file creation time", text(40), {1}},
            {"FLASH version", text(20), {1}},
            {"simulation parameters", simulation_parameters(reals_in(kind)), {1}},
            {"unknown names", text(4), {whole ? unknown_names.size() : plotted_unknowns.size(), 1}}};
}

/// The same as attributes of a netCDF file.
std::vector<Array> attributes(FileKind kind) {
    auto const real = reals_in(kind);
    std::vector<Array> arrays{{"file_creation_time", text(40), {}},
                              {"flash_version", text(20), {}},
                              {"total_blocks", integers(), {}},
                              {"nsteps", integers(), {}},
                              {"nxb", integers(), {}},
                              {"nyb", integers(), {}},
                              {"nzb", integers(), {}},
                              {"time", real, {}}};
    for (auto& array : arrays) {
        array.attribute_of = "";
    }
    return arrays;
}

/// The tree's arrays, a row a block: refinement level, type, neighbours, and where it lies.
std::vector<Array> tree(FileKind kind, std::uint64_t blocks, bool netcdf) {
    auto const real = reals_in(kind);
    auto const name = [&](char const* hdf5, char const* pnetcdf) { return std::string(netcdf ? pnetcdf : hdf5); };
    return {{name("refine level", "lrefine"), integers(), {blocks}},
            {name("node type", "nodetype"), integers(), {blocks}},
            {"gid", integers(), {blocks, 15}},
            {"coordinates", real, {blocks, 3}},
            {name("block size", "blocksize"), real, {blocks, 3}},
            {name("bounding box", "bndbox"), real, {blocks, 3, 2}}};
}

std::string name_in(std::string_view unknown, bool netcdf) {
    std::string name(unknown);
    for (auto& character : name) {
        character = netcdf && character == ' ' ? '_' : character;
    }
    return name;
}

std::vector<Array> unknowns(IoShape const& shape, FileKind kind, std::uint64_t blocks) {
    auto const real = reals_in(kind);
    auto const side = shape.side + (kind == FileKind::corner ? 1 : 0);
    auto const written = kind == FileKind::checkpoint ? unknown_names.size() : plotted_unknowns.size();
    if (shape.datasets == UnknownDatasets::one) {
        return {{"unknowns", real, {blocks, written, side, side, side}}};
    }
    std::vector<Array> arrays;
    for (std::size_t i = 0; i < written; ++i) {
        auto const unknown = kind == FileKind::checkpoint ? i : plotted_unknowns.at(i);
        arrays.push_back({name_in(unknown_names.at(unknown), shape.netcdf), real, {blocks, side, side, side}});
    }
    return arrays;
}

/// Creates a file and writes its arrays. The benchmark writes the header and the tree independently; in netCDF, ranks
/// write attributes and trees together.
std::vector<Step> written(Pattern const& files, std::uint64_t file, FileArrays const& groups, IoShape const& shape) {
    auto steps = all_of(files, file, OpenMode::create, groups.header.size());
    for (std::size_t i = 0; i < groups.header.size() + groups.tree.size(); ++i) {
        auto const in_tree = i >= groups.header.size();
        std::get<Access>(steps[1 + i]).collective = shape.netcdf || (in_tree && shape.tree_together);
    }
    return steps;
}

std::string file_name(FileKind kind, std::string const& prefix, bool netcdf) {
    constexpr std::array<std::string_view, file_kinds> kinds{"chk", "plt_cnt", "plt_crn"};
    return prefix + std::string(kinds.at(static_cast<std::size_t>(kind))) + "_####" + (netcdf ? ".nc" : "");
}

}  // namespace

std::uint64_t blocks_of(IoShape const& shape, std::uint64_t rank) { return shape.blocks + rank % spread; }

std::uint64_t all_blocks(IoShape const& shape, std::uint64_t ranks) {
    auto const rest = ranks % spread;
    return ranks * shape.blocks + ranks / spread * 3 + rest * (rest - (rest > 0 ? 1 : 0)) / 2;
}

FileArrays groups_of(IoShape const& shape, FileKind kind, std::uint64_t ranks) {
    auto const blocks = all_blocks(shape, ranks);
    return {shape.netcdf ? attributes(kind) : header(kind), tree(kind, blocks, shape.netcdf),
            unknowns(shape, kind, blocks)};
}

std::vector<Array> one_after_the_other(std::vector<Array> arrays) {
    std::uint64_t offset = 0;
    for (auto& array : arrays) {
        array.offset = offset;
        offset += bytes_of(array);
    }
    return arrays;
}

std::vector<Array> arrays_of(IoShape const& shape, FileKind kind, std::uint64_t ranks) {
    auto const groups = groups_of(shape, kind, ranks);
    auto arrays = groups.header;
    arrays.insert(arrays.end(), groups.tree.begin(), groups.tree.end());
    arrays.insert(arrays.end(), groups.unknowns.begin(), groups.unknowns.end());
    return one_after_the_other(std::move(arrays));
}

std::string format_in_names(std::string const& backend) {
    return backend == "pnetcdf" ? "ncmpi_" : backend == "hdf5" ? "hdf5_" : "raw_";
}

DumpPlan plan_of(IoShape const& shape, std::uint64_t ranks, std::string const& prefix) {
    DumpPlan plan;
    plan.shape.name = "flash-io";
    plan.shape.ranks = ranks;
    plan.shape.partitions = {Partition{},
                             Partition{.counts = {shape.blocks, shape.blocks + 1, shape.blocks + 2}, .cycle = true}};
    if (ranks < spread) {
        plan.shape.partitions[1].counts.resize(ranks);
    }
    for (std::size_t i = 0; i < file_kinds; ++i) {
        auto const kind = static_cast<FileKind>(i);
        plan.shape.files.push_back({.name = file_name(kind, prefix, shape.netcdf)});
        plan.shape.files.back().arrays = arrays_of(shape, kind, ranks);
        plan.parts.push_back({std::string(enum_names(kind).at(i)), plan.dump.size()});
        auto const groups = groups_of(shape, kind, ranks);
        append(plan.dump, written(plan.shape, i, groups, shape));
        if (shape.sync) {
            append(plan.dump, {Sync{i}});
        }
        append(plan.dump, {Close{i}});
    }
    plan.lasting.assign(file_kinds, false);
    return plan;
}

}  // namespace weir::flash
