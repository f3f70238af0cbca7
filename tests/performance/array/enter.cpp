#include <utility>

#include "array/contender.hpp"

namespace weir::performance {
namespace {

void add(Entry entry) {
    auto name = entry.name;
    entries().emplace(std::move(name), std::move(entry));
}

}  // namespace

Enter::Enter(Entry entry) {
    if (entry.role == "public" || entry.role == "default") {
        auto twin = entry;
        twin.name += "-boosted";
        twin.summary = entry.name + ", with the boost library before it";
        twin.role = "boosted";
        twin.environment["LD_PRELOAD"] = WEIR_BOOST_LIBRARY;
        add(std::move(twin));
    }
    add(std::move(entry));
}

}  // namespace weir::performance
