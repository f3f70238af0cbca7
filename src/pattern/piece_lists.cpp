#include "pattern/piece_lists.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <fstream>
#include <numeric>

#include "core/error.hpp"
#include "core/own_file.hpp"

namespace weir {
namespace {

static_assert(std::endian::native == std::endian::little, "the words of a file are used as they lie");
static_assert(sizeof(Piece) == 2 * sizeof(std::uint64_t), "a piece is its two words");

constexpr std::uint64_t magic = 0x5453494c52494557;  // "WEIRLIST"
constexpr std::size_t head_words = 2;

/// Magic, count and starts of the lists, without the pieces.
std::vector<std::uint64_t> head_of(std::vector<std::vector<Piece>> const& lists) {
    std::vector<std::uint64_t> words{magic, lists.size(), 0};
    for (auto const& list : lists) {
        words.push_back(words.back() + list.size());
    }
    return words;
}

/// The file's words, mapped; they live as long as the pointer.
std::shared_ptr<void const> map(std::filesystem::path const& path, std::size_t& bytes) {
    Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
        throw system_error(fmt::format("cannot read the lists '{}'", path.string()), errno,
                           "They are next to the pattern: keep both together.");
    }
    bytes = static_cast<std::size_t>(status.st_size);
    auto* const memory = bytes > 0 ? ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.get(), 0) : MAP_FAILED;
    validate(memory != MAP_FAILED, fmt::format("'{}' holds no lists of pieces", path.string()),
             "it is empty or cannot be mapped", "Make it again.");
    return {memory, [bytes](void const* start) { ::munmap(const_cast<void*>(start), bytes); }};
}

/// Are these words of a complete file consistent?
bool hold_lists(std::span<std::uint64_t const> words) {
    if (words.size() < head_words + 1 || words[0] != magic || words[1] == 0 ||
        words[1] > words.size() - head_words - 1) {
        return false;
    }
    auto const starts = words.subspan(head_words, words[1] + 1);
    auto const pieces = (words.size() - head_words - starts.size()) / 2;
    return starts.front() == 0 && starts.back() == pieces && std::is_sorted(starts.begin(), starts.end()) &&
           words.size() == head_words + starts.size() + 2 * pieces;
}

}  // namespace

std::uint64_t sum_of_lengths(std::span<Piece const> pieces) {
    return std::accumulate(pieces.begin(), pieces.end(), std::uint64_t{0},
                           [](std::uint64_t sum, Piece const& piece) { return sum + piece.length; });
}

PieceLists::PieceLists(std::shared_ptr<void const> memory, std::span<std::uint64_t const> words, std::string file_name)
    : memory_(std::move(memory)), starts_(words.subspan(head_words, words[1] + 1)), file_name_(std::move(file_name)) {
    auto const first = words.data() + head_words + starts_.size();
    pieces_ = {reinterpret_cast<Piece const*>(first), starts_.back()};
}

PieceLists::PieceLists(std::vector<std::vector<Piece>> const& lists) {
    auto words = std::make_shared<std::vector<std::uint64_t>>(head_of(lists));
    for (auto const& list : lists) {
        for (auto const& piece : list) {
            words->insert(words->end(), {piece.offset, piece.length});
        }
    }
    *this = PieceLists(words, *words, "");
}

PieceLists PieceLists::map_file(std::filesystem::path const& path, std::string name) {
    std::size_t bytes = 0;
    auto memory = map(path, bytes);
    std::span const words{static_cast<std::uint64_t const*>(memory.get()), bytes / sizeof(std::uint64_t)};
    validate(bytes % sizeof(std::uint64_t) == 0 && hold_lists(words),
             fmt::format("'{}' holds no lists of pieces", path.string()), "it is of another format, or was cut off",
             "Make it again; docs/reference/pattern.md has the format.");
    return {std::move(memory), words, std::move(name)};
}

void PieceLists::write_file(std::filesystem::path const& path) const {
    std::ofstream file(path, std::ios::binary);
    auto const write = [&](auto const* words, std::size_t bytes) {
        file.write(reinterpret_cast<char const*>(words), static_cast<std::streamsize>(bytes));
    };
    std::uint64_t const head[head_words] = {magic, ranks()};
    write(head, sizeof head);
    write(starts_.data(), starts_.size_bytes());
    write(pieces_.data(), pieces_.size_bytes());
    file.close();
    if (!file.good()) {
        throw system_error(fmt::format("cannot write the lists '{}'", path.string()), errno, "Free space.");
    }
}

bool PieceLists::operator==(PieceLists const& other) const {
    return std::ranges::equal(starts_, other.starts_) && std::ranges::equal(pieces_, other.pieces_) &&
           file_name_ == other.file_name_;
}

}  // namespace weir
