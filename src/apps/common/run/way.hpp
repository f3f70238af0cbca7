#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/common/run/method.hpp"
#include "storage/backend_choice.hpp"

namespace weir {

/// The way of arrays to storage.
struct Way {
    std::string name;  ///< of the back-end
    std::shared_ptr<Backend> backend;
    bool collective = true;           ///< do all ranks ask for an array together?
    bool bytes = true;                ///< are files the bytes of the arrays, or of a format of its own?
    std::optional<Method> library{};  ///< of the two-phase library, whose requests are known; none: another back-end

    /// Reads files that are no plain bytes; null: they are.
    [[nodiscard]] Backend* format() const { return bytes ? nullptr : backend.get(); }
};

/// Through the two-phase library, for the files of this pattern. Local. Error (usage) as check_planes().
Way library_way(Method, Pattern const& files);

/// Through any back-end; `collective`: all ranks together, if it has such calls. Local.
Way other_way(std::string name, std::shared_ptr<Backend>, bool collective);

/// The options `method` and `backend`, with which a run chooses its way. Its members are local.
class WayChoice {
  public:
    void declare(OptionSet&);
    void declare_own(OptionSet&);

    /// Refuses what this build lacks (Error, cannot run), and what contradicts itself (usage).
    void validate_choice(bool reads) const;

    /// Refuses what the back-end's options make impossible with these files (Error, usage).
    void check_files(Pattern const& files) const;

    [[nodiscard]] std::string const& name() const { return backend_.name(); }

    /// The method, where the files go through the library.
    [[nodiscard]] std::optional<Method> library() const;

    /// For the files of this pattern.
    [[nodiscard]] Way way(Pattern const& files) const;

    /// Whether ranks ask for arrays together, which needs no files to be known.
    [[nodiscard]] bool collective() const;

  private:
    Method method_ = Method::two_phase;
    BackendChoice backend_{"twophase", {"twophase"}};  ///< whose options the method sets
};

}  // namespace weir
