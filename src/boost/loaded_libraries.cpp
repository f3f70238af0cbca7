#include "boost/loaded_libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <mpi.h>

#include <cstdlib>
#include <cstring>

namespace weir::boost {
namespace {

struct Wanted {
    char const* library;
    std::string found;
};

/// The path of the first loaded one.
std::string path_of_library(char const* library) {
    Wanted wanted{library, {}};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& one = *static_cast<Wanted*>(data);
            auto const* const slash = std::strrchr(info->dlpi_name, '/');
            if (slash == nullptr || !std::string(slash + 1).starts_with(one.library)) {
                return 0;
            }
            one.found = info->dlpi_name;
            return 1;
        },
        &wanted);
    return wanted.found;
}

}  // namespace

void* loaded_function(char const* library, char const* name) {
    if (auto* const found = ::dlsym(RTLD_DEFAULT, name); found != nullptr) {
        return found;
    }
    auto const path = path_of_library(library);
    auto* const handle = path.empty() ? nullptr : ::dlopen(path.c_str(), RTLD_NOLOAD | RTLD_LAZY);
    if (handle == nullptr) {
        return nullptr;
    }
    auto* const found = ::dlsym(handle, name);
    ::dlclose(handle);
    return found;
}

std::string pnetcdf_version() {
    auto* const asked = loaded_function("libpnetcdf", "ncmpi_inq_libvers");
    if (asked == nullptr) {
        return {};
    }
    std::string const text = reinterpret_cast<char const* (*)()>(asked)();  // "1.15.0 of November 3, 2025"
    return text.substr(0, text.find_first_not_of("0123456789."));
}

bool has_own_driver(std::string const& pnetcdf) {
    auto const dot = pnetcdf.find('.');
    if (dot == std::string::npos) {
        return false;
    }
    auto const major = std::atoi(pnetcdf.c_str());
    return major > 1 || (major == 1 && std::atoi(pnetcdf.c_str() + dot + 1) >= 15);
}

std::string own_mpi() {
#ifdef OPEN_MPI
    return fmt::format("Open MPI {}", OMPI_MAJOR_VERSION);
#elif defined(MPICH_VERSION)
    return "MPICH " MPICH_VERSION;
#else
    return "another MPI";
#endif
}

std::string program_mpi() {
    constexpr std::size_t room = 1 << 16;  // other MPIs say more than this one's limit
    std::string text(room, '\0');
    int length = 0;
    PMPI_Get_library_version(text.data(), &length);
    return text.c_str();
}

}  // namespace weir::boost
