#pragma once

#include <optional>
#include <string>

#include "core/option.hpp"
#include "pattern/grouping.hpp"
#include "pattern/pattern.hpp"
#include "storage/backend.hpp"

namespace weir {

/// The options `read_group`, `write_group`, `group_by` and `group_requests`, with which a run chooses which ranks make
/// requests for others. All members are local.
class GroupChoice {
  public:
    void declare(OptionSet&);

    /// Refuses sizes that are none, or exceed the ranks, and groups with a back-end that has its own (Error, usage).
    void validate_choice(std::uint64_t ranks, std::string const& backend) const;

    /// Are requests made in groups, as far as the options say? Chosen sizes may turn out to be 1.
    [[nodiscard]] bool is_set() const { return by_ == GroupBy::node || read_ != alone || write_ != alone; }

    [[nodiscard]] bool by_node() const { return by_ == GroupBy::node; }

    /// For these requests. Sizes that the options leave open are chosen by predicted times; see choose_groups().
    [[nodiscard]] Grouping grouping(Pattern const& asked, Features const&) const;

  private:
    static constexpr char const* alone = "1";
    static constexpr char const* automatic = "auto";

    std::string read_ = alone;
    std::string write_ = alone;
    GroupBy by_ = GroupBy::count;
    GroupRequests requests_ = GroupRequests::member;
};

}  // namespace weir
