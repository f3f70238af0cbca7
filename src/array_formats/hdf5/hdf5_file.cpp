#include "array_formats/hdf5/hdf5_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "comm/collective_error_c.hpp"
#include "core/hdf5_own_data.hpp"

namespace weir::formats {

Quiet::Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

void fail_in_hdf5(std::string const& problem, std::string const& suggestion) {
    fail(WEIR_IO, problem, words_of_hdf5("HDF5 gives no reason"), suggestion);
}

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
        static_cast<void>(attempted([&] { refusal.words = words_of_hdf5("HDF5 gives no reason"); }));
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

namespace {

/// Datasets of at least this size are aligned to it, so that no two share a stripe of the file system.
constexpr hsize_t alignment = 1 << 20;

/// The most memory for a dataset's chunk cache.
constexpr std::uint64_t most_chunk_bytes = std::uint64_t{1} << 30;

Hdf5Object properties(hid_t kind) {
    return made(
        H5Pcreate(kind), [] { return std::string("HDF5 has no properties"); }, "Is it initialised?");
}

Hdf5Object properties_within_file(hid_t kind) { return Hdf5Object(access_within_file(kind).release()); }

std::vector<hsize_t> as_hdf5(Extents const& extents) { return {extents.begin(), extents.end()}; }

Extents shape_of_dataset(Hdf5Object const& dataset) {
    Hdf5Object const space(H5Dget_space(dataset.get()));
    std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
    H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
    return {shape.begin(), shape.end()};
}

/// Size of the numbers in `stored` whose byte order differs from that in `memory`; 1 if none, 0 if the types differ
/// otherwise.
std::int32_t swapped_numbers(hid_t memory, hid_t stored) {
    if (H5Tequal(memory, stored) > 0) {
        return 1;
    }
    auto const kind = H5Tget_class(memory);
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
        return 0;
    }
    Hdf5Object const other(H5Tcopy(memory));
    H5Tset_order(other.get(), H5Tget_order(memory) == H5T_ORDER_LE ? H5T_ORDER_BE : H5T_ORDER_LE);
    return H5Tequal(other.get(), stored) > 0 ? static_cast<std::int32_t>(H5Tget_size(memory)) : 0;
}

/// HDF5 allocates a dataset at its first write: writes its first element, unchanged.
void allocate(Hdf5Object const& dataset, DatasetRequest const& request) {
    auto const dims = request.array.dims;
    std::vector<hsize_t> const zeros(static_cast<std::size_t>(dims), 0);
    std::vector<hsize_t> const ones(static_cast<std::size_t>(dims), 1);
    std::vector<std::byte> element(request.array.element_bytes);
    Hdf5Object const space(H5Dget_space(dataset.get()));
    Hdf5Object const memory(H5Screate_simple(1, ones.data(), nullptr));
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, zeros.data(), nullptr, ones.data(), nullptr);
    if (H5Dread(dataset.get(), request.type, memory.get(), space.get(), H5P_DEFAULT, element.data()) < 0 ||
        H5Dwrite(dataset.get(), request.type, memory.get(), space.get(), H5P_DEFAULT, element.data()) < 0) {
        fail_in_hdf5(fmt::format("dataset {} gets no place in the file", request.name), "Is there space left?");
    }
}

/// Room for the chunks of one layer, so that each is compressed only once.
Hdf5Object chunk_cache(Hdf5Object const& dataset) {
    auto access = properties_within_file(H5P_DATASET_ACCESS);
    Hdf5Object const creation(H5Dget_create_plist(dataset.get()));
    if (H5Pget_layout(creation.get()) != H5D_CHUNKED) {
        return access;
    }
    auto const shape = shape_of_dataset(dataset);
    std::vector<hsize_t> chunk(shape.size());
    H5Pget_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
    Hdf5Object const type(H5Dget_type(dataset.get()));
    std::uint64_t chunks = 1;
    std::uint64_t bytes = H5Tget_size(type.get()) * chunk[0];
    for (std::size_t k = 1; k < shape.size(); ++k) {
        chunks *= (shape[k] + chunk[k] - 1) / chunk[k];
        bytes *= chunk[k];
    }
    auto const room = std::clamp<std::uint64_t>(chunks * bytes, 1 << 20, most_chunk_bytes);
    H5Pset_chunk_cache(access.get(), std::min<std::uint64_t>(10 * chunks + 1, 1 << 20), room, 1.0);
    return access;
}

}  // namespace

Hdf5File::Hdf5File(std::string path, Use use) : path_(std::move(path)), use_(use) {
    auto const properties_of_access = properties(H5P_FILE_ACCESS);
    H5Pset_alignment(properties_of_access.get(), alignment, alignment);
    driver_.serve(properties_of_access);
    if (use == Use::write && ::access(path_.c_str(), F_OK) != 0) {
        file_ = made(
            H5Fcreate(path_.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, properties_of_access.get()),
            [&] { return fmt::format("{} cannot be created", path_); },
            "Does its directory exist, and may you write there?");
        return;
    }
    auto const problem = [&] { return fmt::format("{} cannot be opened", path_); };
    if (H5Fis_hdf5(path_.c_str()) == 0) {
        fail(WEIR_IO, problem(), "it is no HDF5 file", "Name an HDF5 file, or one that is not there yet.");
    }
    auto const how = use == Use::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR;
    file_ = made(H5Fopen(path_.c_str(), how, properties_of_access.get()), problem,
                 "Is it the right name, may you use it, and has every program closed it?");
}

std::vector<DatasetPlace> Hdf5File::places(std::vector<DatasetRequest> const& all) {
    for (auto const& request : all) {
        if (use_ == Use::read || holds(request.name)) {
            static_cast<void>(dataset(request));
        }
    }
    std::vector<DatasetPlace> places;
    for (auto const& request : all) {
        if (!holds(request.name)) {
            create(request);
        }
        places.push_back(place(request));
    }
    return places;
}

Hdf5Object Hdf5File::dataset(DatasetRequest const& request) const {
    auto const problem = [&] { return fmt::format("{} has no dataset {}", path_, request.name); };
    auto const* const suggestion = "h5ls -r lists what a file holds.";
    auto const open = [&](Hdf5Object const& access) {
        return made(open_own_dataset(file_.get(), request.name.c_str(), access.get()), problem, suggestion);
    };
    auto const found = open(properties_within_file(H5P_DATASET_ACCESS));
    check(request, found);
    return open(chunk_cache(found));
}

void Hdf5File::check_written() const {
    driver_.check(fmt::format("{} cannot be completed", path_), "Is there space left?");
}

void Hdf5File::close() {
    if (file_.close() < 0) {
        fail_in_hdf5(fmt::format("{} cannot be closed", path_), "It may be incomplete. Is there space left?");
    }
    check_written();
}

bool Hdf5File::holds(std::string const& name) const {
    auto const access = properties_within_file(H5P_LINK_ACCESS);
    for (auto end = name.find('/', 1);; end = name.find('/', end + 1)) {
        auto const link = name.substr(0, end);
        if (H5Lexists(file_.get(), link.c_str(), access.get()) <= 0) {
            return false;
        }
        if (end == std::string::npos) {
            return true;
        }
    }
}

void Hdf5File::create(DatasetRequest const& request) const {
    auto const links = properties(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links.get(), 1);
    H5Pset_char_encoding(links.get(), H5T_CSET_UTF8);
    auto const access = properties_within_file(H5P_DATASET_ACCESS);
    auto const creation = properties(H5P_DATASET_CREATE);
    H5Pset_layout(creation.get(), H5D_CONTIGUOUS);
    H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
    auto const shape = as_hdf5(larger_of(request.array));
    Hdf5Object const space(H5Screate_simple(request.array.dims, shape.data(), nullptr));
    static_cast<void>(made(
        H5Dcreate2(file_.get(), request.name.c_str(), request.type, space.get(), links.get(), creation.get(),
                   access.get()),
        [&] { return fmt::format("{} gets no dataset {}", path_, request.name); },
        "Does the name go through what is no group, and is there space left?"));
}

void Hdf5File::check(DatasetRequest const& request, Hdf5Object const& dataset) const {
    auto const shape = shape_of_dataset(dataset);
    Hdf5Object const type(H5Dget_type(dataset.get()));
    auto const bytes = H5Tget_size(type.get());
    auto const expected = larger_of(request.array);
    if (shape != expected || bytes != request.array.element_bytes) {
        fail(WEIR_BAD_ARGUMENT,
             fmt::format("dataset {} of {} does not fit array {}", request.name, path_, request.index),
             fmt::format("it is {} elements of {} bytes, and the array {} of {}{}", words(shape), bytes,
                         words(expected), request.array.element_bytes,
                         request.array.order == WEIR_FORTRAN_ORDER ? ", its Fortran order reversed" : ""),
             "Describe the array as the dataset is, or name another dataset.");
    }
    H5T_cdata_t* conversion = nullptr;
    if (swapped_numbers(request.type, type.get()) == 0 && H5Tfind(request.type, type.get(), &conversion) == nullptr) {
        fail(WEIR_BAD_ARGUMENT,
             fmt::format("dataset {} of {} does not fit array {}", request.name, path_, request.index),
             "HDF5 cannot convert between the type of its elements and the one given for the array",
             "Give the dataset's type.");
    }
}

DatasetPlace Hdf5File::place(DatasetRequest const& request) const {
    auto const dataset = this->dataset(request);
    Hdf5Object const creation(H5Dget_create_plist(dataset.get()));
    Hdf5Object const type(H5Dget_type(dataset.get()));
    DatasetPlace place{0, swapped_numbers(request.type, type.get()), 0};
    bool const contiguous = H5Pget_layout(creation.get()) == H5D_CONTIGUOUS;
    if (!contiguous || place.number == 0) {
        return place;
    }
    auto const shape = larger_of(request.array);
    if (std::ranges::count(shape, 0U) > 0) {
        return {0, 1, 1};
    }
    if (use_ == Use::write && H5Dget_offset(dataset.get()) == HADDR_UNDEF) {
        allocate(dataset, request);
    }
    auto const offset = H5Dget_offset(dataset.get());
    // A dataset never written has no offset: leaves it to HDF5.
    place.direct = offset == HADDR_UNDEF ? 0 : 1;
    place.offset = place.direct == 0 ? 0 : static_cast<std::int64_t>(offset);
    return place;
}

}  // namespace weir::formats
