#pragma once

#include <cstdio>
#include <string>

#include "comm/communicator.hpp"

namespace weir::testing {

/// The main of a program that is started on ranks with a file's name: `work(world, name)` says whether all was right.
/// Exit code 1: it was not, 2: no file was named.
template <class Work>
int file_program(int argc, char** argv, Work work) {
    MpiSession const session(argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    return work(Communicator::world(), std::string(argv[1])) ? 0 : 1;
}

}  // namespace weir::testing
