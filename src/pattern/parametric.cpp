#include "pattern/parametric.hpp"

#include <fmt/format.h>

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "core/units.hpp"

namespace weir {
namespace {

constexpr std::uint64_t word = 8;

void validate_sizes(Parameters const& p) {
    validate((p.block.value > 0) == (p.transfer.value > 0), "block or transfer is 0, and the other one is not",
             "requests without bytes make no block", "Write for example --block 16MiB --transfer 1MiB.");
    auto const in_transfers = p.transfer.value > 0 ? p.block.value / p.transfer.value * p.transfer.value : 0;
    validate(p.block.value == in_transfers,
             fmt::format("transfer {} does not divide block {}", format_bytes(p.transfer), format_bytes(p.block)),
             "a block is written in complete transfers",
             fmt::format("Choose a block of {}.", format_bytes(Bytes{in_transfers + p.transfer.value})));
    validate(p.transfer.value % word == 0,
             fmt::format("transfer {} is not a multiple of 8 B", format_bytes(p.transfer)),
             "data are stamped in words of 8 bytes",
             fmt::format("Choose {}.", format_bytes(Bytes{(p.transfer.value / word + 1) * word})));
    __extension__ using Wide = unsigned __int128;
    Wide bytes = p.block.value;
    for (auto const factor : {p.segments, p.ranks, p.files}) {
        bytes = bytes >> 64U != 0 ? bytes : bytes * factor;
    }
    validate(bytes < Wide{1} << 63U, "the files would be 2^63 bytes or more in all", "offsets have 63 bits",
             "Choose fewer segments, or smaller blocks.");
}

/// The same with what each rank has of block and transfer.
Parameters divided_among_ranks(Parameters p) {
    if (p.divided) {
        auto const all = p.ranks * word;
        validate(p.block.value % all == 0 && p.transfer.value % all == 0,
                 fmt::format("block {} or transfer {} cannot be divided among {} ranks", format_bytes(p.block),
                             format_bytes(p.transfer), p.ranks),
                 "each rank's share must be a multiple of 8 B", fmt::format("Choose multiples of {} B.", all));
        p.block.value /= p.ranks;
        p.transfer.value /= p.ranks;
    }
    return p;
}

void validate_choices(Parameters const& p) {
    validate(p.ranks > 0 && p.segments > 0 && p.files > 0, "ranks, segments and files must be 1 or more",
             "nothing would be moved", "Raise the one that is 0.");
    auto const interleaves = p.offsets == Offsets::strided || p.offsets == Offsets::random_partition;
    validate(!(interleaves && p.layout == Layout::file_per_process),
             fmt::format("offsets = {} contradicts layout = file-per-process", to_text(p.offsets)),
             "it interleaves ranks, and such a file has only one", "Choose layout = shared, or offsets = sequential.");
    auto const ordered = p.offsets == Offsets::shuffled || p.offsets == Offsets::random;
    validate(!(p.list_io && ordered), fmt::format("together contradicts offsets = {}", to_text(p.offsets)),
             "pieces that are one request have no order",
             "Choose offsets = strided or random-partition, or leave together out.");
    validate(!(p.list_io && p.mixed), "together contradicts mixed", "one request cannot both read and write",
             "Leave one of them out.");
    validate(!(p.list_io && p.wear_out), "together contradicts wear_out", "there is one request",
             "Leave one of them out.");
    validate(!p.mixed || p.write || !p.check, "mixed contradicts check without write",
             "what is overwritten could not have been checked before", "Write first, or leave check out.");
    validate(p.tail_limit.value == 0 || p.wear_out, "tail_limit needs wear_out", "without it there is no tail",
             "Set wear_out, or leave tail_limit out.");
    validate(!p.wear_out || p.time_limit.value > 0, "wear_out needs a time_limit",
             "without a limit every rank does everything", "Set time_limit, for example 30s, or leave wear_out out.");
    validate(!p.overwrite || (p.write && p.time_limit.value == 0),
             p.write ? "overwrite contradicts time_limit" : "overwrite needs write",
             p.write ? "what is not written in time was written before" : "nothing would be overwritten",
             "Leave one of them out.");
    validate(p.write || p.read || p.check || p.mixed, "no phase is asked for", "nothing would be moved",
             "Set at least one of them.");
}

std::uint64_t transfers_in_block(Parameters const& p) {
    return p.transfer.value > 0 ? p.block.value / p.transfer.value : 1;
}

/// The ranks' pieces of one file, before verb and order.
Access pieces_of_file(Parameters const& p) {
    auto const transfer = static_cast<std::int64_t>(p.transfer.value);
    auto const block = static_cast<std::int64_t>(p.block.value);
    auto const ranks = static_cast<std::int64_t>(p.ranks);
    auto const transfers = transfers_in_block(p);
    Access access;
    access.ranks = {0, p.ranks, 1};
    access.extent.length = p.transfer.value;
    if (p.layout == Layout::file_per_process) {
        access.extent.levels = merged({{p.segments, block}, {transfers, transfer}});
    } else if (p.offsets == Offsets::strided) {
        access.extent.levels = merged({{p.segments, ranks * block}, {transfers, ranks * transfer}});
        access.rank_levels = {{p.ranks, transfer}};
    } else {
        access.extent.levels = merged({{p.segments, ranks * block}, {transfers, transfer}});
        access.rank_levels = {{p.ranks, block}};
    }
    return access;
}

void choose_order(Access& access, Parameters const& p) {
    auto const own = p.segments * transfers_in_block(p);
    if (p.offsets == Offsets::shuffled) {
        access.order = {OrderKind::shuffled, p.seed, 0};
    } else if (p.offsets == Offsets::random || p.offsets == Offsets::random_partition) {
        auto const kind = p.offsets == Offsets::random ? OrderKind::random : OrderKind::random_partition;
        auto const all = p.layout == Layout::shared ? own * p.ranks : own;
        access.rank_levels.clear();
        access.extent.levels = {{all, static_cast<std::int64_t>(p.transfer.value)}};
        access.order = {kind, p.seed, own};
    }
}

Reorder reorder_of_readers(Parameters const& p) {
    switch (p.reorder) {
        case Readers::node:
            return {ReorderKind::shift, p.readers_shift, 0};
        case Readers::random:
            return {ReorderKind::shuffle, 0, mix(p.seed)};
        case Readers::none:
            break;
    }
    return {};
}

/// The steps on one file, in order.
struct FileSteps {
    std::vector<Step> open, transfer, close;
};

FileSteps steps_of(Parameters const& p, Access const& access, OpenMode mode) {
    auto const writes = access.verb == Verb::write || access.verb == Verb::mixed;
    Open open{access.file, mode};
    open.collective = p.collective && p.timed == Timed::transfer;
    FileSteps steps{{open}, {access}, {Close{access.file}}};
    if (p.preallocate && access.verb == Verb::write) {
        // Once per file: calls of further ranks would find the space reserved.
        auto const who = p.layout == Layout::shared ? Ranks{{0, 1, 1}} : Ranks{};
        steps.open.emplace_back(Preallocate{access.file, end_of(access), who});
    }
    if (writes && p.sync == SyncWhen::close) {
        steps.transfer.emplace_back(Sync{access.file});
    }
    return steps;
}

void limit_time(Phase& phase, Parameters const& p) {
    phase.time_limit = p.time_limit;
    phase.wear_out = p.wear_out;
    if (p.wear_out) {
        phase.tail_limit = p.tail_limit.value > 0 ? p.tail_limit : p.time_limit;
    }
}

/// Refuses so few mixed requests that, at this percentage, all are reads or all are writes.
void refuse_one_sided(Access const& access) {
    auto const all = volume(access);
    auto const mixes = access.verb == Verb::mixed && access.read_percent > 0 && access.read_percent < 100;
    validate(!mixes || (all.read_requests > 0 && all.read_requests < all.requests),
             fmt::format("read_percent = {} is too {} for {} requests of each rank", access.read_percent,
                         all.read_requests == 0 ? "low" : "high", all.requests / access.ranks.count),
             "all of them would go one way", "Make the transfer smaller, or the percentage nearer to 50.");
}

/// A phase of one verb, without steps.
Phase empty_phase(Parameters const& p, Verb verb) {
    Phase phase;
    phase.name = to_text(verb);
    phase.collective = p.collective;
    if (verb == Verb::write) {
        limit_time(phase, p);
    } else {
        phase.reorder = reorder_of_readers(p);
        // Data that a time-limited write did not reach cannot be read.
        phase.limited_by = p.write && p.time_limit.value > 0 ? "write" : "";
        if (!p.write) {
            limit_time(phase, p);
        }
    }
    return phase;
}

/// One that is not timed, in which the same ranks do the same parts.
Phase aside(Phase const& phase, char const* what) {
    return {.name = fmt::format("{}-{}", what, phase.name),
            .reorder = phase.reorder,
            .limited_by = "",
            .steps = {},
            .timed = false};
}

Access access_of(Parameters const& p, Verb verb) {
    auto access = pieces_of_file(p);
    choose_order(access, p);
    access.verb = verb;
    access.list_io = p.list_io;
    access.pace = p.pace;
    access.read_percent = verb == Verb::mixed ? p.read_percent : 0;
    access.sync_each = (verb == Verb::write || verb == Verb::mixed) && p.sync == SyncWhen::write;
    refuse_one_sided(access);
    return access;
}

/// Opens files in this mode, accesses and closes them: one phase, or three if only transfers are timed.
void add_phases(Pattern& pattern, Parameters const& p, Phase phase, Verb verb, OpenMode mode) {
    auto access = access_of(p, verb);
    auto opens = aside(phase, "open");
    auto closes = aside(phase, "close");
    auto const apart = p.timed == Timed::transfer;
    auto const append = [](Phase& to, std::vector<Step> const& steps) {
        to.steps.insert(to.steps.end(), steps.begin(), steps.end());
    };
    for (access.file = 0; access.file < p.files; ++access.file) {
        auto const steps = steps_of(p, access, mode);
        append(apart ? opens : phase, steps.open);
        append(phase, steps.transfer);
        append(apart ? closes : phase, steps.close);
    }
    for (auto const& one : {opens, phase, closes}) {
        if (!one.steps.empty()) {
            pattern.phases.push_back(one);
        }
    }
}

void add_phases(Pattern& pattern, Parameters const& p, Verb verb) {
    auto phase = empty_phase(p, verb);
    auto const overwrites = verb == Verb::write && p.overwrite;
    if (overwrites) {
        auto once = p;
        once.timed = Timed::all;
        auto first = aside(phase, "first");
        first.collective = p.collective;
        add_phases(pattern, once, std::move(first), verb, OpenMode::create);
    }
    auto const mode = verb == Verb::write && !overwrites           ? OpenMode::create
                      : verb == Verb::write || verb == Verb::mixed ? OpenMode::update
                                                                   : OpenMode::read;
    add_phases(pattern, p, std::move(phase), verb, mode);
}

/// The size of each dataset, if the format has any; 0: the complete file is one. In Shan and Shalf 2007, section 4,
/// each segment is one.
std::uint64_t dataset_bytes(Parameters const& p) {
    if (p.datasets == DatasetUnit::file) {
        return 0;
    }
    return p.layout == Layout::shared ? p.ranks * p.block.value : p.block.value;
}

}  // namespace

Pattern make_pattern(Parameters const& asked) {
    validate_choices(asked);
    auto const p = divided_among_ranks(asked);
    validate_sizes(p);
    Pattern pattern;
    pattern.name = "parametric";
    pattern.ranks = p.ranks;
    for (std::uint64_t file = 0; file < p.files; ++file) {
        auto const name = p.files == 1 ? std::string("data") : fmt::format("data-{}", file);
        pattern.files.push_back({name, p.layout == Layout::file_per_process, dataset_bytes(p)});
    }
    auto const add = [&](bool wanted, Verb verb) {
        if (wanted) {
            add_phases(pattern, p, verb);
        }
    };
    add(p.write, Verb::write);
    add(p.read, Verb::read);
    add(p.mixed, Verb::mixed);
    add(p.check, Verb::check);
    validate_pattern(pattern);
    return pattern;
}

}  // namespace weir
