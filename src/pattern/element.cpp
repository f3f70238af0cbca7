#include "pattern/element.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/join.hpp"

namespace weir {
namespace {

constexpr std::string_view letters = "iufS";  // in the order of Element::Kind
constexpr auto longest = std::uint64_t{std::numeric_limits<std::int64_t>::max()};

bool has_size_of_its_kind(Element const& element) {
    switch (element.kind) {
        case Element::Kind::text:
        case Element::Kind::compound:
            return element.bytes > 0 && element.bytes <= longest;
        case Element::Kind::real:
            return element.bytes == 4 || element.bytes == 8;
        default:
            return element.bytes == 1 || element.bytes == 2 || element.bytes == 4 || element.bytes == 8;
    }
}

std::optional<std::string> misfit_of_member(Member const& member, std::uint64_t bytes) {
    if (member.name.empty() || member.name.find('\0') != std::string::npos) {
        return fmt::format("'{}' is no name of a member", member.name);
    }
    if (member.element.kind == Element::Kind::compound) {
        return fmt::format("its member '{}' is a compound itself", member.name);
    }
    if (auto why = misfit(member.element)) {
        return why;
    }
    if (member.element.bytes > bytes || member.offset > bytes - member.element.bytes) {
        return fmt::format("its member '{}' ends beyond its {} bytes", member.name, bytes);
    }
    return std::nullopt;
}

std::optional<std::string> misfit_of_members(Element const& element) {
    std::set<std::string> names;
    std::vector<Member const*> by_offset;
    for (auto const& member : element.members) {
        if (auto why = misfit_of_member(member, element.bytes)) {
            return why;
        }
        if (!names.insert(member.name).second) {
            return fmt::format("two of its members are named '{}'", member.name);
        }
        by_offset.push_back(&member);
    }
    if (by_offset.empty()) {
        return "it is a compound without members";
    }
    std::ranges::sort(by_offset, {}, &Member::offset);
    for (std::size_t i = 1; i < by_offset.size(); ++i) {
        auto const& before = *by_offset[i - 1];
        if (before.offset + before.element.bytes > by_offset[i]->offset) {
            return fmt::format("its members '{}' and '{}' overlap", before.name, by_offset[i]->name);
        }
    }
    return std::nullopt;
}

}  // namespace

Element::Element() = default;
Element::Element(Kind its_kind, std::uint64_t its_bytes, std::vector<Member> its_members)
    : kind(its_kind), bytes(its_bytes), members(std::move(its_members)) {}
Element::Element(Kind its_kind, std::uint64_t its_bytes) : Element(its_kind, its_bytes, {}) {}

bool Element::operator==(Element const&) const = default;

Element compound_of(std::vector<Member> members) {
    std::uint64_t end = 0;
    for (auto const& member : members) {
        end = std::max(end, member.offset + member.element.bytes);
    }
    return {Element::Kind::compound, end, std::move(members)};
}

std::string to_text(Element const& element) {
    if (element.kind != Element::Kind::compound) {
        return fmt::format("{}{}", letters[static_cast<std::size_t>(element.kind)], element.bytes);
    }
    std::vector<std::string> members;
    for (auto const& member : element.members) {
        members.push_back(fmt::format("{} {} at {}", to_text(member.element), member.name, member.offset));
    }
    return fmt::format("{{{}}}", join(members, ", "));
}

Element element_from_text(std::string_view text, std::string const& where) {
    Element element;
    auto const letter = text.empty() ? std::string_view::npos : letters.find(text.front());
    auto const* const end = text.data() + text.size();
    auto const known = letter != std::string_view::npos &&
                       std::from_chars(text.data() + 1, end, element.bytes).ptr == end && text.size() > 1;
    element.kind = static_cast<Element::Kind>(known ? letter : 0);
    validate(known && has_size_of_its_kind(element), fmt::format("{} is '{}'", where, text),
             "that is no type of elements",
             "Write i, u, f or S and its bytes: i1, i2, i4, i8, u1, u2, u4, u8, f4, f8, or S24 for text.");
    return element;
}

std::optional<std::string> misfit(Element const& element) {
    if (!has_size_of_its_kind(element)) {
        return fmt::format("no element of its kind has {} bytes", element.bytes);
    }
    return element.kind == Element::Kind::compound ? misfit_of_members(element) : std::nullopt;
}

}  // namespace weir
