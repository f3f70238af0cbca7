#include "bench/compute/hpcc/summary_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/error.hpp"
#include "core/foreign_link.hpp"

namespace weir {
namespace {

Descriptor made(std::string const& path) {
    try {
        refuse_foreign_links(std::filesystem::path(path).parent_path());
        return make_new_file(path);
    } catch (Error const& error) {
        auto diagnosis = error.diagnosis();
        diagnosis.exit_code = ExitCode::usage;
        diagnosis.suggestion = "Give another --output: a new file in a folder that you may write to.";
        throw Error(diagnosis);
    }
}

}  // namespace

SummaryFile::SummaryFile(std::string const& path, std::string const& text) : path_(path), file_(made(path)) {
    if (!put(text)) {
        auto const why = errno;
        ::unlink(path.c_str());
        throw system_error("cannot write " + path, why, "Free space.");
    }
}

void SummaryFile::write(std::string const& text, bool is_last) {
    auto const is_put = put(text);
    auto const why = errno;
    if (is_last && !is_put) {
        fmt::print(stderr, "{}", text);
        throw system_error("cannot write " + path_ + "; its text is above", why, "Free space.");
    }
    if (is_last && !is_in_place()) {
        fmt::print(stderr, "{}", text);
        throw Error({path_ + " is no longer the file that was made; its text is above",
                     "it was removed or replaced while the tests ran", "Keep the text, and leave the file in place.",
                     ExitCode::cannot_run});
    }
}

bool SummaryFile::is_in_place() const {
    struct stat made {};
    struct stat found {};
    return ::fstat(file_.get(), &made) == 0 && ::lstat(path_.c_str(), &found) == 0 && made.st_dev == found.st_dev &&
           made.st_ino == found.st_ino;
}

/// What is beyond the end comes first: where there is no room for it, what the file holds stays.
bool SummaryFile::put(std::string const& text) {
    auto const common = std::min(held_, text.size());
    if (!put_part(text, common, text.size())) {
        auto const why = errno;
        static_cast<void>(::ftruncate(file_.get(), static_cast<off_t>(held_)));
        errno = why;
        return false;
    }
    if (!put_part(text, 0, common) || ::ftruncate(file_.get(), static_cast<off_t>(text.size())) != 0) {
        return false;
    }
    held_ = text.size();
    return true;
}

bool SummaryFile::put_part(std::string const& text, std::size_t from, std::size_t end) {
    while (from < end) {
        auto const count = ::pwrite(file_.get(), text.data() + from, end - from, static_cast<off_t>(from));
        if (count <= 0) {
            return false;
        }
        from += static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace weir
