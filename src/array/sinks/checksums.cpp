#include "array/sinks/checksums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>
#include <string_view>

#include "array/sinks/part_file.hpp"
#include "comm/collective_error_c.hpp"

namespace weir::array {
namespace {

constexpr std::uint32_t polynomial = 0x82F63B78;  // reflected: bit 31 is the coefficient of x^0

constexpr auto make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        auto crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
        }
        table[i] = crc;
    }
    return table;
}

/// The product of two polynomials modulo the generator.
constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
    std::uint32_t product = 0;
    for (std::uint32_t bit = std::uint32_t{1} << 31; bit != 0; bit >>= 1) {
        if ((a & bit) != 0) {
            product ^= b;
        }
        b = (b >> 1) ^ ((b & 1) != 0 ? polynomial : 0);
    }
    return product;
}

/// x^(8 * 2^k): the factor for a checksum when 2^k bytes follow.
constexpr auto make_powers() {
    std::array<std::uint32_t, 64> powers{};
    auto power = std::uint32_t{1} << 23;  // x^8
    for (auto& p : powers) {
        p = power;
        power = multiply(power, power);
    }
    return powers;
}

std::uint32_t by_table(std::uint32_t crc, std::span<std::byte const> data) {
    static constexpr auto table = make_table();
    for (auto const byte : data) {
        crc = (crc >> 8) ^ table[(crc ^ static_cast<std::uint32_t>(byte)) & 0xFF];
    }
    return crc;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::uint32_t crc, std::span<std::byte const> data) {
    std::uint64_t wide = crc;
    while (data.size() >= sizeof wide) {
        std::uint64_t word = 0;
        std::memcpy(&word, data.data(), sizeof word);
        wide = __builtin_ia32_crc32di(wide, word);
        data = data.subspan(sizeof word);
    }
    return by_table(static_cast<std::uint32_t>(wide), data);
}
bool has_instruction() { return __builtin_cpu_supports("sse4.2") != 0; }
#else
std::uint32_t by_instruction(std::uint32_t crc, std::span<std::byte const> data) { return by_table(crc, data); }
bool has_instruction() { return false; }
#endif

}  // namespace

std::uint32_t crc32c(std::span<std::byte const> data) {
    return ~(has_instruction() ? by_instruction(~std::uint32_t{0}, data) : by_table(~std::uint32_t{0}, data));
}

std::uint32_t crc32c_followed_by(std::uint32_t crc, std::uint64_t bytes) {
    static constexpr auto powers = make_powers();
    for (std::size_t k = 0; bytes != 0; bytes >>= 1, ++k) {
        if ((bytes & 1) != 0) {
            crc = multiply(powers[k], crc);
        }
    }
    return crc;
}

namespace {

constexpr char write_again[] = "Read without checksum=yes, or write the dump again.";

}  // namespace

Checksums::Checksums(std::uint64_t begin, std::uint64_t end) : begin_(begin), end_(end) {
    auto const blocks = begin == end ? 0 : block_of(end - 1) + 1;
    crc_.resize(blocks);
    covered_.resize(blocks);
}

void Checksums::add(std::uint64_t offset, std::span<std::byte const> data) {
    while (!data.empty()) {
        auto const block_end = (offset / block_bytes + 1) * block_bytes;
        auto const here = data.first(std::min<std::uint64_t>(data.size(), block_end - offset));
        auto const block = block_of(offset);
        crc_[block] ^= crc32c_followed_by(crc32c(here), block_end - offset - here.size());
        covered_[block] += static_cast<std::uint32_t>(here.size());
        offset += here.size();
        data = data.subspan(here.size());
    }
}

void Checksums::gather(Communicator const& comm) {
    constexpr std::size_t at_once = 1 << 24;
    for (std::size_t i = 0; i < crc_.size(); i += at_once) {
        auto const count = static_cast<int>(std::min(at_once, crc_.size() - i));
        auto const combine = [&](std::vector<std::uint32_t>& values, MPI_Op op) {
            auto* const mine = comm.is_root() ? MPI_IN_PLACE : static_cast<void*>(values.data() + i);
            comm.note(MPI_Reduce(mine, values.data() + i, count, MPI_UINT32_T, op, 0, comm.handle()),
                      "checksums cannot be gathered");
        };
        combine(crc_, MPI_BXOR);
        combine(covered_, MPI_SUM);
    }
}

Checksums::Comparison Checksums::compared_with(Checksums const& read) const {
    Comparison result;
    auto const from = std::max(begin_, read.begin_) / block_bytes;
    auto const to = (std::min(end_, read.end_) + block_bytes - 1) / block_bytes;
    for (auto block = from; block < to; ++block) {
        auto const i = block - begin_ / block_bytes;
        auto const j = block - read.begin_ / block_bytes;
        if (covered_[i] != read.covered_[j] || covered_[i] == 0) {
            continue;
        }
        ++result.blocks;
        if (crc_[i] != read.crc_[j] && !result.first_difference) {
            result.first_difference = block * block_bytes;
        }
    }
    return result;
}

std::string Checksums::text() const {
    auto text = fmt::format("bytes {} {}\n", begin_, end_);
    for (std::size_t i = 0; i < crc_.size(); ++i) {
        text += fmt::format("{:08x} {}\n", crc_[i], covered_[i]);
    }
    return text;
}

Checksums Checksums::from_text(std::string const& text) {
    std::istringstream lines(text);
    std::string word;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    lines >> word >> begin >> end;
    auto const fits = lines && begin <= end && (end - begin) / block_bytes <= text.size();
    Checksums sums(begin, fits ? end : begin);
    for (std::size_t i = 0; i < sums.crc_.size(); ++i) {
        lines >> std::hex >> sums.crc_[i] >> std::dec >> sums.covered_[i];
    }
    // Whatever else could be read in it, a reading that is written otherwise is not what was kept.
    if (!lines || !fits || sums.text() != text) {
        fail(WEIR_CHECKSUM, "kept checksums cannot be understood", "their file is damaged", write_again);
    }
    return sums;
}

ChecksumFile::ChecksumFile(std::filesystem::path const& dump) : dump_(dump), path_(dump) { path_ += ".weirsum"; }

namespace {

/// Of the first version of such files.
constexpr std::string_view first_line_before = "weir checksums 1: ";

/// The two lines above the checksums of that text.
std::string head_of(std::string_view text) {
    return fmt::format(
        "weir checksums 2: CRC-32C and bytes of each MiB of the file\n"
        "below are {} bytes with the checksum {:08x}\n",
        text.size(), crc32c(std::as_bytes(std::span(text))));
}

/// What stands below them. Throws Failure where anything is not as it was written.
std::string_view body_of(std::string_view text, std::filesystem::path const& path) {
    if (text.starts_with(first_line_before)) {
        fail(WEIR_CHECKSUM, fmt::format("{} is of an earlier version of Weir", path.string()),
             "it has no checksum of its own, so that damage to it would not be seen", write_again);
    }
    auto const first = text.find('\n');
    auto const second = first == std::string_view::npos ? first : text.find('\n', first + 1);
    auto const body = second == std::string_view::npos ? std::string_view() : text.substr(second + 1);
    if (second == std::string_view::npos || text.substr(0, second + 1) != head_of(body)) {
        fail(WEIR_CHECKSUM, fmt::format("{} is damaged", path.string()),
             "its length or its own checksum is another than when it was written, or another program wrote it",
             write_again);
    }
    return body;
}

}  // namespace

std::vector<Checksums> ChecksumFile::versions() const {
    std::vector<Checksums> all;
    std::ifstream file(path_);
    if (!file) {
        return all;
    }
    std::stringstream rest;
    rest.exceptions(std::ios::badbit);  // out of memory
    rest << file.rdbuf();
    auto const text = rest.str();
    for (auto body = body_of(text, path_); !body.empty();) {
        auto const next = body.find("bytes ", 1);
        all.push_back(Checksums::from_text(std::string(body.substr(0, next))));
        body.remove_prefix(std::min(next, body.size()));
    }
    return all;
}

std::vector<Checksums> ChecksumFile::readable_versions() const {
    try {
        return versions();
    } catch (Failure const&) {
        return {};  // the stored checksums are damaged, and about to be replaced
    }
}

void ChecksumFile::keep(std::vector<Checksums> const& all) const {
    std::string text;
    for (auto const& sums : all) {
        text += sums.text();
    }
    replace_file(path_, head_of(text) + text);
}

void ChecksumFile::announce(Checksums const& sums) const {
    auto all = readable_versions();
    all.insert(all.begin(), sums);
    keep(all);
}

void ChecksumFile::settle(Checksums const& sums) const {
    std::vector<Checksums> all{sums};
    for (auto& other : readable_versions()) {
        if (!other.touches(sums)) {
            all.push_back(std::move(other));
        }
    }
    keep(all);
}

void ChecksumFile::verify(Checksums const& read) const {
    std::uint64_t compared = 0;
    std::optional<std::uint64_t> difference;
    auto const all = versions();
    auto const agrees = [&](Checksums const& sums) {
        auto const result = sums.compared_with(read);
        return result.blocks > 0 && !result.first_difference;
    };
    for (auto const& sums : all) {
        auto const result = sums.compared_with(read);
        compared += result.blocks;
        // While one dump replaces another, either version is valid.
        bool const another = std::ranges::any_of(all, [&](auto const& o) { return o.touches(sums) && agrees(o); });
        if (result.first_difference && !another && !difference) {
            difference = result.first_difference;
        }
    }
    if (compared > 0 && !difference) {
        return;
    }
    if (compared == 0) {
        fail(WEIR_CHECKSUM, fmt::format("{} cannot be verified", dump_.string()),
             fmt::format("{} has no checksum of a MiB of the file that was read as it was written", path_.string()),
             "Read a part with checksum=no, and verify by reading whole arrays, as they were "
             "written with checksum=yes.");
    }
    auto const at = difference.value_or(read.begin());
    fail(WEIR_CHECKSUM, fmt::format("{} is not what was written", dump_.string()),
         fmt::format("the checksum of bytes {} to {} differs", std::max(at, read.begin()),
                     std::min(at + Checksums::block_bytes, read.end()) - 1),
         "Take an older dump; this one is damaged.");
}

}  // namespace weir::array
