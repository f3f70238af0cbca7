#include <map>
#include <sstream>
#include <string>

#include "array/contender.hpp"
#include "array/serve.hpp"
#include "core/json.hpp"
#include "storage/backend.hpp"

namespace weir::performance {
namespace {

/// Contenders that this build lacks, and why.
std::map<std::string, std::string> left_out() {
    std::map<std::string, std::string> found;
    std::istringstream names(WEIR_LEFT_OUT_CONTENDERS);
    for (std::string name; names >> name;) {
        auto const reason = left_out_backends().find(name);
        found[name] = reason == left_out_backends().end() ? "this build lacks it" : reason->second;
    }
    return found;
}

}  // namespace

Json describe_contenders() {
    Json found = Json::array();
    for (auto const& [name, entry] : entries()) {
        found.push_back({{"name", name},
                         {"summary", entry.summary},
                         {"role", entry.role},
                         {"mpi_io", entry.mpi_io},
                         {"environment", entry.environment}});
    }
    return {{"contenders", found}, {"left_out", left_out()}};
}

}  // namespace weir::performance
