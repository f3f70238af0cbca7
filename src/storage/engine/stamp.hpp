#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir {

/// The content of each offset of a file: word i (8 bytes each) is key + i * step, where the key comes from seed and
/// file and the step is odd. So every word identifies its offset, and a buffer is filled or compared at memory speed. A
/// buffer may begin and end within a word.
class Stamp {
  public:
    /// `file` distinguishes the files of one run.
    Stamp(std::uint64_t seed, std::uint64_t file);

    [[nodiscard]] std::uint64_t word(std::uint64_t index) const { return key_ + index * step; }

    /// Fills a buffer for offset `offset`.
    void fill(std::span<std::byte> buffer, std::uint64_t offset) const;

    /// The index of the word with this value; meaningful only if it lies inside the file.
    [[nodiscard]] std::uint64_t index_of(std::uint64_t value) const { return (value - key_) * inverse; }

    /// A buffer's differences from the expected words at `offset`.
    struct WrongWordsFound {
        std::uint64_t wrong = 0;        ///< words
        std::uint64_t first_index = 0;  ///< of the first of them
        std::uint64_t found = 0;        ///< the word read there; bytes of it outside the buffer are as expected

        void note(std::uint64_t index, std::uint64_t word) {
            if (wrong++ == 0) {
                first_index = index;
                found = word;
            }
        }
    };
    [[nodiscard]] WrongWordsFound compare(std::span<std::byte const> buffer, std::uint64_t offset) const;

  private:
    void fill_words(std::span<std::byte> buffer, std::uint64_t first) const;
    void compare_words(std::span<std::byte const> buffer, std::uint64_t first, WrongWordsFound&) const;
    void compare_part(std::span<std::byte const> part, std::uint64_t offset, WrongWordsFound&) const;

    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
    static constexpr std::uint64_t inverse = 0xf1de83e19937733dU;
    static_assert(step * inverse == 1, "the step has this inverse modulo 2^64");

    std::uint64_t key_;
};

}  // namespace weir
