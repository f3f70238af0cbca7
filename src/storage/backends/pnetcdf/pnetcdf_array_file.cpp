#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/join.hpp"
#include "storage/backends/pnetcdf/pnetcdf_open_file.hpp"

namespace weir {
namespace {

/// The type in the file, and that in memory.
struct Type {
    nc_type file;
    MPI_Datatype memory;
};

Type type_of(Element element) {
    auto const whole = [&](std::array<Type, 4> by_size) {
        return by_size[element.bytes == 1 ? 0 : element.bytes == 2 ? 1 : element.bytes == 4 ? 2 : 3];
    };
    switch (element.kind) {
        case Element::Kind::integer:
            return whole(
                {{{NC_BYTE, MPI_SIGNED_CHAR}, {NC_SHORT, MPI_SHORT}, {NC_INT, MPI_INT}, {NC_INT64, MPI_LONG_LONG}}});
        case Element::Kind::natural:
            return whole({{{NC_UBYTE, MPI_UNSIGNED_CHAR},
                           {NC_USHORT, MPI_UNSIGNED_SHORT},
                           {NC_UINT, MPI_UNSIGNED},
                           {NC_UINT64, MPI_UNSIGNED_LONG_LONG}}});
        case Element::Kind::real:
            return element.bytes == 4 ? Type{NC_FLOAT, MPI_FLOAT} : Type{NC_DOUBLE, MPI_DOUBLE};
        case Element::Kind::text:
            break;
    }
    return {NC_CHAR, MPI_CHAR};
}

bool is_text(Array const& array) { return array.element.kind == Element::Kind::text; }

/// The lengths of a variable's dimensions.
std::vector<std::uint64_t> lengths_of(Array const& array) {
    auto lengths = array.shape;
    if (is_text(array)) {
        lengths.push_back(array.element.bytes);
    }
    return lengths;
}

/// A part as boxes whose elements are consecutive in file order: if a dimension has several blocks, the slower
/// dimensions are walked index by index.
struct Boxes {
    std::vector<MPI_Offset> numbers;  ///< start and count of each box, consecutively
    std::size_t dims = 0;
    std::vector<MPI_Offset*> starts, counts;

    Boxes(Section const& section, Array const& array) : dims(array.shape.size() + (is_text(array) ? 1 : 0)) {
        add(section, 0, {}, {});
        for (std::size_t at = 0; at < numbers.size(); at += 2 * dims) {
            starts.push_back(numbers.data() + at);
            counts.push_back(numbers.data() + at + dims);
        }
    }

  private:
    void add(Section const& section, std::size_t k, std::vector<MPI_Offset> start, std::vector<MPI_Offset> count) {
        if (k == dims) {
            numbers.insert(numbers.end(), start.begin(), start.end());
            numbers.insert(numbers.end(), count.begin(), count.end());
            return;
        }
        auto const& dim = section.dim[k];
        auto const faster = section.all().subspan(k + 1);
        auto const in_order = std::ranges::all_of(faster, &Dim::one_block);
        auto const block = !in_order ? 1 : dim.one_block() ? dim.owned : dim.block;
        start.push_back(0);
        count.push_back(0);
        for (std::uint64_t from = 0; from < dim.owned; from += block) {
            start.back() = static_cast<MPI_Offset>(dim.place(from));
            count.back() = static_cast<MPI_Offset>(std::min(block, dim.owned - from));
            add(section, k + 1, start, count);
        }
    }
};

/// A netCDF file of arrays: one variable per array, with its name, type and shape; ranks transfer parts. A dimension is
/// named by its index and length: "axis_0_of_64"; text has one more, of its characters. An array without elements has
/// no variable, since a dimension of length 0 would be an unlimited one.
class PnetcdfArrayFile final : public PnetcdfOpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    explicit PnetcdfArrayFile(OpenRequest const& request) : PnetcdfOpenFile(request), arrays_(request.arrays) {
        finish_opening(
            [&] {
                attempt(request.mode == OpenMode::create ? "create variables in" : "find the variables of", [&] {
                    auto const status = request.mode == OpenMode::create ? define() : find();
                    return status == NC_NOERR && !collective_ ? ncmpi_begin_indep_data(file_) : status;
                });
            },
            [&] { close_all(); });
    }

    ~PnetcdfArrayFile() override {
        WriteWatch const watch(lost_);
        close_all();
    }

    void set_collective(bool collective) override {
        if (collective == collective_) {
            return;
        }
        collective_ = collective;
        attempt("change the mode of",
                [&] { return collective ? ncmpi_end_indep_data(file_) : ncmpi_begin_indep_data(file_); });
    }

    /// Refused: the format has no bytes outside arrays.
    void write(Operation const&, std::span<std::byte const>) override { refuse_bytes(path_, "netCDF"); }
    std::size_t read(Operation const&, std::span<std::byte>) override { refuse_bytes(path_, "netCDF"); }
    [[nodiscard]] bool takes_parts() const override { return true; }

    void write_part(PartRequest const& request, std::span<std::byte const> data) override {
        attempt(IoCall::write, data.size(),
                [&] { return move(request, NC_PUT_REQ_ALL, data.data(), ncmpi_iput_var, ncmpi_iput_varn); });
    }

    std::size_t read_part(PartRequest const& request, std::span<std::byte> data) override {
        attempt(IoCall::read, data.size(),
                [&] { return move(request, NC_GET_REQ_ALL, data.data(), ncmpi_iget_var, ncmpi_iget_varn); });
        return data.size();
    }

    void preallocate(std::uint64_t bytes) override {
        std::uint64_t end = 0;
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            end = variables_[i] < 0 ? end : std::max(end, begin_of(variables_[i]) + bytes_of(arrays_[i]));
        }
        reserve(std::max(bytes, end));
    }

    void sync() override {
        attempt(IoCall::sync, 0, [&] { return ncmpi_sync(file_); });
    }

    void close() override {
        attempt(IoCall::close, 0, [&] { return close_all(); });
    }

  private:
    int define() {
        auto status = ncmpi_set_fill(file_, NC_NOFILL, nullptr);
        // Arrays of the same shape share dimensions, and none uses one twice, since some readers (xarray) cannot tell
        // the two apart.
        std::map<std::pair<std::size_t, std::uint64_t>, int> dimensions;
        auto const dimension_of = [&](std::size_t axis, std::uint64_t length) {
            auto const [known, is_new] = dimensions.try_emplace({axis, length}, 0);
            if (is_new && status == NC_NOERR) {
                status = ncmpi_def_dim(file_, fmt::format("axis_{}_of_{}", axis, length).c_str(),
                                       static_cast<MPI_Offset>(length), &known->second);
            }
            return known->second;
        };
        for (auto const& array : arrays_) {
            variables_.push_back(-1);
            if (bytes_of(array) == 0) {
                continue;
            }
            std::vector<int> dims;
            for (auto const length : lengths_of(array)) {
                dims.push_back(dimension_of(dims.size(), length));
            }
            if (status == NC_NOERR) {
                status = ncmpi_def_var(file_, array.name.c_str(), type_of(array.element).file,
                                       static_cast<int>(dims.size()), dims.data(), &variables_.back());
            }
        }
        // Called by all ranks, also failed ones: it is collective.
        auto const ended = ncmpi_enddef(file_);
        return status == NC_NOERR ? ended : status;
    }

    int find();

    /// Posts this rank's part, in requests that the library takes, by its call for a variable without dimensions or the
    /// one for boxes, and waits for it.
    template <class Data, class OfOne, class OfBoxes>
    int move(PartRequest const& request, int all, Data* data, OfOne of_one, OfBoxes of_boxes) {
        auto const& array = arrays_.at(request.of.array);
        auto const variable = variables_[request.of.array];
        auto const in_memory = is_text(array) ? 1 : array.element.bytes;
        auto const type = type_of(array.element).memory;
        int status = NC_NOERR;
        if (request.section && request.section->bytes() > 0) {
            for (auto const& section : cut(*request.section, largest_piece)) {
                Boxes boxes(section, array);
                auto const elements = static_cast<MPI_Offset>(section.bytes() / in_memory);
                auto* const place = data + section.memory;
                auto const one = boxes.dims == 0 ? of_one(file_, variable, place, elements, type, nullptr)
                                                 : of_boxes(file_, variable, static_cast<int>(boxes.starts.size()),
                                                            boxes.starts.data(), boxes.counts.data(), place, elements,
                                                            type, nullptr);
                status = status == NC_NOERR ? one : status;
            }
        }
        auto const waited =
            collective_ ? ncmpi_wait_all(file_, all, nullptr, nullptr) : ncmpi_wait(file_, all, nullptr, nullptr);
        return status == NC_NOERR ? waited : status;
    }

    int close_all() { return file_ < 0 ? NC_NOERR : ncmpi_close(std::exchange(file_, -1)); }

    std::vector<Array> arrays_;
    std::vector<int> variables_;  ///< -1: none
};

int PnetcdfArrayFile::find() {
    for (auto const& array : arrays_) {
        variables_.push_back(-1);
        if (bytes_of(array) == 0) {
            continue;
        }
        auto& variable = variables_.back();
        int dims = 0;
        auto status = ncmpi_inq_varid(file_, array.name.c_str(), &variable);
        status = status == NC_NOERR ? ncmpi_inq_varndims(file_, variable, &dims) : status;
        if (status != NC_NOERR) {
            return status;
        }
        std::vector<int> ids(static_cast<std::size_t>(dims));
        ncmpi_inq_vardimid(file_, variable, ids.data());
        std::vector<std::uint64_t> lengths;
        for (auto const id : ids) {
            MPI_Offset length = 0;
            ncmpi_inq_dimlen(file_, id, &length);
            lengths.push_back(static_cast<std::uint64_t>(length));
        }
        validate(lengths == lengths_of(array),
                 fmt::format("the variable '{}' of '{}' has another shape than {}", array.name, path_,
                             join(array.shape, " x ")),
                 "it was not written as this array", "Write it first, with the same shape.");
        nc_type stored = NC_NAT;
        ncmpi_inq_vartype(file_, variable, &stored);
        validate(stored == type_of(array.element).file,
                 fmt::format("the variable '{}' of '{}' has another type of element", array.name, path_),
                 fmt::format("the elements of '{}' are of another kind or size than {} bytes", array.name,
                             array.element.bytes),
                 "Write it first, with the same type.");
    }
    return NC_NOERR;
}

}  // namespace

std::unique_ptr<OpenFile> open_arrays(OpenRequest const& request) {
    return std::make_unique<PnetcdfArrayFile>(request);
}

}  // namespace weir
