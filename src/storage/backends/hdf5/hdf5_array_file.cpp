// HDF5 files of arrays: each is a dataset, or an attribute of one, of the file, with its name, type and shape.

#include <fmt/format.h>

#include <algorithm>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/join.hpp"
#include "storage/backends/hdf5/hdf5_open_file.hpp"
#include "storage/backends/hdf5/hdf5_types.hpp"

namespace weir {
namespace {

char const* kind_of(Array const& array) { return array.attribute_of ? "attribute" : "dataset"; }

/// Ranks transfer hyperslabs of datasets; an attribute is transferred by all ranks together, for rank 0.
class Hdf5ArrayFile final : public Hdf5OpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    Hdf5ArrayFile(OpenRequest const& request, Hdf5Settings const& settings)
        : Hdf5OpenFile(request, settings),
          settings_(settings),
          arrays_(request.arrays),
          stored_(arrays_.size()),
          made_(request.makes.value_or(IndexRange{0, arrays_.size()})),
          nothing_(no_memory()) {
        finish_opening([&] { request.mode == OpenMode::create || request.makes ? make_all() : open_all(); },
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
    [[nodiscard]] bool takes_many_parts() const override { return true; }

    /// HDF5 would make a collective transfer independent if it had to convert numbers.
    [[nodiscard]] bool takes_strided(Array const& array, StridedMemory const& memory) const override {
        return !array.attribute_of && (!collective_ || memory.element == array.element);
    }

    [[nodiscard]] bool moves_together(Array const& array) const override { return array.attribute_of.has_value(); }

    /// On all ranks alike.
    void begin_part(PartRequest const& request) override {
        if (request.writes && !collective_ && settings_.compresses(request.of.what)) {
            refuse_independent_compression(request.of.what.name);
        }
    }

    void write_part(PartRequest const& request, std::span<std::byte const> data) override {
        if (moves_together(request.of.what)) {
            write_attribute(request, data);
            return;
        }
        auto const* const strided = request.memory;
        auto const type = strided != nullptr ? type_of(strided->element) : Hdf5Handle();
        move(IoCall::write, request, [&](Stored const& stored, hid_t memory, std::size_t from) {
            return H5Dwrite(stored.data.get(), strided != nullptr ? type.get() : stored.type.get(), memory,
                            stored.space.get(), transfer_.get(),
                            strided != nullptr ? strided->data : data.data() + from);
        });
    }

    std::size_t read_part(PartRequest const& request, std::span<std::byte> data) override {
        if (moves_together(request.of.what)) {
            read_attribute(request, data);
            return data.size();
        }
        move(IoCall::read, request, [&](Stored const& stored, hid_t memory, std::size_t from) {
            return H5Dread(stored.data.get(), stored.type.get(), memory, stored.space.get(), transfer_.get(),
                           data.data() + from);
        });
        return data.size();
    }

    void preallocate(std::uint64_t bytes) override { reserve(bytes); }

    void close() override {
        attempt(IoCall::close, 0, [&] { return close_all(); });
    }

  private:
    /// A dataset or an attribute.
    struct Stored {
        Hdf5Handle type{};
        Hdf5Handle data{};
        Hdf5Handle space{};
    };

    void make_all() {
        attempt("make datasets in", [&] {
            herr_t status = 0;
            for (auto i = made_.first; i < made_.first + made_.count; ++i) {
                status = std::min(status, make(i));
            }
            return status;
        });
    }

    /// Makes a dataset or attribute, unless it is there; the array that an attribute belongs to is made before.
    /// Collective.
    herr_t make(std::size_t index) {
        auto const& array = arrays_[index];
        auto& stored = stored_[index];
        if (stored.data.open()) {
            return 0;
        }
        stored.type = type_of(array.element);
        stored.space = space_of(array.shape);
        if (array.attribute_of) {
            make_attribute(index, stored);
        } else {
            auto const chunked = settings_.chunks(array) ? chunked_layout(array, settings_) : Hdf5Handle();
            auto const& layout = chunked.open() ? chunked : contiguous_;
            auto const create = [&] {
                return H5Dcreate2(file_.get(), array.name.c_str(), stored.type.get(), stored.space.get(),
                                  with_groups_.get(), layout.get(), within_file_.get());
            };
            stored.data = {FileTimes::spend(times_, index, &ArrayTimes::create, create), H5Dclose};
        }
        return stored.data.open() ? 0 : -1;
    }

    void make_attribute(std::size_t index, Stored& stored) {
        auto const& array = arrays_[index];
        auto const is_owner = [&](Array const& one) { return !one.attribute_of && one.name == *array.attribute_of; };
        auto const owner = std::ranges::find_if(arrays_, is_owner);
        if (owner == arrays_.end() || make(static_cast<std::size_t>(owner - arrays_.begin())) == 0) {
            Hdf5Handle object;  // closing it would clear HDF5's reason of a failure
            auto const create = [&] {
                object = owner_of(array);
                return object.open() ? H5Acreate2(object.get(), array.name.c_str(), stored.type.get(),
                                                  stored.space.get(), H5P_DEFAULT, H5P_DEFAULT)
                                     : H5I_INVALID_HID;
            };
            stored.data = {FileTimes::spend(times_, index, &ArrayTimes::attribute, create), H5Aclose};
        }
    }

    /// What an attribute belongs to: the file's own attributes are those of its root group. HDF5 1.10's functions that
    /// find an attribute by its object's name take it for one of the same name of another object.
    [[nodiscard]] Hdf5Handle owner_of(Array const& attribute) const {
        auto const& name = *attribute.attribute_of;
        return {H5Oopen(file_.get(), name.empty() ? "/" : name.c_str(), of_owners_.get()), H5Oclose};
    }

    void open_all() {
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            open(arrays_[i], stored_[i]);
        }
    }

    void open(Array const&, Stored&);

    void write_attribute(PartRequest const& request, std::span<std::byte const> data) {
        auto const bytes = on_all_ranks(request, data);
        if (bytes.empty()) {
            return;  // rank 0 has the file open through another handle
        }
        auto const& stored = stored_.at(request.of.array);
        attempt(IoCall::write, request.section ? bytes.size() : 0,
                [&] { return H5Awrite(stored.data.get(), stored.type.get(), bytes.data()); });
    }

    /// By all ranks, since metadata may be read collectively.
    void read_attribute(PartRequest const& request, std::span<std::byte> data) {
        auto const& stored = stored_.at(request.of.array);
        std::vector<std::byte> bytes(bytes_of(request.of.what));
        attempt(IoCall::read, request.section ? bytes.size() : 0,
                [&] { return H5Aread(stored.data.get(), stored.type.get(), bytes.data()); });
        std::copy_n(bytes.begin(), std::min(bytes.size(), data.size()), data.begin());
    }

    /// The part in memory: a section of it, packed, or all of it where the program has it.
    static Hdf5Handle memory_of(PartRequest const& request, hsize_t elements) {
        return request.memory != nullptr ? space_of(*request.memory)
                                         : Hdf5Handle(H5Screate_simple(1, &elements, nullptr), H5Sclose);
    }

    /// Selects this rank's part in file and memory, and calls `transfer(stored, memory, place in memory)`.
    template <class Transfer>
    void move(IoCall what, PartRequest const& request, Transfer transfer) {
        auto& stored = stored_.at(request.of.array);
        auto const& array = arrays_[request.of.array];
        if (bytes_of(array) == 0) {
            return;  // it has no offset in the file, and the library refuses an empty transfer to it
        }
        auto const one = [&](std::span<Section const> parts) {
            hsize_t elements = 0;
            for (auto const& part : parts) {
                elements += part.bytes() / array.element.bytes;
            }
            auto const memory = elements > 0 ? memory_of(request, elements) : Hdf5Handle();
            auto const call = [&] {
                auto const selected = select(stored.space.get(), parts);
                return selected < 0    ? selected
                       : elements == 0 ? transfer(stored, nothing_.get(), 0)
                                       : transfer(stored, memory.get(), static_cast<std::size_t>(parts[0].memory));
            };
            if (elements > 0) {
                attempt(what, elements * array.element.bytes, call);
            } else {
                attempt(to_text(what).data(), call);  // for the others: no request of this rank
            }
        };
        auto const mine = request.section ? std::span(&*request.section, 1) : request.parts;
        if (collective_) {
            one(mine);
            check_collective();
        } else if (request.memory != nullptr || !request.parts.empty()) {
            one(mine);  // its requests are as long as its rows
        } else if (request.section) {
            for (auto const& section : cut(*request.section, largest_piece)) {
                one({&section, 1});
            }
        }
    }

    herr_t close_all() {
        herr_t worst = 0;
        for (auto& stored : stored_) {
            worst = std::min({worst, stored.data.close(), stored.type.close(), stored.space.close()});
        }
        return std::min(worst, file_.close());
    }

    Hdf5Settings settings_;
    std::vector<Array> arrays_;
    std::vector<Stored> stored_;
    IndexRange made_;  ///< the arrays that opening the file has made
    Hdf5Handle nothing_;
    Hdf5Handle of_owners_ = access_within_file(H5P_LINK_ACCESS);
    Hdf5Handle contiguous_ = whole_layout();   ///< the layout of most datasets
    Hdf5Handle with_groups_ = makes_groups();  ///< those of a name like "group/dataset" are made
};

void Hdf5ArrayFile::open(Array const& array, Stored& stored) {
    auto const what = fmt::format("the {} '{}' of '{}'", kind_of(array), array.name, path_);
    Hdf5Handle owner;  // closing it would clear HDF5's reason of a failure
    attempt(fmt::format("open the {} '{}' of", kind_of(array), array.name).c_str(), [&] {
        if (array.attribute_of) {
            owner = owner_of(array);
            stored.data = {owner.open() ? H5Aopen(owner.get(), array.name.c_str(), H5P_DEFAULT) : -1, H5Aclose};
            stored.space = {stored.data.open() ? H5Aget_space(stored.data.get()) : -1, H5Sclose};
            stored.type = {stored.data.open() ? H5Aget_type(stored.data.get()) : -1, H5Tclose};
        } else {
            stored.data = {open_own_dataset(file_.get(), array.name.c_str(), within_file_.get()), H5Dclose};
            stored.space = {stored.data.open() ? H5Dget_space(stored.data.get()) : -1, H5Sclose};
            stored.type = {stored.data.open() ? H5Dget_type(stored.data.get()) : -1, H5Tclose};
        }
        return stored.space.open() && stored.type.open() ? 0 : -1;
    });
    validate(H5Sextent_equal(stored.space.get(), space_of(array.shape).get()) > 0,
             fmt::format("{} has another shape than {}", what, join(array.shape, " x ")),
             "it was not written as this array", "Write it first, with the same shape.");
    validate(holds(stored.type.get(), array.element), fmt::format("{} has another type of element", what),
             fmt::format("its elements are of another kind, size, byte order or members than {}, in this machine's "
                         "byte order",
                         to_text(array.element)),
             "Write it first, with the same type.");
}

}  // namespace

std::unique_ptr<OpenFile> open_arrays(OpenRequest const& request, Hdf5Settings const& settings) {
    return std::make_unique<Hdf5ArrayFile>(request, settings);
}

}  // namespace weir
