#pragma once

#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/option.hpp"
#include "storage/backend.hpp"

namespace weir {

/// The options `hint` and `hint_file`.
class HintChoice {
  public:
    void declare(OptionSet&);

    /// Refuses hints that are none, and hints for a back-end that takes none (Error, usage). Local.
    void validate_choice(BackendKind const&) const;

    /// Those of the options, which override those of the file's text. Local.
    [[nodiscard]] Hints parsed(std::string const& file_text) const;

    /// The same on every rank; the first one reads the file. Collective.
    [[nodiscard]] Hints read(Communicator const&) const;

  private:
    std::vector<std::string> hints_;
    std::string file_;
};

}  // namespace weir
