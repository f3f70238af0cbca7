#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pattern/file_pointers.hpp"
#include "sim/agenda.hpp"
#include "sim/collective_access.hpp"
#include "sim/lock_table.hpp"
#include "sim/lock_unit.hpp"
#include "sim/message_network.hpp"
#include "sim/metadata_servers.hpp"
#include "sim/page_cache.hpp"
#include "sim/phase_program.hpp"
#include "sim/rank_requests.hpp"
#include "sim/rank_tree.hpp"
#include "sim/simulate.hpp"
#include "sim/storage_servers.hpp"
#include "sim/write_gathering.hpp"

namespace weir::sim {

/// Resources of a kind, and the seconds that each has been in use.
struct BusyTimes {
    std::string_view name;
    std::vector<double> seconds;
};

/// The state of one run of a pattern on a machine: ranks in their programs, requests and messages under way.
class Simulation {
  public:
    Simulation(Machine const& machine, Pattern const& pattern, Use const& use);

    Outcome run();

  private:
    /// An access that a rank is carrying out, and its current request.
    struct Work {
        enum class Stage { next, issue, moving, in_memory, over };
        Work(Access const& asked, Rank acting) : access(asked), operations(asked, acting) {}
        Access const& access;
        RankRequests operations;
        std::uint64_t turn = 0;
        Stage stage = Stage::next;
        bool reads = false;
        bool cached = false;  ///< served by the node's memory
        bool locked = false;  ///< has the file's lock for its current request
        Chunks chunks;        ///< what is left of the request
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
        std::uint64_t sum = 0;  ///< of all pieces, if they are one request
        Together fetched{};     ///< of a read: what its node lacks of it, and reads ahead
    };
    struct RankState {
        std::uint32_t next = 0;          ///< position in its program
        std::uint32_t pending = 0;       ///< requests or messages under way, for which it waits
        std::uint32_t asynchronous = 0;  ///< requests, under way or waiting to be
        bool waits = false;              ///< for those of a file, or for all
        bool again = false;              ///< tries its step again
        double began = 0;                ///< its current step or request
        double ready = 0;                ///< when its processor has dealt with its messages
        std::uint64_t read_file = 0;     ///< its last read's
        std::uint64_t read_end = 0;
        std::unique_ptr<Work> work;
    };
    /// A part of a rank's request, on its way to one target.
    struct Request {
        std::uint32_t rank = 0;
        bool reads = false;
        bool background = false;  ///< of write-behind
        bool asynchronous = false;
        std::uint32_t locks = 0;       ///< that it has
        std::uint32_t collective = 0;  ///< 0: none, else that access's number from 1
        std::uint64_t file = 0;
        Chunk chunk{};
    };
    using Gathered = std::vector<std::uint32_t>;
    /// What a rank reads into its node's memory, and others of the node that wait for it.
    struct Fetch {
        std::uint32_t rank = 0;
        std::uint64_t file = 0;
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        Gathered waiting{};
    };
    struct Node {
        ServiceQueue out, in, memory;
        double dirty = 0;  ///< bytes written behind, not yet at their targets
        PageCache cache;
        std::vector<Fetch> fetches;
    };
    /// The messages of neighbouring steps.
    struct Exchange {
        struct Of {
            std::uint32_t arrived = 0;
            std::uint32_t expected = 0;
            std::uint32_t count = 0;  ///< sent and received
            bool there = false;
        };
        std::vector<Of> of;
    };
    /// A broadcast under way, and the rank of each member that has come.
    struct Tree {
        RankTree tree;
        Gathered ranks;
    };

    void run_phase(Phase const& phase, PhaseOutcome& outcome);
    void run_each(PhaseProgram const& program);
    bool take_next();
    void finish();
    /// What the phase reads is in no node's memory, and written before.
    void drop_caches(Phase const&);
    void handle(double now, Event event);

    // Phases in which all ranks do the same: all at once.
    [[nodiscard]] bool is_same_for_all(PhaseProgram const& program) const;
    [[nodiscard]] bool is_same_for_all(Instruction const& at) const;
    void run_for_all(PhaseProgram const& program);
    Span do_for_all(Span now, Instruction const& at);
    Span read_for_all(Span now, Access const& access);
    Span move_for_all(Span asked, std::uint64_t file, Chunks& chunks);
    Span note_for_all(Span began, Span ended, Doing doing, std::uint64_t bytes = 0);

    // Steps. They return whether the rank can go on at once.
    void go_on(std::uint32_t rank, double now);
    bool begin_step(std::uint32_t rank, double now);
    bool end_step(std::uint32_t rank, double now, double end, Doing doing, std::uint64_t operations = 1);
    bool make(std::uint32_t rank, double now, Instruction const& at, Open const& open);
    bool make(std::uint32_t rank, double now, Instruction const& at, Close const& close);
    bool make(std::uint32_t rank, double now, Instruction const& at, Sync const& sync);
    bool make(std::uint32_t rank, double now, Instruction const& at, Preallocate const& reserve);
    bool make(std::uint32_t rank, double now, Instruction const& at, Wait const& wait);
    bool make(std::uint32_t rank, double now, Instruction const& at, Compute const& compute);
    bool make(std::uint32_t rank, double now, Instruction const& at, Barrier const& barrier);
    bool make(std::uint32_t rank, double now, Instruction const& at, Seek const& seek);
    bool make(std::uint32_t rank, double now, Instruction const& at, Rename const& rename);
    bool make(std::uint32_t rank, double now, Instruction const& at, Remove const& remove);
    bool make(std::uint32_t rank, double now, Instruction const& at, Broadcast const& broadcast);
    bool make(std::uint32_t rank, double now, Instruction const& at, InGroups const& messages);
    bool make(std::uint32_t rank, double now, Instruction const& at, Send const& send);
    bool make(std::uint32_t rank, double now, Instruction const& at, Move const& move);
    bool make(std::uint32_t rank, double now, Instruction const& at, Repeat const& repeat);
    bool make(std::uint32_t rank, double now, Instruction const& at, Access const& access);
    /// Waits for all ranks of a step; the last one ends it for all, so much later.
    bool together(std::uint32_t rank, double now, std::uint64_t ranks, double service_s, Doing doing);
    /// When a rank's seek ends that it begins then.
    double after_seek(std::uint64_t file, double now);
    template <class End>
    bool served_together(std::uint32_t rank, double now, std::uint64_t ranks, Doing doing, End end);
    template <class Cost>
    bool after_all(std::uint32_t rank, double now, Instruction const& at, Doing doing, Cost cost);
    /// Seconds to give up what targets have of a file that is removed or replaced, if there is one.
    [[nodiscard]] double freeing_s(std::uint64_t file) const;
    [[nodiscard]] std::uint64_t size_of_file(std::uint64_t file) const;
    double flushed(std::uint64_t file, double now);
    /// Are a rank's asynchronous requests to a file complete? Else it tries its step again when they are.
    bool is_complete(std::uint32_t rank, std::uint64_t file);

    // Messages.
    bool exchange(std::uint32_t rank, double now);
    void send_all(std::uint32_t rank, Instruction const& at, double& now, Exchange& exchange);
    void begin_message(double now, std::uint32_t id);
    void sent(Message const& message, double now);
    void end_exchange(std::uint32_t rank, double now);
    bool along_tree(std::uint32_t rank, double now, std::uint64_t instance, std::uint64_t member, std::uint64_t members,
                    double bytes);

    // Collective accesses.
    [[nodiscard]] bool is_collective(Instruction const& at) const;
    [[nodiscard]] std::uint64_t callers_of(Instruction const& at) const;
    bool join_collective(std::uint32_t rank, double now, Instruction const& at);
    /// The next call of one, from then on; false if there is none.
    bool begin_call(std::uint32_t id, double now);
    void move_round(std::uint32_t id, double now);
    void end_round(std::uint32_t id, double now);
    double after_call(CollectiveAccess const& one, double end);
    void end_collective(std::uint32_t id, double end);

    // Requests.
    bool next_operation(std::uint32_t rank, double now);
    bool issue(std::uint32_t rank, double now);
    Together lacking(std::uint32_t rank, std::uint64_t file);
    /// Waits for another rank of its node that reads the same meanwhile; false if there is none.
    bool waits_for_fetch(std::uint32_t rank, std::uint64_t file);
    /// What a rank has read or written is in its node's memory now.
    void keep_in_memory(std::uint32_t rank, double now);
    void fill(std::uint32_t rank, double now);
    void start_queued(std::uint32_t rank, double now);
    /// Requests of a rank that are under way at once, but for those of write-behind.
    [[nodiscard]] std::uint64_t in_flight(std::uint32_t rank) const;
    void flush_behind(std::uint32_t rank, double now);
    Together gather(std::uint32_t rank, std::uint64_t file, double now);
    void send_behind(std::uint32_t rank, std::uint64_t file, Chunks chunks, double now);
    void send_gathered(std::uint32_t rank, std::uint64_t file, Together bytes, double now);
    std::uint32_t new_request(std::uint32_t rank, bool reads, std::uint64_t file, Chunk const& chunk);
    std::uint32_t new_request(std::uint32_t rank, Work& work);
    [[nodiscard]] std::optional<std::uint64_t> lock_of(Request const& request, std::uint32_t number) const;
    bool lock(std::uint32_t id, double now);
    void unlock(Request const& request, double now);
    bool lock_call(std::uint32_t rank, double now);
    void unlock_call(std::uint32_t rank, double now);
    void write(std::uint32_t id, double now);
    void start(std::uint32_t id, double now);
    void arrived(std::uint32_t id, double now);
    void has_read(std::uint32_t id, double now);
    void route(std::uint32_t id, double at);
    void routed(std::uint32_t id, double now);
    void behind_routers(std::uint32_t id, double at);
    void returned(std::uint32_t id, double now);
    void done(std::uint32_t id, double now);
    void end_operation(std::uint32_t rank, double now);
    double end_request(std::uint32_t rank, double now, std::uint64_t bytes);
    double copied(Node& node, double now, double bytes, double alone);

    [[nodiscard]] std::uint64_t file_number(std::uint64_t file, std::uint64_t rank) const;
    [[nodiscard]] Striping striping(std::uint64_t file) const;
    /// Do its servers have all of a file in memory?
    [[nodiscard]] bool is_kept(std::uint64_t file) const;
    [[nodiscard]] std::uint64_t acting(std::uint32_t rank) const;
    /// Which rank does the part of this one in the current phase.
    [[nodiscard]] std::uint32_t doer_of(std::uint64_t rank) const;
    [[nodiscard]] Instruction const& instruction(std::uint32_t rank) const;
    Node& node_of(std::uint32_t rank) { return nodes_[network_.node_of(rank)]; }
    Tally& tally(Doing doing) { return outcome_->operations[static_cast<std::size_t>(doing)]; }
    /// Seconds that each resource has been in use until then.
    [[nodiscard]] std::vector<BusyTimes> busy(double until) const;

    Machine machine_;
    Use use_;
    Pattern const& pattern_;
    std::uint64_t ranks_per_node_;
    double crowded_;  ///< ranks for each processor of a node, at least 1
    Agenda agenda_;
    MessageNetwork network_;
    StorageServers servers_;
    MetadataServers metadata_;
    LockTable locks_;
    ServiceQueue routers_;
    std::vector<Node> nodes_;
    std::vector<RankState> ranks_;
    std::vector<Request> requests_;
    std::vector<std::uint32_t> unused_;
    std::vector<FilePointers> pointers_;  ///< of ranks, if accesses seek
    std::unordered_map<std::uint64_t, ServiceQueue> seeks_;
    WriteGathering gathering_;
    std::map<std::uint64_t, std::uint64_t> behind_;  ///< by file, requests of write-behind
    std::map<std::uint64_t, Gathered> syncing_;      ///< ranks that wait for them
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> asynchronous_;  ///< requests, by rank and file
    std::map<std::uint32_t, std::deque<std::uint32_t>> queued_;  ///< those of a rank that are not under way yet
    std::map<std::uint64_t, bool> exists_;
    std::vector<std::uint64_t> sizes_;                ///< of the pattern's files
    std::map<std::uint64_t, std::uint64_t> renamed_;  ///< sizes of files that have got their name from another
    Openers openers_;

    // Of the current phase.
    Phase const* phase_ = nullptr;
    PhaseProgram const* program_ = nullptr;
    PhaseOutcome* outcome_ = nullptr;
    std::uint64_t running_ = 0;  ///< ranks that have not come to its end
    double phase_began_ = 0;
    double phase_ended_ = 0;
    std::map<std::uint32_t, Gathered> gathered_;  ///< by instruction
    std::map<std::uint64_t, Tree> trees_;
    std::vector<Exchange> exchanges_;
    std::vector<CollectiveAccess> collectives_;
    std::uint64_t events_ = 0;
    double processors_s_ = 0;
};

}  // namespace weir::sim
