/* A plan's arrays as datasets of an HDF5 file, at the speed of the two-phase library and without parallel HDF5.
 *
 *     char const* names[] = {"/fields/density"};
 *     hid_t types[] = {H5T_NATIVE_DOUBLE};
 *     void* buffers[] = {rho};
 *     weir_hdf5_write(plan, "dump.h5", names, types, buffers, &error);
 *     weir_hdf5_read(plan, "dump.h5", names, types, buffers, &error);
 *
 * Rank 0 asks HDF5 for the offset of a dataset; the plan moves the data there. HDF5 may be serial or parallel.
 * Codes, errors and the rest are those of weir/array.h. */
#ifndef WEIR_HDF5_H
#define WEIR_HDF5_H

#include <hdf5.h>

#include "weir/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes array i of the plan to dataset names[i], whose elements in memory are of types[i]. Collective over the plan's
 * communicator; the file must be closed.
 *
 * The file is created if it does not exist, and so are datasets and the groups in their names: contiguous, without fill
 * values, aligned. Existing objects stay, attributes included: an existing dataset is written in its own layout and
 * type. To start with a new file, remove the old one; to replace a good one safely, write to another name, then rename.
 *
 * The dataset's shape must be the array's (the larger one's, after weir_array_within()), in C order: an array in
 * Fortran order has its dimensions reversed, as in HDF5's Fortran interface. Elements must have the array's size.
 *
 * The plan itself writes contiguous datasets of the same type, also if their numbers have the other byte order. If any
 * dataset of the call is not like that (chunks, compression, another type of that size), all of them go through rank 0,
 * which passes them to HDF5 window by window. */
WEIR_API int weir_hdf5_write(weir_plan* plan, char const* path, char const* const names[], hid_t const types[],
                             void* const buffers[], weir_error* error);

/* Reads datasets, written by any program; otherwise as weir_hdf5_write(). */
WEIR_API int weir_hdf5_read(weir_plan* plan, char const* path, char const* const names[], hid_t const types[],
                            void* const buffers[], weir_error* error);

#ifdef __cplusplus
}
#endif

#endif
