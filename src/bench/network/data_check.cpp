#include "bench/network/data_check.hpp"

#include <algorithm>
#include <cstring>

#include "core/random.hpp"

namespace weir {
namespace {

constexpr std::uint64_t word = 8;

std::uint64_t word_of(std::uint64_t seed, std::uint64_t rank, std::uint64_t index) {
    return mix(seed + (rank << 40U) + index);
}

float float_of(std::uint64_t seed, std::uint64_t rank, std::uint64_t index) {
    return static_cast<float>(word_of(seed, rank, index) >> 61U);
}

float sum_of(std::uint64_t seed, std::uint64_t ranks, std::uint64_t index) {
    float sum = 0;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        sum += float_of(seed, rank, index);
    }
    return sum;
}

class Comparison final : public ExpectedData {
  public:
    Comparison(std::span<std::byte const> receive, std::uint64_t ranks, bool floats, std::uint64_t seed)
        : receive_(receive), ranks_(ranks), floats_(floats), seed_(seed) {}

    void piece(std::uint64_t at, std::uint64_t bytes, std::uint64_t of_rank, std::uint64_t from) override {
        if (floats_) {
            compare_floats(at, bytes, from, [&](std::uint64_t index) { return float_of(seed_, of_rank, index); });
            return;
        }
        for (std::uint64_t i = 0; i < bytes;) {
            auto const wanted = word_of(seed_, of_rank, (from + i) / word);
            for (auto byte = (from + i) % word; byte < word && i < bytes; ++byte, ++i) {
                note(receive_[at + i] == static_cast<std::byte>(wanted >> (byte * 8)), at + i, 1);
            }
        }
    }

    void sum(std::uint64_t at, std::uint64_t bytes, std::uint64_t from) override {
        compare_floats(at, bytes, from, [&](std::uint64_t index) { return sum_of(seed_, ranks_, index); });
    }

    DataCheck::WrongBytes found;

  private:
    template <class Wanted>
    void compare_floats(std::uint64_t at, std::uint64_t bytes, std::uint64_t from, Wanted wanted) {
        for (std::uint64_t i = 0; i + sizeof(float) <= bytes; i += sizeof(float)) {
            float here = 0;
            std::memcpy(&here, receive_.data() + at + i, sizeof(float));
            note(here == wanted((from + i) / sizeof(float)), at + i, sizeof(float));
        }
    }

    void note(bool right, std::uint64_t at, std::uint64_t bytes) {
        found.bytes += bytes;
        if (!right) {
            found.first = found.wrong == 0 ? at : std::min(found.first, at);
            found.wrong += bytes;
        }
    }

    std::span<std::byte const> receive_;
    std::uint64_t ranks_;
    bool floats_;
    std::uint64_t seed_;
};

}  // namespace

void DataCheck::begin(std::uint64_t call) { seed_ = mix(call); }

void DataCheck::fill(std::span<std::byte> send) const {
    if (floats_) {
        for (std::uint64_t i = 0; i + sizeof(float) <= send.size(); i += sizeof(float)) {
            auto const value = float_of(seed_, rank_, i / sizeof(float));
            std::memcpy(send.data() + i, &value, sizeof(float));
        }
        return;
    }
    for (std::uint64_t i = 0; i < send.size(); i += word) {
        auto const bits = word_of(seed_, rank_, i / word);
        std::memcpy(send.data() + i, &bits, std::min<std::uint64_t>(word, send.size() - i));
    }
}

void DataCheck::spoil(std::span<std::byte> receive) const {
    std::fill(receive.begin(), receive.end(), std::byte{0xff});  // as floats: not a number
}

DataCheck::WrongBytes DataCheck::compare(NetworkCall const& call, int root, std::uint64_t ranks,
                                         std::span<std::byte const> receive) const {
    Comparison comparison(receive, ranks, floats_, seed_);
    call.expect(root, comparison);
    return comparison.found;
}

}  // namespace weir
