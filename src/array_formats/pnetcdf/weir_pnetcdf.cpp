// The C interface of the library for classic netCDF files.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "array_formats/common/format_call.hpp"
#include "array_formats/pnetcdf/variable.hpp"
#include "comm/collective_error_c.hpp"
#include "core/classic_netcdf.hpp"
#include "weir/pnetcdf.h"

namespace weir::formats {
namespace {

/// Variables of new files are aligned to this if one is as large, so that no two share a stripe of the file system.
constexpr std::uint64_t alignment = 1 << 20;

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }

std::uint64_t size_of(Variable const& variable) {
    std::uint64_t bytes = variable.array.element_bytes;
    for (auto const n : larger_of(variable.array)) {
        bytes *= n;
    }
    return bytes;
}

/// A classic netCDF file of this process alone. All members throw Failure.
class NetcdfFile {
  public:
    /// For writing, it is created if it does not exist.
    NetcdfFile(std::string path, Use use) : path_(std::move(path)), use_(use) {
        is_new_ = use == Use::write && ::access(path_.c_str(), F_OK) != 0;
        if (!is_new_) {
            need(open_classic_netcdf(MPI_COMM_SELF, path_, use == Use::read ? NC_NOWRITE : NC_WRITE, MPI_INFO_NULL,
                                     &id_),
                 fmt::format("{} cannot be opened", path_),
                 "Name a classic netCDF file (CDF-1, -2 or -5), or one that is not there yet; netCDF-4 is for "
                 "weir/hdf5.h.");
        }
    }

    ~NetcdfFile() {
        if (id_ >= 0) {
            ncmpi_abort(id_);  // removes a file that has just been created
        }
    }

    NetcdfFile(NetcdfFile const&) = delete;
    NetcdfFile& operator=(NetcdfFile const&) = delete;

    /// Offsets of the variables' data, or of one record of it. For writing, missing variables are created: none if one
    /// of the existing ones does not fit its array, or one without elements would get records.
    std::vector<std::int64_t> offsets(std::vector<Variable> const& all, std::int64_t record) {
        std::vector<Variable> missing;
        for (auto const& variable : all) {
            if (use_ == Use::read || holds(variable.name)) {
                check_fits(variable);
            } else {
                missing.push_back(variable);
            }
        }
        if (use_ == Use::write) {
            check_records(all);
        }
        if (!missing.empty()) {
            define(missing);
        }
        std::vector<std::int64_t> offsets;
        offsets.reserve(all.size());
        for (auto const& variable : all) {
            offsets.push_back(offset(variable, record));
        }
        end_ = end(std::max(records(), records_to_come_));
        return offsets;
    }

    /// After offsets(): the file, closed, has the length that the format requires with these variables.
    void close() {
        auto const id = std::exchange(id_, -1);
        need(ncmpi_close(id), fmt::format("{} cannot be closed", path_), "Is there space left?");
        // The format pads variables to 4 bytes, and readers require the padding of the last one too.
        std::error_code error;
        if (use_ == Use::write && std::filesystem::file_size(path_, error) < end_) {
            std::filesystem::resize_file(path_, end_, error);
        }
        if (error) {
            fail(WEIR_IO, fmt::format("{} cannot be made {} bytes long", path_, end_), error.message(),
                 "Is there space left?");
        }
    }

    /// The number of records to set in the file's header once their data is written; 0: unchanged.
    [[nodiscard]] std::uint64_t records_to_come() const { return records_to_come_; }

  private:
    struct FoundVariable {
        nc_type type = NC_NAT;
        bool grows = false;
        Extents shape;  ///< without the dimension along which it grows
        std::int64_t begin = 0;
        std::uint64_t bytes = 0;  ///< of the variable, or of a record if it grows; with the format's padding
    };

    void define(std::vector<Variable> const& missing) {
        auto const problem = fmt::format("{} cannot be given new variables", path_);
        char const* const suggestion = "Does the file's format have their types, and is there space left?";
        if (is_new_) {
            MPI_Info hints = MPI_INFO_NULL;
            MPI_Info_create(&hints);
            if (std::ranges::any_of(missing, [](auto const& variable) { return size_of(variable) >= alignment; })) {
                MPI_Info_set(hints, "nc_var_align_size", std::to_string(alignment).c_str());
            }
            auto const status = ncmpi_create(MPI_COMM_SELF, path_.c_str(), NC_NOCLOBBER | NC_64BIT_DATA, hints, &id_);
            MPI_Info_free(&hints);
            need(status, fmt::format("{} cannot be created", path_),
                 "Does its directory exist, and may you write there?");
        } else {
            need(ncmpi_redef(id_), problem, suggestion);
        }
        for (auto const& variable : missing) {
            std::vector<int> dimensions;
            auto names = variable.dimensions;
            auto const shape = larger_of(variable.array);
            if (variable.grows()) {
                dimensions.push_back(dimension(names.front(), NC_UNLIMITED));
                names.erase(names.begin());
            }
            for (std::size_t k = 0; k < shape.size(); ++k) {
                dimensions.push_back(dimension(names.empty() ? fmt::format("dim_{}", shape[k]) : names[k], shape[k]));
            }
            int created = 0;
            need(ncmpi_def_var(id_, variable.name.c_str(), variable.type, static_cast<int>(dimensions.size()),
                               dimensions.data(), &created),
                 fmt::format("{} gets no variable {}", path_, variable.name), suggestion);
        }
        need(ncmpi_enddef(id_), problem, suggestion);
    }

    /// All variables along the unlimited dimension have the same number of records.
    void check_records(std::vector<Variable> const& all) const {
        auto const empty = std::ranges::find_if(all, &Variable::empty);
        auto const more = std::ranges::find_if(all, [&](Variable const& variable) {
            return variable.grows() || (holds(variable.name) && !variable.empty() && found(id_of(variable)).grows);
        });
        if (empty == all.end() || (more == all.end() && (is_new_ || records() == 0))) {
            return;
        }
        fail(WEIR_BAD_ARGUMENT, fmt::format("variable {} of {} cannot be without elements", empty->name, path_),
             more == all.end() ? fmt::format("the file has {} records", records())
                               : fmt::format("variable {} has records", more->name),
             "Of the two, put one into another file.");
    }

    int dimension(std::string const& name, std::uint64_t length) {
        int id = -1;
        if (ncmpi_inq_dimid(id_, name.c_str(), &id) != NC_NOERR) {
            need(ncmpi_def_dim(id_, name.c_str(), static_cast<MPI_Offset>(length), &id),
                 fmt::format("{} gets no dimension {}", path_, name), "A file has one unlimited dimension at most.");
            return id;
        }
        MPI_Offset there = 0;
        int unlimited = -1;
        ncmpi_inq_dimlen(id_, id, &there);
        ncmpi_inq_unlimdim(id_, &unlimited);
        bool const same = length == NC_UNLIMITED ? id == unlimited : static_cast<std::uint64_t>(there) == length;
        if (!same || (length != NC_UNLIMITED && id == unlimited)) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("dimension {} of {} has another length", name, path_),
                 fmt::format("it is {}, and {} is needed", id == unlimited ? "unlimited" : std::to_string(there),
                             length == NC_UNLIMITED ? "an unlimited one" : std::to_string(length)),
                 "Name another dimension.");
        }
        return id;
    }

    [[nodiscard]] bool holds(std::string const& name) const {
        int id = -1;
        return !is_new_ && ncmpi_inq_varid(id_, name.c_str(), &id) == NC_NOERR;
    }

    [[nodiscard]] FoundVariable found(int id) const {
        FoundVariable found;
        int unlimited = -1;
        int dims = 0;
        MPI_Offset begin = 0;
        ncmpi_inq_unlimdim(id_, &unlimited);
        ncmpi_inq_varndims(id_, id, &dims);
        ncmpi_inq_vartype(id_, id, &found.type);
        ncmpi_inq_varoffset(id_, id, &begin);
        std::vector<int> dimensions(static_cast<std::size_t>(dims));
        ncmpi_inq_vardimid(id_, id, dimensions.data());
        found.begin = begin;
        found.bytes = bytes_of(found.type);
        for (auto const dimension : dimensions) {
            if (dimension == unlimited) {
                found.grows = true;
                continue;
            }
            MPI_Offset length = 0;
            ncmpi_inq_dimlen(id_, dimension, &length);
            found.shape.push_back(static_cast<std::uint64_t>(length));
            found.bytes *= found.shape.back();
        }
        found.bytes = padded(found.bytes);
        return found;
    }

    [[nodiscard]] int id_of(Variable const& variable) const {
        int id = -1;
        need(ncmpi_inq_varid(id_, variable.name.c_str(), &id),
             fmt::format("{} has no variable {}", path_, variable.name), "ncdump -h lists what a file holds.");
        return id;
    }

    void check_fits(Variable const& variable) const {
        auto there = found(id_of(variable));
        auto const expected = larger_of(variable.array);
        bool const with_records = there.grows && there.shape.size() < expected.size();
        if (with_records) {
            there.shape.insert(there.shape.begin(), records());
        }
        // Records do not follow each other in the file: together they fit an array only if there are none.
        bool const apart = with_records && !variable.empty();
        if (apart || there.shape != expected || there.type != variable.type) {
            fail(WEIR_BAD_ARGUMENT,
                 fmt::format("variable {} of {} does not fit array {}", variable.name, path_, variable.index),
                 fmt::format("it is {} of {}{}, and the array {} of {}{}", words(there.shape), name_of(there.type),
                             with_records ? ", the first dimension unlimited" : "", words(expected),
                             name_of(variable.type),
                             variable.array.order == WEIR_FORTRAN_ORDER ? ", its Fortran order reversed" : ""),
                 "Describe the array as the variable is, or name another variable.");
        }
    }

    [[nodiscard]] std::int64_t offset(Variable const& variable, std::int64_t record) {
        auto const there = found(id_of(variable));
        if (!there.grows || variable.empty()) {
            return there.begin;
        }
        auto const count = static_cast<std::int64_t>(records());
        if (record < 0 || (use_ == Use::read && record >= count)) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("variable {} of {} has no record {}", variable.name, path_, record),
                 fmt::format("its dimension is unlimited, and there are {} records", count),
                 "Pass the record's number, counted from 0.");
        }
        if (record >= count) {
            records_to_come_ = static_cast<std::uint64_t>(record) + 1;
        }
        return there.begin + record * record_bytes();
    }

    [[nodiscard]] std::uint64_t end(std::uint64_t records) const {
        int variables = 0;
        ncmpi_inq_nvars(id_, &variables);
        std::uint64_t end = 0;
        std::uint64_t first_record = ~std::uint64_t{0};
        for (int id = 0; id < variables; ++id) {
            auto const there = found(id);
            if (there.grows) {
                first_record = std::min(first_record, static_cast<std::uint64_t>(there.begin));
            } else {
                end = std::max(end, static_cast<std::uint64_t>(there.begin) + there.bytes);
            }
        }
        bool const has_records = records > 0 && first_record != ~std::uint64_t{0};
        return has_records ? std::max(end, first_record + records * static_cast<std::uint64_t>(record_bytes())) : end;
    }

    [[nodiscard]] std::uint64_t records() const {
        int unlimited = -1;
        MPI_Offset records = 0;
        ncmpi_inq_unlimdim(id_, &unlimited);
        if (unlimited >= 0) {
            ncmpi_inq_dimlen(id_, unlimited, &records);
        }
        return static_cast<std::uint64_t>(records);
    }

    [[nodiscard]] std::int64_t record_bytes() const {
        MPI_Offset bytes = 0;
        ncmpi_inq_recsize(id_, &bytes);
        return bytes;
    }

    void need(int status, std::string const& problem, char const* suggestion) const {
        if (status != NC_NOERR) {
            fail(WEIR_IO, problem, ncmpi_strerror(status), suggestion);
        }
    }

    std::string path_;
    Use use_;
    int id_ = -1;
    bool is_new_ = false;
    std::uint64_t end_ = 0;
    std::uint64_t records_to_come_ = 0;
};

/// Sets the number of records in the header of a closed file.
/// The number follows the four bytes "CDF" and version, big-endian, in 4 bytes or, in version 5, in 8.
void set_records(std::string const& path, std::uint64_t records) {
    auto const file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    std::array<char, 4> magic{};
    bool good = file >= 0 && ::pread(file, magic.data(), magic.size(), 0) == 4;
    if (good) {
        auto const bytes = magic[3] == 5 ? std::size_t{8} : std::size_t{4};
        std::array<char, 8> number{};
        for (std::size_t i = 0; i < bytes; ++i) {
            number[i] = static_cast<char>(records >> (8 * (bytes - 1 - i)));
        }
        good = ::pwrite(file, number.data(), bytes, 4) == static_cast<ssize_t>(bytes);
    }
    auto const reason = errno;
    if (file >= 0) {
        good = ::close(file) == 0 && good;
    }
    if (!good) {
        fail(WEIR_IO, fmt::format("the number of records of {} cannot be set", path), std::strerror(reason),
             "The new record is not in the file.");
    }
}

std::vector<Variable> asked(weir_plan const* plan, char const* path, char const* const* names, nc_type const* types) {
    check_arguments(plan, path, names, types);
    std::vector<Variable> all;
    for (auto const& array : arrays_of(plan)) {
        auto const i = all.size();
        all.push_back(variable_from(names[i], types[i], array, i));
        if (std::ranges::count(all, all.back().name, &Variable::name) > 1) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("array {} has no variable of its own", i),
                 fmt::format("{} is an earlier array's", all.back().name), "Name one variable an array.");
        }
    }
    return all;
}

/// The part of the request on which all ranks must agree.
std::string in_words(char const* path, std::vector<Variable> const& all, std::int64_t record) {
    std::string text = path == nullptr ? "" : path;
    for (auto const& variable : all) {
        text += fmt::format(", {} of {}", variable.name, name_of(variable.type));
    }
    return text + fmt::format(", record {}", record);
}

/// Numbers in classic files are big-endian.
std::vector<int> numbers_of(std::vector<Variable> const& all) {
    std::vector<int> numbers;
    for (auto const& variable : all) {
        auto const bytes = static_cast<int>(bytes_of(variable.type));
        numbers.push_back(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes : 1);
    }
    return numbers;
}

void move(weir_plan* plan, char const* path, Use use, char const* const* names, nc_type const* types,
          std::int64_t record, void* const* buffers) {
    auto const ranks = ranks_of(plan);
    FirstFailure failure;
    std::vector<Variable> all;
    std::vector<int> numbers;
    std::string said;
    failure.attempt([&] {
        all = asked(plan, path, names, types);
        numbers = numbers_of(all);
        said = in_words(path, all, record);
    });
    failure.agree(ranks);
    agree_on_text(ranks, said, "ranks do not ask for the same", "Pass the same file, names and types on all ranks.");
    std::uint64_t records = 0;  // known only on rank 0
    auto const offsets = failure.found_by_root<std::int64_t>(ranks, all.size(), [&] {
        NetcdfFile file(path, use);
        auto found = file.offsets(all, record);
        records = file.records_to_come();
        file.close();
        return found;
    });
    failure.agree(ranks);
    transfer(plan, use, path, offsets, numbers, buffers);
    if (use == Use::read) {
        return;
    }
    // Only now does the record exist for readers.
    failure.on_root(ranks, [&] {
        if (records > 0) {
            set_records(path, records);
            if (weir_plan_has(plan, "sync") != 0) {
                sync_to_device(path);
            }
        }
    });
}

}  // namespace
}  // namespace weir::formats

using weir::formats::Use;

int weir_pnetcdf_write(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                       int64_t record, void* const buffers[], weir_error* error) {
    return weir::guarded(error, [&] { weir::formats::move(plan, path, Use::write, names, types, record, buffers); });
}

int weir_pnetcdf_read(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                      int64_t record, void* const buffers[], weir_error* error) {
    return weir::guarded(error, [&] { weir::formats::move(plan, path, Use::read, names, types, record, buffers); });
}
