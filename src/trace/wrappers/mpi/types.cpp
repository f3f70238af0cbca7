// The text of an MPI datatype: its construction from types with earlier texts. See docs/reference/trace.md.
//
// Types are looked up when a file view is set. The table of names compares texts: a type constructed repeatedly is
// added once.

#include <stdio.h>

#include "trace/wrappers/mpi/mpi.hpp"

namespace weir::trace::mpi {
namespace {

constinit LibrarySymbol get_envelope{"PMPI_Type_get_envelope"};
constinit LibrarySymbol get_large_envelope{"PMPI_Type_get_envelope_c"};
constinit LibrarySymbol get_contents{"PMPI_Type_get_contents"};
constinit LibrarySymbol get_size{"PMPI_Type_size_x"};
constinit LibrarySymbol get_extent{"PMPI_Type_get_extent_x"};
constinit LibrarySymbol get_true_extent{"PMPI_Type_get_true_extent_x"};
constinit LibrarySymbol free_type{"PMPI_Type_free"};

constexpr int64_t most_blocks = 1 << 22;
constexpr int64_t most_numbers =
    3 * most_blocks + 64;            ///< in the construction of one type: length, place and part each
constexpr int most_types = 1 << 14;  ///< in the complete construction of one type
constexpr int deepest = 32;

/// MPI_COMBINER_NAMED is 0 in Open MPI and 1 in the MPICH family; the others follow in the same order.
enum class Combiner : uint8_t {
    named,
    dup,
    contiguous,
    vector,
    hvector_integer,
    hvector,
    indexed,
    hindexed_integer,
    hindexed,
    indexed_block,
    struct_integer,
    structure,
    subarray,
    darray,
    f90_real,
    f90_complex,
    f90_integer,
    resized,
    hindexed_block,
};

bool is_predefined(Combiner combiner) {
    return combiner == Combiner::named || (combiner >= Combiner::f90_real && combiner <= Combiner::f90_integer);
}

struct Envelope {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    Combiner combiner = Combiner::named;
};

/// The arguments with which a type was constructed, and their memory.
class Contents {
  public:
    Contents(Library const* library, Word type, Envelope const& envelope) : library_(library), envelope_(envelope) {
        auto const addresses = static_cast<size_t>(envelope.addresses);
        auto const types = static_cast<size_t>(envelope.types);
        bytes_ = (addresses + types) * 8 + (types + static_cast<size_t>(envelope.integers) + 1) * sizeof(int);
        memory_ = bytes_ <= sizeof few_ ? few_ : static_cast<char*>(system::map_memory(bytes_));
        if (memory_ == nullptr) {
            return;
        }
        this->addresses = reinterpret_cast<int64_t*>(memory_);
        types_ = memory_ + addresses * 8;
        numbers = reinterpret_cast<uint32_t*>(types_ + types * 8);
        integers = reinterpret_cast<int*>(numbers + types);
        known = get_contents.call(library, type, envelope.integers, envelope.addresses, envelope.types, integers,
                                  this->addresses, types_) == 0;
    }

    ~Contents() {
        if (memory_ != nullptr && memory_ != few_) {
            system::unmap(memory_, bytes_);
        }
    }
    Contents(Contents const&) = delete;
    Contents& operator=(Contents const&) = delete;

    [[nodiscard]] Word type(int index) const {
        return is_open_mpi(library_) ? reinterpret_cast<Word const*>(types_)[index]
                                     : reinterpret_cast<uint32_t const*>(types_)[index];
    }

    /// Derived types must be freed by the caller.
    void free_part(int index) {
        free_type.call(library_, types_ + static_cast<ptrdiff_t>(index) * (is_open_mpi(library_) ? 8 : 4));
    }

    bool known = false;
    int* integers = nullptr;
    int64_t* addresses = nullptr;
    uint32_t* numbers = nullptr;  ///< room for those of the types

  private:
    Library const* library_;
    Envelope envelope_;
    char* memory_ = nullptr;
    char* types_ = nullptr;
    size_t bytes_ = 0;
    alignas(8) char few_[256];  ///< enough for most types: mapping memory would dominate the cost
};

/// Words and numbers; on overflow it is full.
class TypeText {
  public:
    TypeText() = default;
    ~TypeText() {
        if (text_ != short_) {
            system::unmap(text_, longest_type);
        }
    }
    TypeText(TypeText const&) = delete;
    TypeText& operator=(TypeText const&) = delete;

    /// Maps more memory for a long text.
    bool has_room() {
        if (is_full() && text_ == short_) {
            if (auto* const more = static_cast<char*>(system::map_memory(longest_type)); more != nullptr) {
                memcpy(more, short_, length_);
                text_ = more;
                room_ = longest_type;
            }
        }
        return !is_full();
    }
    [[nodiscard]] char const* c_str() const { return text_; }
    void clear() { length_ = 0; }

    void append(char const* text) {
        if (has_room()) {
            auto const length = strlen(text);
            memcpy(text_ + length_, text, length + 1);
            length_ += length;
        }
    }
    void append(int64_t number) {
        if (has_room()) {
            auto const to = text_ + length_;
            length_ += static_cast<size_t>(snprintf(to, room_ - length_, "%lld", static_cast<long long>(number)));
        }
    }

    template <class... Words>
    void words(Words... words) {
        ((append(length_ == 0 ? "" : " "), append(words)), ...);
    }

    /// A list as one word, in runs of equal differences: 0+512x64 is 0, 512, 1024, … 64 times, 8x64 is 64 times 8.
    /// Many numbers between runs are packed.
    template <class Number>
    void list(Number const* numbers, int64_t count) {
        words(count == 0 ? "-" : "");
        for (int64_t i = 0; i < count && has_room();) {
            append(i == 0 ? "" : ",");
            auto const irregular = irregular_from(numbers, i, count);
            i = irregular - i >= least_packed ? pack(numbers, i, irregular) : run(numbers, i, count);
        }
    }

  private:
    static constexpr int64_t least_packed = 16;

    template <class Number>
    static int64_t step_at(Number const* numbers, int64_t i) {
        return static_cast<int64_t>(static_cast<uint64_t>(numbers[i + 1]) - static_cast<uint64_t>(numbers[i]));
    }

    /// Where the next run of some length begins.
    template <class Number>
    static int64_t irregular_from(Number const* numbers, int64_t from, int64_t count) {
        constexpr int64_t least_run = 8;
        auto begin = from;  // of a run that may become long enough
        for (auto i = from + 1; i < count && i - begin < least_run; ++i) {
            begin = i == begin + 1 || step_at(numbers, i - 1) == step_at(numbers, begin) ? begin : i - 1;
        }
        return begin + least_run < count ? begin : count;
    }

    /// One run; returns where it ends.
    template <class Number>
    int64_t run(Number const* numbers, int64_t i, int64_t count) {
        auto const step = i + 1 < count ? step_at(numbers, i) : 0;
        auto end = i + 1;
        while (end < count && step_at(numbers, end - 1) == step) {
            ++end;
        }
        end = end == i + 2 && step != 0 ? i + 1 : end;  // runs of two are written as single numbers
        append(int64_t{numbers[i]});
        if (end > i + 1) {
            append(step > 0 ? "+" : "");
            step != 0 ? append(step) : void();
            append("x");
            append(end - i);
        }
        return end;
    }

    /// A tilde, and the differences between the numbers, the first from 0, as the source maps of browsers have them:
    /// the sign is the lowest bit, and a letter of base 64 has five bits and whether more follow.
    template <class Number>
    int64_t pack(Number const* numbers, int64_t i, int64_t end) {
        static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        append("~");
        uint64_t last = 0;
        for (; i < end && has_room(); ++i) {
            auto const number = static_cast<uint64_t>(int64_t{numbers[i]});
            auto const step = static_cast<int64_t>(number - last);
            auto left = static_cast<uint64_t>(step) << 1 ^ static_cast<uint64_t>(step >> 63);
            last = number;
            do {
                text_[length_++] = letters[(left & 31) | (left >= 32 ? 32 : 0)];
                left >>= 5;
            } while (left != 0);
        }
        text_[length_] = 0;
        return i;
    }

    [[nodiscard]] bool is_full() const { return length_ + longest_word > room_; }

    static constexpr size_t longest_word = 64;
    char short_[1024] = {};
    char* text_ = short_;
    size_t room_ = sizeof short_;
    size_t length_ = 0;
};

/// Writes the text of a type, after those of its parts.
class TypeWriter {
  public:
    explicit TypeWriter(Library const* library) : library_(library) {}

    uint32_t number_of(Word type, int depth) {
        Envelope envelope;
        if (++types_ > most_types || depth > deepest) {
            return number_of_unknown_type("it is made of too many types");
        }
        if (char const* const why = ask_envelope(type, envelope); why != nullptr) {
            return number_of_unknown_type(why);
        }
        if (is_predefined(envelope.combiner)) {
            return number_of_predefined(type);
        }
        Contents contents(library_, type, envelope);
        if (!contents.known) {
            return number_of_unknown_type("MPI does not tell what it is made of");
        }
        for (int i = 0; i < envelope.types; ++i) {
            contents.numbers[i] = number_of_part(contents, i, depth);
        }
        if (!begin(type)) {
            return number_of_unknown_type("MPI does not tell its extent");
        }
        write(envelope, contents);
        return !text_.has_room() ? number_of_unknown_type("it has too many blocks that lie irregularly")
                                 : name_number(NameKind::type_name, text_.c_str());
    }

  private:
    /// Parts of a structure are often the same type.
    uint32_t number_of_part(Contents& contents, int index, int depth) {
        auto const part = contents.type(index);
        bool const again = index > 0 && part == contents.type(index - 1);
        auto const number = again ? contents.numbers[index - 1] : number_of(part, depth + 1);
        Envelope envelope;
        ask_envelope(part, envelope);
        if (!is_predefined(envelope.combiner)) {
            contents.free_part(index);
        }
        return number;
    }

    /// Null, or why it is unknown.
    char const* ask_envelope(Word type, Envelope& envelope) {
        int64_t counts[4] = {};  // of integers, addresses, large counts, types
        int combiner = 0;
        // For types with large counts the older function reports an error, and errors may be fatal.
        using Ask = int (*)(Word, int64_t*, int64_t*, int64_t*, int64_t*, int*);
        auto const ask = get_large_envelope.in<Ask>(library_);
        bool const known = ask != nullptr ? ask(type, &counts[0], &counts[1], &counts[2], &counts[3], &combiner) == 0
                                          : ask_older(type, counts, combiner);
        if (!known) {
            return "MPI does not tell how it was made";
        }
        combiner -= is_open_mpi(library_) ? 0 : 1;
        if (combiner < 0 || combiner > static_cast<int>(Combiner::hindexed_block)) {
            return "it was made in a way that is not known";
        }
        envelope = {static_cast<int>(counts[0]), static_cast<int>(counts[1]), static_cast<int>(counts[3]),
                    static_cast<Combiner>(combiner)};
        if (counts[2] > 0) {
            return "it was made with large counts";
        }
        return counts[0] + counts[1] + counts[3] > most_numbers ? "it has too many blocks" : nullptr;
    }

    bool ask_older(Word type, int64_t* counts, int& combiner) {
        int found[3] = {};
        bool const known = get_envelope.call(library_, type, &found[0], &found[1], &found[2], &combiner) == 0;
        counts[0] = found[0];
        counts[1] = found[1];
        counts[3] = found[2];
        return known;
    }

    /// "SIZE LOWER EXTENT", the beginning of all texts.
    bool begin(Word type) {
        int64_t size = 0;
        int64_t lower = 0;
        int64_t extent = 0;
        text_.clear();
        bool const known =
            get_size.call(library_, type, &size) == 0 && get_extent.call(library_, type, &lower, &extent) == 0;
        text_.words(size, lower, extent);
        return known;
    }

    uint32_t number_of_predefined(Word type) {
        int64_t lower = 0;
        int64_t extent = 0;
        if (!begin(type) || get_true_extent.call(library_, type, &lower, &extent) != 0) {
            return number_of_unknown_type("MPI does not tell its extent");
        }
        text_.words("named", lower, extent);
        return name_number(NameKind::type_name, text_.c_str());
    }

    void write(Envelope const& envelope, Contents const& contents) {
        auto const* const i = contents.integers;
        auto const* const a = contents.addresses;
        static char const* const names[] = {
            "named",    "dup",         "contiguous",    "vector",  "hvector",       "hvector",  "indexed",
            "hindexed", "hindexed",    "indexed_block", "struct",  "struct",        "subarray", "darray",
            "f90_real", "f90_complex", "f90_integer",   "resized", "hindexed_block"};
        text_.words(names[static_cast<int>(envelope.combiner)]);
        switch (envelope.combiner) {
            case Combiner::contiguous:
                text_.words(i[0]);
                break;
            case Combiner::vector:
            case Combiner::hvector_integer:
            case Combiner::hvector:
                text_.words(i[0], i[1], envelope.combiner == Combiner::hvector ? a[0] : int64_t{i[2]});
                break;
            case Combiner::indexed:
            case Combiner::hindexed_integer:
            case Combiner::struct_integer:
                write_blocks(i, i + 1 + i[0]);
                break;
            case Combiner::hindexed:
            case Combiner::structure:
                write_blocks(i, a);
                break;
            case Combiner::indexed_block:
                write_equal_blocks(i, i + 2);
                break;
            case Combiner::hindexed_block:
                write_equal_blocks(i, a);
                break;
            case Combiner::subarray:
                write_subarray(i);
                break;
            case Combiner::darray:
                write_distributed_array(i);
                break;
            default:
                break;
        }
        text_.list(contents.numbers, envelope.types);
    }

    template <class Place>
    void write_blocks(int const* integers, Place const* places) {
        text_.list(integers + 1, integers[0]);
        text_.list(places, integers[0]);
    }

    template <class Place>
    void write_equal_blocks(int const* integers, Place const* places) {
        text_.words(integers[1]);
        text_.list(places, integers[0]);
    }

    void write_order(int order) {
        bool const fortran = order == (is_open_mpi(library_) ? 1 : 57);  // MPI_ORDER_FORTRAN
        text_.words(fortran ? "fortran" : "c");
    }

    void write_subarray(int const* integers) {
        auto const dimensions = integers[0];
        for (int part = 0; part < 3; ++part) {  // sizes, those of the part, where it starts
            text_.list(integers + 1 + part * dimensions, dimensions);
        }
        write_order(integers[1 + 3 * dimensions]);
    }

    void write_distributed_array(int const* integers) {
        auto const dimensions = integers[2];
        auto const* const distributions = integers + 3 + dimensions;
        auto const* const arguments = distributions + dimensions;
        text_.words(integers[1]);
        text_.list(integers + 3, dimensions);
        text_.words("");
        for (int k = 0; k < dimensions; ++k) {
            write_distribution(distributions[k], arguments[k]);
        }
        text_.list(arguments + dimensions, dimensions);
        write_order(arguments[2 * dimensions]);
    }

    /// "b" (block), "c" (cyclic), "n" (none), with its argument unless that is the default.
    void write_distribution(int distribution, int argument) {
        bool const open_mpi = is_open_mpi(library_);
        auto const kind = distribution - (open_mpi ? 0 : 121);  // MPI_DISTRIBUTE_BLOCK, _CYCLIC, _NONE
        bool const by_default = argument == (open_mpi ? -1 : -49767);
        text_.append(kind == 0 ? "b" : kind == 1 ? "c" : kind == 2 ? "n" : "?");
        by_default ? void() : text_.append(argument);
        text_.append(",");
    }

    Library const* library_;
    TypeText text_;
    int types_ = 0;
};

}  // namespace

uint32_t number_of_type(Context const& context, Word type) {
    return TypeWriter(context.library).number_of(is_open_mpi(context.library) ? type : static_cast<uint32_t>(type), 0);
}

uint32_t number_of_unknown_type(char const* why) {
    char text[128];
    snprintf(text, sizeof text, "unknown %s", why);
    return name_number(NameKind::type_name, text);
}

}  // namespace weir::trace::mpi
