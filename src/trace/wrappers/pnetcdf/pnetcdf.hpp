#pragma once

// PnetCDF without pnetcdf.h. Variables have names, with their file as parent; bytes are those in the program's memory.

#include "trace/recorder/handle_table.hpp"
#include "trace/wrappers/library_call.hpp"

namespace weir::trace::pnetcdf {

/// The piece of a variable that a function moves, from its name.
enum VariablePiece : uint8_t {
    whole,      ///< (file, variable, …)
    element,    ///< (…, index, …)
    box,        ///< (…, start, count, …)
    steps,      ///< (…, start, count, stride, …)
    mapped,     ///< (…, start, count, stride, imap, …)
    boxes,      ///< (…, how many, starts, counts, …)
    file_type,  ///< (…, type of MPI, …)
};

/// How a call is recorded.
struct PnetcdfPlaces {
    VariablePiece piece = whole;
    uint8_t element_bytes = 0;  ///< of the type in its name; 0: a count and an MPI type follow the data
    uint8_t flags = 0;
    int8_t request = -1;  ///< receives the number of the request
    bool puts = false;
};

using Description = CallDescription<PnetcdfPlaces>;

/// Open files: their names.
extern HandleTable files;

/// Sets the file or variable that a call is recorded with.
void set_file(Context&, int file);
void set_variable(Context&, int file, int variable);

/// Variables may have other names from now on.
void forget_variables(Context const&, int file);

/// A transfer was started; a wait completes it.
void begin_request(Context const&, int request, bool puts);

/// 0, or minus the error number, which PnetCDF has negative.
inline int64_t outcome(Context const& context) {
    return context.code() < 0 ? context.code() : -int64_t{context.code()};
}

/// Reads and writes of a variable, or of many pieces of variables at once: their common record.
void moved(PnetcdfPlaces const&, Context&);
void moved_many(PnetcdfPlaces const&, Context&);

constexpr Word error_missing = static_cast<Word>(-1);

}  // namespace weir::trace::pnetcdf

#define WEIR_PNETCDF(name, kind, count, ...) \
    WEIR_CALL_OF("PnetCDF", name, kind);     \
    WEIR_LIBRARY_CALL(name, name, count, weir::trace::pnetcdf::error_missing, nullptr, __VA_ARGS__)
