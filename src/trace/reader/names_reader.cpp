#include "trace/reader/names_reader.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

namespace weir::trace {
namespace {

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<char const*>(bytes.data()), bytes.size()}; }

/// "POSIX pwrite write"; empty where it is not made of three words.
CallName call_of(std::string_view text) {
    auto const first = text.find(' ');
    auto const last = text.rfind(' ');
    if (first == last || text.substr(first + 1, last - first - 1).find(' ') != std::string_view::npos) {
        return {};
    }
    return {std::string(text.substr(0, first)), std::string(text.substr(first + 1, last - first - 1)),
            std::string(text.substr(last + 1))};
}

}  // namespace

Names parse_names(Bytes bytes) {
    Names names;
    while (bytes.size() >= sizeof(NameHead)) {
        NameHead head;
        std::memcpy(&head, bytes.data(), sizeof head);
        bytes = bytes.subspan(sizeof head);
        if (head.kind == 0 || head.length > bytes.size()) {
            break;
        }
        auto const text = text_of(bytes.first(head.length));
        if (head.kind != call_name) {
            names.others.insert_or_assign(head.id, Name{head.kind, std::string(text), head.parent});
        } else if (auto call = call_of(text); !call.name.empty()) {
            names.calls.insert_or_assign(head.id, std::move(call));
        }
        auto const padded = (std::size_t{head.length} + 7) / 8 * 8;
        bytes = bytes.subspan(std::min(padded, bytes.size()));
    }
    return names;
}

std::vector<Facts> parse_facts(Bytes bytes) {
    std::vector<Facts> lines;
    auto text = text_of(bytes);
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        auto const line = nlohmann::json::parse(text.substr(0, end), nullptr, false);
        if (!line.is_object()) {
            break;
        }
        Facts facts;
        for (auto const& [key, value] : line.items()) {
            facts.emplace(key, value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        }
        lines.push_back(std::move(facts));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace weir::trace
