#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/arrays/layouts.hpp"

namespace weir::testing {

/// Ranks that write or read, and how they hold the arrays.
struct Side {
    std::uint64_t ranks = 1;
    std::string options;
    std::vector<Layout> layouts;
};

/// A dump of some arrays and its reading, in full: the same text makes the same case.
struct DumpCase {
    Side write, read;
    std::uint64_t before = 0;  ///< bytes of the file when it is written
    std::uint64_t offset = 0;  ///< where the arrays begin, one after the other
    Indices gaps{};            ///< bytes before each of them; empty: weir_write(), otherwise weir_write_at()
    Indices numbers{};         ///< bytes of each one's numbers, for weir_write_swapped(); empty: they stay as they are
    bool start = false;        ///< weir_write_start()
    bool move = false;         ///< weir_redistribute() too, where as many ranks read as write
};

/// Words with spaces between them: NAME=VALUE, or NAME{WORDS}. A name may come several times.
class Words {
  public:
    explicit Words(std::string_view text) {
        for (std::size_t at = 0; at < text.size();) {
            auto const name_end = text.find_first_of("= {", at);
            if (text[at] == ' ') {
                ++at;
                continue;
            }
            if (name_end == text.npos || text[name_end] == ' ') {
                throw std::runtime_error("a case has no value after '" + std::string(text.substr(at)) + "'");
            }
            std::size_t end = name_end + 1;
            bool const braces = text[name_end] == '{';
            for (int depth = braces ? 1 : 0; end < text.size(); ++end) {
                depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
                if (braces ? depth == 0 : text[end] == ' ') {
                    break;
                }
            }
            words_[std::string(text.substr(at, name_end - at))].emplace_back(
                text.substr(name_end + 1, end - name_end - 1));
            at = end + 1;
        }
    }
    [[nodiscard]] std::vector<std::string> all(std::string const& name) const {
        auto const found = words_.find(name);
        return found == words_.end() ? std::vector<std::string>{} : found->second;
    }
    [[nodiscard]] std::string one(std::string const& name) const {
        auto const found = all(name);
        return found.empty() ? "" : found.front();
    }
    [[nodiscard]] std::uint64_t number(std::string const& name) const {
        auto const text = one(name);
        return text.empty() ? 0 : std::stoull(text);
    }

  private:
    std::map<std::string, std::vector<std::string>> words_;
};

inline std::vector<std::string> split(std::string const& text, char at) {
    std::vector<std::string> parts{""};
    for (auto const c : text) {
        if (c == at) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

inline std::string text_of(Indices const& values) {
    std::string text;
    for (auto const v : values) {
        text += (text.empty() ? "" : ",") + std::to_string(v);
    }
    return text;
}

inline Indices indices_of(std::string const& text) {
    Indices values;
    for (auto const& part : split(text, ',')) {
        if (!part.empty()) {
            values.push_back(std::stoll(part));
        }
    }
    return values;
}

/// Two lists of as many values, as "1,2+3,4".
inline std::string text_of(Indices const& a, Indices const& b) { return text_of(a) + "+" + text_of(b); }

inline std::pair<Indices, Indices> pair_of(std::string const& text) {
    auto const parts = split(text, '+');
    return {indices_of(parts.at(0)), indices_of(parts.at(1))};
}

/// Boxes or pieces of all ranks: "start+count/start+count|start+count".
inline std::string lists_of(Layout const& layout) {
    std::string text;
    for (std::uint64_t rank = 0; rank < layout.ranks; ++rank) {
        text += rank == 0 ? "" : "|";
        bool const boxes = layout.distribution == Distribution::boxes;
        auto const count = boxes ? layout.starts[rank].size() : layout.offsets[rank].size();
        for (std::size_t i = 0; i < count; ++i) {
            text += i == 0 ? "" : "/";
            text += boxes ? text_of(layout.starts[rank][i], layout.counts[rank][i])
                          : text_of({layout.offsets[rank][i]}, {layout.lengths[rank][i]});
        }
    }
    return text;
}

inline void put_lists(Layout& layout, std::string const& text) {
    layout.starts.assign(layout.ranks, {});
    layout.counts = layout.starts;
    layout.offsets.assign(layout.ranks, {});
    layout.lengths = layout.offsets;
    std::uint64_t rank = 0;
    for (auto const& list : split(text, '|')) {
        for (auto const& item : split(list, '/')) {
            if (item.empty()) {
                continue;
            }
            auto const [start, count] = pair_of(item);
            if (layout.distribution == Distribution::boxes) {
                layout.starts.at(rank).push_back(start);
                layout.counts.at(rank).push_back(count);
            } else {
                layout.offsets.at(rank).push_back(start.at(0));
                layout.lengths.at(rank).push_back(count.at(0));
            }
        }
        ++rank;
    }
}

/// Who holds what of an array.
inline std::string held_text(Layout const& layout) {
    constexpr std::array names{"blocks", "boxes", "pieces", "replicated"};
    auto text = std::string("as=") + names.at(static_cast<std::size_t>(layout.distribution));
    text += layout.grid.empty() ? "" : " grid=" + text_of(layout.grid);
    text += layout.block.empty() ? "" : " block=" + text_of(layout.block);
    text += layout.memory_order == layout.order ? "" : " memory=turned";
    text += layout.before.empty() ? "" : " ghosts=" + text_of(layout.before, layout.after);
    if (layout.distribution == Distribution::boxes || layout.distribution == Distribution::pieces) {
        text += " of=" + lists_of(layout);
    }
    return text;
}

inline void put_held(Layout& layout, std::string const& text, std::uint64_t ranks) {
    Words const words(text);
    auto const as = words.one("as");
    layout.ranks = ranks;
    layout.distribution = as == "boxes"        ? Distribution::boxes
                          : as == "pieces"     ? Distribution::pieces
                          : as == "replicated" ? Distribution::replicated
                                               : Distribution::blocks;
    layout.grid = indices_of(words.one("grid"));
    layout.block = indices_of(words.one("block"));
    auto const turned = layout.order == WEIR_C_ORDER ? WEIR_FORTRAN_ORDER : WEIR_C_ORDER;
    layout.memory_order = words.one("memory") == "turned" ? turned : layout.order;
    if (auto const ghosts = words.one("ghosts"); !ghosts.empty()) {
        std::tie(layout.before, layout.after) = pair_of(ghosts);
    }
    put_lists(layout, words.one("of"));
}

inline std::string text_of(DumpCase const& dump) {
    auto const side = [](Side const& s) {
        return "{ranks=" + std::to_string(s.ranks) + " options{" + s.options + "}}";
    };
    auto text = "write" + side(dump.write) + " read" + side(dump.read);
    text += dump.before == 0 ? "" : " before=" + std::to_string(dump.before);
    text += dump.offset == 0 ? "" : " offset=" + std::to_string(dump.offset);
    text += dump.gaps.empty() ? "" : " gaps=" + text_of(dump.gaps);
    text += dump.numbers.empty() ? "" : " numbers=" + text_of(dump.numbers);
    text += dump.start ? " start=1" : "";
    text += dump.move ? " move=1" : "";
    for (std::size_t i = 0; i < dump.write.layouts.size(); ++i) {
        auto const& l = dump.write.layouts[i];
        text += " array{shape=" + text_of(l.shape) + " element=" + std::to_string(l.element_bytes);
        text += l.order == WEIR_C_ORDER ? "" : " order=fortran";
        text += l.larger_shape.empty() ? "" : " within=" + text_of(l.larger_shape, l.larger_start);
        text += " written{" + held_text(l) + "} read{" + held_text(dump.read.layouts[i]) + "}}";
    }
    return text;
}

inline DumpCase dump_case_of(std::string const& text) {
    Words const words(text);
    DumpCase dump;
    for (auto* side : {&dump.write, &dump.read}) {
        Words const of(words.one(side == &dump.write ? "write" : "read"));
        side->ranks = of.number("ranks");
        side->options = of.one("options");
    }
    dump.before = words.number("before");
    dump.offset = words.number("offset");
    dump.gaps = indices_of(words.one("gaps"));
    dump.numbers = indices_of(words.one("numbers"));
    dump.start = words.number("start") != 0;
    dump.move = words.number("move") != 0;
    for (auto const& array : words.all("array")) {
        Words const of(array);
        Layout layout;
        layout.shape = indices_of(of.one("shape"));
        layout.element_bytes = of.number("element");
        layout.order = of.one("order") == "fortran" ? WEIR_FORTRAN_ORDER : WEIR_C_ORDER;
        if (auto const within = of.one("within"); !within.empty()) {
            std::tie(layout.larger_shape, layout.larger_start) = pair_of(within);
        }
        dump.write.layouts.push_back(layout);
        dump.read.layouts.push_back(layout);
        put_held(dump.write.layouts.back(), of.one("written"), dump.write.ranks);
        put_held(dump.read.layouts.back(), of.one("read"), dump.read.ranks);
    }
    return dump;
}

}  // namespace weir::testing
