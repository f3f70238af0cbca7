#include "trace/reader/trace_reader.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/error.hpp"

namespace weir::trace {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(fs::path const& folder, std::string const& begin, std::string const& end) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (auto const& entry : fs::directory_iterator(folder, ignored)) {
        auto const name = entry.path().filename().string();
        if (name.size() >= begin.size() + end.size() && name.starts_with(begin) && name.ends_with(end)) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

Process read_process(fs::path const& facts) {
    Process process;
    process.facts = parse_facts(MappedFile(facts).bytes());
    auto const prefix = facts.stem().string() + ".";
    for (auto const& names : files_of(facts.parent_path(), prefix, "names")) {
        process.names = parse_names(MappedFile(names).bytes());
    }
    for (auto const& path : files_of(facts.parent_path(), prefix, ".records")) {
        try {
            auto file = std::make_unique<MappedFile>(path);
            auto stream = parse_stream(file->bytes());
            if (!stream.note.empty()) {
                process.notes.push_back(path.filename().string() + ": " + stream.note);
            }
            process.streams.push_back(std::move(stream));
            process.files.push_back(std::move(file));
        } catch (Error const& error) {
            process.notes.push_back(path.filename().string() + ": " + error.what());
        }
    }
    return process;
}

}  // namespace

MappedFile::MappedFile(fs::path const& path) {
    auto const descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    bool const there = descriptor >= 0 && fstat(descriptor, &facts) == 0;
    auto error = errno;
    if (there && facts.st_size > 0) {
        size_ = static_cast<std::size_t>(facts.st_size);
        place_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
        error = errno;
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (!there || place_ == MAP_FAILED) {
        place_ = nullptr;
        throw system_error("cannot read " + path.string(), error, "Is it a trace's, and may this user read it?");
    }
}

MappedFile::~MappedFile() {
    if (place_ != nullptr) {
        munmap(place_, size_);
    }
}

std::vector<Process> read_trace(fs::path const& folder) {
    std::vector<Process> processes;
    for (auto const& facts : files_of(folder, "", ".process")) {
        processes.push_back(read_process(facts));
    }
    validate(!processes.empty(), folder.string() + " holds no trace", "there is no file *.process in it",
             "Record one with `weir trace -o FOLDER -- PROGRAM`.");
    return processes;
}

}  // namespace weir::trace
