#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"

namespace weir {

/// All implementations of an interface, by name. Each adds itself with a static Registration in its own source
/// file, so that adding one edits no list.
template <class Interface>
class Registry {
  public:
    static Registry& instance() {
        static Registry registry;
        return registry;
    }

    void add(std::unique_ptr<Interface> item) {
        auto name = std::string(item->name());
        auto const added = items_.emplace(std::move(name), std::move(item)).second;
        expect(added, "names in a registry are unique");
    }

    /// The implementation with this name, or null.
    [[nodiscard]] Interface const* find(std::string_view name) const {
        auto const it = items_.find(name);
        return it == items_.end() ? nullptr : it->second.get();
    }

    /// All of them, name to implementation, in alphabetical order.
    [[nodiscard]] auto const& items() const { return items_; }

  private:
    std::map<std::string, std::unique_ptr<Interface>, std::less<>> items_;
};

/// `static Registration<Backend, PosixBackend> registration;` adds one PosixBackend to Registry<Backend>.
template <class Interface, class Implementation>
struct Registration {
    Registration() { Registry<Interface>::instance().add(std::make_unique<Implementation>()); }
};

}  // namespace weir
