#include "apps/flash/amr/amr_files.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "apps/common/run/pattern_of_dumps.hpp"
#include "apps/flash/io/elements.hpp"

namespace weir::flash {
namespace {

Array sim_info() {
    std::vector<Member> members{{"file format version", integers(), 0}};
    std::uint64_t offset = integers().bytes;
    for (auto const& [name, characters] : {std::pair{"setup call", 400},
                                           {"file creation time", 80},
                                           {"flash version", 80},
                                           {"build date", 80},
                                           {"build dir", 80},
                                           {"build machine", 80},
                                           {"cflags", 400},
                                           {"fflags", 400},
                                           {"setup time stamp", 80},
                                           {"build time stamp", 80}}) {
        members.push_back({name, text(static_cast<std::uint64_t>(characters)), offset});
        offset += static_cast<std::uint64_t>(characters);
    }
    return {"sim info", compound_of(std::move(members)), {1}};
}

std::vector<std::string_view> variables_in(FileKind kind) {
    return kind == FileKind::checkpoint
               ? std::vector<std::string_view>(variable_names.begin(), variable_names.end())
               : std::vector<std::string_view>(plotted_variables.begin(), plotted_variables.end());
}

/// What rank 0 writes.
std::vector<Array> lists_of(FileKind kind) {
    std::vector<Array> arrays{sim_info()};
    std::ranges::move(arrays_of(empty_parameters(BlastKind::sedov), "runtime parameters"), std::back_inserter(arrays));
    std::ranges::move(arrays_of(empty_scalars(), "scalars"), std::back_inserter(arrays));
    arrays.push_back({"unknown names", text(4), {variables_in(kind).size(), 1}});
    return arrays;
}

std::vector<Array> tree_of(FileKind kind, std::uint64_t blocks) {
    auto const real = reals_in(kind);
    return {{"refine level", integers(), {blocks}},
            {"node type", integers(), {blocks}},
            {"gid", integers(), {blocks, relatives}},
            {"which child", integers(), {blocks}},
            {"processor number", integers(), {blocks}},
            {"bflags", integers(), {blocks, 1}},
            {"gsurr_blks", integers(), {blocks, 3, 3, 3, 2}},
            {"coordinates", real, {blocks, axes}},
            {"block size", real, {blocks, axes}},
            {"bounding box", real, {blocks, axes, 2}}};
}

std::vector<Array> variables_of(AmrShape const& shape, FileKind kind, std::uint64_t blocks) {
    auto const side = shape.side + (kind == FileKind::corner ? 1 : 0);
    std::vector<Array> arrays;
    for (auto const name : variables_in(kind)) {
        arrays.push_back({std::string(name), reals_in(kind), {blocks, side, side, side}});
        for (auto const* extreme : {"minimum", "maximum"}) {
            arrays.push_back({extreme, doubles(), {1}, {}, std::string(name)});
        }
    }
    return arrays;
}

/// Does rank 0 write it alone? So it does attributes.
bool is_list(Array const& array) { return !array.element.members.empty() || array.element.kind == Element::Kind::text; }

/// Does a run from a restart need it? Lists with the time and the step, the tree, and the state.
bool is_read(Array const& array) {
    constexpr std::array<std::string_view, 5> state{"dens", "pres", "velx", "vely", "velz"};
    if (array.attribute_of) {
        return false;
    }
    if (array.shape.size() == axes + 1) {
        return std::ranges::find(state, array.name) != state.end();
    }
    return is_list(array) ? array.name == "integer scalars" || array.name == "real scalars"
                          : array.name != "bflags" && array.name != "gsurr_blks";
}

/// Accesses all arrays of an open file: lists and attributes by rank 0, the others by all ranks.
std::vector<Step> accesses(Pattern const& shape, std::uint64_t file, Verb verb) {
    std::vector<Step> steps;
    auto const& arrays = shape.files[file].arrays;
    for (std::uint64_t array = 0; array < arrays.size(); ++array) {
        auto const alone = is_list(arrays[array]) || arrays[array].attribute_of;
        auto const reads = verb == Verb::read;
        auto access = access_to(shape, verb, file, array, alone ? 0 : 1, {0, alone ? 1 : shape.ranks, 1});
        access.collective = !is_list(arrays[array]);
        steps.emplace_back(std::move(access));
        if (reads && alone) {
            steps.emplace_back(Broadcast{bytes_of(arrays[array]), 0, {}});
        }
    }
    return steps;
}

}  // namespace

FileKind kind_of(std::uint64_t file) {
    return file == plot_file ? FileKind::plot : file == corner_file ? FileKind::corner : FileKind::checkpoint;
}

std::vector<Array> amr_arrays(AmrShape const& shape, FileKind kind, std::uint64_t blocks) {
    auto arrays = lists_of(kind);
    std::ranges::move(tree_of(kind, blocks), std::back_inserter(arrays));
    std::ranges::move(variables_of(shape, kind, blocks), std::back_inserter(arrays));
    return one_after_the_other(std::move(arrays));
}

DumpPlan amr_plan(AmrShape const& shape, Tree const& tree, std::uint64_t ranks, std::string const& backend) {
    DumpPlan plan;
    plan.shape.name = "flash";
    plan.shape.ranks = ranks;
    plan.shape.partitions = {Partition{}, Partition{.counts = tree.counts(ranks)}};
    auto const add = [&](std::string const& name, bool lasting) {
        auto const file = plan.shape.files.size();
        plan.shape.files.push_back({.name = "flash_" + format_in_names(backend) + name});
        plan.shape.files.back().arrays = amr_arrays(shape, kind_of(file), tree.size());
        plan.lasting.push_back(lasting);
    };
    add("chk_####", false);
    add("chk.part", true);
    add("plt_cnt_####", false);
    add("plt_crn_####", false);
    add("chk.restart", true);
    std::erase_if(plan.shape.files.back().arrays, [](Array const& array) { return !is_read(array); });
    auto const begin = [&](FileKind kind, FilesWritten only, std::uint64_t file) {
        auto const wanted = shape.files == FilesWritten::all || shape.files == only;
        if (wanted) {
            plan.parts.push_back({std::string(to_text(kind)), plan.dump.size()});
            append(plan.dump, {Open{file, OpenMode::create, {}, {}, true}});
            append(plan.dump, accesses(plan.shape, file, Verb::write));
        }
        return wanted;
    };
    if (begin(FileKind::checkpoint, FilesWritten::checkpoint, aside_file)) {
        append(plan.dump, {Sync{aside_file}, Close{aside_file}, Rename{aside_file, checkpoint_file, {}, {}}});
    }
    for (auto const& [kind, only, file] : {std::tuple{FileKind::plot, FilesWritten::plot, plot_file},
                                           {FileKind::corner, FilesWritten::corner, corner_file}}) {
        if (begin(kind, only, file)) {
            append(plan.dump, shape.sync ? std::vector<Step>{Sync{file}, Close{file}} : std::vector<Step>{Close{file}});
        }
    }
    plan.restart = {Open{restart_file, OpenMode::read, {}, {}, true}};
    append(plan.restart, accesses(plan.shape, restart_file, Verb::read));
    append(plan.restart, {Close{restart_file}});
    return plan;
}

Lists empty_scalars() {
    Lists lists;
    for (auto const* name : {"nxb", "nyb", "nzb", "dimensionality", "globalnumblocks", "nstep", "nbegin",
                             "splitnumblocks", "splitnumparticles", "globalnumparticles", "checkpointfilenumber",
                             "plotfilenumber", "forcedplotfilenumber"}) {
        lists.integers.push_back({name});
    }
    for (auto const* name : {"time", "dt", "dtold", "dtnew", "redshift", "redshiftold", "nextcheckpointtime",
                             "nextplotfiletime", "nextcheckpointz", "nextplotfilez"}) {
        lists.reals.push_back({name});
    }
    lists.strings = {{"geometry", "cartesian"}};
    lists.logicals = {{"corners"}, {"double_precision"}};
    return lists;
}

Lists empty_parameters(BlastKind problem) {
    Lists lists;
    for (auto const* name : {"lrefine_min", "lrefine_max", "nblockx", "nblocky", "nblockz", "nrefs"}) {
        lists.integers.push_back({name});
    }
    for (auto const* name : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "gamma", "cfl"}) {
        lists.reals.push_back({name});
    }
    constexpr std::array sedov{"sim_xctr",     "sim_yctr",       "sim_zctr", "sim_expenergy",
                               "sim_pambient", "sim_rhoambient", "sim_rinit"};
    constexpr std::array sod{"sim_rholeft", "sim_rhoright", "sim_uleft", "sim_uright",
                             "sim_pleft",   "sim_pright",   "sim_posn"};
    for (auto const* name : problem == BlastKind::sedov ? sedov : sod) {
        lists.reals.push_back({name});
    }
    lists.strings = {{"geometry", "cartesian"}};
    for (auto const* name : {"xl_boundary_type", "xr_boundary_type", "yl_boundary_type", "yr_boundary_type",
                             "zl_boundary_type", "zr_boundary_type"}) {
        lists.strings.push_back({name, {}});
    }
    lists.logicals = {{"restart"}};
    return lists;
}

}  // namespace weir::flash
