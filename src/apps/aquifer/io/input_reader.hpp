#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "apps/aquifer/io/aquifer_files.hpp"
#include "apps/aquifer/model/problem.hpp"
#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace weir::aquifer {

/// What an input file says: of this rank's cells, x fastest, and of the regions in the whole box.
struct InputData {
    std::vector<double> permeability;     ///< m^2
    std::vector<std::uint64_t> material;  ///< from 1
    std::vector<Triple> well, source;
};

/// Takes what this rank reads of an input file, and brings it to the ranks whose cells it is of, as PFLOTRAN does.
class InputReader {
  public:
    InputReader(Communicator, Box const&);

    /// Elements of an array of the file, from this index on. What is wrong with them is kept. Local.
    void take(InputArray, std::uint64_t first, std::span<std::byte const> data);

    /// When all has been read. Error (usage), on all ranks alike, that names the array and the first wrong id that some
    /// rank has found: one out of range, twice or missing. Collective.
    InputData conclude();

  private:
    /// A cell of this rank's, and where a list has its id. There are fewer than 2^31.
    struct FoundCell {
        std::uint32_t place = 0;
        std::uint32_t own = 0;
    };
    /// A value on its way to its cell.
    struct Value {
        std::uint64_t cell = 0;
        double value = 0;
    };
    /// Whole numbers of a file, in memory of any alignment.
    struct Integers {
        std::span<std::byte const> data;
        [[nodiscard]] std::size_t size() const { return data.size() / sizeof(std::int32_t); }
        std::int32_t operator[](std::size_t i) const {
            std::int32_t number = 0;
            std::memcpy(&number, data.data() + i * sizeof number, sizeof number);
            return number;
        }
    };
    void look_up(std::uint64_t first, Integers ids);
    void take_materials(std::uint64_t first, Integers materials);
    [[nodiscard]] std::optional<std::uint64_t> cell_of_id(std::int32_t id, InputArray, std::uint64_t place);
    void complain_of_range(std::int32_t id, InputArray, std::uint64_t place);
    [[nodiscard]] std::uint64_t owner_of(std::uint64_t cell) const;
    [[nodiscard]] std::vector<Value> brought_home();
    void put_permeabilities(std::vector<Value> const&);
    [[nodiscard]] std::vector<Triple> everywhere(InputArray);
    void check_all_found(std::vector<bool> const& found, InputArray);
    void complain(InputArray, std::string what, std::string why);

    Communicator comm_;
    Box box_;
    Triple ranks_;
    Block block_;
    Index count_;                                       ///< of all cells
    std::array<std::vector<Index>, axes> coordinates_;  ///< of the rank that has a cell, along each axis
    std::vector<FoundCell> found_;                      ///< by place
    std::vector<bool> has_material_, has_permeability_;
    std::vector<std::int32_t> ids_, wells_, sources_;  ///< as read
    std::vector<double> values_;                       ///< of these ids
    std::uint64_t first_id_ = 0;                       ///< their place
    InputData data_;
    std::optional<Diagnosis> problem_;
};

}  // namespace weir::aquifer
