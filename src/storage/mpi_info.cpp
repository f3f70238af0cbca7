#include "storage/mpi_info.hpp"

#include <array>
#include <vector>

namespace weir {

MpiInfo::MpiInfo(Hints const& hints) {
    if (hints.empty()) {
        return;
    }
    MPI_Info_create(&info_);
    for (auto const& [key, value] : hints) {
        MPI_Info_set(info_, key.c_str(), value.c_str());
    }
}

MpiInfo::~MpiInfo() {
    if (info_ != MPI_INFO_NULL) {
        MPI_Info_free(&info_);
    }
}

Hints read_and_free(MPI_Info info) {
    Hints hints;
    if (info == MPI_INFO_NULL) {
        return hints;
    }
    int count = 0;
    MPI_Info_get_nkeys(info, &count);
    for (int i = 0; i < count; ++i) {
        std::array<char, MPI_MAX_INFO_KEY + 1> key{};
        MPI_Info_get_nthkey(info, i, key.data());
        int length = 0;
        int found = 0;
        MPI_Info_get_valuelen(info, key.data(), &length, &found);
        std::vector<char> value(static_cast<std::size_t>(length) + 1, '\0');
        MPI_Info_get(info, key.data(), length, value.data(), &found);
        if (found != 0) {
            hints.emplace(key.data(), value.data());
        }
    }
    MPI_Info_free(&info);
    return hints;
}

}  // namespace weir
