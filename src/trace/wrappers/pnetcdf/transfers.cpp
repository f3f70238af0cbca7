// Reads and writes of PnetCDF: about eight hundred functions, by the piece of the variable, the type in memory, and the
// mode.

#include "trace/wrappers/pnetcdf/pnetcdf.hpp"

using namespace weir::trace;
using namespace weir::trace::pnetcdf;

namespace {

constexpr Description moves(VariablePiece piece, int bytes, uint8_t flags) {
    return {nullptr, moved, {.piece = piece, .element_bytes = static_cast<uint8_t>(bytes), .flags = flags}};
}

constexpr Description moves_many(VariablePiece piece, int bytes, uint8_t flags) {
    return {nullptr, moved_many, {.piece = piece, .element_bytes = static_cast<uint8_t>(bytes), .flags = flags}};
}

/// The number of the request comes last.
constexpr Description starts(VariablePiece piece, int bytes, int count, bool puts) {
    return {nullptr,
            moved,
            {.piece = piece,
             .element_bytes = static_cast<uint8_t>(bytes),
             .flags = started,
             .request = static_cast<int8_t>(count - 1),
             .puts = puts}};
}

}  // namespace

/// One piece and type: put and get, independent, collective, and nonblocking; `count` arguments, and one more if
/// nonblocking.
#define WEIR_MOVES(name, piece, bytes, count)                                           \
    WEIR_PNETCDF(ncmpi_put_##name, write, count, moves(piece, bytes, 0))                \
    WEIR_PNETCDF(ncmpi_get_##name, read, count, moves(piece, bytes, 0))                 \
    WEIR_PNETCDF(ncmpi_put_##name##_all, write, count, moves(piece, bytes, collective)) \
    WEIR_PNETCDF(ncmpi_get_##name##_all, read, count, moves(piece, bytes, collective))
#define WEIR_STARTS(name, piece, bytes, count)                                       \
    WEIR_PNETCDF(ncmpi_iput_##name, write, count, starts(piece, bytes, count, true)) \
    WEIR_PNETCDF(ncmpi_bput_##name, write, count, starts(piece, bytes, count, true)) \
    WEIR_PNETCDF(ncmpi_iget_##name, read, count, starts(piece, bytes, count, false))
#define WEIR_BOTH(name, piece, bytes, count, one_more) \
    WEIR_MOVES(name, piece, bytes, count)              \
    WEIR_STARTS(name, piece, bytes, one_more)

/// Many pieces, of the same or of several variables, in one call: their number is one more argument.
#define WEIR_MANY(name, piece, bytes, count)                                                  \
    WEIR_PNETCDF(ncmpi_mput_##name, write, count, moves_many(piece, bytes, 0))                \
    WEIR_PNETCDF(ncmpi_mget_##name, read, count, moves_many(piece, bytes, 0))                 \
    WEIR_PNETCDF(ncmpi_mput_##name##_all, write, count, moves_many(piece, bytes, collective)) \
    WEIR_PNETCDF(ncmpi_mget_##name##_all, read, count, moves_many(piece, bytes, collective))
#define WEIR_ALL(name, piece, bytes, count, one_more) \
    WEIR_BOTH(name, piece, bytes, count, one_more)    \
    WEIR_MANY(name, piece, bytes, one_more)

/// All pieces of one type.
#define WEIR_PIECES(type, bytes)                \
    WEIR_ALL(var_##type, whole, bytes, 3, 4)    \
    WEIR_ALL(var1_##type, element, bytes, 4, 5) \
    WEIR_ALL(vara_##type, box, bytes, 5, 6)     \
    WEIR_ALL(vars_##type, steps, bytes, 6, 7)   \
    WEIR_ALL(varm_##type, mapped, bytes, 7, 8)  \
    WEIR_BOTH(varn_##type, boxes, bytes, 6, 7)

WEIR_PIECES(text, 1)
WEIR_PIECES(schar, 1)
WEIR_PIECES(uchar, 1)
WEIR_PIECES(short, 2)
WEIR_PIECES(ushort, 2)
WEIR_PIECES(int, 4)
WEIR_PIECES(uint, 4)
WEIR_PIECES(float, 4)
WEIR_PIECES(double, 8)
WEIR_PIECES(long, 8)
WEIR_PIECES(longlong, 8)
WEIR_PIECES(ulonglong, 8)

// Without a type in the name: a count and an MPI type.
WEIR_ALL(var, whole, 0, 5, 6)
WEIR_ALL(var1, element, 0, 6, 7)
WEIR_ALL(vara, box, 0, 7, 8)
WEIR_ALL(vars, steps, 0, 8, 9)
WEIR_ALL(varm, mapped, 0, 9, 10)
WEIR_BOTH(varn, boxes, 0, 8, 9)
WEIR_MOVES(vard, file_type, 0, 6)
