#include "boost/mpi_io.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::boost {
namespace {

// As statfs(2) tells them.
constexpr std::uint32_t lustre = 0x0BD00BD0;
constexpr std::uint32_t nfs = 0x6969;
constexpr std::uint32_t cifs = 0xFF534D42;
constexpr std::uint32_t smb2 = 0xFE534D42;

std::uint32_t file_system_of(char const* path) {
    struct statfs found {};
    return ::statfs(path, &found) == 0 ? static_cast<std::uint32_t>(found.f_type) : 0;
}

#ifdef OPEN_MPI
/// Open MPI's parameter `io`, which says what it may use for MPI-IO: names, or names that it may not use behind a `^`.
std::string parameter_io() {
    std::string value;
    int level = 0;
    int index = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS) {
        return value;
    }
    MPI_T_cvar_handle handle = nullptr;
    int room = 0;
    if (MPI_T_cvar_get_index("io", &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, nullptr, &handle, &room) == MPI_SUCCESS) {
        std::vector<char> text(static_cast<std::size_t>(std::max(room, 0)) + 1, '\0');
        if (MPI_T_cvar_read(handle, text.data()) == MPI_SUCCESS) {
            value = text.data();
        }
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_T_finalize();
    return value;
}

/// Where it may choose, it takes OMPIO, but for Lustre.
bool chooses_romio(char const* path) {
    static auto const allowed = parameter_io();
    bool const named = allowed.find("ompio") != std::string::npos;
    bool const excludes = allowed.starts_with('^');
    if (named || (!allowed.empty() && !excludes)) {
        return named == excludes;
    }
    return file_system_of(path) == lustre;
}
#else
bool chooses_romio(char const* /*path*/) { return true; }
#endif

}  // namespace

bool is_romio(MPI_Comm comm, char const* path) {
    int all = chooses_romio(path) ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
    return all != 0;
}

bool is_cached_apart(MPI_Comm comm, char const* path) {
    auto const system = file_system_of(path);
    int apart = system == nfs || system == cifs || system == smb2 ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_INT, MPI_MAX, comm);
    if (apart == 0) {
        return false;
    }
    MPI_Comm node = MPI_COMM_NULL;
    int here = 0;
    int all = 0;
    PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    PMPI_Comm_size(node, &here);
    PMPI_Comm_size(comm, &all);
    PMPI_Comm_free(&node);
    return here < all;
}

}  // namespace weir::boost
