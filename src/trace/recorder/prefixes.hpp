#pragma once

#include <stddef.h>
#include <stdint.h>

namespace weir::trace {

/// Beginnings of paths, searched for in most calls by name.
class Prefixes {
  public:
    /// From a list separated by ':'; null is an empty one. What does not fit is left out.
    void read(char const* list);

    [[nodiscard]] bool empty() const { return bytes_ == 0; }

    /// Does one of them begin this path?
    [[nodiscard]] bool begin(char const* path) const;

    /// Is one of them longer than this folder, and begins with it?
    [[nodiscard]] bool begin_below(char const* folder, size_t length) const;

  private:
    /// Calls `matches` with each of them and its length until it is true.
    template <class Matches>
    bool any(Matches matches) const;

    static constexpr size_t room = 6144;
    size_t bytes_;
    char texts_[room];  ///< each after its length, in two bytes
};

}  // namespace weir::trace
