#include "storage/request_interposer.hpp"

#include <dlfcn.h>
#include <mpi.h>

namespace weir {
namespace {

Spent* counting = nullptr;
Clock const* timing = nullptr;

template <class Call>
int request(Call call) {
    if (counting == nullptr) [[likely]] {
        return call();
    }
    auto const began_s = timing->now_s();
    auto const status = call();
    counting->add({1, timing->now_s() - began_s});
    return status;
}

template <class Function>
Function* next(Function* /*same*/, char const* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

RequestWatch::RequestWatch(Spent& requests, Clock const& clock) {
    counting = &requests;
    timing = &clock;
}

RequestWatch::~RequestWatch() { counting = nullptr; }

}  // namespace weir

// Those without an offset write at the file pointer. MPI's names of parameters tell less.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int MPI_File_write_at(MPI_File file, MPI_Offset at, void const* data, int count, MPI_Datatype type,
                      MPI_Status* status) {
    static auto* const own = weir::next(&MPI_File_write_at, "MPI_File_write_at");
    return weir::request([&] { return own(file, at, data, count, type, status); });
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset at, void const* data, int count, MPI_Datatype type,
                          MPI_Status* status) {
    static auto* const own = weir::next(&MPI_File_write_at_all, "MPI_File_write_at_all");
    return weir::request([&] { return own(file, at, data, count, type, status); });
}

int MPI_File_write(MPI_File file, void const* data, int count, MPI_Datatype type, MPI_Status* status) {
    static auto* const own = weir::next(&MPI_File_write, "MPI_File_write");
    return weir::request([&] { return own(file, data, count, type, status); });
}

int MPI_File_write_all(MPI_File file, void const* data, int count, MPI_Datatype type, MPI_Status* status) {
    static auto* const own = weir::next(&MPI_File_write_all, "MPI_File_write_all");
    return weir::request([&] { return own(file, data, count, type, status); });
}

#if MPI_VERSION >= 4
int MPI_File_write_at_c(MPI_File file, MPI_Offset at, void const* data, MPI_Count count, MPI_Datatype type,
                        MPI_Status* status) {
    static auto* const own = weir::next(&MPI_File_write_at_c, "MPI_File_write_at_c");
    return weir::request([&] { return own(file, at, data, count, type, status); });
}

int MPI_File_write_at_all_c(MPI_File file, MPI_Offset at, void const* data, MPI_Count count, MPI_Datatype type,
                            MPI_Status* status) {
    static auto* const own = weir::next(&MPI_File_write_at_all_c, "MPI_File_write_at_all_c");
    return weir::request([&] { return own(file, at, data, count, type, status); });
}
#endif
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
