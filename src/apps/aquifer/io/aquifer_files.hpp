#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "apps/aquifer/model/box.hpp"
#include "apps/common/run/application.hpp"

namespace weir::aquifer {

/// Are the outputs of all times in one file, to which each time adds, or each in a file of its own?
enum class OutputFiles { per_step, one };
constexpr std::array<std::string_view, 2> enum_names(OutputFiles) { return {"per-step", "one"}; }

/// What determines the files of a run.
struct FileShape {
    Box box;
    std::uint64_t buffer =
        1'000'000;  ///< ids of one read, where every rank reads all; PFLOTRAN's HDF5_READ_BUFFER_SIZE
    OutputFiles files = OutputFiles::per_step;
    std::vector<std::string> species;
    bool velocities = true;
    double interval_d = 1;  ///< days of a time step
    bool hdf5 = true;       ///< the suffix of names

    [[nodiscard]] std::uint64_t count() const { return static_cast<std::uint64_t>(volume(box.cells)); }
};

/// The files of a plan, in this order.
enum class AquiferFile { input, output };

/// The arrays of the input file, in this order: cell ids are natural (x fastest), from 1, in any order. Every rank
/// reads the first two completely (PFLOTRAN: HDF5MapLocToNatIndices), the others in parts, one after the other.
enum class InputArray { material_cells, materials, cells, permeability, well, source };
constexpr std::array<std::string_view, 6> enum_names(InputArray) {
    return {"Materials/Cell Ids", "Materials/Material Ids", "Cell Ids",
            "Permeability",       "Regions/Well/Cell Ids",  "Regions/Source/Cell Ids"};
}

/// The arrays of an output that are not a species' or a velocity's.
enum class OutputKind { pressure, saturation, concentration, material, velocity };

/// An array of an output: of which kind, and of which species or along which axis.
struct OutputVariable {
    OutputKind kind = OutputKind::pressure;
    std::size_t number = 0;
};

/// A new output file begins with PFLOTRAN's group on the program and its input, as a PFLOTRAN has it that was built
/// without knowing itself: texts, all "unknown" but for the input; then the coordinates of edges. PFLOTRAN's group also
/// has four attributes.
constexpr std::array<std::string_view, 11> provenance_names{
    "PFLOTRAN/pflotran_compile_date_time", "PFLOTRAN/pflotran_compile_user",  "PFLOTRAN/pflotran_compile_hostname",
    "PFLOTRAN/detail_pflotran_fflags",     "PFLOTRAN/detail_pflotran_status", "PFLOTRAN/detail_pflotran_parent",
    "PFLOTRAN/detail_pflotran_diff",       "PFLOTRAN/pflotran_input_file",    "PETSc/detail_petsc_status",
    "PETSc/detail_petsc_parent",           "PETSc/detail_petsc_config"};
constexpr std::size_t head_arrays = provenance_names.size() + axes;

/// The cells of the regions of an input file that Weir makes: a well through the whole box in its east, and the place
/// in its west that the tracer comes from. Pure, as all here.
std::vector<Triple> well_cells(Triple const& cells);
std::vector<Triple> source_cells(Triple const& cells);

/// What the text of this name says.
std::string_view provenance(std::string_view name);

/// All arrays of an output after the coordinates, in the file's order.
std::vector<OutputVariable> variables_of(FileShape const&);

/// The name of the group of a time: "Time:  1.00000E+00 d", as Fortran's ('Time:',es13.5,1x,a1) writes it.
std::string group_of_time(double days);

/// The cells of each rank, in the order of ranks.
std::vector<std::uint64_t> cells_of_ranks(Triple const& cells, std::uint64_t ranks);

/// The files, and the steps of an output, of which `first` ones begin a file, and of the initialisation. Arrays have
/// offsets one after the other, so that also plain bytes can hold them.
DumpPlan plan_of(FileShape const&, std::uint64_t ranks, std::uint64_t step, bool first);

}  // namespace weir::aquifer
