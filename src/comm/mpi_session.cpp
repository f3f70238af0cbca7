#include "comm/mpi_session.hpp"

#include <mpi.h>

namespace weir {

MpiSession::MpiSession(int& argc, char**& argv) {
    int running = 0;
    MPI_Initialized(&running);
    if (running == 0) {
        int provided = 0;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
        owner_ = true;
    }
}

MpiSession::~MpiSession() {
    int finished = 0;
    MPI_Finalized(&finished);
    if (owner_ && finished == 0) {
        MPI_Finalize();
    }
}

}  // namespace weir
