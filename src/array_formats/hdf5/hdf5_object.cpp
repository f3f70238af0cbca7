#include "array_formats/hdf5/hdf5_object.hpp"

#include "comm/collective_error_c.hpp"

namespace weir::formats {
namespace {

herr_t keep_first(unsigned index, H5E_error2_t const* entry, void* words) {
    if (index == 0 && entry->desc != nullptr) {
        *static_cast<std::string*>(words) = entry->desc;
    }
    return 0;
}

}  // namespace

Quiet::Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

std::string words_of_hdf5() {
    std::string words = "HDF5 gives no reason";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &words);
    return words;
}

void fail_in_hdf5(std::string const& problem, std::string const& suggestion) {
    fail(WEIR_IO, problem, words_of_hdf5(), suggestion);
}

}  // namespace weir::formats
