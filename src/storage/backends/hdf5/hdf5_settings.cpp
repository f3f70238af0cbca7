#include "storage/backends/hdf5/hdf5_settings.hpp"

#include <fmt/format.h>

#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "pattern/loops.hpp"
#include "storage/backend.hpp"

namespace weir {
namespace {

constexpr std::uint64_t largest_chunk = 0xffff'ffff;

std::tuple<unsigned, unsigned, unsigned> version() {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned release = 0;
    H5get_libversion(&major, &minor, &release);
    return {major, minor, release};
}

void check_library(Hdf5Settings const& settings) {
    validate(settings.deflate == 0 || version() >= std::tuple(1U, 10U, 2U),
             fmt::format("deflate is not possible with {}", hdf5_version()),
             "it compresses parallel files from 1.10.2 on", "Build Weir with a newer HDF5, or leave deflate out.");
    validate(settings.deflate == 0 || H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0,
             fmt::format("deflate is not possible with {}", hdf5_version()), "it was built without zlib",
             "Build Weir with another HDF5, or leave deflate out.");
    validate(settings.page_buffer.value == 0, fmt::format("page_buffer is not possible with {}", hdf5_version()),
             "it refuses a page buffer for files that are opened through MPI-IO", "Leave page_buffer out.");
    validate(!settings.subfiling, fmt::format("subfiling is not possible with {}", hdf5_version()),
             version() < std::tuple(1U, 14U, 0U) ? "HDF5 has it from 1.14 on"
                                                 : "it needs MPI_THREAD_MULTIPLE, which Weir does not ask MPI for",
             "Leave subfiling out.");
}

/// The first array that is compressed and written otherwise than collectively; empty: none.
std::string written_alone(Hdf5Settings const& settings, Pattern const& files) {
    std::string found;
    for (auto const& phase : files.phases) {
        each_access(phase.steps, [&](Access const& access, Loops const&) {
            auto const alone = access.part && access.verb == Verb::write && !phase.is_collective(access);
            if (alone && found.empty() && settings.compresses(access.part->what)) {
                found = access.part->what.name;
            }
        });
    }
    return found;
}

}  // namespace

std::string hdf5_version() {
    auto const [major, minor, release] = version();
    return fmt::format("HDF5 {}.{}.{}", major, minor, release);
}

void Hdf5Settings::declare(OptionSet& options) {
    constexpr std::uint64_t most_rows = 1ULL << 32;
    constexpr std::uint64_t best = 9;
    options.add("chunk", chunk, "datasets in chunks of this size; 0 is contiguous", {std::uint64_t{0}, largest_chunk});
    options.add("chunk_rows", chunk_rows,
                "arrays of numbers in chunks of so many places along their slowest dimension, if they have more; 0 is "
                "contiguous",
                {std::uint64_t{0}, most_rows});
    options.add("deflate", deflate, "compress the chunks of arrays, at this level; their writes must be collective",
                {std::uint64_t{0}, best});
    options.add("alignment", alignment, "align objects of at least this size to multiples of it; 0: no alignment");
    options.words("alignment", {{"0", "not aligned"}, {"1", "not aligned"}, {"*", "aligned to {}"}});
    options.add("alignment_threshold", alignment_threshold,
                "align only objects of at least this size; 0: of at least the alignment");
    options.add("metadata_block", metadata_block,
                "aggregate metadata in blocks of this size; 0: the library's default");
    options.add("collective_metadata", collective_metadata, "read and write metadata collectively");
    options.add("page_buffer", page_buffer,
                "keep pages of this many bytes in memory; refused where HDF5 has no page buffer for parallel files");
    options.add("subfiling", subfiling, "a file in several ones; refused where HDF5 has no subfiling");
}

void Hdf5Settings::check(Pattern const& files) const {
    auto const arrays = has_arrays(files);
    validate(chunk.value == 0 || !arrays, "chunk contradicts a file of arrays",
             "its size is in bytes of a dataset of one dimension", "Leave chunk out; chunk_rows is for arrays.");
    validate(chunk_rows == 0 || arrays, "chunk_rows is for files of arrays", "this pattern has none",
             "Leave chunk_rows out; chunk is for files of bytes.");
    validate(deflate == 0 || chunk_rows > 0, "deflate compresses chunks", "there are none without chunk_rows",
             "Give chunk_rows too.");
    validate(alignment_threshold.value == 0 || alignment.value > 0, "alignment_threshold is of an alignment",
             "there is none", "Give alignment too.");
    check_library(*this);
    for (auto const& file : files.files) {
        for (auto const& array : file.arrays) {
            validate(!chunks(array) || bytes_of(array) / array.shape[0] <= largest_chunk / chunk_rows,
                     fmt::format("chunk_rows = {} makes chunks of 4 GiB or more of '{}'", chunk_rows, array.name),
                     "HDF5 has no larger ones", "Choose fewer rows.");
        }
    }
    if (auto const array = written_alone(*this, files); !array.empty()) {
        refuse_independent_compression(array);
    }
}

bool Hdf5Settings::chunks(Array const& array) const {
    return chunk_rows > 0 && !array.attribute_of && !array.shape.empty() && array.shape[0] > chunk_rows &&
           bytes_of(array) > 0 && array.element.kind != Element::Kind::text &&
           array.element.kind != Element::Kind::compound;
}

void refuse_independent_compression(std::string const& array) {
    throw Error({fmt::format("deflate contradicts the independent writes of '{}'", array),
                 "HDF5 compresses in collective calls only", "Make them collective, or leave deflate out.",
                 ExitCode::usage});
}

Hdf5Handle whole_layout() {
    Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_alloc_time(layout.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER);
    return layout;
}

Hdf5Handle makes_groups() {
    Hdf5Handle creation(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(creation.get(), 1);
    return creation;
}

Hdf5Handle chunked_layout(Array const& array, Hdf5Settings const& settings) {
    auto layout = whole_layout();
    std::vector<hsize_t> chunk(array.shape.begin(), array.shape.end());
    chunk[0] = settings.chunk_rows;
    H5Pset_chunk(layout.get(), static_cast<int>(chunk.size()), chunk.data());
    if (settings.deflate > 0) {
        H5Pset_deflate(layout.get(), static_cast<unsigned>(settings.deflate));
    }
    return layout;
}

}  // namespace weir
