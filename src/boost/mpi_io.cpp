#include "boost/mpi_io.hpp"

#include <sys/vfs.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "boost/loaded_libraries.hpp"
#include "boost/ranks.hpp"

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
/// Open MPI's parameter `io` says what it may use: names, or names that it may not use behind a `^`. Where both may be,
/// it takes OMPIO, but for Lustre. Asking for the parameter by MPI_T takes a third of a second.
bool chooses_romio(char const* path) {
    auto const* const told = std::getenv("OMPI_MCA_io");
    std::string_view const allowed = told == nullptr ? "" : told;
    bool const named = allowed.find("ompio") != std::string_view::npos;
    bool const excludes = allowed.starts_with('^');
    if (named || (!allowed.empty() && !excludes)) {
        return named == excludes;
    }
    static bool const ompio = loaded_function("mca_io_ompio", "mca_io_ompio_component") != nullptr;
    return !ompio || file_system_of(path) == lustre;
}
#else
bool chooses_romio(char const* /*path*/) { return true; }
#endif

}  // namespace

MpiIo mpi_io_of(MPI_Comm comm, char const* path) {
    if (true_on_all(comm, chooses_romio(path))) {
        return MpiIo::romio;
    }
    int ranks = 0;
    PMPI_Comm_size(comm, &ranks);
    return ranks <= 2 ? MpiIo::ompio_few : MpiIo::ompio;
}

bool is_cached_apart(MPI_Comm comm, char const* path) {
    auto const system = file_system_of(path);
    return !true_on_all(comm, system != nfs && system != cifs && system != smb2);
}

}  // namespace weir::boost
