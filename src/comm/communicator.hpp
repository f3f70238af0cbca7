#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace weir {

/// MPI initialised from construction to destruction. One per program, in main. Does nothing if MPI was initialised
/// elsewhere.
class MpiSession {
  public:
    MpiSession(int& argc, char**& argv);
    ~MpiSession();
    MpiSession(MpiSession const&) = delete;
    MpiSession& operator=(MpiSession const&) = delete;

  private:
    bool owner_ = false;
};

/// For work of this process alone whose library calls MPI, before a session: begins one that ends with the process.
void need_mpi();

/// A group of ranks that talk to each other. The default one is this process alone and never calls MPI.
/// Every member function that does not say otherwise is collective.
///
/// Where a collective call fails on one rank only, that rank must not skip the collective calls that follow. So the
/// call returns this rank's own values and stores the error, in this communicator, its parents and its children, until
/// the next agreement reports it to all ranks (see note(), has_trouble()).
class Communicator {
  public:
    Communicator() = default;

    /// All processes of this launch. MPI must be initialised.
    static Communicator world();

    /// The ranks of another communicator, with separate messages. MPI errors are returned. Collective.
    static Communicator duplicate(MPI_Comm);

    /// Another communicator itself, which must return MPI errors and outlive this one. Collective.
    static Communicator borrowed(MPI_Comm);

    /// Local, as all up to handle().
    [[nodiscard]] std::uint64_t rank() const { return rank_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] bool is_root() const { return rank_ == 0; }

    /// For interfaces that take an MPI_Comm; MPI_COMM_SELF if this is a single process without MPI.
    [[nodiscard]] MPI_Comm handle() const;

    /// Keeps the error that an MPI call with this communicator returned, if it is the first: it is then pending. Local.
    void note(int status, char const* problem) const;

    /// Is an MPI error pending on this rank? Local, as the next two.
    [[nodiscard]] bool has_trouble() const;

    /// Throws it: Error with MPI's own text, or std::bad_alloc.
    [[noreturn]] void throw_trouble() const;
    void forget_trouble() const;

    /// Lets MPI progress messages in flight, as a waiting call does. Local.
    void make_progress() const;

    void barrier() const;

    /// A barrier whose waiting ranks sleep instead of spinning, so that they take no CPU time from other ranks.
    void quiet_barrier() const;

    [[nodiscard]] double max(double) const;
    [[nodiscard]] std::uint64_t max(std::uint64_t) const;
    [[nodiscard]] std::uint64_t sum(std::uint64_t) const;

    /// The maximum of each of these values over all ranks, in place.
    void max(std::span<std::uint64_t> values) const;

    /// The sum of each of these values over all ranks, modulo 2^64, in place.
    void sum(std::span<std::uint64_t> values) const;

    /// One value of each rank, in rank order, on every rank.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    [[nodiscard]] std::vector<T> all_gather(T const& mine) const {
        std::vector<T> all(size_, mine);
        all_gather_bytes(&mine, sizeof(T), all.data());
        return all;
    }

    /// The same into existing memory, one value per rank.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void all_gather(T const& mine, std::span<T> all) const { all_gather_bytes(&mine, sizeof(T), all.data()); }

    /// One text of each rank, in rank order, on every rank.
    [[nodiscard]] std::vector<std::string> all_gather(std::string const& mine) const;

    /// The sum over all ranks, by the values' `void add(T const&)`, on every rank.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    [[nodiscard]] T add_up(T const& mine) const {
        T sum = mine;
        reduce_bytes(&mine, sizeof(T), &sum, [](void* in, void* in_out, int* count, MPI_Datatype*) {
            for (int i = 0; i < *count; ++i) {
                static_cast<T*>(in_out)[i].add(static_cast<T const*>(in)[i]);
            }
        });
        return sum;
    }

    /// Root's text, on every rank.
    [[nodiscard]] std::string broadcast(std::string text, std::uint64_t root = 0) const;

    /// Root's bytes, on every rank; the same number on all of them.
    void broadcast(std::span<std::byte> bytes, std::uint64_t root = 0) const;

    /// Sends a message to one rank while receiving one of known length from another; either may be absent. Not
    /// collective.
    void exchange(std::span<std::byte const> outgoing, std::optional<std::uint64_t> to, std::span<std::byte> incoming,
                  std::optional<std::uint64_t> from) const;

    /// One message to or from another rank.
    struct Outgoing {
        std::uint64_t to = 0;
        std::span<std::byte const> data;
    };
    struct Incoming {
        std::uint64_t from = 0;
        std::span<std::byte> data;
    };

    /// All of these messages concurrently, no two from or to the same rank. Not collective.
    void exchange(std::span<Outgoing const>, std::span<Incoming const>) const;

    /// The ranks that gave the same colour, in this order. If memory is exhausted on some rank, each rank gets a
    /// communicator of its own, and an error is pending.
    [[nodiscard]] Communicator split(std::uint64_t colour) const;

    /// The ranks that share this rank's node and memory; as split().
    [[nodiscard]] Communicator node() const;

  private:
    struct Trouble;
    struct Shared;
    static std::shared_ptr<Shared> room(MPI_Comm among, std::shared_ptr<Trouble> trouble);
    Communicator(std::shared_ptr<Shared>, MPI_Comm, bool owned);
    template <class Part>
    Communicator part(Part make) const;
    void all_gather_bytes(void const* mine, std::size_t bytes, void* all) const;
    void reduce_bytes(void const* mine, std::size_t bytes, void* result, MPI_User_function* combine) const;

    std::shared_ptr<Shared> comm_;  ///< null: a single process
    std::uint64_t rank_ = 0;
    std::uint64_t size_ = 1;
};

/// Throws Error with the library's own text if an MPI call returned an error.
void check_mpi(int status, char const* problem);

/// What MPI says of an error.
std::string words_of_mpi(int status);

}  // namespace weir
