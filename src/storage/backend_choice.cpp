#include "storage/backend_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/join.hpp"
#include "core/option_facts.hpp"

namespace weir {
namespace {

std::vector<std::string> names_of_backends() {
    std::vector<std::string> names;
    for (auto const& [name, kind] : Backends::instance().items()) {
        names.push_back(name);
    }
    for (auto const& [name, reason] : left_out_backends()) {
        names.push_back(name);  // so that selecting it reports the reason
    }
    return names;
}

ValueWords words_of_backends() {
    ValueWords words;
    for (auto const& [name, kind] : Backends::instance().items()) {
        words.emplace_back(name, kind->words());
    }
    return words;
}

}  // namespace

BackendChoice::BackendChoice(std::string standard, std::vector<std::string> const& hidden)
    : name_(std::move(standard)), hidden_(hidden) {
    for (auto const& [name, kind] : Backends::instance().items()) {
        objects_.emplace(name, kind->make());
    }
}

void BackendChoice::declare(OptionSet& options, char const* summary) {
    options.add("backend", name_, summary, names_of_backends());
    options.words("backend", words_of_backends());
}

void BackendChoice::declare_own(OptionSet& options) {
    declared_ = &options;
    for (auto const& [name, object] : objects_) {
        if (std::ranges::find(hidden_, name) != hidden_.end()) {
            continue;
        }
        OptionSet own;
        own.group(name + " back-end");
        object->declare(own);
        for (auto const& option : own.options()) {
            owners_[option.name].push_back(name);
        }
        options.adopt(own);
    }
}

void BackendChoice::validate_choice() const {
    if (auto const left_out = left_out_backends().find(name_); left_out != left_out_backends().end()) {
        throw Error({fmt::format("this build has no back-end {}", name_), left_out->second,
                     "Install what is missing and build again, or choose another back-end.", ExitCode::cannot_run});
    }
    for (auto const& [option, owners] : owners_) {
        auto const owned = std::ranges::find(owners, name_) != owners.end();
        validate(owned || declared_->is_default(option), fmt::format("{} contradicts backend = {}", option, name_),
                 fmt::format("it is an option of the {} back-end", join(owners, " and the ")),
                 fmt::format("Choose backend = {}, or leave {} out.", owners.front(), option));
    }
}

BackendKind const& BackendChoice::kind() const {
    auto const* found = Backends::instance().find(name_);
    expect(found != nullptr, "the option's choices are the registered back-ends");
    return *found;
}

}  // namespace weir
