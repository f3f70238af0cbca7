#pragma once

#include "core/hdf5_handle.hpp"

namespace weir {

// An HDF5 file that others wrote can have the library open any other file: through a link, as storage of a dataset, or
// as the source of a virtual one. What is opened here lies in the file itself, whatever that says.

namespace hdf5_own_data {

/// Adds the reason to HDF5's error stack, and returns the status of a failed call.
inline herr_t refused(char const* why) {
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_LINK, H5E_CANTOPENOBJ, "%s", why);
    return -1;
}

inline herr_t refuse_link(char const* /*from*/, char const* /*group*/, char const* /*to*/, char const* /*object*/,
                          unsigned* /*flags*/, hid_t /*access*/, void* /*nothing*/) {
    return refused("a link leads into another file");
}

/// Local to the file: neither the dataset's shape nor its data have been asked for.
inline bool is_elsewhere(hid_t dataset) {
    Hdf5Handle const creation(H5Dget_create_plist(dataset), H5Pclose);
    return H5Pget_layout(creation.get()) == H5D_VIRTUAL || H5Pget_external_count(creation.get()) != 0;
}

}  // namespace hdf5_own_data

/// Access properties of this class (of links, datasets or groups) with which no link leads into another file, nor does
/// a link on the way.
inline Hdf5Handle access_within_file(hid_t of_class) {
    Hdf5Handle access(H5Pcreate(of_class), H5Pclose);
    H5Pset_elink_cb(access.get(), hdf5_own_data::refuse_link, nullptr);
    return access;
}

/// Opens a dataset, with access properties of access_within_file(). Fails, with the reason on HDF5's error stack, if
/// its data lie in other files; none of these is opened.
inline hid_t open_own_dataset(hid_t file, char const* name, hid_t access) {
    Hdf5Handle dataset(H5Dopen2(file, name, access), H5Dclose);
    if (dataset.open() && hdf5_own_data::is_elsewhere(dataset.get())) {
        dataset.close();
        return hdf5_own_data::refused("its data lie in another file");
    }
    return dataset.release();
}

}  // namespace weir
