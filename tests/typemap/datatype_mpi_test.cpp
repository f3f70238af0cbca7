// Type maps beside MPI itself: MPI_Pack() moves the bytes of a type in the order of its map.

#include "typemap/datatype.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace weir {
namespace {

using Places = std::vector<std::int64_t>;

/// A type, and what it was made of, which must be freed too.
struct Made {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::string how;
};

class Maker {
  public:
    explicit Maker(std::uint64_t seed) : random_(seed) {}
    ~Maker() {
        for (auto& type : made_) {
            MPI_Type_free(&type);
        }
    }
    Maker(Maker const&) = delete;
    Maker& operator=(Maker const&) = delete;

    /// A type of at most this many levels, whose displacements are not below -3000 or beyond 60,000.
    Made any(int levels) {
        if (levels == 0) {
            return predefined();
        }
        auto const part = any(levels - 1);
#if MPI_VERSION >= 4
        if (below(3) == 0) {
            return with_large_counts(part);
        }
#endif
        switch (below(13)) {
            case 0:
                return made("dup", part, [&](auto* type) { return MPI_Type_dup(part.type, type); });
            case 1:
                return made("contiguous", part,
                            [&](auto* type) { return MPI_Type_contiguous(few(), part.type, type); });
            case 2:
                return made("vector", part, [&](auto* type) {
                    return MPI_Type_vector(few(), few(), below(8) == 0 ? -5 : below(7), part.type, type);
                });
            case 3:
                return made("hvector", part, [&](auto* type) {
                    return MPI_Type_create_hvector(few(), few(), stride_bytes(), part.type, type);
                });
            case 4:
                return indexed(part);
            case 5:
                return hindexed(part);
            case 6:
                return made("indexed_block", part, [&](auto* type) {
                    auto const at = numbers<int>(few(), 6);
                    return MPI_Type_create_indexed_block(static_cast<int>(at.size()), few(), at.data(), part.type,
                                                         type);
                });
            case 7:
                return made("hindexed_block", part, [&](auto* type) {
                    auto const at = numbers<MPI_Aint>(few(), 150);
                    return MPI_Type_create_hindexed_block(static_cast<int>(at.size()), few(), at.data(), part.type,
                                                          type);
                });
            case 8:
                return structure(part, levels);
            case 9:
                return subarray(part);
            case 10:
                return darray(part);
            default:
                return made("resized", part, [&](auto* type) {
                    MPI_Aint lower = 0;
                    MPI_Aint extent = 0;
                    MPI_Type_get_extent(part.type, &lower, &extent);
                    return MPI_Type_create_resized(part.type, lower - below(3), extent + below(20), type);
                });
        }
    }

    int below(int most) { return static_cast<int>(random_() % static_cast<std::uint64_t>(most)); }
    int few() { return below(4); }

    /// Open MPI 4.1 packs blocks that overlap backwards as though they touched: no such strides, nor in vectors.
    int stride_bytes() { return below(8) == 0 ? -100 : below(90); }

  private:
    Made predefined() {
        switch (below(7)) {
            case 0:
                return {MPI_BYTE, "byte"};
            case 1:
                return {MPI_SHORT_INT, "short_int"};
            case 2:
                return {MPI_DOUBLE_INT, "double_int"};
            case 3:
                return {MPI_LONG_DOUBLE_INT, "long_double_int"};
            case 4:
                return {MPI_INT, "int"};
            default:
                return {MPI_DOUBLE, "double"};
        }
    }

    template <class Make>
    Made made(std::string const& how, Made const& part, Make make) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        if (make(&type) != MPI_SUCCESS) {  // Open MPI 4.1 makes no darray of some types without bytes
            return part;
        }
        made_.push_back(type);
        return {type, how + "(" + part.how + ")"};
    }

    template <class Number>
    std::vector<Number> numbers(int count, int most) {
        std::vector<Number> all(static_cast<std::size_t>(count));
        std::ranges::generate(all, [&] { return static_cast<Number>(below(most)); });
        return all;
    }

    Made indexed(Made const& part) {
        return made("indexed", part, [&](auto* type) {
            auto const lengths = numbers<int>(few(), 3);
            auto const at = numbers<int>(static_cast<int>(lengths.size()), 8);
            return MPI_Type_indexed(static_cast<int>(at.size()), lengths.data(), at.data(), part.type, type);
        });
    }

    Made hindexed(Made const& part) {
        return made("hindexed", part, [&](auto* type) {
            auto const lengths = numbers<int>(few(), 3);
            auto const at = numbers<MPI_Aint>(static_cast<int>(lengths.size()), 200);
            return MPI_Type_create_hindexed(static_cast<int>(at.size()), lengths.data(), at.data(), part.type, type);
        });
    }

    Made structure(Made const& part, int levels) {
        auto const other = any(levels - 1);
        return made("struct", {part.type, part.how + ", " + other.how}, [&](auto* type) {
            std::vector<int> const lengths{1 + below(2), 1 + below(2), 1};  // 0: Open MPI 4.1 loses the gaps
            auto const at = numbers<MPI_Aint>(3, 300);
            std::vector<MPI_Datatype> const types{part.type, other.type, MPI_SHORT};
            return MPI_Type_create_struct(3, lengths.data(), at.data(), types.data(), type);
        });
    }

#if MPI_VERSION >= 4
    std::vector<MPI_Count> large(int count, int most) { return numbers<MPI_Count>(count, most); }

    Made with_large_counts(Made const& part) {
        auto const lengths = large(few(), 3);
        auto const count = static_cast<MPI_Count>(lengths.size());
        auto const at = large(static_cast<int>(count), 200);
        switch (below(9)) {
            case 0:
                return made("contiguous_c", part,
                            [&](auto* type) { return MPI_Type_contiguous_c(few(), part.type, type); });
            case 1:
                return made("vector_c", part,
                            [&](auto* type) { return MPI_Type_vector_c(few(), few(), below(7), part.type, type); });
            case 2:
                return made("hvector_c", part, [&](auto* type) {
                    return MPI_Type_create_hvector_c(few(), few(), stride_bytes(), part.type, type);
                });
            case 3:
                return made("indexed_c", part, [&](auto* type) {
                    auto const elements = large(static_cast<int>(count), 8);
                    return MPI_Type_indexed_c(count, lengths.data(), elements.data(), part.type, type);
                });
            case 4:
                return made("hindexed_c", part, [&](auto* type) {
                    return MPI_Type_create_hindexed_c(count, lengths.data(), at.data(), part.type, type);
                });
            case 5:
                return made("hindexed_block_c", part, [&](auto* type) {
                    return MPI_Type_create_hindexed_block_c(count, few(), at.data(), part.type, type);
                });
            case 6:
                return made("struct_c", part, [&](auto* type) {
                    std::vector<MPI_Datatype> const types(lengths.size(), part.type);
                    return MPI_Type_create_struct_c(count, lengths.data(), at.data(), types.data(), type);
                });
            case 7:
                return made("subarray_c", part, [&](auto* type) {
                    std::array<MPI_Count, 2> const sizes{1 + below(4), 4};
                    std::array<MPI_Count, 2> const parts{1 + below(static_cast<int>(sizes[0])), 2};
                    std::array<MPI_Count, 2> const starts{sizes[0] - parts[0], below(3)};
                    return MPI_Type_create_subarray_c(2, sizes.data(), parts.data(), starts.data(), order(), part.type,
                                                      type);
                });
            default:
                return made("darray_c", part, [&](auto* type) {
                    std::array<MPI_Count, 2> const sizes{3 + below(4), 2};
                    std::array<int, 2> const how{MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
                    std::array<int, 2> const arguments{1 + below(2), MPI_DISTRIBUTE_DFLT_DARG};
                    std::array<int, 2> const processes{2, 1};
                    return MPI_Type_create_darray_c(2, below(2), 2, sizes.data(), how.data(), arguments.data(),
                                                    processes.data(), order(), part.type, type);
                });
        }
    }
#endif

    int order() { return below(2) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN; }

    Made subarray(Made const& part) {
        return made("subarray", part, [&](auto* type) {
            auto const dims = 1 + below(3);
            std::vector<int> sizes;
            std::vector<int> parts;
            std::vector<int> starts;
            for (int d = 0; d < dims; ++d) {
                sizes.push_back(1 + below(4));
                parts.push_back(1 + below(sizes.back()));
                starts.push_back(below(sizes.back() - parts.back() + 1));
            }
            return MPI_Type_create_subarray(dims, sizes.data(), parts.data(), starts.data(), order(), part.type, type);
        });
    }

    Made darray(Made const& part) {
        return made("darray", part, [&](auto* type) {
            auto const dims = 1 + below(3);
            std::vector<int> sizes;
            std::vector<int> how;
            std::vector<int> arguments;
            std::vector<int> processes;
            int ranks = 1;
            for (int d = 0; d < dims; ++d) {
                sizes.push_back(1 + below(6));
                how.push_back(std::array{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}.at(
                    static_cast<std::size_t>(below(3))));
                processes.push_back(how.back() == MPI_DISTRIBUTE_NONE ? 1 : 1 + below(3));
                auto const least = (sizes.back() + processes.back() - 1) / processes.back();
                bool const usual = how.back() == MPI_DISTRIBUTE_NONE || below(2) == 0;
                auto const block = how.back() == MPI_DISTRIBUTE_BLOCK ? least + below(2) : 1 + below(3);
                arguments.push_back(usual ? MPI_DISTRIBUTE_DFLT_DARG : block);
                ranks *= processes.back();
            }
            return MPI_Type_create_darray(ranks, below(ranks), dims, sizes.data(), how.data(), arguments.data(),
                                          processes.data(), order(), part.type, type);
        });
    }

    std::mt19937_64 random_;
    std::vector<MPI_Datatype> made_;
};

constexpr std::int64_t zero = 1 << 17;  ///< displacement 0 in a buffer whose bytes tell their places
constexpr std::size_t room = 1 << 19;

/// Displacements of all bytes of a type in the order in which MPI packs them.
Places packed_places(MPI_Datatype type, int count) {
    MPI_Type_commit(&type);
    MPI_Count size = 0;
    MPI_Type_size_x(type, &size);
    auto const bytes = static_cast<std::size_t>(size * count);
    Places places(bytes);
    std::vector<unsigned char> buffer(room);
    std::vector<unsigned char> packed(bytes + 64);
    for (int shift = 0; shift < 24; shift += 8) {  // a third of each place's number at a time
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            buffer[i] = static_cast<unsigned char>(i >> shift);
        }
        int position = 0;
        MPI_Pack(buffer.data() + zero, count, type, packed.data(), static_cast<int>(packed.size()), &position,
                 MPI_COMM_SELF);
        EXPECT_EQ(static_cast<std::size_t>(position), bytes);
        for (std::size_t i = 0; i < bytes; ++i) {
            places[i] |= static_cast<std::int64_t>(packed[i]) << shift;
        }
    }
    for (auto& place : places) {
        place -= zero;
    }
    return places;
}

Places places_of(TypeMap const& map, std::uint64_t from, std::uint64_t to) {
    Places places;
    map.each(from, to, [&](std::int64_t at, std::uint64_t bytes) {
        for (std::uint64_t i = 0; i < bytes; ++i) {
            places.push_back(at + static_cast<std::int64_t>(i));
        }
    });
    return places;
}

/// What the map says of itself, from all places.
void expect_facts(TypeMap const& map, Places const& places, std::mt19937_64& random) {
    ASSERT_EQ(map.size(), places.size());
    if (places.empty()) {
        return;
    }
    auto const [least, greatest] = std::ranges::minmax(places);
    EXPECT_EQ(map.begin(), least);
    EXPECT_EQ(map.end(), greatest + 1);
    std::uint64_t pieces = 1;
    bool increases = true;
    for (std::size_t i = 1; i < places.size(); ++i) {
        pieces += places[i] == places[i - 1] + 1 ? 0 : 1;
        increases = increases && places[i] > places[i - 1];
    }
    EXPECT_GE(map.pieces(), pieces);
    EXPECT_TRUE(increases || !map.increases());
    if (map.increases()) {
        for (auto at = least - 2; at < greatest + 3; ++at) {
            auto const before = std::ranges::lower_bound(places, at) - places.begin();
            ASSERT_EQ(map.bytes_before(at), static_cast<std::uint64_t>(before)) << at;
        }
    }
    for (int i = 0; i < 4; ++i) {
        auto const from = random() % places.size();
        auto const to = from + random() % (places.size() - from + 1);
        ASSERT_EQ(places_of(map, from, to), Places(places.begin() + static_cast<std::ptrdiff_t>(from),
                                                   places.begin() + static_cast<std::ptrdiff_t>(to)));
        EXPECT_EQ(map.displacement_of(from), places[from]);
    }
}

TEST(Datatypes, AreAsMpiPacksThem) {
    if (Communicator::world().size() > 1) {
        GTEST_SKIP() << "each rank would do the same";
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    std::mt19937_64 random(1);
    int increasing = 0;
    int gaps = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Maker maker(seed);
        auto const [type, how] = maker.any(1 + static_cast<int>(seed % 3));
        SCOPED_TRACE(how + ", seed " + std::to_string(seed));
        auto const found = datatype_of(type);
        ASSERT_TRUE(found.has_value());
        MPI_Count lower = 0;
        MPI_Count extent = 0;
        MPI_Type_get_extent_x(type, &lower, &extent);
        EXPECT_EQ(found->extent, extent);
        auto const count = 1 + maker.below(3);
        auto const map = found->times(static_cast<std::uint64_t>(count));
        if (map.begin() < -zero || map.end() > static_cast<std::int64_t>(room) - zero) {
            continue;
        }
        auto const places = packed_places(type, count);
        ASSERT_EQ(places_of(map, 0, map.size()), places);
        expect_facts(map, places, random);
        ASSERT_FALSE(HasFailure());
        increasing += map.increases() && map.pieces() > 1 ? 1 : 0;
        gaps += map.increases() ? 0 : 1;
    }
    EXPECT_GT(increasing, 300);
    EXPECT_GT(gaps, 100);
}

TEST(Datatypes, StayAsSmallAsTheirConstruction) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::array<int, 3> const sizes{2048, 2048, 100};
    std::array<int, 3> const parts{1024, 1024, 50};
    std::array<int, 3> const starts{1024, 0, 50};
    MPI_Type_create_subarray(3, sizes.data(), parts.data(), starts.data(), MPI_ORDER_C, MPI_DOUBLE, &type);
    auto const found = datatype_of(type);
    MPI_Type_free(&type);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->map.pieces(), 1024U * 1024U);
    EXPECT_LT(found->map.memory_bytes(), 1000U);
    EXPECT_EQ(found->map.displacement_of(found->map.size() / 2), ((1024LL + 512) * 2048 * 100 + 50) * 8);
}

TEST(Datatypes, JoinWhatTouches) {
    MPI_Datatype rows = MPI_DATATYPE_NULL;
    MPI_Type_vector(100, 25, 25, MPI_FLOAT, &rows);
    EXPECT_TRUE(datatype_of(rows)->dense());
    MPI_Type_free(&rows);
    std::array<int, 4> const lengths{2, 3, 0, 5};
    std::array<MPI_Aint, 4> const at{0, 2, 1000, 9};
    MPI_Type_create_hindexed(4, lengths.data(), at.data(), MPI_BYTE, &rows);
    EXPECT_EQ(datatype_of(rows)->map.pieces(), 2U);
    MPI_Type_free(&rows);
}

}  // namespace
}  // namespace weir
