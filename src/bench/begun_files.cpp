#include "bench/begun_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <iterator>
#include <system_error>
#include <utility>

#include "bench/own_list.hpp"
#include "bench/ticking_thread.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr char const* begun_key = "weir_begun";
constexpr std::uint64_t begun_schema = 1;

std::string text_of(std::set<Birth> const& births) {
    auto files = Json::array();
    for (auto const& birth : births) {
        files.push_back({birth.inode, birth.born_ns});
    }
    return json_text({{begun_key, begun_schema}, {"files", std::move(files)}});
}

std::set<Birth> births_in(std::string const& text) {
    std::set<Birth> births;
    auto const json = parse_json(text);
    try {
        if (json.is_object() && json.at(begun_key) == begun_schema) {
            for (auto const& one : json.at("files")) {
                births.insert({one.at(0).get<std::uint64_t>(), one.at(1).get<std::int64_t>()});
            }
        }
    } catch (Json::exception const&) {
        births.clear();  // not written by this format's writer
    }
    return births;
}

}  // namespace

std::optional<Birth> birth_of(std::filesystem::path const& path) {
    constexpr std::int64_t second = 1'000'000'000;
    struct statx facts {};
    auto const wanted = STATX_TYPE | STATX_INO | STATX_BTIME;
    if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, wanted, &facts) != 0 || !S_ISREG(facts.stx_mode) ||
        (facts.stx_mask & STATX_BTIME) == 0) {
        return {};
    }
    return Birth{facts.stx_ino, facts.stx_btime.tv_sec * second + facts.stx_btime.tv_nsec};
}

/// Tells the names of files that appear in a directory, by a thread that sleeps otherwise.
class BegunFiles::Watch {
  public:
    using Told = std::function<void(std::string const& name)>;

    Watch(std::filesystem::path const& directory, Told told)
        : told_(std::move(told)), events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)), end_(::eventfd(0, EFD_CLOEXEC)) {
        if (events_.get() < 0 || end_.get() < 0 ||
            ::inotify_add_watch(events_.get(), directory.c_str(), IN_CREATE | IN_ONLYDIR) < 0) {
            return;
        }
        try {
            thread_ = std::make_unique<TickingThread>([this](TickingThread&) { wait(); });
        } catch (std::system_error const&) {  // as where nothing can be watched
        }
    }
    ~Watch() {
        if (thread_) {
            ::eventfd_write(end_.get(), 1);
        }
    }
    Watch(Watch const&) = delete;
    Watch& operator=(Watch const&) = delete;

  private:
    void wait() {
        std::array<pollfd, 2> both{pollfd{events_.get(), POLLIN, 0}, pollfd{end_.get(), POLLIN, 0}};
        while (true) {
            auto const ready = ::poll(both.data(), both.size(), -1);
            if (ready > 0 && both[0].revents != 0 && !read_events()) {
                return;
            }
            if (ready > 0 && both[1].revents != 0) {
                return;
            }
        }
    }

    /// False once nothing more can be learnt.
    bool read_events() {
        alignas(inotify_event) std::array<char, 64 << 10> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
        auto const bytes = ::read(events_.get(), buffer.data(), buffer.size());
        for (std::ptrdiff_t at = 0; at < bytes;) {
            inotify_event event{};
            std::memcpy(&event, buffer.data() + at, sizeof event);
            if (event.len > 0) {
                told_(buffer.data() + at + sizeof event);
            }
            at += static_cast<std::ptrdiff_t>(sizeof event + event.len);
        }
        return bytes > 0 || errno == EAGAIN || errno == EINTR;
    }

    Told told_;
    Descriptor events_, end_;
    std::unique_ptr<TickingThread> thread_;  ///< null: the system has no room for such
};

BegunFiles::BegunFiles(std::filesystem::path const& directory, std::string const& name, Communicator const& comm)
    : directory_(directory), path_(directory / fmt::format(".{}.begun", name)) {
    auto const text = comm.broadcast(comm.is_root() && is_there(path_) ? read_own_list(path_) : std::string());
    left_ = births_in(text);
    if (comm.is_root()) {
        watch_ = std::make_unique<Watch>(directory, [this](std::string const& made) { note(made); });
    }
}

/// What killed runs left elsewhere in the directory stays listed.
BegunFiles::~BegunFiles() {
    if (watch_ == nullptr) {
        return;
    }
    watch_.reset();
    begun_.clear();
    std::set<Birth> there;
    std::error_code unreadable;
    if (!left_.empty()) {
        for (std::filesystem::directory_iterator entry(directory_, unreadable), end; !unreadable && entry != end;
             entry.increment(unreadable)) {
            if (auto const birth = birth_of(entry->path())) {
                there.insert(*birth);
            }
        }
    }
    std::set<Birth> still;
    std::ranges::set_intersection(left_, there, std::inserter(still, still.end()));
    left_ = std::move(still);
    write();
}

bool BegunFiles::has_left(std::filesystem::path const& path) const {
    auto const birth = birth_of(path);
    if (!birth || !left_.contains(*birth)) {
        return false;
    }
    static_cast<void>(open_own_file(path));
    return true;
}

void BegunFiles::expect(std::filesystem::path const& path) {
    std::lock_guard const lock(mutex_);
    expected_.insert(path.filename().string());
}

/// By the thread.
void BegunFiles::note(std::string const& name) {
    std::lock_guard const lock(mutex_);
    if (!expected_.contains(name)) {
        return;
    }
    auto const birth = birth_of(directory_ / name);
    if (birth && begun_.insert(*birth).second) {
        write();
    }
}

/// A list that cannot be written is no reason to end a run: a later one then says what is in its way.
void BegunFiles::write() const {
    auto all = left_;
    all.insert(begun_.begin(), begun_.end());
    try {
        if (!all.empty()) {
            replace_own_list(path_, text_of(all));
        } else if (is_there(path_)) {
            static_cast<void>(open_own_file(path_));
            static_cast<void>(::unlink(path_.c_str()));
        }
    } catch (Error const&) {  // NOLINT(bugprone-empty-catch)
    }
}

}  // namespace weir
