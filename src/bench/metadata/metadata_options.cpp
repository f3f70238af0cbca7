#include "bench/metadata/metadata_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace weir {
namespace {

constexpr std::uint64_t most_files = 1'000'000'000;
constexpr std::uint64_t largest_buffer = 4ULL << 20;

/// A file of any size takes at least one block, 4 KiB on most file systems.
constexpr std::uint64_t block = 4096;

}  // namespace

void MetadataOptions::declare(OptionSet& options) {
    declared_ = &options;
    options.group("shape");
    options.add(
        "layout", layout,
        "files of each rank in one shared or in its own private directory, or common files that all ranks open");
    options.add("files", files, "files of each rank; with layout = common-file, the total number of files",
                {std::uint64_t{1}, most_files});
    options.words("files", {{"1", "1 file"}, {"*", "{} files"}});
    options.add("file_bytes", file_bytes, "size of each file, written when it is created");
    options.group("phases");
    options.add("stat", stat, "stat every file, timed; MPI-IO has no stat and skips it");
    options.add("open", open, "open and close every file, timed separately");
    options.add("read", read, "open, read and close every file; left out if file_bytes is 0");
    options.add("rename", rename, "rename every file within its directory, timed");
    options.add("unlink", unlink, "remove every file, timed; otherwise they are removed untimed");
    options.add("sync", sync, "when creating, sync every file before closing it");
    options.words("sync", {{"true", "synced"}, {"false", "not synced"}});
    options.add("order", order, "order of a rank's files in the phases after creating");
    options.add("reorder", reorder,
                "in each phase after creating, use the files of the next rank, or of the corresponding rank on the "
                "next node, whose inodes this rank or node has not cached");
    measuring.declare(options);
    options.add("seed", seed, "of the shuffled order");
    options.group("interface");
    options.add("interface", interface, "system calls, or MPI-IO");
    options.add("opening", opening,
                "how all ranks open a common file: independently; by MPI-IO's collective open; by that open with hints "
                "that let one rank open it for all; or by one rank, which broadcasts what the others need");
    options.add("dir", directory, "the directory to measure", Outside{Reach::directory});
}

void MetadataOptions::validate_choices() const {
    validate(!phases().empty(), "no phase is asked for", "nothing would be measured", "Set at least one of them.");
    auto const common = layout == MetadataLayout::common_file;
    auto const needs_mpiio = opening == Opening::collective || opening == Opening::one_rank;
    validate(common || opening == Opening::independent,
             fmt::format("opening = {} contradicts layout = {}", to_text(opening), to_text(layout)),
             "only common files are opened by several ranks", "Choose layout = common-file, or leave opening out.");
    validate(!needs_mpiio || interface == Interface::mpiio,
             fmt::format("opening = {} contradicts interface = posix", to_text(opening)),
             "POSIX has no open that ranks make together", "Choose interface = mpiio, or another opening.");
    validate(!rename || interface == Interface::posix, "rename contradicts interface = mpiio",
             "MPI-IO has no call for it", "Choose interface = posix, or leave rename out.");
    for (auto const* option : {"rename", "sync", "reorder"}) {
        validate(!common || declared_ == nullptr || declared_->is_default(option),
                 fmt::format("{} contradicts layout = common-file", option),
                 "common files are made and removed untimed, and all ranks open them all",
                 fmt::format("Leave {} out, or choose another layout.", option));
    }
    constexpr auto largest = (1ULL << 62);
    validate(file_bytes.value <= largest / files,
             fmt::format("{} files of {} bytes are too much", files, file_bytes.value), "their bytes cannot be counted",
             "Choose fewer or smaller files.");
}

std::vector<MetadataCall> MetadataOptions::phases() const {
    auto const common = layout == MetadataLayout::common_file;
    std::vector<MetadataCall> phases;
    auto const add = [&](bool wanted, MetadataCall phase) {
        if (wanted) {
            phases.push_back(phase);
        }
    };
    add(!common, MetadataCall::create);
    add(stat && interface == Interface::posix, MetadataCall::stat);
    add(open, MetadataCall::open);
    add(read && file_bytes.value > 0, MetadataCall::read);
    add(rename && !common, MetadataCall::rename);
    add(unlink && !common, MetadataCall::unlink);
    return phases;
}

MetadataTotals MetadataOptions::totals(std::uint64_t ranks) const {
    auto const common = layout == MetadataLayout::common_file;
    auto const all_phases = phases();
    MetadataTotals totals;
    totals.files = common ? files : files * ranks;
    totals.inodes = totals.files + 1 + (layout == MetadataLayout::private_directory ? ranks : 0);
    totals.bytes_written = totals.files * file_bytes.value;
    auto const reads = std::find(all_phases.begin(), all_phases.end(), MetadataCall::read) != all_phases.end();
    totals.bytes_read = reads ? files * ranks * file_bytes.value : 0;
    totals.bytes_on_disk = totals.files * ((file_bytes.value + block - 1) / block * block);
    totals.operations = files * ranks * all_phases.size();
    return totals;
}

std::uint64_t MetadataOptions::buffer_bytes() const { return std::min(file_bytes.value, largest_buffer); }

}  // namespace weir
