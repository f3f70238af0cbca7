#include <gtest/gtest.h>

#include "bench/compute/hpcc/hpcc_tests.hpp"
#include "core/error.hpp"

namespace weir {
namespace {

std::uint64_t option(HpccSetting const& setting, std::string const& test, std::string const& name) {
    for (auto const& one : hpcc_tests(setting)) {
        if (one.name == test) {
            return one.options.at(name).get<std::uint64_t>();
        }
    }
    return 0;
}

/// Sizes that HPCC 1.5.0 printed for these orders and ranks; `log2_words` of a rank's own table, by its rule.
struct Printed {
    std::uint64_t order, ranks, dgemm, ptrans, stream, fft, global_fft, log2_words;
};

TEST(HpccTests, HaveTheSizesOfHpccsProgram) {
    for (auto const& one :
         {Printed{1000, 2, 407, 500, 166666, 65536, 65536, 18},
          Printed{8064, 2, 3291, 4032, 10838016, 4194304, 4194304, 24},
          Printed{1000, 1, 576, 500, 333333, 131072, 65536, 19}, Printed{777, 2, 316, 388, 100621, 65536, 65536, 18},
          Printed{501, 1, 288, 250, 83667, 32768, 16384, 17}}) {
        HpccSetting setting;
        setting.ranks = one.ranks;
        setting.hpl_size = one.order;
        setting.bytes_of_rank = 8 * one.order * one.order / one.ranks;
        SCOPED_TRACE(one.order);
        EXPECT_EQ(option(setting, "hpl", "size"), one.order);
        EXPECT_EQ(option(setting, "star-dgemm", "size"), one.dgemm);
        EXPECT_EQ(option(setting, "ptrans", "size"), one.ptrans);
        EXPECT_EQ(option(setting, "star-stream", "size"), one.stream);
        EXPECT_EQ(option(setting, "star-fft", "size"), one.fft);
        EXPECT_EQ(option(setting, "global-fft", "size"), one.global_fft);
        for (auto const* table : {"star-random-access", "single-random-access", "lcg-star-random-access"}) {
            EXPECT_EQ(option(setting, table, "log2_words"), one.log2_words);
        }
        EXPECT_EQ(option(setting, "global-random-access", "log2_words"), one.log2_words + one.ranks - 1);
    }
}

TEST(HpccTests, PassOnWhatIsAskedForAll) {
    HpccSetting setting;
    setting.bytes_of_rank = 1 << 20;
    setting.pages = PagesOfTests::large;
    setting.stores = "non-temporal";
    setting.threads = 3;
    setting.seed = 7;
    setting.blas = "libmine.so";
    setting.transforms = "plain";
    for (auto const& one : hpcc_tests(setting)) {
        EXPECT_EQ(one.options.contains("large_pages"), one.benchmark != "noise") << one.name;
        EXPECT_NE(one.benchmark, "rings") << "there is one rank";
        if (one.benchmark == "stream") {
            EXPECT_EQ(one.options.at("stores"), "non-temporal");
        }
        if (one.benchmark == "dgemm" || one.benchmark == "hpl") {
            EXPECT_EQ(one.options.at("threads"), 3) << one.name;
            EXPECT_EQ(one.options.at("blas"), "libmine.so") << one.name;
        }
        if (one.benchmark == "fft") {
            EXPECT_EQ(one.options.at("library"), "plain") << one.name;
        }
        if (one.options.contains("seed")) {
            EXPECT_EQ(one.options.at("seed"), 7) << one.name;
        }
    }
}

TEST(HpccTests, AreChosenByNameInTheirOwnOrder) {
    HpccSetting setting;
    setting.bytes_of_rank = 1 << 20;
    auto const names = [&](std::vector<std::string> const& texts) {
        std::vector<std::string> chosen;
        for (auto const& one : chosen_tests(setting, texts)) {
            chosen.push_back(one.name);
        }
        return chosen;
    };
    EXPECT_EQ(names({}).size(), hpcc_tests(setting).size());
    EXPECT_EQ(names({"hpl", "ptrans,star-fft hpl"}), (std::vector<std::string>{"ptrans", "star-fft", "hpl"}));
    EXPECT_THROW(names({" , "}), Error);
    EXPECT_THROW(names({"ptrans", "fft"}), Error);
    EXPECT_THROW(names({"rings"}), Error) << "there is one rank";
    setting.ranks = 2;
    EXPECT_EQ(names({"rings"}), (std::vector<std::string>{"rings"}));
}

TEST(HpccTests, LeaveTheirPagesToEachTestUnlessAsked) {
    HpccSetting setting;
    setting.bytes_of_rank = 1 << 20;
    for (auto const& one : hpcc_tests(setting)) {
        EXPECT_FALSE(one.options.contains("large_pages")) << one.name;
    }
    setting.pages = PagesOfTests::usual;
    for (auto const& one : hpcc_tests(setting)) {
        EXPECT_FALSE(one.options.value("large_pages", one.benchmark != "noise")) << one.name;
    }
}

}  // namespace
}  // namespace weir
