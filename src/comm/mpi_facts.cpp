#include "comm/mpi_facts.hpp"

#include <mpi.h>

#include <vector>

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
    auto const yields = mpi_control_variable("mpi_yield_when_idle");
    if (!yields) {
        return {};
    }
    return *yields == "0" && mpi_control_variable("mpi_oversubscribe").value_or("0") == "0";
}

}  // namespace weir
