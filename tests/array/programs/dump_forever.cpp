// For the test of interrupted dumps: `dump_forever write FILE` replaces a safe dump by ever newer versions until it is
// killed; `dump_forever check FILE` verifies what is there, and prints its version.

#include <cstdio>
#include <string>

#include "comm/communicator.hpp"
#include "support/arrays/field.hpp"

int main(int argc, char** argv) {
    weir::MpiSession const session(argc, argv);
    auto const world = weir::Communicator::world();
    if (argc != 3) {
        return 2;
    }
    weir::testing::Field field(world, {64, 128, 129}, "safe=true checksum=true");
    weir_error error;
    if (std::string(argv[1]) == "check") {
        auto const code = weir_read(field.plan(), argv[2], 0, field.buffers(), &error);
        auto const version = field.version();
        auto const good = code == WEIR_OK && field.holds(version) ? 1U : 0U;
        if (world.is_root()) {
            std::printf("%s\n", code == WEIR_OK ? std::to_string(version).c_str() : error.message);
        }
        return world.sum(good) == world.size() ? 0 : 1;
    }
    for (std::int64_t version = 1;; ++version) {
        field.fill(version);
        if (weir_write(field.plan(), argv[2], 0, field.buffers(), &error) != WEIR_OK) {
            return 1;
        }
        if (world.is_root()) {
            std::printf("%lld\n", static_cast<long long>(version));
            std::fflush(stdout);
        }
    }
}
