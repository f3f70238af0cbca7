#pragma once

#include <string>
#include <vector>

#include "array_formats/common/format_call.hpp"
#include "array_formats/pnetcdf/variable.hpp"

namespace weir::formats {

/// A classic netCDF file of this process alone. All members throw Failure.
class NetcdfFile {
  public:
    /// For writing, it is created if it does not exist.
    NetcdfFile(std::string path, Use);
    ~NetcdfFile();
    NetcdfFile(NetcdfFile const&) = delete;
    NetcdfFile& operator=(NetcdfFile const&) = delete;

    /// Offsets of the variables' data, or of one record of it. For writing, missing variables are created: none if one
    /// of the existing ones does not fit its array.
    std::vector<std::int64_t> offsets(std::vector<Variable> const&, std::int64_t record);

    /// After offsets(): the file, closed, has the length that the format requires with these variables.
    void close();

    /// The number of records to set in the file's header once their data is written; 0: unchanged.
    [[nodiscard]] std::uint64_t records_to_come() const { return records_to_come_; }

  private:
    struct Found {
        int id = -1;
        bool grows = false;
        std::int64_t begin = 0;
        std::uint64_t bytes = 0;  ///< of the variable, or of a record if it grows; with the format's padding
    };

    void open();
    void define(std::vector<Variable> const& missing);
    int dimension(std::string const& name, std::uint64_t length);
    [[nodiscard]] bool holds(std::string const& name) const;
    [[nodiscard]] Found found(int id) const;
    void check_fits(Variable const&) const;
    [[nodiscard]] std::int64_t offset(Variable const&, std::int64_t record);
    [[nodiscard]] std::uint64_t end(std::uint64_t records) const;
    [[nodiscard]] std::uint64_t records() const;
    [[nodiscard]] std::int64_t record_bytes() const;
    void need(int status, std::string const& problem, char const* suggestion) const;

    std::string path_;
    Use use_;
    int id_ = -1;
    bool is_new_ = false;
    std::uint64_t end_ = 0;
    std::uint64_t records_to_come_ = 0;
};

/// Sets the number of records in the header of a closed file.
void set_records(std::string const& path, std::uint64_t records);

}  // namespace weir::formats
