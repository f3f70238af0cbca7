// Large-count functions (MPI 4) on an MPI that has only those with int counts.

#include "trace/wrappers/mpi/mpi.hpp"

namespace weir::trace::mpi {
namespace {

constexpr int most_lists = sizeof MpiPlaces::lists;
constexpr int first_of_receive = 3;

bool fits(int64_t number) { return number == static_cast<int32_t>(number); }

/// Does the call read its lists on this rank? The root of an intercommunicator passes a special value for itself.
bool looks_at_lists(MpiPlaces const& places, Library const* library, Word const* arguments) {
    if (!places.lists_at_root) {
        return true;
    }
    auto const root = static_cast<int>(arguments[places.peer]);
    if (has_two_groups(library, arguments[places.communicator])) {
        return root == (is_open_mpi(library) ? -4 : -3);  // MPI_ROOT
    }
    auto const rank = rank_in(library, arguments[places.communicator]);
    return rank >= 0 && rank == root;
}

/// If MPI_IN_PLACE is the send buffer, the arguments after it are ignored.
bool is_ignored(MpiPlaces const& places, Word const* arguments, int place) {
    return arguments[place] == 0 || (places.buffer == 0 && in_place(arguments[0]) && place < first_of_receive);
}

bool numbers_fit(MpiPlaces const& places, Word const* arguments) {
    auto const fits_at = [arguments](int place) {
        return place == none || fits(static_cast<int64_t>(arguments[place]));
    };
    bool const are_lists = places.each == list;
    return are_lists || (fits_at(places.count) && fits_at(places.other_count) && fits_at(places.further_count));
}

/// Lists of ints in place of a call's own.
struct Lists {
    int32_t* memory = nullptr;
    size_t bytes = 0;
    Word own[most_lists] = {};
};

/// False if a number does not fit.
bool put_lists(MpiPlaces const& places, Library const* library, Word* arguments, Lists& lists) {
    auto const communicator = arguments[places.communicator];
    auto const sent = entries_of(places, library, communicator, MessageSide::sends);
    auto const received = entries_of(places, library, communicator, MessageSide::receives);
    auto const most = sent > received ? sent : received;
    lists.bytes = static_cast<size_t>(most + 1) * most_lists * sizeof(int32_t);
    lists.memory = static_cast<int32_t*>(system::map_memory(lists.bytes));
    bool fitting = lists.memory != nullptr;
    for (int i = 0; fitting && i < most_lists && places.lists[i] != 0; ++i) {
        auto& argument = arguments[places.lists[i]];
        if (is_ignored(places, arguments, places.lists[i])) {
            continue;
        }
        auto const* const from = reinterpret_cast<int64_t const*>(argument);
        auto* const to = lists.memory + static_cast<ptrdiff_t>(i) * most;
        auto const entries = places.lists[i] < first_of_receive ? sent : received;
        for (int k = 0; k < entries; ++k) {
            fitting = fitting && fits(from[k]);
            to[k] = static_cast<int32_t>(from[k]);
        }
        lists.own[i] = argument;
        argument = reinterpret_cast<Word>(to);
    }
    return fitting;
}

void put_back(MpiPlaces const& places, Word* arguments, Lists const& lists) {
    for (int i = 0; i < most_lists; ++i) {
        if (lists.own[i] != 0) {
            arguments[places.lists[i]] = lists.own[i];
        }
    }
}

}  // namespace

Word call_substitute(MpiPlaces const& places, Substitute const& how) {
    auto const* const library = how.real.library;
    bool const has_lists = places.lists[0] != 0 && looks_at_lists(places, library, how.arguments);
    Lists lists;
    auto result = how.wrapped.missing;
    if (numbers_fit(places, how.arguments) && (!has_lists || put_lists(places, library, how.arguments, lists))) {
        result = how.through(how.real.function, how.arguments);
    } else {
        warn_missing(how.wrapped.real.name());
    }
    put_back(places, how.arguments, lists);
    if (lists.memory != nullptr) {
        bool const goes_on = places.requests != none && static_cast<int>(result) == 0;
        goes_on ? keep_for_request(library, how.arguments[places.requests], lists.memory, lists.bytes)
                : system::unmap(lists.memory, lists.bytes);
    }
    return result;
}

}  // namespace weir::trace::mpi
