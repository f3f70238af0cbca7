#include "core/foreign_link.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/own_file.hpp"

namespace weir {
namespace {

constexpr int most_links = 40;  ///< as many as the kernel follows
constexpr int naming = O_PATH | O_NOFOLLOW | O_CLOEXEC;

/// A way through the file system, a name at a time: what was looked at is what the next name is looked up in.
class Walk {
  public:
    explicit Walk(std::filesystem::path const& path) : here_(-1) { go(path); }

    /// Is there a next name? Then goes there; a link of root's or the caller's is followed.
    bool step() {
        if (pending_.empty() || here_.get() < 0) {
            return false;
        }
        auto const name = pending_.back();
        pending_.pop_back();
        Descriptor next(::openat(here_.get(), name.c_str(), naming));
        struct stat facts {};
        if (next.get() < 0 || ::fstat(next.get(), &facts) != 0) {
            return false;
        }
        if (S_ISLNK(facts.st_mode)) {
            refuse_foreign(passed_ / name, facts.st_uid);
            return ++links_ <= most_links && follow(next);
        }
        passed_ /= name;
        here_ = std::move(next);
        return true;
    }

  private:
    void go(std::filesystem::path const& path) {
        if (path.is_absolute() || here_.get() < 0) {
            passed_ = path.is_absolute() ? "/" : "";
            here_ = Descriptor(::open(path.is_absolute() ? "/" : ".", naming));
        }
        std::vector<std::string> names;
        for (auto const& part : path.relative_path()) {
            if (!part.empty()) {
                names.push_back(part.string());
            }
        }
        pending_.insert(pending_.end(), names.rbegin(), names.rend());
    }

    bool follow(Descriptor const& link) {
        std::string target(PATH_MAX, '\0');
        auto const length = ::readlinkat(link.get(), "", target.data(), target.size());
        if (length <= 0) {
            return false;
        }
        target.resize(static_cast<std::size_t>(length));
        go(target);
        return true;
    }

    static void refuse_foreign(std::filesystem::path const& link, uid_t owner) {
        if (owner != 0 && owner != ::geteuid()) {
            throw Error({fmt::format("'{}' is not followed", link.string()),
                         fmt::format("it is a link of user {}, who could point it anywhere", owner),
                         "Give the path that it stands for, or foreign_folder where there is that option.",
                         ExitCode::cannot_run});
        }
    }

    Descriptor here_;
    std::filesystem::path passed_;
    std::vector<std::string> pending_;  ///< the next name is the last
    int links_ = 0;
};

}  // namespace

void refuse_foreign_links(std::filesystem::path const& directory) {
    Walk walk(directory);
    while (walk.step()) {
    }
}

}  // namespace weir
