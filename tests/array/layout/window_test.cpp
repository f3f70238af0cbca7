#include "array/layout/window.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "support/arrays/random_layouts.hpp"

namespace weir::array {
namespace {

using testing::Byte;
using testing::random_below;

std::byte value(std::uint64_t n) { return static_cast<std::byte>(n * 37 + 11); }

constexpr auto untouched = std::byte{0xee};

/// A region of several sections, a share that has some of it and more, and a window of the region.
struct Case {
    explicit Case(std::mt19937_64& random) {
        std::vector<Section> sections;
        std::uint64_t origin = 0;
        for (auto n = 1 + random_below(random, 3); n > 0; --n) {
            auto section = testing::random_section(random);
            section.origin = origin;
            section.array = arrays++;
            section.memory = 0;
            auto mine = testing::random_section(random, testing::extents_of(section));
            mine.origin = origin;
            mine.array = section.array;
            origin = section.array_end();
            if (random_below(random, 3) != 0) {
                share.emplace_back(mine);
            } else {
                share.emplace_back(PieceList(testing::random_pieces(random, mine.origin, origin), mine.array));
            }
            sections.push_back(section);
        }
        share = coalesced(std::move(share));
        region = Region(sections);
        from = random_below(random, region.bytes() + 1);
        to = from + random_below(random, region.bytes() + 1 - from);
        std::map<std::uint64_t, std::uint64_t> ordinal_of;
        for (auto const& section : sections) {
            for (auto const& byte : testing::bytes_of(section)) {
                ordinal_of.emplace(byte.position, ordinal_of.size());
            }
        }
        for (auto const& part : share) {
            for (auto const& byte : testing::visited(part, 0, part.bytes())) {
                auto const found = ordinal_of.find(byte.position);
                if (found != ordinal_of.end() && found->second >= from && found->second < to) {
                    bytes.push_back({found->second - from, part.array(), byte.memory, byte.position});
                }
            }
        }
        std::ranges::stable_sort(bytes, {}, &Hit::offset);
        for (std::uint64_t i = 0; i < arrays; ++i) {
            local.emplace_back(8192, untouched);
        }
        for (auto& buffer : local) {
            pointers.push_back(buffer.data());
        }
        slot.assign(to - from, untouched);
        message.assign(bytes.size(), untouched);
    }
    Case(Case const&) = delete;
    Case& operator=(Case const&) = delete;

    [[nodiscard]] std::byte& in_buffer(std::size_t i) {
        return local[bytes[i].array][static_cast<std::size_t>(bytes[i].memory)];
    }

    struct Hit {
        std::uint64_t offset, array;
        std::int64_t memory;
        std::uint64_t position;
    };
    std::uint64_t arrays = 0;
    Region region;
    Share share;
    std::uint64_t from = 0, to = 0;
    std::vector<Hit> bytes;  ///< that the share has of the window, in the file's order
    std::vector<std::vector<std::byte>> local;
    std::vector<void*> pointers;
    std::vector<std::byte> slot, message;
};

/// Runs `check` on random cases, with a window and its case.
template <class Check>
void each_case(Check check) {
    std::mt19937_64 random(5);
    std::size_t bytes = 0;
    for (int trial = 0; trial < 400; ++trial) {
        SCOPED_TRACE(trial);
        Case c(random);
        check(c, Window(c.region, {c.from, c.to}, c.share));
        if (::testing::Test::HasFailure()) {
            return;
        }
        bytes += c.bytes.size();
    }
    EXPECT_GT(bytes, 1000U);
}

std::size_t touched(std::vector<std::byte> const& bytes) {
    return bytes.size() - static_cast<std::size_t>(std::ranges::count(bytes, untouched));
}

TEST(Window, CountsTheBytesOfTheShare) {
    each_case([](Case& c, Window const& window) {
        ASSERT_EQ(window.bytes(), c.bytes.size());
        ASSERT_EQ(window.size(), c.to - c.from);
    });
}

TEST(Window, CopiesBuffersToTheSlotAndNothingBesides) {
    each_case([](Case& c, Window const& window) {
        for (std::size_t i = 0; i < c.bytes.size(); ++i) {
            c.in_buffer(i) = value(i);
        }
        window.buffers_to_slot(c.pointers, c.slot.data());
        std::vector<std::byte> expected(c.slot.size(), untouched);
        for (std::size_t i = 0; i < c.bytes.size(); ++i) {
            expected[c.bytes[i].offset] = value(i);
        }
        ASSERT_EQ(c.slot, expected);
    });
}

TEST(Window, CopiesTheSlotToBuffersAndNothingBesides) {
    each_case([](Case& c, Window const& window) {
        for (std::size_t i = 0; i < c.slot.size(); ++i) {
            c.slot[i] = std::byte{1};
        }
        window.slot_to_buffers(c.slot.data(), c.pointers);
        std::size_t changed = 0;
        for (auto const& buffer : c.local) {
            changed += touched(buffer);
        }
        ASSERT_EQ(changed, c.bytes.size());
        for (std::size_t i = 0; i < c.slot.size(); ++i) {
            c.slot[i] = value(i);
        }
        window.slot_to_buffers(c.slot.data(), c.pointers);
        for (std::size_t i = 0; i < c.bytes.size(); ++i) {
            ASSERT_EQ(c.in_buffer(i), value(c.bytes[i].offset));
        }
    });
}

TEST(Window, LettersTakeBytesFromBuffersToTheSlot) {
    each_case([](Case& c, Window const& window) {
        for (std::size_t i = 0; i < c.bytes.size(); ++i) {
            c.in_buffer(i) = value(i);
        }
        window.buffers_to_message(c.pointers, c.message.data());
        window.message_to_slot(c.message.data(), c.slot.data());
        std::vector<std::byte> expected(c.slot.size(), untouched);
        for (std::size_t i = 0; i < c.bytes.size(); ++i) {
            ASSERT_EQ(c.message[i], value(i)) << "a message is in the file's order";
            expected[c.bytes[i].offset] = value(i);
        }
        ASSERT_EQ(c.slot, expected);
    });
}

TEST(Window, LettersTakeBytesFromTheSlotToBuffers) {
    each_case([](Case& c, Window const& window) {
        for (std::size_t i = 0; i < c.slot.size(); ++i) {
            c.slot[i] = value(i);
        }
        window.slot_to_message(c.slot.data(), c.message.data());
        window.message_to_buffers(c.message.data(), c.pointers);
        for (std::size_t i = 0; i < c.bytes.size(); ++i) {
            ASSERT_EQ(c.message[i], value(c.bytes[i].offset));
            ASSERT_EQ(c.in_buffer(i), value(c.bytes[i].offset));
        }
    });
}

TEST(Extents, OfAllOfAWindowAreItsContiguousPieces) {
    each_case([](Case& c, Window const&) {
        std::uint64_t offset = 0;
        for (auto const& extent : all_of(c.region, {c.from, c.to})) {
            ASSERT_EQ(extent.offset, offset);
            offset += extent.length;
        }
        ASSERT_EQ(offset, c.to - c.from);
    });
}

TEST(Extents, OfSharesAreWhatTheyFillAndSmallGaps) {
    each_case([](Case& c, Window const& window) {
        for (std::uint64_t const gap : {0U, 3U}) {
            std::vector<bool> filled(c.slot.size(), false);
            std::uint64_t reached = 0;
            for (auto const& extent : joined(extents_filled_by({window}), gap)) {
                ASSERT_GE(extent.position, reached) << "in the order of the file";
                reached = extent.position + extent.length;
                for (std::uint64_t i = 0; i < extent.length; ++i) {
                    filled.at(extent.offset + i) = true;
                }
            }
            auto expected = std::vector<bool>(c.slot.size(), false);
            for (std::size_t i = 0; i < c.bytes.size(); ++i) {
                expected[c.bytes[i].offset] = true;
                auto const before = i == 0 ? c.bytes[0] : c.bytes[i - 1];
                auto const way = c.bytes[i].offset - before.offset;
                if (way == c.bytes[i].position - before.position && way <= gap + 1) {
                    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(before.offset), way, true);
                }
            }
            ASSERT_EQ(filled, expected);
        }
    });
}

std::vector<std::byte> noise(std::size_t bytes) {
    std::mt19937_64 random(1);
    std::vector<std::byte> all(bytes);
    for (auto& byte : all) {
        byte = static_cast<std::byte>(random());
    }
    return all;
}

TEST(CopyRows, CopiesRunsOfAnyLengthAtAnyDistance) {
    std::mt19937_64 random(1);
    auto const from = noise(4096);
    for (int trial = 0; trial < 1000; ++trial) {
        auto const length = 1 + random() % 33;
        auto const rows = random() % 20;
        // Memory may run backwards against the file: rows then stand at falling places.
        auto const step = [&] { return static_cast<std::int64_t>(length + random() % 2 * (random() % 40)); };
        auto const from_step = random() % 4 == 0 ? -step() : step();
        auto const to_step = step();
        auto const begin = from_step < 0 ? 3000 : 0;
        std::vector<std::byte> to(4096, std::byte{7});
        auto expected = to;
        for (std::int64_t row = 0; row < static_cast<std::int64_t>(rows); ++row) {
            for (std::size_t i = 0; i < length; ++i) {
                expected.at(static_cast<std::size_t>(row * to_step) + i) =
                    from.at(static_cast<std::size_t>(begin + row * from_step) + i);
            }
        }
        copy_rows(to.data(), to_step, from.data() + begin, from_step, length, rows);
        ASSERT_EQ(to, expected) << length << " bytes, " << rows << " rows, " << from_step << ", " << to_step;
    }
}

TEST(StreamRows, CopiesTheSameFromAndToAnyPlace) {
    std::mt19937_64 random(2);
    auto const from = noise(1 << 14);
    for (int trial = 0; trial < 1000; ++trial) {
        auto const unit = random() % 2 == 0 ? 16 : 1;  // as vectors have it, or not at all
        auto const any = [&](std::size_t most) { return random() % (most / unit) * unit; };
        // Rows that end inside a vector may begin at one.
        auto const length = random() % 4 == 0 ? random() % 1024 : any(1024);
        auto const rows = 1 + random() % 4;
        auto const after = (length + unit - 1) / unit * unit;
        auto const to_step = static_cast<std::int64_t>((random() % 2 == 0 ? after : length) + random() % 2 * any(512));
        auto const from_step = static_cast<std::int64_t>(length + random() % 2 * any(512));
        auto const begin = any(64);
        std::vector<std::byte> to(1 << 14, std::byte{7});
        auto expected = to;
        auto const* const source = from.data() + random() % 64;
        copy_rows(expected.data() + begin, to_step, source, from_step, length, rows);
        stream_rows(to.data() + begin, to_step, source, from_step, length, rows);
        ASSERT_EQ(to, expected) << length << " bytes, " << rows << " rows, " << from_step << ", " << to_step;
    }
}

}  // namespace
}  // namespace weir::array
