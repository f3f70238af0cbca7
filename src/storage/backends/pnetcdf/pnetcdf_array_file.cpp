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
struct StoredType {
    nc_type file;
    MPI_Datatype memory;
};

StoredType type_of(Element element) {
    auto const whole = [&](std::array<StoredType, 4> by_size) {
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
            return element.bytes == 4 ? StoredType{NC_FLOAT, MPI_FLOAT} : StoredType{NC_DOUBLE, MPI_DOUBLE};
        default:  // text, since compounds are refused
            break;
    }
    return {NC_CHAR, MPI_CHAR};
}

bool is_attribute(Array const& array) { return array.attribute_of.has_value(); }

bool is_text(Array const& array) { return array.element.kind == Element::Kind::text; }

/// Bytes of what the library counts: elements, or characters.
std::uint64_t in_memory(Array const& array) { return is_text(array) ? 1 : array.element.bytes; }

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
/// no variable, since a dimension of length 0 would be an unlimited one, and nor has it attributes.
///
/// A new file with attributes stays in define mode until an access needs its data: so attributes that are written
/// first, as programs write them, are part of the header before it is written.
class PnetcdfArrayFile final : public PnetcdfOpenFile {
  public:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    explicit PnetcdfArrayFile(OpenRequest const& request) : PnetcdfOpenFile(request), arrays_(request.arrays) {
        finish_opening(
            [&] {
                attempt(request.mode == OpenMode::create ? "create variables in" : "find the variables of", [&] {
                    if (request.mode != OpenMode::create) {
                        return to_data_mode(find());
                    }
                    auto const status = define();
                    defining_ = std::ranges::any_of(arrays_, is_attribute);
                    return status == NC_NOERR && defining_ ? status : to_data_mode(status, true);
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
        if (!defining_) {
            attempt("change the mode of", [&] { return to_mode(collective); });
        }
    }

    /// Refused: the format has no bytes outside arrays.
    void write(Operation const&, std::span<std::byte const>) override { refuse_bytes(path_, "netCDF"); }
    std::size_t read(Operation const&, std::span<std::byte>) override { refuse_bytes(path_, "netCDF"); }
    [[nodiscard]] bool takes_parts() const override { return true; }
    [[nodiscard]] bool moves_together(Array const& array) const override { return is_attribute(array); }

    void begin_part(PartRequest const& request) override {
        if (!is_attribute(request.of.what)) {
            FileTimes::add_time(times_, times_ == nullptr ? nullptr : &times_->open_s, [&] { end_definitions(); });
        }
    }

    void write_part(PartRequest const& request, std::span<std::byte const> data) override {
        if (is_attribute(request.of.what)) {
            write_attribute(request, data);
            return;
        }
        attempt(IoCall::write, data.size(),
                [&] { return move(request, NC_PUT_REQ_ALL, data.data(), ncmpi_iput_var, ncmpi_iput_varn); });
    }

    std::size_t read_part(PartRequest const& request, std::span<std::byte> data) override {
        if (is_attribute(request.of.what)) {
            read_attribute(request, data);
            return data.size();
        }
        attempt(IoCall::read, data.size(),
                [&] { return move(request, NC_GET_REQ_ALL, data.data(), ncmpi_iget_var, ncmpi_iget_varn); });
        return data.size();
    }

    void preallocate(std::uint64_t bytes) override {
        end_definitions();
        std::uint64_t end = 0;
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            end = variables_[i] == none ? end : std::max(end, begin_of(variables_[i]) + bytes_of(arrays_[i]));
        }
        reserve(std::max(bytes, end));
    }

    void sync() override {
        end_definitions();
        attempt(IoCall::sync, 0, [&] { return ncmpi_sync(file_); });
    }

    void close() override {
        attempt(IoCall::close, 0, [&] { return close_all(); });
    }

  private:
    static constexpr int none = -2;  ///< no variable; NC_GLOBAL is the file

    /// Defines dimensions, variables and attributes, those with zeros; returns the first failure.
    int define() {
        auto status = ncmpi_set_fill(file_, NC_NOFILL, nullptr);
        variables_.assign(arrays_.size(), none);
        for (std::size_t i = 0; i < arrays_.size() && status == NC_NOERR; ++i) {
            if (!is_attribute(arrays_[i]) && bytes_of(arrays_[i]) > 0) {
                status = FileTimes::spend(times_, i, &ArrayTimes::create, [&] { return define_variable(i); });
            }
        }
        for (std::size_t i = 0; i < arrays_.size() && status == NC_NOERR; ++i) {
            if (is_attribute(arrays_[i])) {
                variables_[i] = owner_of(arrays_[i]);
                std::vector<std::byte> const zeros(bytes_of(arrays_[i]));
                status = FileTimes::spend(times_, i, &ArrayTimes::attribute, [&] { return put_attribute(i, zeros); });
            }
        }
        return status;
    }

    /// Arrays of the same shape share dimensions, and none uses one twice, since some readers (xarray) cannot tell the
    /// two apart.
    int define_variable(std::size_t index) {
        auto const& array = arrays_[index];
        std::vector<int> dims;
        for (auto const length : lengths_of(array)) {
            auto const [known, is_new] = dimensions_.try_emplace({dims.size(), length}, 0);
            auto const name = fmt::format("axis_{}_of_{}", dims.size(), length);
            auto const status =
                is_new ? ncmpi_def_dim(file_, name.c_str(), static_cast<MPI_Offset>(length), &known->second) : NC_NOERR;
            if (status != NC_NOERR) {
                return status;
            }
            dims.push_back(known->second);
        }
        return ncmpi_def_var(file_, array.name.c_str(), type_of(array.element).file, static_cast<int>(dims.size()),
                             dims.data(), &variables_[index]);
    }

    /// The variable that an attribute belongs to, or the file.
    [[nodiscard]] int owner_of(Array const& attribute) const {
        if (attribute.attribute_of->empty()) {
            return NC_GLOBAL;
        }
        auto const owns = [&](Array const& array) {
            return !is_attribute(array) && array.name == *attribute.attribute_of;
        };
        auto const owner = std::ranges::find_if(arrays_, owns);
        if (owner != arrays_.end()) {
            return variables_[static_cast<std::size_t>(owner - arrays_.begin())];
        }
        int variable = none;  // the arrays are a part of those in the file
        return ncmpi_inq_varid(file_, attribute.attribute_of->c_str(), &variable) == NC_NOERR ? variable : none;
    }

    int put_attribute(std::size_t index, std::span<std::byte const> bytes) {
        auto const& array = arrays_[index];
        return variables_[index] == none
                   ? NC_NOERR
                   : ncmpi_put_att(file_, variables_[index], array.name.c_str(), type_of(array.element).file,
                                   static_cast<MPI_Offset>(bytes.size() / in_memory(array)), bytes.data());
    }

    /// `status`, or that of what comes next: the end of define mode, if it is on, which is collective, so that all
    /// ranks call it, also failed ones; then the mode of the requests.
    int to_data_mode(int status, bool defining = false) {
        auto const ended = defining ? ncmpi_enddef(file_) : NC_NOERR;
        status = status == NC_NOERR ? ended : status;
        return status == NC_NOERR && !collective_ ? ncmpi_begin_indep_data(file_) : status;
    }

    /// From one mode of requests to the other.
    [[nodiscard]] int to_mode(bool collective) const {
        return collective ? ncmpi_end_indep_data(file_) : ncmpi_begin_indep_data(file_);
    }

    /// Collective.
    void end_definitions() {
        if (std::exchange(defining_, false)) {
            attempt("write the header of", [&] { return to_data_mode(NC_NOERR, true); });
        }
    }

    /// Attributes are written in define mode, or in collective mode, where the header is written again.
    void write_attribute(PartRequest const& request, std::span<std::byte const> data) {
        auto const bytes = on_all_ranks(request, data);
        if (bytes.empty()) {
            return;  // rank 0 has the file open through another handle
        }
        attempt(IoCall::write, request.section ? bytes.size() : 0, [&] {
            auto const changes = !defining_ && !collective_;
            auto const before = changes ? to_mode(true) : NC_NOERR;
            auto const put = put_attribute(request.of.array, bytes);
            auto const after = changes ? to_mode(false) : NC_NOERR;
            return before != NC_NOERR ? before : put != NC_NOERR ? put : after;
        });
    }

    void read_attribute(PartRequest const& request, std::span<std::byte> data) {
        auto const variable = variables_.at(request.of.array);
        auto const& array = arrays_[request.of.array];
        std::vector<std::byte> bytes(bytes_of(array));
        attempt(IoCall::read, request.section ? bytes.size() : 0, [&] {
            return variable == none ? NC_NOERR : ncmpi_get_att(file_, variable, array.name.c_str(), bytes.data());
        });
        std::copy_n(bytes.begin(), std::min(bytes.size(), data.size()), data.begin());
    }

    int find();
    int find_variable(Array const&, int& variable) const;
    int find_attribute(Array const&, int variable) const;
    void refuse_unless_alike(char const* kind, Array const&, bool same_shape, nc_type stored) const;

    /// Posts this rank's part, in requests that the library takes, by its call for a variable without dimensions or the
    /// one for boxes, and waits for it.
    template <class Data, class OfOne, class OfBoxes>
    int move(PartRequest const& request, int all, Data* data, OfOne of_one, OfBoxes of_boxes) {
        auto const& array = arrays_.at(request.of.array);
        auto const variable = variables_[request.of.array];
        auto const type = type_of(array.element).memory;
        int status = NC_NOERR;
        if (request.section && request.section->bytes() > 0) {
            for (auto const& section : cut(*request.section, largest_piece)) {
                Boxes boxes(section, array);
                auto const elements = static_cast<MPI_Offset>(section.bytes() / in_memory(array));
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
    std::vector<int> variables_;                                       ///< of each array; an attribute's owner
    std::map<std::pair<std::size_t, std::uint64_t>, int> dimensions_;  ///< by index and length
    bool defining_ = false;                                            ///< is the file in define mode?
};

int PnetcdfArrayFile::find() {
    auto status = NC_NOERR;
    variables_.assign(arrays_.size(), none);
    for (std::size_t i = 0; i < arrays_.size() && status == NC_NOERR; ++i) {
        if (!is_attribute(arrays_[i]) && bytes_of(arrays_[i]) > 0) {
            status = find_variable(arrays_[i], variables_[i]);
        }
    }
    for (std::size_t i = 0; i < arrays_.size() && status == NC_NOERR; ++i) {
        if (is_attribute(arrays_[i])) {
            variables_[i] = owner_of(arrays_[i]);
            status = variables_[i] == none ? NC_NOERR : find_attribute(arrays_[i], variables_[i]);
        }
    }
    return status;
}

int PnetcdfArrayFile::find_variable(Array const& array, int& variable) const {
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
    nc_type stored = NC_NAT;
    ncmpi_inq_vartype(file_, variable, &stored);
    refuse_unless_alike("variable", array, lengths == lengths_of(array), stored);
    return NC_NOERR;
}

int PnetcdfArrayFile::find_attribute(Array const& array, int variable) const {
    nc_type stored = NC_NAT;
    MPI_Offset length = 0;
    auto const status = ncmpi_inq_att(file_, variable, array.name.c_str(), &stored, &length);
    if (status == NC_NOERR) {
        auto const bytes = static_cast<std::uint64_t>(length) * in_memory(array);
        refuse_unless_alike("attribute", array, bytes == bytes_of(array), stored);
    }
    return status;
}

void PnetcdfArrayFile::refuse_unless_alike(char const* kind, Array const& array, bool same_shape,
                                           nc_type stored) const {
    auto const what = fmt::format("the {} '{}' of '{}'", kind, array.name, path_);
    validate(same_shape, fmt::format("{} has another shape than {}", what, join(array.shape, " x ")),
             "it was not written as this array", "Write it first, with the same shape.");
    validate(stored == type_of(array.element).file, fmt::format("{} has another type of element", what),
             fmt::format("its elements are of another kind or size than {}", to_text(array.element)),
             "Write it first, with the same type.");
}

}  // namespace

std::unique_ptr<OpenFile> open_arrays(OpenRequest const& request) {
    return std::make_unique<PnetcdfArrayFile>(request);
}

}  // namespace weir
