#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "boost/coverage.hpp"
#include "boost/file_view.hpp"
#include "boost/growing_buffer.hpp"
#include "boost/node_windows.hpp"
#include "boost/ranks.hpp"

namespace weir::boost {

/// A rank's part of a collective call: data bytes [from, from + bytes) of its view, from or to memory.
struct Request {
    FileView const* view;
    std::uint64_t from;
    std::uint64_t bytes;
    TypeMap const* memory;  ///< of this many bytes, from `buffer` on
    std::byte* buffer;
};

/// Part of a file.
struct Hull {
    std::int64_t begin;
    std::int64_t end;
};

/// What all ranks know of all requests of a call.
struct Whole {
    Hull hull;  ///< which they lie in
    std::uint64_t bytes;
};

/// A two-phase exchange without a plan: ranks send lists of pieces and their data to aggregators, which write them, or
/// read and send them back. Within a node, data are copied to and from the aggregators' windows, and only lists are
/// sent. The hull is cut into a part for each aggregator, and each part into windows, so that memory is bounded: a
/// window and the messages of one. Each rank may be in one exchange at a time.
class OneShot {
  public:
    explicit OneShot(Ranks const& ranks) : ranks_(ranks), windows_(ranks) {}

    /// 0, or why not all bytes were moved on this rank: an errno, or end_of_file. Collective, and no rank waits in vain
    /// for one that fails; ranks may get different values. `descriptor` matters on aggregators.
    int write(Request const&, Whole const&, int descriptor);
    int read(Request const&, Whole const&, int descriptor);

    static constexpr int end_of_file = -1;

    [[nodiscard]] std::uint64_t requests() const { return requests_; }  ///< of this rank to the file system, so far

  private:
    /// Bytes in a message to or from each rank, and where they lie.
    struct Messages {
        std::vector<int> bytes;
        std::vector<int> at;
        GrowingBuffer data;

        void clear(int ranks);
        std::byte* add(int rank, std::uint64_t more);
        void room_for_all();  ///< whose lengths are known
    };
    struct Piece {
        std::uint32_t at;  ///< in the window
        std::uint32_t bytes;
    };
    struct Received {
        std::byte const* message = nullptr;
        std::uint64_t bytes = 0;
    };
    struct Part {
        std::uint64_t from;
        std::uint64_t to;
    };

    void begin(Whole const&);
    void find_rounds(Request const&, Whole const&);
    void mark_rounds(std::int64_t offset, std::uint64_t bytes, std::vector<std::uint64_t>& marks) const;
    [[nodiscard]] std::int64_t edge(int aggregator) const;
    [[nodiscard]] std::uint64_t largest_window() const;
    [[nodiscard]] Hull window(int aggregator, std::uint64_t round) const;
    [[nodiscard]] Part part_in(Request const&, Hull const&) const;
    void list_pieces(Request const&, Hull const&, Part const&);
    void list_for_reading(Request const&, Hull const&, Part const&);
    void tell_lists(Request const&, std::uint64_t round, bool with_data);
    std::byte* own_window(Hull const&);

    /// visit(bytes in the window, bytes in memory, how many) for each piece that is contiguous in both.
    template <class Visit>
    void each_in_window(Request const&, Part const&, Visit visit) const;
    void exchange(Messages& from, Messages& to);
    void exchange_lists();
    bool exchange_by_boards();
    template <class Visit>
    void each_list(Visit visit) const;
    void tell_bytes(Messages const& outgoing, Messages& incoming);
    void expect_answers(Request const&, std::uint64_t round);
    void take_answers(Request const&, std::uint64_t round);
    int store(Hull const&, int descriptor);
    int load(Hull const&, int descriptor);

    Ranks const& ranks_;
    NodeWindows windows_;
    std::int64_t begin_ = 0;
    std::int64_t end_ = 0;
    std::int64_t share_ = 0;  ///< bytes of an aggregator's part
    std::uint64_t window_bytes_ = 0;
    std::vector<std::uint64_t> rounds_;  ///< those in which some rank moves bytes
    std::uint64_t moved_ = 0;            ///< by all ranks before this call
    std::vector<Piece> pieces_;          ///< of the list that is being made
    Messages outgoing_;
    Messages incoming_;
    std::vector<Received> received_;  ///< lists, of each rank
    Messages answers_;
    GrowingBuffer window_;  ///< where nothing is shared
    Coverage coverage_;
    std::uint64_t requests_ = 0;
};

}  // namespace weir::boost
