// Names and pieces of variables of PnetCDF.

#include "trace/recorder/names.hpp"
#include "trace/wrappers/mpi.hpp"
#include "trace/wrappers/pnetcdf.hpp"

namespace weir::trace::pnetcdf {
namespace {

constinit Handles variables;
constinit Helper get_name{"ncmpi_inq_varname"};
constinit Helper get_dimension_count{"ncmpi_inq_varndims"};
constinit Helper get_dimensions{"ncmpi_inq_vardimid"};
constinit Helper get_length{"ncmpi_inq_dimlen"};

constexpr int longest_name = 256;  // NC_MAX_NAME
constexpr int most_dimensions = 1024;

Word key(int file, int variable) {
    return (static_cast<Word>(static_cast<uint32_t>(file)) << 24) + static_cast<uint32_t>(variable);
}

int dimensions_of(Context const& context, int file, int variable) {
    auto const ask = get_dimension_count.in<int (*)(int, int, int*)>(context.library);
    int count = 0;
    return ask != nullptr && ask(file, variable, &count) == 0 ? count : 0;
}

int64_t elements_of_whole(Context const& context, int file, int variable) {
    auto const ask = get_dimensions.in<int (*)(int, int, int*)>(context.library);
    auto const length_of = get_length.in<int (*)(int, int, int64_t*)>(context.library);
    auto const count = dimensions_of(context, file, variable);
    int dimensions[most_dimensions];
    if (ask == nullptr || length_of == nullptr || count > most_dimensions || ask(file, variable, dimensions) != 0) {
        return 0;
    }
    int64_t product = 1;
    for (int i = 0; i < count; ++i) {
        int64_t length = 0;
        length_of(file, dimensions[i], &length);
        product *= length;
    }
    return product;
}

/// Counts may be left out: then it is one element.
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

/// Where the data stands: after what tells the piece.
int place_of_data(Piece piece) {
    switch (piece) {
        case whole:
            return 2;
        case element:
        case file_type:
            return 3;
        case box:
            return 4;
        case steps:
        case boxes:
            return 5;
        case mapped:
            return 6;
    }
    return 2;
}

uint64_t bytes_of(Context const& context, Places const& places) {
    if (places.element_bytes > 0) {
        auto const elements = elements_of(context, places);
        return elements > 0 ? static_cast<uint64_t>(elements) * places.element_bytes : 0;
    }
    // Data, how many, of which type of MPI; where "how many" is negative, as many as the piece has elements.
    auto const data = place_of_data(places.piece);
    auto const told = static_cast<int64_t>(context.at(data + 1));
    auto const count = told < 0 && places.piece != file_type ? elements_of(context, places) : told;
    return mpi::bytes_of(context, count, context.at(data + 2));
}

}  // namespace

int64_t elements_of(Context const& context, Places const& places) {
    auto const file = context.number(0);
    auto const variable = context.number(1);
    switch (places.piece) {
        case whole:
            return elements_of_whole(context, file, variable);
        case element:
            return 1;
        case boxes:
            return sum_of_boxes(context, dimensions_of(context, file, variable));
        default:
            return product_of(context.pointer<int64_t>(3), dimensions_of(context, file, variable));
    }
}

/// The name is kept together with the file's, which tells a later file of the same number from this one.
void tell_variable(Context& context, int file, int variable) {
    tell_file(context, file);
    if (context.file == 0) {
        return;
    }
    Handles::Known known;
    Handles::Known of_file;
    files.get(context.library, static_cast<uint32_t>(file), of_file);
    if (!variables.get(context.library, key(file, variable), known) || known.bytes != of_file.bytes) {
        auto const ask = get_name.in<int (*)(int, int, char*)>(context.library);
        char name[longest_name + 1] = {};
        if (ask == nullptr || ask(file, variable, name) != 0) {
            return;
        }
        known = {.name = dataset_number(of_file.name, name), .bytes = of_file.bytes};
        variables.put(context.library, key(file, variable), known);
    }
    context.file = known.name;
}

void moved(Places const& places, Context& context) {
    context.outcome = outcome(context);
    context.flags = places.flags;
    tell_variable(context, context.number(0), context.number(1));
    if (context.outcome != 0 || !context.recorded) {
        return;
    }
    context.length = bytes_of(context, places);
    context.outcome = static_cast<int64_t>(context.length);
    if (places.request >= 0 && context.at(places.request) != 0) {
        begin_request(context, *context.pointer<int>(places.request), places.puts);
    }
}

}  // namespace weir::trace::pnetcdf
