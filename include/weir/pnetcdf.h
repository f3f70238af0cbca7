/* A plan's arrays as variables of a classic netCDF file (CDF-1, CDF-2, CDF-5), at the speed of the two-phase library.
 *
 *     char const* names[] = {"density(z, y, x)"};
 *     nc_type types[] = {NC_DOUBLE};
 *     void* buffers[] = {rho};
 *     weir_pnetcdf_write(plan, "dump.nc", names, types, -1, buffers, &error);
 *     weir_pnetcdf_read(plan, "dump.nc", names, types, -1, buffers, &error);
 *
 * PnetCDF says where a variable lies, on rank 0; the plan moves the data there, with the bytes of its numbers in the
 * order that the format demands. Codes, errors and the rest are those of weir/array.h. */
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
 * names[i] is the variable's name and, for one that is to be created, those of its dimensions, as ncdump prints them:
 * "density(z, y, x)", slowest first. Without them they are called after their lengths ("dim_512"). Dimensions of the
 * same name are one. The file is created where it is not there, as CDF-5; what is there stays, attributes included. To
 * begin with a new file, remove the old one; to replace a good one safely, write to another name, then rename.
 *
 * The variable's shape must be the array's (the larger one's, after weir_array_within()), in C order: an array in
 * Fortran order has its dimensions reversed, as in netCDF's Fortran interface. A variable with one dimension more, the
 * unlimited one, gets its record `record` (0, 1, ...): "density(time, z, y, x)" creates it. Where there is none of
 * these, `record` is not looked at. */
WEIR_API int weir_pnetcdf_write(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                                int64_t record, void* const buffers[], weir_error* error);

/* Reads variables, by whatever program they were written; otherwise as weir_pnetcdf_write(). */
WEIR_API int weir_pnetcdf_read(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                               int64_t record, void* const buffers[], weir_error* error);

#ifdef __cplusplus
}
#endif

#endif
