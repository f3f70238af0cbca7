#include "apps/cmb/io/cmb_options.hpp"

#include <fmt/format.h>

#include "apps/cmb/model/likelihood.hpp"
#include "core/error.hpp"
#include "pattern/unwaited.hpp"

namespace weir::cmb {

void CmbOptions::declare(OptionSet& options) {
    constexpr std::uint64_t most_pixels = 1'000'000;
    constexpr std::uint64_t most_bins = 10'000;
    constexpr std::uint64_t most_ranks = std::uint64_t{1} << 20U;
    constexpr double most_exponent = 3;
    options.group("problem");
    options.add("pixels", shape_.pixels, "rows and columns of each matrix of doubles", {std::uint64_t{1}, most_pixels});
    options.add("bins", shape_.bins, "matrices", {std::uint64_t{1}, most_bins});
    options.add("gangs", shape_.gangs, "gangs of ranks, each of which multiplies matrices of its own; a square number",
                {std::uint64_t{1}, most_ranks});
    options.add("block", shape_.block,
                "rows and columns of a block, of which ranks have every so many; 0: the largest up to 64 with which "
                "all have equal parts",
                {std::uint64_t{0}, most_pixels});
    options.group("computing");
    options.add("mode", course_.mode, "compute, with ScaLAPACK, or only the I/O, with busy work in between");
    options.add("exponent", exponent_,
                "busy work is (pixels^2) to this power operations of all ranks; -1: as many as what it stands for, "
                "pixels^3 for a product of matrices and pixels^2 for all else",
                {natural, most_exponent});
    options.add("operations_per_s", course_.operations_per_s, "of a rank, by which busy work takes its time",
                {1.0, {}});
    options.group("files");
    options.add("layout", course_.layout, "one file for all ranks, or one for each");
    options.add("part_alignment", part_alignment_, "each part of a matrix begins at a multiple of this",
                {std::uint64_t{8}, std::uint64_t{1} << 30U, std::uint64_t{8}});
    options.add("read_turns", course_.read_turns, "ranks take turns: one of so many consecutive ones reads at once",
                {std::uint64_t{1}, most_ranks});
    options.add("write_turns", course_.write_turns, "the same for writes", {std::uint64_t{1}, most_ranks});
    options.add("asynchronous", course_.asynchronous, "read ahead and write behind, while the ranks compute");
    options.add("sync", course_.sync, "end phases that write with a sync");
    options.words("sync", {{"true", "synced"}, {"false", "not synced"}});
    options.add("cache", cache, "before phases that read, keep the file in the page cache or drop it from there");
    backend.declare(options, "the interface to storage");
    hints.declare(options);
    options.add("dir", directory, "the directory to measure", Outside{Reach::directory});
    options.add("keep", keep_files, "keep the files of the last repetition, in their own directory there");
    options.add("check_space", check_space,
                "refuse matrices that do not fit into the free space; not for a file system that packs data");
    options.add("foreign_folder", foreign_folder,
                "let root keep files in a directory that belongs to another user, or that links of others lead to",
                Outside{Reach::protection});
    options.group("measuring");
    measuring.declare(options);
    options.add("emit_pattern", emit_pattern,
                "print the pattern of the run's I/O, for weir replay, instead of running");
    options.add("pattern_ranks", pattern_ranks, "of a pattern printed without a launcher: its ranks",
                {std::uint64_t{1}, most_ranks});
    backend.declare_own(options);
}

Shape CmbOptions::shape(std::uint64_t ranks) const {
    auto shape = shape_;
    shape.ranks = ranks;
    shape.block = shape_.block > 0 ? shape_.block : usual_block(shape_.pixels, ranks);
    shape.alignment = part_alignment_.value;
    return shape;
}

Course CmbOptions::course() const {
    auto course = course_;
    course.exponent = exponent_ == natural ? std::nullopt : std::optional(exponent_);
    return course;
}

void CmbOptions::validate_choices(std::uint64_t ranks) const {
    backend.validate_choice();
    hints.validate_choice(backend.kind());
    auto const shape = this->shape(ranks);
    validate_shape(shape);
    validate_course(course(), shape);
    validate(exponent_ == natural || exponent_ >= 0, fmt::format("exponent = {} is negative", exponent_),
             "busy work has one operation or more", "Give 0 or more, or -1 for the natural cost.");
    auto const features = backend.kind().features();
    validate(features.asynchronous || !course_.asynchronous,
             fmt::format("asynchronous contradicts backend = {}", backend.name()),
             "its calls return when they have moved the bytes", "Choose backend = mpiio or uring.");
    if (course_.mode == Mode::io) {
        return;
    }
    validate(features.stores, fmt::format("mode = compute contradicts backend = {}", backend.name()),
             "it stores nothing, and what is written is read again", "Choose mode = io, or another back-end.");
    constexpr std::uint64_t most = std::uint64_t{1} << 31U;
    validate(shape.elements(Among::gang, Rank{0}) < most, "a rank's part of a matrix has 2^31 numbers or more",
             "ScaLAPACK counts them in integers of 32 bits", "Start more ranks, or choose mode = io.");
}

std::uint64_t CmbOptions::memory_bytes(Shape const& shape, Pattern const& pattern) const {
    auto const buffer = largest_request(pattern);
    auto const matrices = course_.mode == Mode::compute ? Likelihood::memory_bytes(shape) : 0;
    return matrices + buffer + most_unwaited(pattern) + backend.object().memory_bytes(buffer);
}

}  // namespace weir::cmb
