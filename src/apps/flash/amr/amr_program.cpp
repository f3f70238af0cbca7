#include "apps/flash/amr/amr_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "apps/flash/io/numbers.hpp"
#include "bench/progress.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"

namespace weir::flash {
namespace {

/// A variable of FLASH's as a function of a cell's state.
using OfState = double (*)(State const&, double gamma);

double internal_energy(State const& s, double gamma) { return s[pressure] / ((gamma - 1) * s[density]); }

OfState variable_called(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, OfState>, variable_names.size()> all{{
        {"dens", [](State const& s, double) { return s[density]; }},
        {"pres", [](State const& s, double) { return s[pressure]; }},
        {"temp", [](State const& s, double) { return s[pressure] / s[density]; }},
        {"eint", internal_energy},
        {"ener",
         [](State const& s, double gamma) {
             auto const& [rho, u, v, w, p] = s;
             return internal_energy(s, gamma) + 0.5 * (u * u + v * v + w * w);
         }},
        {"velx", [](State const& s, double) { return s[velocity_x]; }},
        {"vely", [](State const& s, double) { return s[velocity_y]; }},
        {"velz", [](State const& s, double) { return s[velocity_z]; }},
        {"gamc", [](State const&, double gamma) { return gamma; }},
        {"game", [](State const&, double gamma) { return gamma; }},
    }};
    return std::ranges::find(all, name, &std::pair<std::string_view, OfState>::first)->second;
}

/// The variables of the state, in its order.
constexpr std::array<std::string_view, variables> state_names{"dens", "velx", "vely", "velz", "pres"};

Json json_of(std::optional<LeafTotals> const& totals) {
    return totals ? Json{{"mass", totals->mass}, {"energy", totals->energy}} : Json();
}

/// What is there and what has left, beside what was there: relative, of rounding where all is counted.
Json drift_of(std::optional<LeafTotals> const& before, std::optional<LeafTotals> const& after,
              LeafTotals const& outflow) {
    if (!before || !after) {
        return {};
    }
    auto const drift = [&](double LeafTotals::*of) {
        return (*after.*of + outflow.*of - *before.*of) / *before.*of;  // a gas has both
    };
    return {{"mass", drift(&LeafTotals::mass)}, {"energy", drift(&LeafTotals::energy)}};
}

}  // namespace

AmrProgram::AmrProgram(Communicator comm, AmrRun run) : comm_(std::move(comm)), run_(std::move(run)) {
    dumps_ = run_.restart ? static_cast<std::uint64_t>(run_.restart->number) + 1 : 0;
}

void AmrProgram::begin() {
    if (!run_.restart) {
        simulation_.emplace(BlockSimulation::start(comm_, run_.settings));
        return;
    }
    auto const& from = *run_.restart;
    auto const cells = static_cast<std::size_t>(from.side) * static_cast<std::size_t>(from.side * from.side);
    std::size_t before = 0;  // blocks that are set
    simulation_.emplace(BlockSimulation::restore(
        comm_, run_.settings, from.tree("the restart"), from.time, from.dt, from.step,
        [&](std::size_t /*block*/, std::array<std::span<double>, variables> const& values) {
            for (std::size_t v = 0; v < variables; ++v) {
                auto const& all = read_.at(std::string(state_names.at(v)));
                std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(before * cells), cells, values.at(v).begin());
            }
            ++before;
        }));
    read_.clear();
}

void AmrProgram::advance() {
    auto const& tree = simulation_->tree();
    std::uint64_t leaves = 0;
    for (std::size_t b = 0; b < tree.size(); ++b) {
        leaves += tree.is_leaf(b) ? 1 : 0;
    }
    auto const n = static_cast<std::uint64_t>(run_.settings.n);
    updates_ += leaves * n * n * n;
    simulation_->advance();
}

std::optional<DumpPlan> AmrProgram::next_plan(std::string const& backend) const {
    return amr_plan(run_.shape, simulation_->tree(), comm_.size(), backend);
}

void AmrProgram::prepare_dump() {
    made_at_ = utc_time();
    extremes_.clear();
    auto const files = run_.shape.files;
    auto const writes_corners = files == FilesWritten::all || files == FilesWritten::corner;
    for (auto const name : variable_names) {
        extremes_[std::string(name)] = extremes(name, FileKind::checkpoint);
    }
    if (writes_corners) {
        simulation_->exchange_surroundings();
        for (auto const name : plotted_variables) {
            corner_extremes_[std::string(name)] = extremes(name, FileKind::corner);
        }
    }
    blocks_.push_back(simulation_->tree().size());
}

AmrProgram::Extremes AmrProgram::extremes(std::string_view name, FileKind kind) {
    Extremes of{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    each_value(name, kind, [&](double value) {
        of.least = std::min(of.least, value);
        of.greatest = std::max(of.greatest, value);
    });
    return {-comm_.max(-of.least), comm_.max(of.greatest)};
}

/// Of corners: the mean of the 8 cells around each.
template <class Visit>
void AmrProgram::each_value(std::string_view name, FileKind kind, Visit visit) {
    auto const value = variable_called(name);
    auto const gamma = run_.settings.gas.gamma;
    auto const& blocks = simulation_->blocks();
    auto const n = blocks.n();
    CellBox const around{{-1, -1, -1}, {n + 1, n + 1, n + 1}};
    std::vector<double> values(static_cast<std::size_t>(volume(around.size())));
    for (auto b = blocks.first(); b < blocks.end(); ++b) {
        if (kind != FileKind::corner) {
            auto const cells = blocks.cells(b);
            for_cells(blocks.interior(), [&](Triple const& cell) { visit(value(cells.state(cell), gamma)); });
            continue;
        }
        auto const cells = simulation_->around(b);
        auto* next = values.data();
        for_cells(around, [&](Triple const& cell) { *next++ = value(cells.state(cell), gamma); });
        auto const row = n + 2;
        auto const plane = row * row;
        for_cells({{0, 0, 0}, {n + 1, n + 1, n + 1}}, [&](Triple const& corner) {
            auto const* const at = values.data() + corner[2] * plane + corner[1] * row + corner[0];
            auto const four = [&](double const* q) { return (q[0] + q[1]) + (q[row] + q[row + 1]); };
            visit(0.125 * (four(at) + four(at + plane)));
        });
    }
}

void AmrProgram::observe() {
    after_ = simulation_->totals();
    outflow_ = simulation_->outflow();
    before_ = before_ ? before_ : after_;
    radius_ = simulation_->radius();
}

std::string AmrProgram::standing(double compute_s) const {
    auto line = fmt::format("time {:.4g}, dt {:.3g}, {} blocks", simulation_->time(), simulation_->dt(),
                            simulation_->tree().size());
    return compute_s > 0 ? line + ", " + spell_rate(static_cast<double>(updates_) / compute_s) : line;
}

std::vector<Metric> AmrProgram::metrics(RunFigures const& run) const {
    return cell_updates(static_cast<double>(updates_), run);
}

Json AmrProgram::labels() const { return {{"levels", run_.settings.levels}}; }

void AmrProgram::complete(Json& details, RunFigures const& /*run*/) const {
    auto const& s = run_.settings;
    auto const exact = s.problem == BlastKind::sedov
                           ? exact_radius(s.blast, domain_of(s), ball(), s.gas.gamma, simulation_->time())
                           : std::nullopt;
    details.update({{"blocks", blocks_},
                    {"time", simulation_->time()},
                    {"radius", radius_ > 0 ? Json(radius_) : Json()},
                    {"exact_radius", exact ? Json(*exact) : Json()},
                    {"totals",
                     {{"before", json_of(before_)},
                      {"after", json_of(after_)},
                      {"outflow", json_of(outflow_)},
                      {"drift", drift_of(before_, after_, outflow_)}}}});
}

double AmrProgram::ball() const {
    return run_.restart ? run_.restart->ball : run_.settings.blast.radius_cells * finest_edge(run_.settings);
}

/// Only gas that comes in can bring energy, and only through a boundary that lets it in.
Json AmrProgram::warnings() const {
    constexpr double least = 1e-6;  // of the energy; rounding is less
    auto json = Json::array();
    if (!before_ || !after_ || after_->energy <= (1 + least) * before_->energy) {
        return json;
    }
    json.push_back(
        {{"code", "inflow"},
         {"problem", fmt::format("the domain has gained energy: {:.2g} % of what it had",
                                 100 * (after_->energy / before_->energy - 1))},
         {"why",
          fmt::format("an outflow boundary continues the outermost cells beyond it, and where gas moves inwards, "
                      "it comes in: {:.3g} of mass and {:.3g} of energy more than went out",
                      -outflow_.mass, -outflow_.energy)},
         {"advice", "Move the centre inwards, or mirror the blast: boundary = reflecting."}});
    return json;
}

Lists AmrProgram::scalars(FileKind kind) const {
    auto lists = empty_scalars();
    auto const integer = [&](char const* name, std::uint64_t value) {
        flash::value_of(lists.integers, name) = static_cast<std::int32_t>(value);
    };
    for (auto const* name : {"nxb", "nyb", "nzb"}) {
        integer(name, static_cast<std::uint64_t>(run_.settings.n));
    }
    integer("dimensionality", axes);
    integer("globalnumblocks", simulation_->tree().size());
    integer("nstep", step());
    integer("splitnumblocks", simulation_->tree().size());
    integer("checkpointfilenumber", dumps_ + blocks_.size() - 1);
    integer("plotfilenumber", dumps_ + blocks_.size() - 1);
    for (auto const* name : {"dt", "dtold", "dtnew"}) {
        flash::value_of(lists.reals, name) = simulation_->dt();
    }
    flash::value_of(lists.reals, "time") = simulation_->time();
    lists.logicals[0].value = kind == FileKind::corner ? 1 : 0;
    lists.logicals[1].value = kind == FileKind::checkpoint ? 1 : 0;
    return lists;
}

/// What begins such a run. What built the program is not known: the fields for that stay blank.
std::string AmrProgram::setup_call() const {
    auto const& s = run_.settings;
    auto const blast = fmt::format("--centre {} --energy {} --ambient-pressure {}", fmt::join(s.blast.centre, ","),
                                   s.blast.energy, s.blast.pressure);
    return fmt::format(
        "weir-core flash --problem {} --block {} --levels {} --roots {} --boundary {} --adapt-every {} "
        "--gamma {} --cfl {} {}",
        to_text(s.problem), s.n, s.levels, fmt::join(s.roots, "x"), to_text(s.boundaries[0]), s.adapt_every,
        s.gas.gamma, s.gas.cfl, s.problem == BlastKind::sedov ? blast : "");
}

Lists AmrProgram::parameters() const {
    auto const& s = run_.settings;
    auto lists = empty_parameters(s.problem);
    flash::value_of(lists.integers, "lrefine_min") = 1;
    flash::value_of(lists.integers, "lrefine_max") = s.levels;
    flash::value_of(lists.integers, "nrefs") = static_cast<std::int32_t>(s.adapt_every);
    using Values = std::vector<std::pair<std::string, double>>;
    auto const of_problem = s.problem == BlastKind::sod ? Values{{"sim_rholeft", s.tube.left_density},
                                                                 {"sim_rhoright", s.tube.right_density},
                                                                 {"sim_pleft", s.tube.left_pressure},
                                                                 {"sim_pright", s.tube.right_pressure},
                                                                 {"sim_posn", s.tube.place}}
                                                        : Values{{"sim_xctr", s.blast.centre[0]},
                                                                 {"sim_yctr", s.blast.centre[1]},
                                                                 {"sim_zctr", s.blast.centre[2]},
                                                                 {"sim_expenergy", s.blast.energy},
                                                                 {"sim_pambient", s.blast.pressure},
                                                                 {"sim_rhoambient", 1.0},
                                                                 {"sim_rinit", ball()}};
    for (auto const& [name, value] : of_problem) {
        flash::value_of(lists.reals, name) = value;
    }
    flash::value_of(lists.reals, "gamma") = s.gas.gamma;
    flash::value_of(lists.reals, "cfl") = s.gas.cfl;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        constexpr std::array<char, axes> names{'x', 'y', 'z'};
        auto const name = names.at(axis);
        flash::value_of(lists.integers, fmt::format("nblock{}", name)) = static_cast<std::int32_t>(s.roots.at(axis));
        flash::value_of(lists.reals, fmt::format("{}max", name)) =
            static_cast<double>(s.roots.at(axis)) / static_cast<double>(s.roots[0]);
        for (auto const side : {'l', 'r'}) {
            auto const called = fmt::format("{}{}_boundary_type", name, side);
            flash::value_of(lists.strings, called) = to_text(s.boundaries.at(axis));
        }
    }
    lists.logicals[0].value = run_.restart ? 1 : 0;
    return lists;
}

void AmrProgram::fill(CurrentAccess const& asked, Operation const&, std::span<std::byte> data) {
    auto const& array = asked.access.part->what;
    auto const kind = kind_of(asked.file);
    if (array.attribute_of) {
        auto const& all = kind == FileKind::corner ? corner_extremes_ : extremes_;
        auto const& extremes = all.at(*array.attribute_of);
        ElementNumbers(array.element, data).put(array.name == "minimum" ? extremes.least : extremes.greatest);
    } else if (array.shape.size() == axes + 1) {
        ElementNumbers numbers(array.element, data);
        each_value(array.name, kind, [&](double value) { numbers.put(value); });
    } else if (asked.access.part->partition == of_rank0) {
        fill_list(kind, array, data);
    } else {
        fill_tree(array, data);
    }
}

void AmrProgram::fill_list(FileKind kind, Array const& array, std::span<std::byte> data) const {
    if (array.name == "sim info") {
        std::ranges::fill(data, std::byte{' '});
        ElementNumbers(array.element.members[0].element, data).put(file_format_version);
        auto const written =
            std::map<std::string_view, std::string>{{"flash version", "Weir's flash, in the format of FLASH 4"},
                                                    {"file creation time", made_at_},
                                                    {"setup call", setup_call()}};
        for (auto const& member : array.element.members) {
            if (auto const found = written.find(member.name); found != written.end()) {
                put_text(data.subspan(member.offset, member.element.bytes), found->second);
            }
        }
    } else if (array.name == "unknown names") {
        auto const names = kind == FileKind::checkpoint ? std::span<std::string_view const>(variable_names)
                                                        : std::span<std::string_view const>(plotted_variables);
        for (auto const name : names) {
            put_text(data.first(name.size()), name);
            data = data.subspan(name.size());
        }
    } else {
        flash::fill(array.name.ends_with("scalars") ? scalars(kind) : parameters(), array, data);
    }
}

void AmrProgram::fill_tree(Array const& array, std::span<std::byte> data) const {
    auto const& tree = simulation_->tree();
    ElementNumbers numbers(array.element, data);
    auto const first = simulation_->first_block();
    for (auto b = first; b < first + simulation_->block_count(); ++b) {
        auto const low = tree.lower_corner(b);
        auto const high = tree.upper_corner(b);
        if (array.name == "refine level") {
            numbers.put(tree.level(b) + 1);
        } else if (array.name == "node type") {
            numbers.put(tree.node_type(b));
        } else if (array.name == "which child") {
            numbers.put(tree.which_child(b));
        } else if (array.name == "processor number") {
            numbers.put(static_cast<double>(comm_.rank()));
        } else if (array.name == "bflags") {
            numbers.put(0);  // of boundaries inside the domain: there is none
        } else if (array.name == "gsurr_blks") {
            for (auto const& [block, type] : tree.surrounding(b)) {
                numbers.put(block);
                numbers.put(type);
            }
        } else if (array.name == "gid") {
            for (auto const relative : tree.gid(b)) {
                numbers.put(relative);
            }
        } else {
            for (std::size_t axis = 0; axis < axes; ++axis) {
                if (array.name == "bounding box") {
                    numbers.put(low[axis]);
                    numbers.put(high[axis]);
                } else {
                    numbers.put(array.name == "block size" ? high[axis] - low[axis] : 0.5 * (low[axis] + high[axis]));
                }
            }
        }
    }
}

void AmrProgram::take(CurrentAccess const& asked, Operation const&, std::span<std::byte const> data) {
    auto const& array = asked.access.part->what;
    if (array.shape.size() == axes + 1) {
        auto& values = read_[array.name];
        values.resize(data.size() / sizeof(double));
        std::memcpy(values.data(), data.data(), data.size());
    } else if (!array.element.members.empty()) {
        lists_[data.size()].assign(data.begin(), data.end());
    }
}

std::span<std::byte> AmrProgram::message(Broadcast const& broadcast) {
    auto& list = lists_[broadcast.bytes];
    list.resize(broadcast.bytes);
    return list;
}

}  // namespace weir::flash
