// Names and pieces of variables of PnetCDF.

#include "trace/recorder/names.hpp"
#include "trace/wrappers/mpi/mpi.hpp"
#include "trace/wrappers/pnetcdf/pnetcdf.hpp"

namespace weir::trace::pnetcdf {
namespace {

constinit HandleTable variables;
constinit LibrarySymbol get_name{"ncmpi_inq_varname"};
constinit LibrarySymbol get_dimension_count{"ncmpi_inq_varndims"};
constinit LibrarySymbol get_dimensions{"ncmpi_inq_vardimid"};
constinit LibrarySymbol get_length{"ncmpi_inq_dimlen"};
constinit LibrarySymbol get_type{"ncmpi_inq_vartype"};

constexpr int longest_name = 256;  // NC_MAX_NAME
constexpr int most_dimensions = 1024;

Word key(int file, int variable) {
    return (static_cast<Word>(static_cast<uint32_t>(file)) << 24) + static_cast<uint32_t>(variable);
}

int dimensions_of(Context const& context, int file, int variable) {
    int count = 0;
    return get_dimension_count.call(context.library, file, variable, &count) == 0 ? count : 0;
}

int64_t elements_of_whole(Context const& context, int file, int variable) {
    auto const count = dimensions_of(context, file, variable);
    int dimensions[most_dimensions];
    if (count > most_dimensions || get_dimensions.call(context.library, file, variable, &dimensions[0]) != 0) {
        return 0;
    }
    int64_t product = 1;
    for (int i = 0; i < count; ++i) {
        int64_t length = 0;
        get_length.call(context.library, file, dimensions[i], &length);
        product *= length;
    }
    return product;
}

/// Counts may be null: then it is one element.
int64_t product_of(int64_t const* counts, int dimensions) {
    int64_t product = 1;
    for (int i = 0; counts != nullptr && i < dimensions; ++i) {
        product *= counts[i];
    }
    return product;
}

/// (file, variable, how many, starts, counts, …)
int64_t sum_of_boxes(Context const& context, int dimensions) {
    auto* const* const counts = context.pointer<int64_t*>(4);
    int64_t sum = 0;
    for (int i = 0; i < context.number(2); ++i) {
        sum += product_of(counts == nullptr ? nullptr : counts[i], dimensions);
    }
    return sum;
}

/// Elements of a piece of a variable with these counts.
int64_t elements_of(Context const& context, VariablePiece piece, int variable, int64_t const* counts) {
    auto const file = context.number(0);
    switch (piece) {
        case whole:
            return elements_of_whole(context, file, variable);
        case element:
            return 1;
        case boxes:
            return sum_of_boxes(context, dimensions_of(context, file, variable));
        default:
            return product_of(counts, dimensions_of(context, file, variable));
    }
}

/// Bytes of an element in the file, by its type's number (NC_BYTE, … NC_UINT64); 0 if unknown.
uint64_t bytes_in_file(Context const& context, int variable) {
    constexpr uint8_t bytes_of_type[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    int type = 0;
    bool const known = get_type.call(context.library, context.number(0), variable, &type) == 0;
    return known && type > 0 && type < static_cast<int>(sizeof bytes_of_type) ? bytes_of_type[type] : 0;
}

/// The index of the data among the arguments: after those of each Piece.
int place_of_data(VariablePiece piece) {
    constexpr int8_t places[] = {2, 3, 4, 5, 6, 5, 3};
    return places[piece];
}

/// The bytes of a piece, given the call's data in memory: `told` elements of an MPI type; negative: as many as the
/// piece has, in the variable's own type.
uint64_t bytes_of(Context const& context, PnetcdfPlaces const& places, int variable, int64_t const* counts,
                  int64_t told, Word type) {
    bool const has_type = places.element_bytes == 0 && !mpi::is_no_type(context, type);
    if (has_type && (told >= 0 || places.piece == file_type)) {
        return mpi::bytes_of(context, told, type);
    }
    auto const elements = places.piece == file_type ? 0 : elements_of(context, places.piece, variable, counts);
    if (has_type) {
        return mpi::bytes_of(context, elements, type);
    }
    auto const bytes = places.element_bytes > 0 ? places.element_bytes : bytes_in_file(context, variable);
    return elements > 0 ? static_cast<uint64_t>(elements) * bytes : 0;
}

/// (file, variable, …, data, how many, of which type)
uint64_t bytes_of_one(Context const& context, PnetcdfPlaces const& places) {
    auto const data = place_of_data(places.piece);
    bool const has_type = places.element_bytes == 0;
    return bytes_of(context, places, context.number(1), context.pointer<int64_t>(3),
                    has_type ? static_cast<int64_t>(context.at(data + 1)) : -1, has_type ? context.at(data + 2) : 0);
}

/// (file, how many, variables, …, data, how many of each, of which types)
uint64_t bytes_of_many(Context const& context, PnetcdfPlaces const& places) {
    auto const data = place_of_data(places.piece) + 1;
    bool const has_types = places.element_bytes == 0;
    auto* const* const counts = places.piece > element ? context.pointer<int64_t*>(4) : nullptr;
    auto const* const told = has_types ? context.pointer<int64_t>(data + 1) : nullptr;
    uint64_t sum = 0;
    for (int i = 0; i < context.number(1); ++i) {
        sum += bytes_of(context, places, context.pointer<int>(2)[i], counts == nullptr ? nullptr : counts[i],
                        told == nullptr ? -1 : told[i], has_types ? mpi::type_at(context, data + 2, i) : 0);
    }
    return sum;
}

/// For several variables, records the file.
void set_variables(Context& context) {
    auto const* const variables = context.pointer<int>(2);
    bool one = variables != nullptr && context.number(1) > 0;
    for (int i = 1; one && i < context.number(1); ++i) {
        one = variables[i] == variables[0];
    }
    one ? set_variable(context, context.number(0), variables[0]) : set_file(context, context.number(0));
}

}  // namespace

/// The name is stored together with the file's, which distinguishes a later file of the same number from this one.
void set_variable(Context& context, int file, int variable) {
    set_file(context, file);
    if (context.file == 0) {
        return;
    }
    auto const of_file = files.get(context.library, static_cast<uint32_t>(file));
    auto known = variables.get(context.library, key(file, variable));
    if (!known.found || known.bytes != of_file.bytes) {
        char name[longest_name + 1] = {};
        if (get_name.call(context.library, file, variable, &name[0]) != 0) {
            return;
        }
        known = {.name = dataset_number(of_file.name, name), .bytes = of_file.bytes};
        variables.put(context.library, key(file, variable), known);
    }
    context.file = known.name;
}

void moved(PnetcdfPlaces const& places, Context& context) {
    context.outcome = outcome(context);
    context.flags = places.flags;
    set_variable(context, context.number(0), context.number(1));
    if (context.outcome != 0 || !context.recorded) {
        return;
    }
    context.length = bytes_of_one(context, places);
    context.complete();
    if (places.request >= 0 && context.at(places.request) != 0) {
        begin_request(context, *context.pointer<int>(places.request), places.puts);
    }
}

void moved_many(PnetcdfPlaces const& places, Context& context) {
    context.outcome = outcome(context);
    context.flags = places.flags;
    set_variables(context);
    if (context.outcome == 0 && context.recorded) {
        context.length = bytes_of_many(context, places);
        context.complete();
    }
}

}  // namespace weir::trace::pnetcdf
