#include <fmt/format.h>

#include <algorithm>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/join.hpp"
#include "storage/backends/hdf5/hdf5_open_file.hpp"

namespace weir {
namespace {

Hdf5Handle type_of(Element element) {
    auto const copy = [](hid_t type) { return Hdf5Handle(H5Tcopy(type), H5Tclose); };
    auto const sized = [&](hid_t type) {
        auto handle = copy(type);
        H5Tset_size(handle.get(), element.bytes);
        return handle;
    };
    auto const whole_number = [&](hid_t type) {
        auto handle = sized(type);
        H5Tset_precision(handle.get(), 8 * element.bytes);  // setting only the size keeps the old precision
        return handle;
    };
    switch (element.kind) {
        case Element::Kind::integer:
            return whole_number(H5T_NATIVE_INT8);
        case Element::Kind::natural:
            return whole_number(H5T_NATIVE_UINT8);
        case Element::Kind::real:
            return copy(element.bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE);
        case Element::Kind::text:
            break;
    }
    auto text = sized(H5T_C_S1);
    H5Tset_strpad(text.get(), H5T_STR_NULLPAD);
    return text;
}

Hdf5Handle space_of(std::vector<std::uint64_t> const& shape) {
    std::vector<hsize_t> const extents(shape.begin(), shape.end());
    auto const space = shape.empty() ? H5Screate(H5S_SCALAR)
                                     : H5Screate_simple(static_cast<int>(shape.size()), extents.data(), nullptr);
    return {space, H5Sclose};
}

/// A hyperslab along each dimension.
struct Slab {
    std::vector<hsize_t> start, stride, count, block;

    void add(Dim const& dim, std::uint64_t from, std::uint64_t blocks, std::uint64_t block_length) {
        start.push_back(from);
        stride.push_back(std::max(dim.stride, block_length));
        count.push_back(blocks);
        block.push_back(block_length);
    }
};

/// A rank's part, which is not empty, as hyperslabs: the last block of a dimension may be shorter than the others.
std::vector<Slab> slabs_of(std::span<Dim const> dims) {
    std::vector<Slab> slabs(1);
    for (auto const& dim : dims) {
        auto const block = dim.one_block() ? dim.owned : dim.block;
        auto const blocks = dim.owned / block;
        auto const rest = dim.owned % block;
        auto const before = slabs.size();
        for (std::size_t i = 0; i < before; ++i) {
            if (rest > 0) {
                slabs.push_back(slabs[i]);
                slabs.back().add(dim, dim.place(blocks * block), 1, rest);
            }
            slabs[i].add(dim, dim.first, blocks, block);
        }
    }
    return slabs;
}

herr_t select(hid_t space, Section const& section) {
    auto const dims = section.all().first(section.dims - 1);
    if (section.bytes() == 0) {
        return H5Sselect_none(space);
    }
    if (dims.empty()) {
        return H5Sselect_all(space);
    }
    herr_t status = 0;
    auto how = H5S_SELECT_SET;
    for (auto const& slab : slabs_of(dims)) {
        status = std::min(status, H5Sselect_hyperslab(space, how, slab.start.data(), slab.stride.data(),
                                                      slab.count.data(), slab.block.data()));
        how = H5S_SELECT_OR;
    }
    return status;
}

/// An HDF5 file of arrays: one dataset per array, with its name, type and shape; ranks transfer hyperslabs.
class Hdf5ArrayFile final : public Hdf5OpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    Hdf5ArrayFile(OpenRequest const& request, Hdf5Settings const& settings)
        : Hdf5OpenFile(request, settings), arrays_(request.arrays), nothing_(no_memory()) {
        finish_opening([&] { request.mode == OpenMode::create ? make_datasets() : open_datasets(); },
                       [&] { close_all(); });
    }

    ~Hdf5ArrayFile() override {
        WriteWatch const watch(lost_);
        close_all();
    }

    void set_collective(bool collective) override { make_collective(collective); }
    /// Refused: the format has no bytes outside arrays.
    void write(Operation const&, std::span<std::byte const>) override { refuse_bytes(path_, "HDF5"); }
    std::size_t read(Operation const&, std::span<std::byte>) override { refuse_bytes(path_, "HDF5"); }
    [[nodiscard]] bool takes_parts() const override { return true; }

    void write_part(PartRequest const& request, std::span<std::byte const> data) override {
        move(IoCall::write, request, [&](Dataset const& dataset, hid_t memory, std::size_t from) {
            return H5Dwrite(dataset.data.get(), dataset.type.get(), memory, dataset.space.get(), transfer_.get(),
                            data.data() + from);
        });
    }

    std::size_t read_part(PartRequest const& request, std::span<std::byte> data) override {
        move(IoCall::read, request, [&](Dataset const& dataset, hid_t memory, std::size_t from) {
            return H5Dread(dataset.data.get(), dataset.type.get(), memory, dataset.space.get(), transfer_.get(),
                           data.data() + from);
        });
        return data.size();
    }

    void preallocate(std::uint64_t bytes) override { reserve(bytes); }

    void close() override {
        attempt(IoCall::close, 0, [&] { return close_all(); });
    }

  private:
    struct Dataset {
        Hdf5Handle type;
        Hdf5Handle data;
        Hdf5Handle space;
    };

    void make_datasets() {
        attempt("make datasets in", [&] {
            herr_t status = 0;
            for (auto const& array : arrays_) {
                Dataset dataset{type_of(array.element), {}, space_of(array.shape)};
                dataset.data = {H5Dcreate2(file_.get(), array.name.c_str(), dataset.type.get(), dataset.space.get(),
                                           H5P_DEFAULT, whole_layout().get(), H5P_DEFAULT),
                                H5Dclose};
                status = dataset.data.open() ? status : -1;
                datasets_.push_back(std::move(dataset));
            }
            return status;
        });
    }

    void open_datasets();

    /// Selects this rank's part in file and memory, and calls `transfer(dataset, memory, place in memory)`.
    template <class Transfer>
    void move(IoCall what, PartRequest const& request, Transfer transfer) {
        auto& dataset = datasets_.at(request.of.array);
        auto const& array = arrays_[request.of.array];
        if (bytes_of(array) == 0) {
            return;  // it has no offset in the file, and the library refuses an empty transfer to it
        }
        auto const one = [&](Section const* section) {
            hsize_t const elements = section == nullptr ? 0 : section->bytes() / array.element.bytes;
            Hdf5Handle const memory(elements > 0 ? H5Screate_simple(1, &elements, nullptr) : -1, H5Sclose);
            attempt(what, elements * array.element.bytes, [&] {
                auto const selected =
                    elements > 0 ? select(dataset.space.get(), *section) : H5Sselect_none(dataset.space.get());
                return selected < 0    ? selected
                       : elements == 0 ? transfer(dataset, nothing_.get(), 0)
                                       : transfer(dataset, memory.get(), static_cast<std::size_t>(section->memory));
            });
        };
        if (collective_) {
            one(request.section ? &*request.section : nullptr);
            check_collective();
        } else if (request.section) {
            for (auto const& section : cut(*request.section, largest_piece)) {
                one(&section);
            }
        }
    }

    herr_t close_all() {
        herr_t worst = 0;
        for (auto& dataset : datasets_) {
            worst = std::min({worst, dataset.data.close(), dataset.type.close(), dataset.space.close()});
        }
        return std::min(worst, file_.close());
    }

    std::vector<Array> arrays_;
    std::vector<Dataset> datasets_;
    Hdf5Handle nothing_;
};

void Hdf5ArrayFile::open_datasets() {
    for (auto const& array : arrays_) {
        Dataset dataset{type_of(array.element), {}, {}};
        attempt("open the datasets of", [&] {
            dataset.data = {H5Dopen2(file_.get(), array.name.c_str(), H5P_DEFAULT), H5Dclose};
            dataset.space = {dataset.data.open() ? H5Dget_space(dataset.data.get()) : -1, H5Sclose};
            return dataset.space.open() ? 0 : -1;
        });
        auto const wanted = space_of(array.shape);
        validate(H5Sextent_equal(dataset.space.get(), wanted.get()) > 0,
                 fmt::format("the dataset '{}' of '{}' has another shape than {}", array.name, path_,
                             join(array.shape, " x ")),
                 "it was not written as this array", "Write it first, with the same shape.");
        Hdf5Handle const stored(H5Dget_type(dataset.data.get()), H5Tclose);
        validate(
            array.element.kind == Element::Kind::text || H5Tequal(stored.get(), dataset.type.get()) > 0,
            fmt::format("the dataset '{}' of '{}' has another type of element", array.name, path_),
            fmt::format("the elements of '{}' are of another kind, size or byte order than {} bytes of this machine's",
                        array.name, array.element.bytes),
            "Write it first, with the same type.");
        datasets_.push_back(std::move(dataset));
    }
}

}  // namespace

std::unique_ptr<OpenFile> open_arrays(OpenRequest const& request, Hdf5Settings const& settings) {
    return std::make_unique<Hdf5ArrayFile>(request, settings);
}

}  // namespace weir
