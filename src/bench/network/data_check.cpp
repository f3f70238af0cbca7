#include "bench/network/data_check.hpp"

#include <algorithm>
#include <cstring>

#include "core/random.hpp"

namespace weir {
namespace {

constexpr std::uint64_t word = 8;

std::byte byte_of(std::uint64_t rank, std::uint64_t at) {
    return static_cast<std::byte>(mix((rank << 40U) + at / word) >> (at % word * 8));
}

float float_of(std::uint64_t rank, std::uint64_t index) {
    return static_cast<float>(mix((rank << 40U) + index) >> 61U);
}

float sum_of(std::uint64_t ranks, std::uint64_t index) {
    float sum = 0;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        sum += float_of(rank, index);
    }
    return sum;
}

class Comparison final : public Expectation {
  public:
    Comparison(std::span<std::byte const> receive, std::uint64_t ranks, bool floats)
        : receive_(receive), ranks_(ranks), floats_(floats) {}

    void piece(std::uint64_t at, std::uint64_t bytes, std::uint64_t of_rank, std::uint64_t from) override {
        if (floats_) {
            compare_floats(at, bytes, from, [&](std::uint64_t index) { return float_of(of_rank, index); });
            return;
        }
        for (std::uint64_t i = 0; i < bytes; ++i) {
            note(receive_[at + i] == byte_of(of_rank, from + i), at + i, 1);
        }
    }

    void sum(std::uint64_t at, std::uint64_t bytes, std::uint64_t from) override {
        compare_floats(at, bytes, from, [&](std::uint64_t index) { return sum_of(ranks_, index); });
    }

    DataCheck::Found found;

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
};

}  // namespace

void DataCheck::fill(std::span<std::byte> send) const {
    if (floats_) {
        for (std::uint64_t i = 0; i + sizeof(float) <= send.size(); i += sizeof(float)) {
            auto const value = float_of(rank_, i / sizeof(float));
            std::memcpy(send.data() + i, &value, sizeof(float));
        }
        return;
    }
    for (std::uint64_t i = 0; i < send.size(); i += word) {
        auto const bits = mix((rank_ << 40U) + i / word);
        std::memcpy(send.data() + i, &bits, std::min<std::uint64_t>(word, send.size() - i));
    }
}

void DataCheck::spoil(std::span<std::byte> receive) const {
    std::fill(receive.begin(), receive.end(), std::byte{0xff});  // as floats: not a number
}

DataCheck::Found DataCheck::compare(NetworkCall const& call, int root, std::uint64_t ranks,
                                    std::span<std::byte const> receive) const {
    Comparison comparison(receive, ranks, floats_);
    call.expect(root, comparison);
    return comparison.found;
}

}  // namespace weir
