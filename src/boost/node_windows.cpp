#include "boost/node_windows.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <atomic>
#include <bit>

namespace weir::boost {

NodeWindows::~NodeWindows() {
    int finalized = 0;
    PMPI_Finalized(&finalized);
    if (finalized == 0) {
        release();
    }
}

NodeWindows::NodeWindows(Ranks const& ranks) : ranks_(ranks) {
    std::vector<int> aggregators(static_cast<std::size_t>(ranks_.aggregators()));
    for (int i = 0; i < ranks_.aggregators(); ++i) {
        aggregators[static_cast<std::size_t>(i)] = ranks_.rank_of(i);
    }
    rank_in_node_.resize(aggregators.size());
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Group here = MPI_GROUP_NULL;
    PMPI_Comm_group(ranks_.comm(), &all);
    PMPI_Comm_group(ranks_.node(), &here);
    PMPI_Group_translate_ranks(all, ranks_.aggregators(), aggregators.data(), here, rank_in_node_.data());
    PMPI_Group_free(&all);
    PMPI_Group_free(&here);
    release();  // nothing is shared yet
}

void NodeWindows::reserve(std::uint64_t bytes) {
    if (failed_ || bytes <= bytes_) {
        return;
    }
    release();
    bytes_ = std::bit_ceil(bytes);
    if (!true_on_all(ranks_.node(), has_room()) || !true_on_all(ranks_.node(), map())) {
        failed_ = true;
        release();
        return;
    }
    everywhere_ = ranks_.on_one_node();
}

/// MPI keeps shared memory in a file; Open MPI 4.1 waits for ever for a rank that finds no room for it.
bool NodeWindows::has_room() const {
    int ranks = 0;
    PMPI_Comm_size(ranks_.node(), &ranks);
    auto const wanted = static_cast<std::uint64_t>(ranks) * (bytes_ + board_bytes);
    struct statvfs memory {};
    struct rlimit longest_file {};
    return ::statvfs("/dev/shm", &memory) == 0 && wanted <= memory.f_bavail * memory.f_frsize / 2 &&
           ::getrlimit(RLIMIT_FSIZE, &longest_file) == 0 && wanted <= longest_file.rlim_cur;
}

/// True if this rank reaches all windows of its node.
bool NodeWindows::map() {
    MPI_Info apart = MPI_INFO_NULL;
    PMPI_Info_create(&apart);
    PMPI_Info_set(apart, "alloc_shared_noncontig", "true");
    void* own = nullptr;
    auto const mine = static_cast<MPI_Aint>((ranks_.own_aggregator() >= 0 ? bytes_ : 0) + board_bytes);
    auto const made = PMPI_Win_allocate_shared(mine, 1, apart, ranks_.node(), static_cast<void*>(&own), &memory_);
    PMPI_Info_free(&apart);
    if (made != MPI_SUCCESS) {
        memory_ = MPI_WIN_NULL;
        return false;
    }
    bool found = true;
    auto const query = [&](int rank_in_node, std::byte*& begin) {
        MPI_Aint size = 0;
        int unit = 0;
        found = PMPI_Win_shared_query(memory_, rank_in_node, &size, &unit, static_cast<void*>(&begin)) == MPI_SUCCESS &&
                found;
        return static_cast<std::uint64_t>(size);
    };
    for (std::size_t i = 0; i < windows_.size(); ++i) {
        if (rank_in_node_[i] != MPI_UNDEFINED) {
            query(rank_in_node_[i], windows_[i]);
        }
    }
    for (int rank = 0; ranks_.on_one_node() && rank < ranks_.size(); ++rank) {  // it has the same number in the node
        auto& board = boards_[static_cast<std::size_t>(rank)];
        auto const bytes = query(rank, board);
        board += found ? bytes - board_bytes : 0;
    }
    return found;
}

void NodeWindows::release() {
    if (memory_ != MPI_WIN_NULL) {
        PMPI_Win_free(&memory_);
    }
    bytes_ = 0;
    everywhere_ = false;
    windows_.assign(static_cast<std::size_t>(ranks_.aggregators()), nullptr);
    boards_.assign(static_cast<std::size_t>(ranks_.size()), nullptr);
}

void NodeWindows::barrier() const {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    PMPI_Barrier(ranks_.node());
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace weir::boost
