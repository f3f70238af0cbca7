/// Weir's two-phase library for C++17: distributed arrays to files and back. Calls, rules and units are those of
/// array.h.
///
///     auto density = weir::io::Array::block({512, 512, 512}, sizeof(double)).ghosts({1, 1, 1}, {1, 1, 1});
///     std::vector<double> rho(density.local(comm).bytes / sizeof(double));
///     weir::io::Plan plan(comm, {density});
///     plan.write("density.raw", rho);
///     plan.read("density.raw", rho);
///
/// What fails throws weir::io::Error; collective calls throw it on all ranks. A description that fails throws nothing:
/// the plan does, on all ranks, so that none waits for another. Nothing else than the C library is linked.
#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/array.h"

namespace weir::io {

/// A number of elements, or a place, along each dimension.
using Indices = std::vector<std::int64_t>;

/// A failed call. what() reads `problem (reason) suggestion`.
class Error : public std::runtime_error {
  public:
    explicit Error(weir_error const& error) : runtime_error(error.message), code_(error.code), rank_(error.rank) {}
    Error(weir_code code, std::string const& message) : runtime_error(message), code_(code) {}

    [[nodiscard]] int code() const noexcept { return code_; }  ///< a weir_code
    [[nodiscard]] int rank() const noexcept {
        return rank_;
    }  ///< where it happened; -1: everywhere, or in a local call

  private:
    int code_;
    int rank_ = -1;
};

/// What a rank holds of an array. Of boxes, pieces and replicated arrays only `bytes`; the lists are empty.
struct Local {
    Indices grid;            ///< ranks along each dimension
    Indices start;           ///< the first index along each dimension
    Indices count;           ///< elements along each dimension, without ghosts
    std::int64_t bytes = 0;  ///< of the local array, ghosts included
};

struct Box {
    Indices start;
    Indices count;
};

namespace detail {

inline void check(int code, weir_error const& error) {
    if (code != WEIR_OK) {
        throw Error(error);
    }
}

inline void check_dims(char const* what, Indices const& list, std::size_t dims) {
    if (list.size() != dims) {
        throw Error(WEIR_BAD_ARGUMENT, std::string(what) + " has " + std::to_string(list.size()) +
                                           " entries, and the array " + std::to_string(dims) +
                                           " dimensions (one entry a dimension is needed)");
    }
}

inline std::int64_t const* or_null(Indices const& list) { return list.empty() ? nullptr : list.data(); }
inline std::int64_t* or_null(Indices& list) { return list.empty() ? nullptr : list.data(); }

struct FreeArray {
    void operator()(weir_array* array) const { weir_array_free(array); }
};
struct Complete {
    void operator()(weir_request* request) const { weir_wait(request, nullptr); }
};

}  // namespace detail

/// How one array is distributed. Local; can be moved, not copied. Lists of a wrong length throw at once.
class Array {
  public:
    static Array block(Indices const& shape, std::size_t element_bytes, Indices const& grid = {},
                       weir_order order = WEIR_C_ORDER) {
        check_optional("grid", grid, shape);
        weir_array* made = nullptr;
        weir_array_block(dims(shape), shape.data(), detail::or_null(grid), element_bytes, order, &made, nullptr);
        return {made, shape.size(), true};
    }

    static Array block_cyclic(Indices const& shape, Indices const& block, std::size_t element_bytes,
                              Indices const& grid = {}, weir_order order = WEIR_C_ORDER) {
        detail::check_dims("block", block, shape.size());
        check_optional("grid", grid, shape);
        weir_array* made = nullptr;
        weir_array_block_cyclic(dims(shape), shape.data(), block.data(), detail::or_null(grid), element_bytes, order,
                                &made, nullptr);
        return {made, shape.size(), true};
    }

    static Array boxes(Indices const& shape, std::vector<Box> const& boxes, std::size_t element_bytes,
                       weir_order order = WEIR_C_ORDER) {
        Indices starts;
        Indices counts;
        for (auto const& box : boxes) {
            detail::check_dims("a box's start", box.start, shape.size());
            detail::check_dims("a box's count", box.count, shape.size());
            starts.insert(starts.end(), box.start.begin(), box.start.end());
            counts.insert(counts.end(), box.count.begin(), box.count.end());
        }
        weir_array* made = nullptr;
        weir_array_boxes(dims(shape), shape.data(), static_cast<std::int64_t>(boxes.size()), starts.data(),
                         counts.data(), element_bytes, order, &made, nullptr);
        return {made, shape.size(), false};
    }

    /// `lengths` empty: one element each.
    static Array pieces(std::int64_t elements, Indices const& offsets, Indices const& lengths,
                        std::size_t element_bytes) {
        if (!lengths.empty() && lengths.size() != offsets.size()) {
            throw Error(WEIR_BAD_ARGUMENT,
                        std::to_string(offsets.size()) + " pieces have " + std::to_string(lengths.size()) + " lengths");
        }
        weir_array* made = nullptr;
        weir_array_pieces(elements, static_cast<std::int64_t>(offsets.size()), offsets.data(), detail::or_null(lengths),
                          element_bytes, &made, nullptr);
        return {made, 1, false};
    }

    static Array replicated(std::int64_t elements, std::size_t element_bytes) {
        weir_array* made = nullptr;
        weir_array_replicated(elements, element_bytes, &made, nullptr);
        return {made, 1, false};
    }

    Array& ghosts(Indices const& before, Indices const& after) & {
        detail::check_dims("ghosts before", before, dims_);
        detail::check_dims("ghosts after", after, dims_);
        weir_array_ghosts(handle_.get(), before.data(), after.data(), nullptr);
        return *this;
    }
    Array ghosts(Indices const& before, Indices const& after) && { return std::move(ghosts(before, after)); }

    Array& memory_order(weir_order order) & {
        weir_array_memory_order(handle_.get(), order, nullptr);
        return *this;
    }
    Array memory_order(weir_order order) && { return std::move(memory_order(order)); }

    Array& within(Indices const& larger_shape, Indices const& start) & {
        detail::check_dims("the larger shape", larger_shape, dims_);
        detail::check_dims("the start within it", start, dims_);
        weir_array_within(handle_.get(), larger_shape.data(), start.data(), nullptr);
        return *this;
    }
    Array within(Indices const& larger_shape, Indices const& start) && {
        return std::move(within(larger_shape, start));
    }

    [[nodiscard]] Local local(std::int64_t rank, std::int64_t ranks) const {
        Local held;
        for (auto* list : {&held.grid, &held.start, &held.count}) {
            list->resize(blocks_ ? dims_ : 0);
        }
        weir_error error{};
        detail::check(weir_array_local(handle_.get(), rank, ranks, detail::or_null(held.grid),
                                       detail::or_null(held.start), detail::or_null(held.count), &held.bytes, &error),
                      error);
        return held;
    }

    /// What this rank of the communicator holds.
    [[nodiscard]] Local local(MPI_Comm comm) const {
        int rank = 0;
        int ranks = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
        return local(rank, ranks);
    }

    [[nodiscard]] weir_array* handle() const noexcept { return handle_.get(); }

  private:
    Array(weir_array* made, std::size_t dims, bool blocks) : handle_(made), dims_(dims), blocks_(blocks) {}

    static int dims(Indices const& shape) { return static_cast<int>(shape.size()); }
    static void check_optional(char const* what, Indices const& list, Indices const& shape) {
        if (!list.empty()) {
            detail::check_dims(what, list, shape.size());
        }
    }

    std::unique_ptr<weir_array, detail::FreeArray> handle_;
    std::size_t dims_;
    bool blocks_;
};

/// A local array: an address, or a container (vector, span, array), whose size is then checked.
template <class Address>
class BasicBuffer {
  public:
    BasicBuffer(Address address) : address_(address) {}  // NOLINT(google-explicit-constructor)

    template <class Container,
              class = std::enable_if_t<std::is_convertible_v<decltype(std::data(std::declval<Container&>())), Address>>>
    BasicBuffer(Container&& container)  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
        : address_(std::data(container)),
          bytes_(static_cast<std::int64_t>(std::size(container) * sizeof(*std::data(container)))) {}

    [[nodiscard]] Address address() const noexcept { return address_; }
    [[nodiscard]] std::int64_t bytes() const noexcept { return bytes_; }  ///< -1: not known

  private:
    Address address_;
    std::int64_t bytes_ = -1;
};
using Source = BasicBuffer<void const*>;
using Target = BasicBuffer<void*>;
using Sources = std::vector<Source>;
using Targets = std::vector<Target>;

/// Something other than a file, see weir_target: what its functions throw becomes the call's error on all ranks.
class Sink {
  public:
    virtual ~Sink() = default;
    virtual void write(int array, std::int64_t start, std::int64_t bytes, void const* data) = 0;
    virtual void read(int array, std::int64_t start, std::int64_t bytes, void* data) = 0;
};

namespace detail {

template <class Call>
int reported(char message[WEIR_MESSAGE_SIZE], Call call) {
    try {
        call();
        return 0;
    } catch (std::exception const& error) {
        std::snprintf(message, WEIR_MESSAGE_SIZE, "%s", error.what());
    } catch (...) {
        std::snprintf(message, WEIR_MESSAGE_SIZE, "an exception of unknown type");
    }
    return 1;
}

inline weir_target target_of(Sink& sink) {
    return {&sink,
            [](void* context, int array, std::int64_t start, std::int64_t bytes, void const* data, char* message) {
                return reported(message, [&] { static_cast<Sink*>(context)->write(array, start, bytes, data); });
            },
            [](void* context, int array, std::int64_t start, std::int64_t bytes, void* data, char* message) {
                return reported(message, [&] { static_cast<Sink*>(context)->read(array, start, bytes, data); });
            }};
}

/// The addresses of buffers, and what is wrong with their sizes on this rank. A buffer of a wrong size is handed on as
/// null: then the call fails on all ranks, where an exception on this one alone would leave the others waiting.
class Addresses {
  public:
    template <class Address>
    Addresses(std::vector<BasicBuffer<Address>> const& buffers, Indices const& wanted) {
        if (buffers.size() != wanted.size()) {
            throw Error(WEIR_BAD_ARGUMENT, std::to_string(buffers.size()) + " buffers were given for the plan's " +
                                               std::to_string(wanted.size()) + " arrays (one an array is needed)");
        }
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            auto const right = buffers[i].bytes() < 0 || buffers[i].bytes() == wanted[i];
            addresses_.push_back(right ? const_cast<void*>(buffers[i].address()) : nullptr);
            if (!right && wrong_.empty()) {
                wrong_ = "the buffer of array " + std::to_string(i) + " has " + std::to_string(buffers[i].bytes()) +
                         " bytes (this rank's part, ghosts included, has " + std::to_string(wanted[i]) +
                         ") Array::local tells the size";
            }
        }
    }

    [[nodiscard]] void* const* data() const { return addresses_.data(); }

    void check(int code, weir_error const& error) const {
        if (code != WEIR_OK && !wrong_.empty()) {
            throw Error(WEIR_BAD_ARGUMENT, wrong_);
        }
        detail::check(code, error);
    }

  private:
    std::vector<void*> addresses_;
    std::string wrong_;
};

}  // namespace detail

/// A dump on its way. The destructor waits and keeps errors to itself: call wait() to learn them. The plan lives on
/// until its requests are gone.
class Request {
  public:
    Request(std::shared_ptr<weir_plan> plan, weir_request* request) : plan_(std::move(plan)), handle_(request) {}

    /// Local: has this rank's part ended?
    [[nodiscard]] bool test() const { return handle_ == nullptr || weir_test(handle_.get()) != 0; }

    /// Collective. Returns when the dump is complete; a second call does nothing.
    void wait() {
        if (handle_ != nullptr) {
            weir_error error{};
            detail::check(weir_wait(handle_.release(), &error), error);
        }
    }

  private:
    std::shared_ptr<weir_plan> plan_;  // before the request, which then goes first
    std::unique_ptr<weir_request, detail::Complete> handle_;
};

/// All that repeated dumps have in common; can be moved, not copied. Everything is collective if not said otherwise,
/// the destructor too.
class Plan {
  public:
    Plan(Plan&&) = default;
    Plan& operator=(Plan&&) = default;

    /// An array in a plan's list; temporaries will do, as the plan keeps none of them.
    struct Member {
        Member(Array const& described) : array(described) {}  // NOLINT(google-explicit-constructor)
        Array const& array;
    };

    Plan(MPI_Comm comm, std::vector<Member> const& arrays, std::string const& options = {}) {
        std::vector<weir_array*> handles;
        handles.reserve(arrays.size());
        for (auto const& member : arrays) {
            handles.push_back(member.array.handle());
        }
        weir_plan* made = nullptr;
        weir_error error{};
        detail::check(
            weir_plan_make(comm, static_cast<int>(handles.size()), handles.data(), options.c_str(), &made, &error),
            error);
        handle_.reset(made, weir_plan_free);
        for (auto const& member : arrays) {
            bytes_.push_back(member.array.local(comm).bytes);
        }
    }

    void write(std::string const& path, Sources const& buffers, std::int64_t offset = 0) {
        transfer(buffers, [&](auto... rest) { return weir_write(handle(), path.c_str(), offset, rest...); });
    }
    void write(std::string const& path, Source const& buffer, std::int64_t offset = 0) {
        write(path, Sources{buffer}, offset);
    }
    void write_at(std::string const& path, Indices const& offsets, Sources const& buffers) {
        detail::check_dims("the list of offsets", offsets, bytes_.size());
        transfer(buffers, [&](auto... rest) { return weir_write_at(handle(), path.c_str(), offsets.data(), rest...); });
    }
    void write(Sink& sink, Sources const& buffers) {
        auto const target = detail::target_of(sink);
        transfer(buffers, [&](auto... rest) { return weir_write_target(handle(), &target, rest...); });
    }

    void read(std::string const& path, Targets const& buffers, std::int64_t offset = 0) {
        transfer(buffers, [&](auto... rest) { return weir_read(handle(), path.c_str(), offset, rest...); });
    }
    void read(std::string const& path, Target const& buffer, std::int64_t offset = 0) {
        read(path, Targets{buffer}, offset);
    }
    void read_at(std::string const& path, Indices const& offsets, Targets const& buffers) {
        detail::check_dims("the list of offsets", offsets, bytes_.size());
        transfer(buffers, [&](auto... rest) { return weir_read_at(handle(), path.c_str(), offsets.data(), rest...); });
    }
    void read(Sink& sink, Targets const& buffers) {
        auto const target = detail::target_of(sink);
        transfer(buffers, [&](auto... rest) { return weir_read_target(handle(), &target, rest...); });
    }

    /// Returns when the buffers may be changed again; nothing else is asked of the plan before the request is waited
    /// for.
    [[nodiscard]] Request write_start(std::string const& path, Sources const& buffers, std::int64_t offset = 0) {
        weir_request* started = nullptr;
        transfer(buffers, [&](void* const* addresses, weir_error* error) {
            return weir_write_start(handle(), path.c_str(), offset, addresses, &started, error);
        });
        return {handle_, started};
    }
    [[nodiscard]] Request write_start(std::string const& path, Source const& buffer, std::int64_t offset = 0) {
        return write_start(path, Sources{buffer}, offset);
    }

    /// Moves arrays from this plan's distribution to another's, in memory.
    void redistribute(Sources const& from, Plan& other, Targets const& to) {
        detail::Addresses const targets(to, other.bytes_);
        detail::Addresses const sources(from, bytes_);
        weir_error error{};
        auto const code = weir_redistribute(handle(), sources.data(), other.handle(), targets.data(), &error);
        sources.check(code, error);
        targets.check(code, error);
    }

    /// One line: what was chosen, and why. Local, as all that follow.
    [[nodiscard]] std::string explain() const { return weir_plan_explain(handle()); }
    [[nodiscard]] std::int64_t memory() const { return weir_plan_memory(handle()); }
    [[nodiscard]] std::int64_t file_bytes() const { return weir_plan_file_bytes(handle()); }
    [[nodiscard]] weir_times times() const {
        weir_times spent{};
        weir_plan_times(handle(), &spent);
        return spent;
    }
    [[nodiscard]] weir_plan* handle() const noexcept { return handle_.get(); }

  private:
    template <class Buffers, class Call>
    void transfer(Buffers const& buffers, Call call) const {
        detail::Addresses const addresses(buffers, bytes_);
        weir_error error{};
        addresses.check(call(addresses.data(), &error), error);
    }

    std::shared_ptr<weir_plan> handle_;  ///< shared with requests alone
    Indices bytes_;                      ///< of each local array on this rank
};

}  // namespace weir::io
