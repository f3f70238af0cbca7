#include "apps/cloud/dump/layout.hpp"

#include <fmt/format.h>

namespace weir::cloud {

std::vector<DumpFile> files_of_dump(Index step) {
    auto const number = fmt::format("-{:06}", step);
    std::vector<DumpFile> files(2);
    files[0].name = "analysis" + number;
    files[1].name = restart_name;
    files[1].purpose = Purpose::restart;
    auto const names = enum_names(Picture{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        files.push_back({names[i].data() + number, Purpose::visualisation, static_cast<Picture>(i), 1, 1});
    }
    return files;
}

}  // namespace weir::cloud
