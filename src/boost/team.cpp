#include "boost/team.hpp"

namespace weir::boost {
namespace {

std::shared_ptr<Team>& team_of_all() {
    static auto* const team = new std::shared_ptr<Team>;  // files may be closed when the process ends
    return *team;
}

bool is_of_all(MPI_Comm comm) {
    int level = MPI_THREAD_MULTIPLE;
    int alike = MPI_UNEQUAL;
    PMPI_Query_thread(&level);
    PMPI_Comm_compare(comm, MPI_COMM_WORLD, &alike);
    return level < MPI_THREAD_MULTIPLE && (alike == MPI_IDENT || alike == MPI_CONGRUENT);
}

}  // namespace

std::shared_ptr<Team> Team::of(MPI_Comm comm) {
    if (!is_of_all(comm)) {
        return std::make_shared<Team>(comm);
    }
    auto& team = team_of_all();
    if (!team) {
        team = std::make_shared<Team>(comm);
    }
    return team;
}

void Team::release() { team_of_all().reset(); }

}  // namespace weir::boost
