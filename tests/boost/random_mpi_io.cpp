// Random programs of MPI-IO, by seed: what each rank sees of them is printed, and the file stays. The same seeds under
// another MPI-IO, or with a library in front of it, must print the same and leave the same bytes. Where MPI leaves a
// result open, nothing is asked: ranks write disjoint bytes, and all calls are apart from each other by
// sync-barrier-sync (MPI 3.1, section 13.6.1).
//
//   random_mpi_io DIRECTORY FIRST_SEED LAST_SEED

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int ranks_of_world() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

std::uint64_t digest(Bytes const& bytes) {
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a
    for (auto const byte : bytes) {
        hash = (hash ^ byte) * 1099511628211U;
    }
    return hash;
}

/// A type that is freed.
struct Type {
    MPI_Datatype handle = MPI_BYTE;
    bool own = false;

    explicit Type(MPI_Datatype made, bool owns = true) : handle(made), own(owns) {
        if (own) {
            MPI_Type_commit(&handle);
        }
    }
    Type(Type&& other) noexcept : handle(other.handle), own(std::exchange(other.own, false)) {}
    Type& operator=(Type&&) = delete;
    ~Type() {
        if (own) {
            MPI_Type_free(&handle);
        }
    }
};

class Program {
  public:
    Program(std::string path, std::uint64_t seed)
        : path_(std::move(path)), common_(seed), own_(seed * 1000003 + static_cast<std::uint64_t>(rank_) + 1) {}

    void run() {
        make_old_content();
        open(MPI_MODE_CREATE | MPI_MODE_RDWR);
        auto const steps = 4 + below(10);
        for (int i = 0; i < steps; ++i) {
            step();
            MPI_File_sync(file_);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_File_sync(file_);
        }
        MPI_File_close(&file_);
        read_only();
        tell_file();
    }

    [[nodiscard]] std::string const& log() const { return log_; }

  private:
    static constexpr MPI_Offset long_file = 4 << 20;

    /// The same on all ranks; and another on each.
    int below(int most) { return static_cast<int>(common_() % static_cast<std::uint64_t>(most)); }
    int own_below(int most) { return static_cast<int>(own_() % static_cast<std::uint64_t>(most)); }

    void tell(std::string const& what, long long number) { log_ += " " + what + "=" + std::to_string(number); }

    void make_old_content() {
        auto const length = below(3) * below(60000);
        if (rank_ == 0) {
            Bytes old(static_cast<std::size_t>(length));
            std::ranges::generate(old, [&] { return static_cast<unsigned char>(own_()); });
            auto* const file = std::fopen(path_.c_str(), "wb");
            std::fwrite(old.data(), 1, old.size(), file);
            std::fclose(file);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }

    void open(int mode) {
        auto const code = MPI_File_open(MPI_COMM_WORLD, path_.c_str(), mode, MPI_INFO_NULL, &file_);
        if (code != MPI_SUCCESS) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        writable_ = (mode & MPI_MODE_RDWR) != 0;
        etype_bytes_ = 1;
        tile_ = 0;
        if (long_ && writable_) {
            MPI_File_set_size(file_, long_file);
        }
    }

    void step() {
        switch (below(12)) {
            case 0:
            case 1:
            case 2:
                set_view();
                break;
            case 3:
            case 4:
            case 5:
                collective(true);
                break;
            case 6:
            case 7:
                collective(false);
                break;
            case 8:
                independent();
                break;
            case 9:
                resize();
                break;
            case 10:
                ask();
                break;
            default:
                MPI_File_set_atomicity(file_, below(4) == 0 ? 1 : 0);
        }
    }

    /// Pieces of a tile, each of one rank or of none.
    Type pieces_of_tile() {
        auto const unit = static_cast<MPI_Aint>(etype_bytes_);
        auto const count = 1 + below(below(4) == 0 ? 400 : 12);
        bool const far = count < 40 && below(4) == 0;  // most of the tile is empty
        std::vector<int> lengths;
        std::vector<MPI_Aint> at;
        MPI_Aint end = 0;
        for (int i = 0; i < count; ++i) {
            auto const length = 1 + below(below(5) == 0 ? 3000 : 40);
            auto const owner = below(ranks_ + (below(3) == 0 ? 1 : 0));
            if (owner == rank_) {
                lengths.push_back(length);
                at.push_back(end);
            }
            end += (length + (far && below(3) == 0 ? 20000 : 0)) * unit;
        }
        if (lengths.empty()) {  // a view must have bytes: behind those of all others
            lengths.push_back(1);
            at.push_back(end + rank_ * unit);
        }
        return resized(hindexed(lengths, at), end + ranks_ * unit);
    }

    Type hindexed(std::vector<int> const& lengths, std::vector<MPI_Aint> const& at) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_create_hindexed(static_cast<int>(at.size()), lengths.data(), at.data(), etype(), &type);
        return Type(type);
    }

    static Type resized(Type const& of, MPI_Aint extent) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_create_resized(of.handle, 0, extent, &type);
        return Type(type);
    }

    Type subarray() {
        std::array<int, 2> const sizes{ranks_ * (1 + below(9)), 1 + below(30)};
        std::array<int, 2> const parts{sizes[0] / ranks_, sizes[1]};
        std::array<int, 2> const starts{rank_ * parts[0], 0};
        bool const across = below(2) == 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_create_subarray(2, sizes.data(), parts.data(), starts.data(), across ? MPI_ORDER_FORTRAN : MPI_ORDER_C,
                                 etype(), &type);
        return Type(type);
    }

    Type darray() {
        std::array<int, 2> const sizes{ranks_ * (1 + below(9)), 1 + below(20)};
        std::array<int, 2> const how{below(2) == 0 ? MPI_DISTRIBUTE_CYCLIC : MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
        std::array<int, 2> const arguments{MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
        std::array<int, 2> const grid{ranks_, 1};
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_create_darray(ranks_, rank_, 2, sizes.data(), how.data(), arguments.data(), grid.data(),
                               below(2) == 0 ? MPI_ORDER_FORTRAN : MPI_ORDER_C, etype(), &type);
        return Type(type);
    }

    Type filetype() {
        switch (below(4)) {
            case 0:
                return subarray();
            case 1:
                return darray();
            default:
                return pieces_of_tile();
        }
    }

    MPI_Datatype etype() const { return etype_bytes_ == 1 ? MPI_BYTE : etype_bytes_ == 4 ? MPI_INT : MPI_DOUBLE; }

    void set_view() {
        etype_bytes_ = std::array{1, 4, 8}.at(static_cast<std::size_t>(below(3)));
        auto const displacement = below(3) == 0 ? 0 : below(5000);
        if (below(8) == 0) {
            MPI_File_set_view(file_, displacement, etype(), etype(), "native", MPI_INFO_NULL);
            tile_ = 0;
            return;
        }
        auto const type = filetype();
        auto const code = MPI_File_set_view(file_, displacement, etype(), type.handle, "native", MPI_INFO_NULL);
        tell("view", code);
        tile_ = 1;
    }

    /// Memory in which `elements` of the etype lie together, also behind a gap, with gaps between them, or last first.
    Type memory_type(int elements) {
        auto const unit = static_cast<MPI_Aint>(etype_bytes_);
        std::vector<int> lengths;
        std::vector<MPI_Aint> at;
        auto const how = own_below(4);
        MPI_Aint end = how == 3 ? 2 * unit : 0;
        for (int left = elements; left > 0;) {
            auto const length = std::min(left, 1 + own_below(how == 0 ? elements : 9));
            lengths.push_back(length);
            at.push_back(end);
            end += (length + (how == 1 ? own_below(4) : 0)) * unit;
            left -= length;
        }
        if (how == 2) {
            std::ranges::reverse(lengths);
            std::ranges::reverse(at);
        }
        return hindexed(lengths, at);
    }

    /// Contiguous views of all ranks are of the same bytes: each has its part of them, apart from the others'.
    MPI_Offset start(int most) { return tile_ != 0 ? below(40) : below(40) + rank_ * MPI_Offset{most}; }

    /// Not beyond half of a long file, however far apart the pieces of a view are.
    int within_file(MPI_Offset offset, int elements) {
        for (;; elements /= 2) {
            MPI_Offset end = 0;
            MPI_File_get_byte_offset(file_, offset + elements, &end);
            if (elements == 0 || end < long_file / 2) {
                return elements;
            }
        }
    }

    struct Access {
        void* memory;
        int count;
        MPI_Datatype type;
        MPI_Offset offset;
    };

    int blocking(bool writes, bool by_pointer, Access const& a, MPI_Status* status) {
        if (by_pointer) {
            return writes ? MPI_File_write_all(file_, a.memory, a.count, a.type, status)
                          : MPI_File_read_all(file_, a.memory, a.count, a.type, status);
        }
        return writes ? MPI_File_write_at_all(file_, a.offset, a.memory, a.count, a.type, status)
                      : MPI_File_read_at_all(file_, a.offset, a.memory, a.count, a.type, status);
    }

    /// Begun and ended; only where this is asked for, since ROMIO 3.2 does not always do it rightly.
    static bool splits() { return std::getenv("RANDOM_SPLITS") != nullptr; }

    int split(bool writes, bool by_pointer, Access const& a, MPI_Status* status) {
        if (by_pointer) {
            auto const begun = writes ? MPI_File_write_all_begin(file_, a.memory, a.count, a.type)
                                      : MPI_File_read_all_begin(file_, a.memory, a.count, a.type);
            return begun != MPI_SUCCESS ? begun
                   : writes             ? MPI_File_write_all_end(file_, a.memory, status)
                                        : MPI_File_read_all_end(file_, a.memory, status);
        }
        auto const begun = writes ? MPI_File_write_at_all_begin(file_, a.offset, a.memory, a.count, a.type)
                                  : MPI_File_read_at_all_begin(file_, a.offset, a.memory, a.count, a.type);
        return begun != MPI_SUCCESS ? begun
               : writes             ? MPI_File_write_at_all_end(file_, a.memory, status)
                                    : MPI_File_read_at_all_end(file_, a.memory, status);
    }

    void collective(bool writes) {
        auto const most = below(4) == 0 ? 60000 : 400;
        auto const offset = start(most);
        auto const elements = within_file(offset, own_below(6) == 0 ? 0 : own_below(most));
        auto const type = memory_type(std::max(elements, 1));  // ROMIO 3.2 fails with types without blocks
        Bytes memory(static_cast<std::size_t>(elements + 1) * 4 * static_cast<std::size_t>(etype_bytes_) + 64, 0xEE);
        if (writes) {
            std::ranges::generate(memory, [&] { return static_cast<unsigned char>(own_()); });
        }
        MPI_Status status;
        Access const access{memory.data(), elements > 0 ? 1 : 0, type.handle, offset};
        bool const by_pointer = below(2) == 0;
        if (by_pointer) {
            MPI_File_seek(file_, offset, MPI_SEEK_SET);
        }
        auto const code = below(3) == 0 && writable_ && splits() ? split(writes, by_pointer, access, &status)
                                                                 : blocking(writes, by_pointer, access, &status);
        if (by_pointer) {
            MPI_Offset position = 0;
            MPI_File_get_position(file_, &position);
            tell("position", position);
        }
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        int error_class = MPI_SUCCESS;
        MPI_Error_class(code, &error_class);
        tell(writes ? "write" : "read", error_class);
        // How much there was of nothing, or behind the file's end, ROMIO 3.2 does not tell rightly.
        if (code == MPI_SUCCESS && elements > 0 && (writes || long_)) {
            tell("count", count);
            tell("memory", static_cast<long long>(digest(memory)));
        }
    }

    void independent() {
        auto const offset = start(50);
        auto const elements = within_file(offset, own_below(50));
        Bytes memory(static_cast<std::size_t>(elements * etype_bytes_), static_cast<unsigned char>(own_()));
        MPI_Status status;
        if (own_below(2) == 0) {
            MPI_File_write_at(file_, offset, memory.data(), elements, etype(), &status);
        }
        MPI_File_sync(file_);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_sync(file_);
        MPI_File_read_at(file_, offset, memory.data(), elements, etype(), &status);
        tell("independent", long_ ? static_cast<long long>(digest(memory)) : 0);
    }

    void resize() {
        MPI_Offset size = 0;
        MPI_File_get_size(file_, &size);
        auto const to = below(2) == 0 && !long_ ? size / 2 : size + below(9000);
        below(3) == 0 ? MPI_File_preallocate(file_, to) : MPI_File_set_size(file_, to);
    }

    void ask() {
        MPI_Offset size = 0;
        MPI_Offset offset = 0;
        MPI_File_get_size(file_, &size);
        MPI_File_get_byte_offset(file_, below(500), &offset);
        tell("size", size);
        tell("offset", offset);
    }

    void read_only() {
        open(MPI_MODE_RDONLY);
        set_view();
        collective(false);
        if (below(3) == 0) {
            collective(true);  // must fail
        }
        MPI_File_close(&file_);
    }

    void tell_file() {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank_ == 0) {
            auto* const file = std::fopen(path_.c_str(), "rb");
            std::fseek(file, 0, SEEK_END);
            Bytes content(static_cast<std::size_t>(std::ftell(file)));
            std::rewind(file);
            content.resize(std::fread(content.data(), 1, content.size(), file));
            std::fclose(file);
            std::remove(path_.c_str());
            tell("bytes", static_cast<long long>(content.size()));
            tell("file", static_cast<long long>(digest(content)));
        }
    }

    std::string path_;
    int rank_ = rank_of_world();
    int ranks_ = ranks_of_world();
    std::mt19937_64 common_;
    std::mt19937_64 own_;
    bool const long_ = below(5) != 0;  ///< longer than anything that is read
    MPI_File file_ = MPI_FILE_NULL;
    bool writable_ = false;
    int etype_bytes_ = 1;
    int tile_ = 1;  ///< 0: a view of all bytes
    std::string log_;
};

/// Each rank's line, in order of the ranks.
void print(std::uint64_t seed, std::string const& log) {
    for (int rank = 0; rank < ranks_of_world(); ++rank) {
        if (rank_of_world() == 0) {
            std::string text = log;
            if (rank > 0) {
                MPI_Status status;
                int length = 0;
                MPI_Probe(rank, 0, MPI_COMM_WORLD, &status);
                MPI_Get_count(&status, MPI_CHAR, &length);
                text.resize(static_cast<std::size_t>(length));
                MPI_Recv(text.data(), length, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            std::printf("seed %llu rank %d:%s\n", static_cast<unsigned long long>(seed), rank, text.c_str());
        } else if (rank_of_world() == rank) {
            MPI_Send(log.data(), static_cast<int>(log.size()), MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 4) {
        std::fprintf(stderr, "random_mpi_io DIRECTORY FIRST_SEED LAST_SEED\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    auto const last = std::strtoull(argv[3], nullptr, 10);
    for (auto seed = std::strtoull(argv[2], nullptr, 10); seed <= last; ++seed) {
        Program program(std::string(argv[1]) + "/file-" + std::to_string(seed), seed);
        program.run();
        print(seed, program.log());
    }
    MPI_Finalize();
    return 0;
}
