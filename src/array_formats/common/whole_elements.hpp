#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <vector>

namespace weir::formats {

/// Turns pieces of an array that may begin and end within elements into complete elements, the only ones that a
/// format's library takes.
class WholeElements {
  public:
    explicit WholeElements(std::uint64_t element_bytes) : element_(element_bytes) {}

    /// Passes on complete elements: give(first element, count, bytes). Parts are kept until the rest comes.
    template <class Give>
    void write(std::uint64_t start, std::span<std::byte const> data, Give give) {
        each_run(start, data.size(), [&](std::uint64_t at, std::uint64_t before, std::uint64_t bytes) {
            if (bytes >= element_) {
                give(at / element_, bytes / element_, data.data() + before);
                return;
            }
            auto& part = parts_[at / element_];
            part.bytes.resize(element_);
            std::memcpy(part.bytes.data() + at % element_, data.data() + before, bytes);
            part.there += bytes;
            if (part.there == element_) {
                give(at / element_, std::uint64_t{1}, static_cast<std::byte const*>(part.bytes.data()));
                parts_.erase(at / element_);
            }
        });
    }

    /// Takes complete elements: take(first element, count, bytes), and of partial ones the requested part.
    template <class Take>
    void read(std::uint64_t start, std::span<std::byte> data, Take take) const {
        each_run(start, data.size(), [&](std::uint64_t at, std::uint64_t before, std::uint64_t bytes) {
            if (bytes >= element_) {
                take(at / element_, bytes / element_, data.data() + before);
                return;
            }
            std::vector<std::byte> one(element_);
            take(at / element_, std::uint64_t{1}, one.data());
            std::memcpy(data.data() + before, one.data() + at % element_, bytes);
        });
    }

  private:
    struct PartialElement {
        std::vector<std::byte> bytes;
        std::uint64_t there = 0;
    };

    /// Runs of complete elements, and parts of single ones: visit(first byte, bytes before, bytes).
    template <class Visit>
    void each_run(std::uint64_t start, std::uint64_t length, Visit visit) const {
        for (std::uint64_t before = 0; before < length;) {
            auto const within = (start + before) % element_;
            auto const left = length - before;
            bool const whole = within == 0 && left >= element_;
            auto const bytes = whole ? left - left % element_ : std::min(left, element_ - within);
            visit(start + before, before, bytes);
            before += bytes;
        }
    }

    std::uint64_t element_;
    std::map<std::uint64_t, PartialElement> parts_;  ///< by element
};

}  // namespace weir::formats
