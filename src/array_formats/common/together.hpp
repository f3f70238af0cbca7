#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "array_formats/common/failure.hpp"

namespace weir::formats {

/// What the ranks of a communicator do together, and the first failure of this one, kept while it goes on taking part.
/// What can fail on one rank stands in attempt(); what all ranks do together does not, since each must come to it.
class Together {
  public:
    explicit Together(MPI_Comm);

    [[nodiscard]] bool is_root() const { return rank_ == 0; }

    /// Runs `work` unless something has failed before; keeps what it throws. Local.
    template <class Work>
    void attempt(Work work) noexcept {
        if (!failure_) {
            failure_ = attempted(work);
        }
    }

    /// Throws the failure of the lowest rank that has one, on all ranks. Collective.
    void agree();

    /// The same, and throws WEIR_DISAGREE where ranks do not say the same. Collective.
    void agree_on(std::string const& said);

    /// What rank 0 alone does; its failure is everybody's. Collective.
    template <class Work>
    void done_by_root(Work work) {
        if (is_root()) {
            attempt(work);
        }
        agree();
    }

    /// What rank 0 alone finds out, a list of `count` values: on all ranks, or its failure. Collective; where MPI fails
    /// to tell them, the next agreement does.
    template <class Value, class Work>
    std::vector<Value> found_by_root(std::size_t count, Work work) {
        std::vector<Value> values;
        attempt([&] {
            values.resize(count);
            if (is_root()) {
                values = work();
            }
        });
        agree();
        broadcast(values.data(), count * sizeof(Value), 0);
        return values;
    }

  private:
    void broadcast(void* bytes, std::size_t count, int root);
    void note(int status);
    [[noreturn]] void throw_failure_of(int root);

    MPI_Comm comm_;
    int rank_ = 0;
    int ranks_ = 1;
    std::optional<Failure> failure_;
};

}  // namespace weir::formats
