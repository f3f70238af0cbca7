#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lowering/lowering.hpp"
#include "storage/backend.hpp"
#include "storage/backend_choice.hpp"

namespace weir {

/// How the two-phase library gets distributed arrays into a file.
enum class Method {
    two_phase,   ///< blocks become whole planes, one part a rank, which it writes: Thakur et al. (1996), section 3.3
    rank0,       ///< everything to rank 0, which alone opens and writes: the routine that the paper replaced
    independent  ///< each rank writes the runs of its own block
};
constexpr std::array<std::string_view, 3> enum_names(Method) { return {"two-phase", "rank0", "independent"}; }

/// Of the files of a pattern, without looking at its phases. Error (usage) if the method is two-phase and the planes
/// (places along the slowest dimension) of its largest array are no multiple of the ranks. Local, as all here.
void check_planes(Method, Pattern const& files);

/// The library's back-end, set so that it does that: each array is moved by requests of (planes / ranks) planes of the
/// largest one, one a rank (two-phase), by one request of rank 0 (rank0), both unless they are larger than 1 GiB; or by
/// those of each rank's contiguous runs (independent). Messages also within a node, so that they are the paper's. Error
/// (usage) as check_planes().
std::unique_ptr<Backend> backend_for(Method, Pattern const& files);

/// The same as a rule for patterns.
Lowering lowering_for(Method, Pattern const& files);

/// How arrays get to storage: which back-end, and whether ranks ask together.
struct Strategy {
    std::string name;  ///< of the back-end
    std::shared_ptr<Backend> backend;
    bool collective = true;           ///< do all ranks ask for an array together?
    bool bytes = true;                ///< are files the bytes of the arrays, or of a format of its own?
    std::optional<Method> library{};  ///< of the two-phase library, whose requests are known; none: another back-end

    /// Reads files that are no plain bytes; null: they are.
    [[nodiscard]] Backend* format() const { return bytes ? nullptr : backend.get(); }
};

/// Through the two-phase library, for the files of this pattern. Local. Error (usage) as check_planes().
Strategy library_strategy(Method, Pattern const& files);

/// Through any back-end; `collective`: all ranks together, if it has such calls. Local.
Strategy other_strategy(std::string name, std::shared_ptr<Backend>, bool collective);

/// The options `method` and `backend`, with which a run chooses its strategy. Its members are local.
class StrategyChoice {
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
    [[nodiscard]] Strategy strategy(Pattern const& files) const;

    /// Whether ranks ask for arrays together, which needs no files to be known.
    [[nodiscard]] bool collective() const;

  private:
    Method method_ = Method::two_phase;
    BackendChoice backend_{"twophase", {"twophase"}};  ///< whose options the method sets
};

}  // namespace weir
