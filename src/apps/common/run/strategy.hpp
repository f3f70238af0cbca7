#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apps/common/run/group_choice.hpp"
#include "lowering/lowering.hpp"
#include "storage/backend.hpp"
#include "storage/backend_choice.hpp"
#include "storage/hint_choice.hpp"

namespace weir {

/// How the two-phase library writes distributed arrays to a file.
enum class DumpMethod {
    two_phase,    ///< blocks become planes, one part per rank, which writes it: Thakur et al. (1996), section 3.3
    rank0,        ///< all data to rank 0, the only one that opens and writes: the routine that the paper replaced
    independent,  ///< each rank writes the runs of its own block
    automatic     ///< the library chooses, and may use fewer ranks than there are
};
constexpr std::array<std::string_view, 4> enum_names(DumpMethod) {
    return {"two-phase", "rank0", "independent", "auto"};
}
constexpr std::array<std::string_view, 4> enum_words(DumpMethod) {
    return {"two-phase", "all through rank 0", "each rank its own pieces", ""};
}

/// For the files of a pattern, regardless of its phases. Error (usage) if the method is two-phase and the planes
/// (indices of the slowest dimension) of its largest array are not a multiple of the ranks. Local, as all here.
void check_planes(DumpMethod, Pattern const& files);

/// The library's back-end with the settings of a method: each array is moved by requests of (planes / ranks) planes of
/// the largest one, one per rank (two-phase), by one request of rank 0 (rank0), both unless they exceed 1 GiB; or by
/// one request for each rank's contiguous runs (independent). Messages also within a node, as in the paper. Error
/// (usage) as check_planes().
std::unique_ptr<Backend> backend_for(DumpMethod, Pattern const& files);

/// The same method for lowering patterns.
Lowering lowering_for(DumpMethod, Pattern const& files);

/// How arrays are written to storage: through which back-end, and whether collectively.
struct DumpStrategy {
    std::string name;  ///< of the back-end
    std::shared_ptr<Backend> backend;
    bool collective = true;  ///< are array accesses collective?
    bool bytes = true;       ///< are files the plain bytes of the arrays, or in another format?
    std::optional<DumpMethod>
        library{};                       ///< of the two-phase library, whose requests are known; none: another back-end
    Hints hints{};                       ///< for the library below the back-end
    std::optional<Grouping> grouping{};  ///< the ranks that make requests for others; none: each makes its own

    /// Reads files that are not plain bytes; null: they are.
    [[nodiscard]] Backend* format() const { return bytes ? nullptr : backend.get(); }
};

/// Through the two-phase library, for the files of this pattern. Local. Error (usage) as check_planes().
DumpStrategy library_strategy(DumpMethod, Pattern const& files);

/// Through any back-end; `collective`: collectively, if it supports that. Local.
DumpStrategy other_strategy(std::string name, std::shared_ptr<Backend>, bool collective);

/// The options `method`, `backend` and those of hints, with which a run chooses its strategy. Its members are local
/// except strategy().
class StrategyChoice {
  public:
    /// What is chosen unless the options say otherwise.
    StrategyChoice(DumpMethod, std::string const& backend);

    void declare(OptionSet&);
    void declare_own(OptionSet&);

    /// Refuses what this build lacks (Error, cannot run), and contradictory options (usage).
    void validate_choice(std::uint64_t ranks, bool reads) const;

    /// Refuses back-end options that cannot work with these files (Error, usage).
    void check_files(Pattern const& files) const;

    [[nodiscard]] std::string const& name() const { return backend_.name(); }

    /// The method, if files go through the library by a method whose requests are known.
    [[nodiscard]] std::optional<DumpMethod> library() const;

    [[nodiscard]] bool groups_by_node() const { return groups_.by_node(); }

    /// Of these requests; none: each rank makes its own.
    [[nodiscard]] std::optional<Grouping> grouping(Pattern const& asked) const;

    /// For these requests, without hints.
    [[nodiscard]] DumpStrategy strategy(Pattern const& asked) const;

    /// The same with hints, whose file is read. Collective.
    [[nodiscard]] DumpStrategy strategy(Pattern const& asked, Communicator const&) const;

    /// The back-end. Known after validate_choice().
    [[nodiscard]] BackendKind const& kind() const { return backend_.kind(); }

    /// Whether array accesses are collective, which does not depend on the files.
    [[nodiscard]] bool collective() const;

  private:
    DumpMethod method_;
    BackendChoice backend_;  ///< without options of the two-phase library, which the method sets
    GroupChoice groups_;
    HintChoice hints_;
};

}  // namespace weir
