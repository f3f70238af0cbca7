#include "trace/reader/reader.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.hpp"
#include "core/json.hpp"

namespace weir::trace {
namespace {

/// The bytes between two offsets of a file, clipped to its length.
Bytes part(Bytes bytes, std::uint64_t begin, std::uint64_t end) {
    auto const last = std::min<std::uint64_t>(end, bytes.size());
    return begin >= last ? Bytes{} : bytes.subspan(begin, last - begin);
}

StreamHead head_of(Bytes bytes) {
    StreamHead head;
    validate(bytes.size() >= sizeof head, "this is no stream of records",
             "it has " + std::to_string(bytes.size()) + " bytes", "Was the program killed as it began?");
    std::memcpy(&head, bytes.data(), sizeof head);
    bool const known = std::memcmp(head.magic, magic, sizeof magic) == 0 && head.record_bytes == sizeof(Record) &&
                       head.head_bytes >= sizeof head;
    validate(known, "this is no stream of this version", "it begins with other bytes than WEIRTRC1 and their sizes",
             "Read it with the Weir that recorded it.");
    return head;
}

bool has_windows(StreamHead const& head) {
    return head.window_bytes >= sizeof(Record) && head.window_bytes <= head.head_bytes &&
           head.head_bytes == head_page + 2 * head.window_bytes;
}

std::string missing(std::uint64_t told, std::uint64_t found, bool is_cut) {
    if (told > found) {
        return "it was cut off, and at least " + std::to_string(told - found) + " of its records are missing";
    }
    return is_cut ? "it was cut off" : "";
}

}  // namespace

Record Records::operator[](std::size_t i) const {
    Record record;
    std::memcpy(&record, bytes_.data() + i * sizeof record, sizeof record);
    return record;
}

Records Records::first(std::size_t count) const {
    return Records(bytes_.first(std::min(count, size()) * sizeof(Record)));
}

Records Records::valid() const {
    std::size_t low = 0;
    auto high = size();
    while (low < high) {
        auto const middle = low + (high - low) / 2;
        (*this)[middle].call != 0 ? low = middle + 1 : high = middle;
    }
    return first(low);
}

Record Stream::operator[](std::size_t i) const { return i < whole_.size() ? whole_[i] : last_[i - whole_.size()]; }

Stream parse_stream(Bytes bytes) {
    Stream stream;
    stream.head = head_of(bytes);
    auto const& head = stream.head;
    Records const behind(part(bytes, head.head_bytes, bytes.size()));
    if (!has_windows(head)) {
        stream.whole_ = behind.valid();
        bool const is_cut = bytes.size() < head.head_bytes || (stream.whole_.size() == behind.size() &&
                                                               (bytes.size() - head.head_bytes) % sizeof(Record) != 0);
        stream.note = missing(head.flushed, stream.whole_.size(), is_cut);
        return stream;
    }
    auto const odd = head.flushed / (head.window_bytes / sizeof(Record)) % 2;
    auto const window = head_page + odd * head.window_bytes;
    stream.whole_ = behind.first(head.flushed);
    stream.last_ = Records(part(bytes, window, window + head.window_bytes)).valid();
    stream.note = missing(head.flushed, stream.whole_.size(), bytes.size() < head.head_bytes);
    return stream;
}

namespace {

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<char const*>(bytes.data()), bytes.size()}; }

/// "POSIX pwrite write"; empty unless it has three words.
CallName call_of(std::string_view text) {
    auto const first = text.find(' ');
    auto const last = text.rfind(' ');
    if (first == last || text.substr(first + 1, last - first - 1).find(' ') != std::string_view::npos) {
        return {};
    }
    return {std::string(text.substr(0, first)), std::string(text.substr(first + 1, last - first - 1)),
            std::string(text.substr(last + 1))};
}

}  // namespace

Names parse_names(Bytes bytes) {
    Names names;
    while (bytes.size() >= sizeof(NameHead)) {
        NameHead head;
        std::memcpy(&head, bytes.data(), sizeof head);
        bytes = bytes.subspan(sizeof head);
        if (head.kind == 0 || head.length > bytes.size()) {
            break;
        }
        auto const text = text_of(bytes.first(head.length));
        if (head.kind != call_name) {
            names.others.insert_or_assign(head.id, Name{head.kind, std::string(text), head.parent});
        } else if (auto call = call_of(text); !call.name.empty()) {
            names.calls.insert_or_assign(head.id, std::move(call));
        }
        auto const padded = (std::size_t{head.length} + 7) / 8 * 8;
        bytes = bytes.subspan(std::min(padded, bytes.size()));
    }
    return names;
}

std::vector<Facts> parse_facts(Bytes bytes) {
    std::vector<Facts> lines;
    auto text = text_of(bytes);
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        auto const line = parse_json(text.substr(0, end));
        if (!line.is_object()) {
            break;
        }
        Facts facts;
        for (auto const& [key, value] : line.items()) {
            facts.emplace(key, json_text(value));
        }
        lines.push_back(std::move(facts));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

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
