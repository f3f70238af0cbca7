#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/option.hpp"
#include "storage/backend.hpp"

namespace weir {

/// The option `backend`, and beside it the own options of every registered back-end.
class BackendChoice {
  public:
    /// `hidden`: back-ends whose own options are set in another way here.
    explicit BackendChoice(std::string standard, std::vector<std::string> const& hidden = {});

    /// The option alone, in the group that is begun.
    void declare(OptionSet&, char const* summary);

    /// Those of the back-ends, a group each; the set outlives this.
    void declare_own(OptionSet&);

    /// Refuses a back-end that this build lacks (Error, cannot run), and options of others than it (usage).
    void validate_choice() const;

    [[nodiscard]] std::string const& name() const { return name_; }
    [[nodiscard]] BackendKind const& kind() const;
    [[nodiscard]] Backend& object() const { return *shared(); }
    [[nodiscard]] std::shared_ptr<Backend> const& shared() const { return objects_.at(name_); }

  private:
    std::string name_;
    std::map<std::string, std::shared_ptr<Backend>> objects_;  ///< copies of the options set the same ones
    std::vector<std::string> hidden_;
    OptionSet const* declared_ = nullptr;
    std::map<std::string, std::vector<std::string>> owners_;  ///< by option
};

}  // namespace weir
