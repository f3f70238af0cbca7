// A program whose MPI says that it is another one, in more words than this one's limit, as MPICH does.

#include <mpi.h>

#include <algorithm>
#include <string>

extern "C" int PMPI_Get_library_version(char* text, int* length) {
    std::string const said = "Other MPI   Version: 9.0, built for a test\n" + std::string(6000, 'x');
    std::copy_n(said.c_str(), said.size() + 1, text);
    *length = static_cast<int>(said.size());
    return MPI_SUCCESS;
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    MPI_Finalize();
    return 0;
}
