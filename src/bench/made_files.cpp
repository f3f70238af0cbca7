#include "bench/made_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr std::size_t longest_list = 256 << 20;
constexpr char const* version_key = "weir_made";
constexpr std::uint64_t version = 1;

std::string read_own(std::filesystem::path const& path) {
    try {
        auto const bytes = open_own_file(path).identity().bytes;
        return bytes <= longest_list ? read_short_file(path, bytes).value_or("") : "";
    } catch (Error const&) {
        return {};
    }
}

}  // namespace

MadeFiles::MadeFiles(std::filesystem::path const& directory, std::string const& name, Communicator comm)
    : directory_(directory), path_(directory / fmt::format(".{}.made", name)), comm_(std::move(comm)) {
    take(comm_.broadcast(comm_.is_root() && is_there(path_) ? read_own(path_) : ""));
}

bool MadeFiles::has_left(std::filesystem::path const& path) const {
    auto const known = files_.find(path.filename().string());
    return known != files_.end() && is_there(path) && open_own_file(path).identity() == known->second;
}

void MadeFiles::add(std::vector<std::filesystem::path> const& of_this_rank) {
    auto const before = std::exchange(files_, {});
    run_together(comm_, [&] {
        for (auto const& path : of_this_rank) {
            if (auto const left = identity_of(path)) {
                files_[path.filename().string()] = *left;
            }
        }
    });
    auto const texts = comm_.all_gather(text());
    files_ = before;
    if (comm_.is_root()) {
        std::erase_if(files_, [&](auto const& known) { return identity_of(directory_ / known.first) != known.second; });
    }
    for (auto const& one : texts) {
        take(one);
    }
    run_together(comm_, [&] {
        if (comm_.is_root() && files_ != before) {
            write();
        }
    });
}

std::string MadeFiles::text() const {
    auto files = Json::object();
    for (auto const& [name, left] : files_) {
        files[name] = {left.inode, left.bytes, left.modified_ns};
    }
    return json_text({{version_key, version}, {"files", std::move(files)}});
}

void MadeFiles::take(std::string const& text) {
    auto const json = parse_json(text);
    try {
        if (json.is_object() && json.at(version_key) == version) {
            for (auto const& [name, left] : json.at("files").items()) {
                files_[name] = {left.at(0).get<std::uint64_t>(), left.at(1).get<std::uint64_t>(),
                                left.at(2).get<std::int64_t>()};
            }
        }
    } catch (Json::exception const&) {
        files_.clear();  // not written by this format's writer
    }
}

/// Written under a temporary name first, so that the file is either complete or unchanged.
void MadeFiles::write() const {
    auto const aside = path_.string() + ".part";
    for (auto const& old : {std::filesystem::path(aside), path_}) {
        if (is_there(old)) {
            static_cast<void>(open_own_file(old));
        }
    }
    static_cast<void>(::unlink(aside.c_str()));
    write_new_file(aside, text() + "\n");
    if (::rename(aside.c_str(), path_.c_str()) != 0) {
        throw file_error("rename to", path_, errno);
    }
}

}  // namespace weir
