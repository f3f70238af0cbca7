#include "bench/network/node_order.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace weir {

std::vector<std::uint64_t> node_numbers(Communicator const& comm) {
    std::array<std::uint64_t, 1> first{comm.rank()};
    comm.node().broadcast(std::as_writable_bytes(std::span(first)));
    auto const firsts = comm.all_gather(first.front());
    std::map<std::uint64_t, std::uint64_t> numbers;
    std::vector<std::uint64_t> found;
    for (auto const first : firsts) {
        found.push_back(numbers.try_emplace(first, numbers.size()).first->second);
    }
    return found;
}

std::vector<std::uint64_t> places_in_turn(std::vector<std::uint64_t> const& node_of) {
    std::map<std::uint64_t, std::uint64_t> taken;
    std::vector<std::uint64_t> turns;
    for (auto const node : node_of) {
        turns.push_back(taken[node]++);
    }
    std::vector<std::uint64_t> order(node_of.size());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::ranges::stable_sort(order, {}, [&](std::uint64_t rank) { return std::pair(turns[rank], node_of[rank]); });
    std::vector<std::uint64_t> places(order.size());
    for (std::uint64_t place = 0; place < order.size(); ++place) {
        places[order[place]] = place;
    }
    return places;
}

Communicator taken_in_turn(Communicator const& comm) {
    auto const place = places_in_turn(node_numbers(comm))[comm.rank()];
    MPI_Comm ordered = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(comm.handle(), 0, static_cast<int>(place), &ordered), "cannot order the ranks by nodes");
    auto found = Communicator::duplicate(ordered);
    MPI_Comm_free(&ordered);
    return found;
}

std::uint64_t fewest_nodes(std::vector<GroupMember> const& members) {
    std::map<std::uint64_t, std::set<std::uint64_t>> nodes;
    for (auto const& [group, node] : members) {
        nodes[group].insert(node);
    }
    auto const fewest = std::ranges::min_element(nodes, {}, [](auto const& one) { return one.second.size(); });
    return fewest == nodes.end() ? 0 : fewest->second.size();
}

}  // namespace weir
