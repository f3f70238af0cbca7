#include "storage/hint_choice.hpp"

#include <fmt/format.h>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"
#include "storage/hints.hpp"

namespace weir {

void HintChoice::declare(OptionSet& options) {
    options.add("hint", hints_, "a hint for the library, key=value; repeatable");
    options.add("hint_file", file_, "a file of hints, one per line: key=value, or key value", Outside{Reach::input});
}

void HintChoice::validate_choice(BackendKind const& backend) const {
    auto const refuse = [&](char const* option) {
        throw Error({fmt::format("{} contradicts backend = {}", option, backend.name()), "it takes no hints",
                     "Choose backend = mpiio, or leave the hints out.", ExitCode::usage});
    };
    if (!backend.features().hints && !file_.empty()) {
        refuse("hint_file");
    }
    if (!backend.features().hints && !hints_.empty()) {
        refuse("hint");
    }
    static_cast<void>(parsed(""));
}

Hints HintChoice::parsed(std::string const& file_text) const {
    auto result = parse_hint_file(file_text, file_);
    for (auto const& hint : hints_) {
        add_hint(result, hint, "=", fmt::format("hint '{:.40}'", hint));
    }
    return result;
}

Hints HintChoice::read(Communicator const& comm) const {
    std::string text;
    run_together(comm, [&] {
        if (comm.is_root() && !file_.empty()) {
            text = read_named_file(file_, fmt::format("'{}'", file_), "Check the path.");
        }
    });
    return parsed(comm.broadcast(text));
}

}  // namespace weir
