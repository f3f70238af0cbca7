#include "array_formats/hdf5/forgiving_driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "comm/collective_error_c.hpp"

namespace weir::formats {
namespace {

/// The driver's settings in the file access properties. HDF5 copies it.
struct DriverInfo {
    ForgivingDriver::Refusal* refusal;
};

/// A file of HDF5's default driver. HDF5 defines and fills its first members.
struct File {
    H5FD_t known;
    H5FD_t* real;
    ForgivingDriver::Refusal* refusal;
};

File* as_file(H5FD_t* file) { return reinterpret_cast<File*>(file); }
File const* as_file(H5FD_t const* file) { return reinterpret_cast<File const*>(file); }

/// Changes the file by a call that may fail once; HDF5 gets success.
template <class Call>
herr_t forgiven(H5FD_t* file, Call call) noexcept {
    auto& refusal = *as_file(file)->refusal;
    if (!refusal.happened && call(as_file(file)->real) < 0) {
        refusal.happened = true;
        static_cast<void>(attempted([&] { refusal.words = words_of_hdf5(); }));
        H5Eclear2(H5E_DEFAULT);
    }
    return 0;
}

H5FD_t* open(char const* name, unsigned flags, hid_t properties, haddr_t most) {
    auto const* info = static_cast<DriverInfo const*>(H5Pget_driver_info(properties));
    // No HDF5 call may follow a failed one: it would clear the error stack.
    auto* const real = H5FDopen(name, flags, H5P_DEFAULT, most);
    if (real == nullptr) {
        return nullptr;
    }
    auto* const file = static_cast<File*>(std::calloc(1, sizeof(File)));
    if (file == nullptr) {
        H5FDclose(real);
        return nullptr;
    }
    file->real = real;
    file->refusal = info->refusal;
    return &file->known;
}

herr_t close(H5FD_t* file) {
    auto const closed = H5FDclose(as_file(file)->real);
    std::free(file);
    return closed;
}

int compare(H5FD_t const* a, H5FD_t const* b) { return H5FDcmp(as_file(a)->real, as_file(b)->real); }

/// Without a file the driver itself is queried, and has no features.
herr_t query(H5FD_t const* file, unsigned long* features) {
    if (file == nullptr) {
        *features = 0;
        return 0;
    }
    auto const status = H5FDquery(as_file(file)->real, features);
    *features &= ~static_cast<unsigned long>(H5FD_FEAT_POSIX_COMPAT_HANDLE);
    return status < 0 ? -1 : 0;
}

haddr_t end_of_addresses(H5FD_t const* file, H5FD_mem_t type) { return H5FDget_eoa(as_file(file)->real, type); }
herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t type, haddr_t end) {
    return H5FDset_eoa(as_file(file)->real, type, end);
}
haddr_t end_of_file(H5FD_t const* file, H5FD_mem_t type) { return H5FDget_eof(as_file(file)->real, type); }

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t how, haddr_t place, std::size_t bytes, void* data) {
    return H5FDread(as_file(file)->real, type, how, place, bytes, data);
}
herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t how, haddr_t place, std::size_t bytes, void const* data) {
    return forgiven(file, [&](H5FD_t* real) { return H5FDwrite(real, type, how, place, bytes, data); });
}
herr_t flush(H5FD_t* file, hid_t how, hbool_t closing) {
    return forgiven(file, [&](H5FD_t* real) { return H5FDflush(real, how, closing); });
}
herr_t truncate(H5FD_t* file, hid_t how, hbool_t closing) {
    return forgiven(file, [&](H5FD_t* real) { return H5FDtruncate(real, how, closing); });
}
herr_t lock(H5FD_t* file, hbool_t writes) { return H5FDlock(as_file(file)->real, writes); }
herr_t unlock(H5FD_t* file) { return H5FDunlock(as_file(file)->real); }

H5FD_class_t driver() {
    H5FD_class_t calls{};
#ifdef H5FD_CLASS_VERSION
    calls.version = H5FD_CLASS_VERSION;
    calls.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED);  // the first that HDF5 leaves to others
#endif
    calls.name = "weir";
    calls.maxaddr = (haddr_t{1} << 63U) - 1;
    calls.fc_degree = H5F_CLOSE_WEAK;
    calls.fapl_size = sizeof(DriverInfo);
    calls.open = open;
    calls.close = close;
    calls.cmp = compare;
    calls.query = query;
    calls.get_eoa = end_of_addresses;
    calls.set_eoa = set_end_of_addresses;
    calls.get_eof = end_of_file;
    calls.read = read;
    calls.write = write;
    calls.flush = flush;
    calls.truncate = truncate;
    calls.lock = lock;
    calls.unlock = unlock;
    H5FD_mem_t const free_lists[] = H5FD_FLMAP_DICHOTOMY;
    std::ranges::copy(free_lists, std::begin(calls.fl_map));
    return calls;
}

}  // namespace

ForgivingDriver::ForgivingDriver() : refusal_(std::make_unique<Refusal>()) {
    auto const calls = driver();
    driver_ = made(
        H5FDregister(&calls), [] { return std::string("HDF5 takes no driver"); }, "Is it initialised?");
}

void ForgivingDriver::serve(Hdf5Object const& properties_of_access) const {
    DriverInfo const info{refusal_.get()};
    if (H5Pset_driver(properties_of_access.get(), driver_.get(), &info) < 0) {
        fail_in_hdf5("HDF5 takes no driver for a file", "Is it initialised?");
    }
}

void ForgivingDriver::check(std::string const& problem, std::string const& suggestion) const {
    if (refusal_->happened) {
        fail(WEIR_IO, problem, refusal_->words, suggestion);
    }
}

}  // namespace weir::formats
