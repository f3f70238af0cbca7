// More than 2 GiB a rank, more than 2^32 elements, a message of more than 2^31 bytes, all of it really moved and
// compared: for tests/system/large-arrays.sh. `large_arrays files|memory|message FILE`; exit code 1: something was
// wrong.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "comm/communicator.hpp"
#include "support/arrays/large_matrix.hpp"

namespace weir::testing {
namespace {

/// The file as another program sees it: each rank reads its share.
void verify_file(Communicator const& comm, std::string const& path) {
    if (std::filesystem::file_size(path) != static_cast<std::uint64_t>(LargeMatrix::bytes)) {
        throw std::runtime_error("the file has " + std::to_string(std::filesystem::file_size(path)) + " bytes");
    }
    std::uint64_t const all = LargeMatrix::bytes;
    auto place = all * comm.rank() / comm.size();
    auto const end = all * (comm.rank() + 1) / comm.size();
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(place));
    std::vector<char> piece(1 << 20);
    std::uint64_t wrong = 0;
    while (place < end && file) {
        auto const length = std::min<std::uint64_t>(piece.size(), end - place);
        file.read(piece.data(), static_cast<std::streamsize>(length));
        for (std::uint64_t k = 0; k < length; ++k) {
            wrong += static_cast<std::byte>(piece[k]) == LargeMatrix::value(place + k) ? 0 : 1;
        }
        place += length;
    }
    if (!file) {
        throw std::runtime_error("the file cannot be read at byte " + std::to_string(place));
    }
    LargeMatrix::need_none(wrong);
}

/// Rows to the file, columns back.
bool files(Communicator const& comm, std::string const& path) {
    bool good = true;
    for (std::string const options :
         {"method=two_phase", "method=two_phase exchange=messages memory=1GiB",
          "method=gather exchange=messages window=256MiB", "method=grouped group=1", "method=independent"}) {
        good = tried(comm, options,
                     [&] {
                         rows_there_and_columns_back(
                             comm, options,
                             [&](weir_plan* plan, void* const* buffers, weir_error* error) {
                                 return weir_write(plan, path.c_str(), 0, buffers, error);
                             },
                             [&] { verify_file(comm, path); },
                             [&](weir_plan* plan, void* const* buffers, weir_error* error) {
                                 return weir_read(plan, path.c_str(), 0, buffers, error);
                             });
                     }) &&
               good;
        comm.barrier();
        if (comm.is_root()) {
            std::filesystem::remove(path);
        }
    }
    return good;
}

/// Rows to columns, without a file.
bool memory(Communicator const& comm, std::string const&) {
    return tried(comm, "redistribution", [&] {
        weir_error error;
        LargeMatrix from(comm, LargeMatrix::Held::rows_of_another, "");
        LargeMatrix to(comm, LargeMatrix::Held::columns, "");
        need(weir_redistribute(from.plan(), from.filled(), to.plan(), to.cleared(), &error), error);
        from.release();
        to.verify();
    });
}

void make_file(std::string const& path, std::uint64_t bytes) {
    std::ofstream file(path, std::ios::binary);
    std::vector<char> piece(1 << 20);
    for (std::uint64_t place = 0; place < bytes;) {
        std::ranges::generate(piece, [&] { return static_cast<char>(LargeMatrix::value(place++)); });
        file.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    }
    if (!file.flush()) {
        throw std::runtime_error(path + " cannot be written");
    }
}

/// The last rank reads 1 GiB twice, in one window through rank 0: so that one message has more bytes than an int holds.
bool message(Communicator const& comm, std::string const& path) {
    constexpr std::int64_t gib = 1 << 30;
    auto const what = "one message of " + std::to_string(2 * gib + 13) + " bytes";
    return tried(comm, what, [&] {
        on_all(comm, [&] {
            if (comm.is_root()) {
                make_file(path, gib);
            }
        });
        std::array<std::int64_t, 3> const starts{0, 0, 5};
        std::array<std::int64_t, 3> const counts{gib, gib, 13};
        bool const reads = comm.rank() + 1 == comm.size();
        weir_array* array = nullptr;
        weir_array_boxes(1, &gib, reads ? 3 : 0, starts.data(), counts.data(), 1, WEIR_C_ORDER, &array, nullptr);
        weir_plan* plan = nullptr;
        weir_error error;
        auto code = weir_plan_make(comm.handle(), 1, &array, "method=gather exchange=messages window=1GiB memory=16GiB",
                                   &plan, &error);
        weir_array_free(array);
        need(code, error);
        std::vector<std::byte> bytes;
        on_all(comm, [&] { bytes.resize(reads ? 2 * gib + 13 : 0); });
        void* const buffers[] = {bytes.data()};
        code = weir_read(plan, path.c_str(), 0, buffers, &error);
        weir_plan_free(plan);
        need(code, error);
        std::uint64_t wrong = 0;
        for (std::uint64_t i = 0; i < bytes.size(); ++i) {
            wrong += bytes[i] == LargeMatrix::value(i < 2 * gib ? i % gib : i - 2 * gib + 5) ? 0 : 1;
        }
        on_all(comm, [&] { LargeMatrix::need_none(wrong); });
    });
}

bool known(std::string const& what) { return what == "files" || what == "memory" || what == "message"; }

}  // namespace
}  // namespace weir::testing

int main(int argc, char** argv) {
    weir::MpiSession const session(argc, argv);
    std::string const what = argc == 3 ? argv[1] : "";
    if (!weir::testing::known(what)) {
        std::fprintf(stderr, "usage: %s files|memory|message FILE\n", argv[0]);
        return 2;
    }
    auto const world = weir::Communicator::world();
    auto const good = what == "files"    ? weir::testing::files(world, argv[2])
                      : what == "memory" ? weir::testing::memory(world, argv[2])
                                         : weir::testing::message(world, argv[2]);
    return good ? 0 : 1;
}
