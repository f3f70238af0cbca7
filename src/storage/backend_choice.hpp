#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/option.hpp"
#include "storage/backend.hpp"

namespace weir {

/// The option `backend`, together with the specific options of every registered back-end.
class BackendChoice {
  public:
    /// `hidden`: back-ends whose specific options are set elsewhere.
    explicit BackendChoice(std::string standard, std::vector<std::string> const& hidden = {});

    /// Only the option `backend`, in the current group.
    void declare(OptionSet&, char const* summary);

    /// The back-ends' options, a group for each; the set outlives this.
    void declare_own(OptionSet&);

    /// Refuses a back-end that this build lacks (Error, cannot run), and options of back-ends not chosen (usage).
    void validate_choice() const;

    [[nodiscard]] std::string const& name() const { return name_; }
    [[nodiscard]] BackendKind const& kind() const;
    [[nodiscard]] Backend& object() const { return *shared(); }
    [[nodiscard]] std::shared_ptr<Backend> const& shared() const { return objects_.at(name_); }

  private:
    std::string name_;
    std::map<std::string, std::shared_ptr<Backend>> objects_;  ///< copies of the choice share them
    std::vector<std::string> hidden_;
    OptionSet const* declared_ = nullptr;
    std::map<std::string, std::vector<std::string>> owners_;  ///< by option
};

}  // namespace weir
