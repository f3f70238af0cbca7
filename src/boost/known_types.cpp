#include "boost/known_types.hpp"

#include <mutex>

namespace weir::boost {
namespace {

using Known = std::optional<Datatype>;

int forget(MPI_Datatype /*type*/, int /*key*/, void* known, void* /*extra*/) {
    delete static_cast<Known*>(known);
    return MPI_SUCCESS;
}

int key_of_types() {
    static int const key = [] {
        int made = MPI_KEYVAL_INVALID;
        PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &made, nullptr);
        return made;
    }();
    return key;
}

/// May it be used in calls? MPI tells only where it checks arguments, as of a message to nobody.
bool is_committed(MPI_Datatype type) {
    static MPI_Comm const alone = [] {
        MPI_Comm made = MPI_COMM_NULL;
        PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &made);  // a duplicate would call back for attributes of the program
        PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
        return made;
    }();
    return PMPI_Send(nullptr, 0, type, MPI_PROC_NULL, 0, alone) == MPI_SUCCESS;
}

}  // namespace

std::optional<Datatype> known_type(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) {
        return std::nullopt;
    }
    static std::mutex one_at_a_time;
    std::scoped_lock const lock(one_at_a_time);
    Known* known = nullptr;
    int found = 0;
    if (PMPI_Type_get_attr(type, key_of_types(), static_cast<void*>(&known), &found) != MPI_SUCCESS) {
        return datatype_of(type);
    }
    if (found == 0) {
        if (!is_committed(type)) {
            return std::nullopt;  // what it will be is not told yet
        }
        known = new Known(datatype_of(type));
        if (PMPI_Type_set_attr(type, key_of_types(), known) != MPI_SUCCESS) {
            auto const once = *known;
            delete known;
            return once;
        }
    }
    return *known;
}

}  // namespace weir::boost
