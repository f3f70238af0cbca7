#include "comm/launch_facts.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "comm/clock_offset.hpp"
#include "core/join.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"

extern char** environ;

namespace weir {
namespace {

std::optional<std::string> read_variable(int index, MPI_Datatype type) {
    MPI_T_cvar_handle handle = nullptr;
    int count = 0;
    if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) {
        return {};
    }
    std::optional<std::string> value;
    if (type == MPI_INT) {
        std::vector<int> number(static_cast<std::size_t>(count));
        MPI_T_cvar_read(handle, number.data());
        value = std::to_string(number.front());
    } else if (type == MPI_C_BOOL) {
        std::vector<char> flag(static_cast<std::size_t>(count));
        MPI_T_cvar_read(handle, flag.data());
        value = std::to_string(static_cast<int>(flag.front() != 0));
    } else if (type == MPI_CHAR) {
        std::vector<char> text(static_cast<std::size_t>(count) + 1, '\0');
        MPI_T_cvar_read(handle, text.data());
        value.emplace(text.data());
    }
    MPI_T_cvar_handle_free(&handle);
    return value;
}

/// Opens the tool interface once and keeps it open: Open MPI loads all its components each time, which takes 0.2 s.
bool tools_are_open() {
    static auto const status = [] {
        int provided = 0;
        return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    }();
    return status == MPI_SUCCESS;
}

}  // namespace

std::optional<std::string> mpi_control_variable(std::string const& name) {
    if (!tools_are_open()) {
        return {};
    }
    std::optional<std::string> value;
    int index = 0;
    int verbosity = 0;
    int bind = 0;
    int scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    if (MPI_T_cvar_get_index(name.c_str(), &index) == MPI_SUCCESS &&
        MPI_T_cvar_get_info(index, nullptr, nullptr, &verbosity, &type, &enumeration, nullptr, nullptr, &bind,
                            &scope) == MPI_SUCCESS) {
        value = read_variable(index, type);
    }
    return value;
}

std::optional<bool> mpi_spins() {
    // Open MPI yields if configured to, and by default if its launcher knows that the node is oversubscribed.
    if (auto const yields = mpi_control_variable("mpi_yield_when_idle")) {
        return *yields == "0" && mpi_control_variable("mpi_oversubscribe").value_or("0") == "0";
    }
    // MPICH's ranks sleep between looks if configured to.
    auto const throttles = mpi_control_variable("MPIR_CVAR_CH4_PROGRESS_THROTTLE");
    return throttles ? std::optional(*throttles == "0") : std::nullopt;
}

namespace {

template <class T>
Json or_null(std::optional<T> const& value) {
    return value ? Json(*value) : Json();
}

template <class T>
std::optional<T> optional_from(Json const& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<T>());
}

/// The hardware that this rank's CPUs cover, and that of all ranks of its node together.
struct Covered {
    Coverage by_rank;
    Coverage by_node;
};

/// Only one rank per node reads the topology: hundreds at once would contend in the kernel.
Covered gather_coverage(Communicator const& node) {
    auto lists = node.all_gather(allowed_cpus());
    // Merged as a set, so that CPUs shared by several ranks count once.
    lists.push_back(join(lists, ","));
    auto numbers = Json::array();
    if (node.is_root()) {
        for (auto const& one : cover(lists)) {
            numbers.push_back({or_null(one.cores), or_null(one.packages)});
        }
    }
    numbers = parse_json(node.broadcast(json_text(numbers)));
    auto const read = [](Json const& pair) {
        return Coverage{optional_from<std::uint64_t>(pair[0]), optional_from<std::uint64_t>(pair[1])};
    };
    return {read(numbers[node.rank()]), read(numbers.back())};
}

std::vector<Placement> gather_placement(Communicator const& comm, Coverage const& mine) {
    auto const hosts = comm.all_gather(host_name());
    auto const cpus = comm.all_gather(allowed_cpus());
    auto const covers = comm.all_gather(mine);
    std::vector<Placement> all;
    for (std::uint64_t rank = 0; rank < comm.size(); ++rank) {
        all.push_back({rank, hosts[rank], cpus[rank], covers[rank]});
    }
    return all;
}

/// The clock that people set, and that files and records are dated by.
class TimeOfDay final : public Clock {
  public:
    [[nodiscard]] double now_s() const override {
        timespec t{};
        clock_gettime(CLOCK_REALTIME, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }
    void sleep(Seconds) override {}
};

std::vector<NodeFacts> gather_nodes(Communicator const& comm, Communicator const& node, Coverage const& mine) {
    auto const hosts = comm.all_gather(host_name());
    auto const leads = comm.all_gather(std::uint64_t{node.is_root() ? 1U : 0U});
    auto const sizes = comm.all_gather(node.size());
    auto const covers = comm.all_gather(mine);
    auto const ahead = comm.all_gather(0 - offset_to_root(comm, TimeOfDay()));
    std::vector<NodeFacts> nodes;
    for (std::size_t rank = 0; rank < leads.size(); ++rank) {
        if (leads[rank] == 1) {
            nodes.push_back({hosts[rank], sizes[rank], covers[rank], ahead[rank]});
        }
    }
    return nodes;
}

/// Cores busy with other work while all ranks sleep. Over the nodes where it is known.
std::optional<double> measure_busy_cores(Communicator const& comm, Clock& clock) {
    constexpr Seconds nap{0.1};
    comm.quiet_barrier();
    auto const before = busy_core_time();
    auto const start = clock.now_s();
    clock.sleep(nap);
    auto const after = busy_core_time();
    auto const elapsed = clock.now_s() - start;
    comm.quiet_barrier();
    constexpr double unknown = -1;
    auto const told = before && after && elapsed > 0;
    auto const busiest = comm.max(told ? std::max(0.0, (after->value - before->value) / elapsed) : unknown);
    return busiest == unknown ? std::nullopt : std::optional(busiest);
}

std::map<std::string, std::string> mpi_environment() {
    static constexpr std::array<std::string_view, 7> prefixes{"OMPI_MCA_", "MPICH_", "MPIR_CVAR_", "I_MPI_",
                                                              "ROMIO_",    "UCX_",   "MPIIO_"};
    std::map<std::string, std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        std::string_view const line(*entry);
        auto const equals = line.find('=');
        auto const wanted = std::any_of(prefixes.begin(), prefixes.end(), [&](auto p) { return line.starts_with(p); });
        // Variables that the launcher passes to its ranks are not settings of the user.
        auto const internal = line.starts_with("OMPI_MCA_orte_") || line.starts_with("OMPI_MCA_ess") ||
                              line.starts_with("OMPI_MCA_pmix") || line.starts_with("OMPI_MCA_initial_wdir") ||
                              line.starts_with("OMPI_MCA_mpi_oversubscribe") ||
                              line.starts_with("OMPI_MCA_shmem_RUNTIME") ||
                              // Of Open MPI 5's runtime.
                              line.starts_with("OMPI_MCA_PREFIXES=") || line.starts_with("OMPI_MCA_num_procs=") ||
                              line.starts_with("OMPI_MCA_cpu_type=");
        if (wanted && !internal && equals != std::string_view::npos) {
            variables.emplace(line.substr(0, equals), line.substr(equals + 1));
        }
    }
    return variables;
}

}  // namespace

std::optional<std::uint64_t> ranks_of_launcher() {
    static constexpr std::array<char const*, 6> names{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",      "MV2_COMM_WORLD_SIZE",
                                                      "SLURM_STEP_NUM_TASKS", "FLUX_JOB_SIZE", "PALS_SIZE"};
    for (auto const* name : names) {
        auto const* text = std::getenv(name);
        std::uint64_t number = 0;
        if (text != nullptr && std::from_chars(text, text + std::strlen(text), number).ec == std::errc{}) {
            return number;
        }
    }
    return {};
}

std::string mpi_library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    auto version = std::string(text.data());
    return version.substr(0, version.find('\n'));
}

LaunchFacts gather_launch_facts(Communicator const& comm, Clock& clock, bool asks_tools) {
    LaunchFacts facts;
    facts.ranks = comm.size();
    auto const node = comm.node();
    auto const covered = gather_coverage(node);
    facts.placement = gather_placement(comm, covered.by_rank);
    facts.nodes = gather_nodes(comm, node, covered.by_node);
    facts.launcher_ranks = ranks_of_launcher();
    facts.mpi_spins = asks_tools ? mpi_spins() : std::nullopt;
    facts.mpi_library = mpi_library_version();
    int major = 0;
    int minor = 0;
    MPI_Get_version(&major, &minor);
    facts.mpi_standard = fmt::format("{}.{}", major, minor);
    auto const io = asks_tools ? mpi_control_variable("io") : std::nullopt;
    facts.mpi_io = io && !io->empty() ? io : std::nullopt;
    facts.busy_cores = measure_busy_cores(comm, clock);
    facts.environment = mpi_environment();
    return facts;
}

Json to_json(LaunchFacts const& facts) {
    auto nodes = Json::array();
    for (auto const& node : facts.nodes) {
        nodes.push_back({{"host", node.host},
                         {"ranks", node.ranks},
                         {"cores", or_null(node.covers.cores)},
                         {"clock_ahead_s", node.clock_ahead_s}});
    }
    auto placement = Json::array();
    for (auto const& p : facts.placement) {
        placement.push_back({{"rank", p.rank},
                             {"host", p.host},
                             {"cpus", p.cpus},
                             {"cores", or_null(p.covers.cores)},
                             {"packages", or_null(p.covers.packages)}});
    }
    return {{"ranks", facts.ranks},
            {"nodes", std::move(nodes)},
            {"placement", std::move(placement)},
            {"mpi",
             {{"library", facts.mpi_library},
              {"standard", facts.mpi_standard},
              {"io", or_null(facts.mpi_io)},
              {"spins", or_null(facts.mpi_spins)}}},
            {"environment", facts.environment},
            {"load", {{"busy_cores", or_null(facts.busy_cores)}}}};
}

}  // namespace weir
