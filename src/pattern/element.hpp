#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

struct Member;

/// The type of an array's element: formats store it as a type of theirs, byte files only its bytes.
struct Element {
    /// Signed, unsigned, IEEE 754, characters, and a record of members.
    enum class Kind { integer, natural, real, text, compound };
    Kind kind = Kind::real;
    std::uint64_t bytes = 8;
    std::vector<Member> members;  ///< of a compound, which may have gaps between them

    // Defined where the type of the members is complete.
    Element();
    Element(Kind, std::uint64_t bytes, std::vector<Member>);
    Element(Kind, std::uint64_t bytes);

    bool operator==(Element const&) const;
};

/// A member of a compound element: of any other kind.
struct Member {
    std::string name;
    Element element;
    std::uint64_t offset = 0;  ///< of its first byte in the element

    bool operator==(Member const&) const = default;
};

/// A compound with these members, and no more bytes than they need.
Element compound_of(std::vector<Member> members);

/// In NumPy's notation: "i4", "u1", "f8", "S24"; in native byte order. A compound: "{i4 steps at 0, f8 time at 8}".
std::string to_text(Element const&);

/// Throws Error (usage), naming `where`, if the text is not such a type. Compounds have no text.
Element element_from_text(std::string_view text, std::string const& where);

/// Why there is no such element; nothing if there is.
std::optional<std::string> misfit(Element const&);

}  // namespace weir
