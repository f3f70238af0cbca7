/* A plan's arrays as variables of a classic netCDF file (CDF-1, CDF-2, CDF-5), at the speed of the two-phase library.
 *
 *     char const* names[] = {"density(z, y, x)"};
 *     nc_type types[] = {NC_DOUBLE};
 *     void* buffers[] = {rho};
 *     weir_pnetcdf_write(plan, "dump.nc", names, types, -1, buffers, &error);
 *     weir_pnetcdf_read(plan, "dump.nc", names, types, -1, buffers, &error);
 *
 * Rank 0 asks PnetCDF for the offset of a variable; the plan moves the data there, in the byte order of the format.
 * Codes, errors and the rest are those of weir/array.h. */
#ifndef WEIR_PNETCDF_H
#define WEIR_PNETCDF_H

#include <pnetcdf.h>

#include "weir/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes array i of the plan to a variable of types[i]. Collective over the plan's communicator; the file must be
 * closed.
 *
 * names[i] is the variable's name and, to create it, those of its dimensions, as ncdump prints them: "density(z, y,
 * x)", slowest first. Without them dimensions are named after their lengths ("dim_512"). Dimensions of the same name
 * are the same dimension. The file is created as CDF-5 if it does not exist; existing variables stay, attributes
 * included. To start with a new file, remove the old one; to replace a good one safely, write to another name, then
 * rename.
 *
 * The variable's shape must be the array's (the larger one's, after weir_array_within()), in C order: an array in
 * Fortran order has its dimensions reversed, as in netCDF's Fortran interface. If a variable has one more dimension,
 * the unlimited one, its record `record` (0, 1, ...) is written: "density(time, z, y, x)" creates it. Without such a
 * variable, `record` is ignored. An array without elements becomes a variable without records: its slowest dimension,
 * which alone may have the length 0, is created as the unlimited one. */
WEIR_API int weir_pnetcdf_write(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                                int64_t record, void* const buffers[], weir_error* error);

/* Reads variables, written by any program; otherwise as weir_pnetcdf_write(). */
WEIR_API int weir_pnetcdf_read(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                               int64_t record, void* const buffers[], weir_error* error);

#ifdef __cplusplus
}
#endif

#endif
