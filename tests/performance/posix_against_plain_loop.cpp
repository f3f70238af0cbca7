// The engine with its posix back-end against a plain C loop of pwrite that does the same, interleaved: 1 KiB transfers
// on /dev/shm.

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "pattern/parametric.hpp"
#include "performance/measure.hpp"
#include "support/patterns/pattern_engine.hpp"

using namespace weir;

namespace {

constexpr std::uint64_t transfer = 1024;
constexpr std::uint64_t operations = 100'000;

void plain_loop(std::filesystem::path const& path, std::vector<char> const& buffer) {
    auto const fd = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    for (std::uint64_t i = 0; i < operations; ++i) {
        if (::pwrite(fd, buffer.data(), transfer, static_cast<off_t>(i * transfer)) != static_cast<ssize_t>(transfer)) {
            std::perror("pwrite");
            std::exit(3);
        }
    }
    ::close(fd);
}

}  // namespace

int main() {
    std::filesystem::path const directory = "/dev/shm";
    if (::access(directory.c_str(), W_OK) != 0) {
        fmt::print("skipped: {} cannot be written\n", directory.string());
        return 0;
    }
    Parameters p;
    p.transfer = Bytes{transfer};
    p.block = Bytes{operations * transfer};
    p.read = false;
    p.sync = SyncWhen::never;
    auto const pattern = make_pattern(p);
    auto const backend = Backends::instance().find("posix")->make();
    auto const here = directory / fmt::format("weir-bench-{}", ::getpid());
    std::filesystem::create_directory(here);
    MonotonicClock clock;
    testing::PatternEngine engine(*backend, pattern, EngineSettings{here, false, false, 0, {}}, Communicator(), clock);
    std::vector<char> const buffer(transfer, 'x');
    std::vector<double> ratios;
    std::vector<double> ours;
    std::vector<double> plain;
    for (int i = 0; i < 41; ++i) {
        auto const run_engine = [&] {
            auto const times = engine.measure(pattern.phases.at(0)).ranks[0];
            ours.push_back(operations / (times.end_s - times.start_s));
            engine.remove_files();
        };
        auto const run_loop = [&] {
            plain.push_back(operations / performance::seconds([&] { plain_loop(here / "plain", buffer); }));
            std::filesystem::remove(here / "plain");
        };
        // Whoever comes second finds warm memory: take turns.
        if (i % 2 == 0) {
            run_engine();
            run_loop();
        } else {
            run_loop();
            run_engine();
        }
        ratios.push_back(ours.back() / plain.back());
    }
    std::filesystem::remove_all(here);
    auto const show = [](char const* what, std::vector<double> const& rates) {
        auto const m = performance::median_of(rates);
        fmt::print("{:58} {:10.4g} [{:.4g}, {:.4g}] operations/s (n = {})\n", what, m.value, m.low, m.high, m.samples);
    };
    show("engine, posix, 1 KiB writes on /dev/shm", ours);
    show("plain loop of pwrite, the same", plain);
    return performance::report("ratio of the two", performance::median_of(ratios), "", 0.97,
                               performance::Better::higher)
               ? 0
               : 1;
}
