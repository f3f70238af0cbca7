#include "trace/recorder/names.hpp"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/recorder.hpp"

namespace weir::trace {

uint32_t tables_of_names = 0;

namespace {

/// A name by its hash, in the recorder's own memory. The names themselves are only in the file.
struct NameEntry {
    uint64_t hash;
    uint32_t number;
    uint32_t next;  ///< with the same beginning, plus one; 0: none
};

// A name is mostly new, and then its beginning costs a miss of the caches: beginnings are small, and names lie in the
// order in which they came.
constexpr uint32_t first_room = 4096;
constexpr uint32_t most_room = 1 << 20;  ///< 4 MiB
constexpr uint32_t most_names = most_room / 2;
constexpr size_t longest_text = 4390;
constexpr int64_t most_of_types = 1 << 28;  ///< bytes of texts of datatypes, which a program may construct repeatedly
constexpr int64_t first_amount = 1 << 13;   ///< most programs know few files
constexpr int64_t largest_amount = 1 << 19;

pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
NameEntry* entries = nullptr;  ///< room for all; untouched parts take no memory
uint32_t remembered = 0;
uint32_t* beginnings = nullptr;  ///< of lists of names with equal remainders of their hashes
uint32_t room = 0;               ///< of beginnings: a power of two, at least twice the names
uint32_t names = 0;              ///< numbered so far
GrowingFile file;
int64_t written = 0;
int64_t written_of_types = 0;
int64_t next_amount = first_amount;  ///< of bytes that the file grows by
bool full = false;

/// A text in two parts.
struct NameText {
    size_t begin_bytes;
    char const* begin;
    size_t rest_bytes;
    char const* rest;

    explicit NameText(char const* whole) : begin_bytes(0), begin(""), rest_bytes(strlen(whole)), rest(whole) {}
    NameText(KeptDirectory const& directory, char const* name, size_t bytes)
        : begin_bytes(directory.length), begin(directory.path), rest_bytes(bytes), rest(name) {}

    [[nodiscard]] size_t bytes() const { return begin_bytes + rest_bytes; }
};

uint64_t hash_of(NameKind kind, char const* text, uint32_t parent) {
    auto const hash = hash_text(text, hash_of_nothing + parent + (uint64_t{kind} << 32));
    return hash == 0 ? 1 : hash;
}

NameEntry const* entry_of_name(uint64_t hash) {
    auto i = room == 0 ? 0 : beginnings[hash & (room - 1)];
    while (i != 0 && entries[i - 1].hash != hash) {
        i = entries[i - 1].next;
    }
    return i == 0 ? nullptr : &entries[i - 1];
}

void put_in_list(uint32_t index) {
    auto& beginning = beginnings[entries[index].hash & (room - 1)];
    entries[index].next = beginning;
    beginning = index + 1;
}

bool grow_lists() {
    auto const larger = room == 0 ? first_room : room * 4;
    auto const pages = room == 0 ? system::PageTable::when_touched : system::PageTable::at_once;
    entries =
        entries != nullptr ? entries : static_cast<NameEntry*>(system::map_memory(most_names * sizeof(NameEntry)));
    auto* const table = entries == nullptr || larger > most_room
                            ? nullptr
                            : static_cast<uint32_t*>(system::map_memory(larger * sizeof(uint32_t), pages));
    if (table == nullptr) {
        return false;
    }
    if (beginnings != nullptr) {
        system::unmap(beginnings, room * sizeof(uint32_t));
    }
    beginnings = table;
    room = larger;
    for (uint32_t i = 0; i < remembered; ++i) {
        put_in_list(i);
    }
    return true;
}

bool has_room_for_one() { return (remembered + 1) * 2 <= room || grow_lists(); }

void remember(uint64_t hash, uint32_t number) {
    entries[remembered] = {hash, number, 0};
    put_in_list(remembered++);
}

/// Room for this many bytes at the table's end; null if there is none.
char* next_place(int64_t bytes) {
    if (file.window == nullptr || written + bytes > file.window_from + file.window_bytes) {
        auto& path = scratch().path;
        snprintf(path, sizeof path, "%s.names", process.prefix);
        auto const amount = next_amount;
        next_amount = next_amount < largest_amount ? next_amount * 2 : largest_amount;
        return full ? nullptr : file.move(path, written, amount > bytes ? amount : bytes, system::PageTable::at_once);
    }
    return file.window + (written - file.window_from);
}

/// Its kind is stored last, which makes the entry valid.
bool enter(NameKind kind, uint32_t number, uint32_t parent, NameText const& text) {
    size_t const longest = kind == type_name ? longest_type : longest_text;
    auto const length = text.bytes() < longest ? text.bytes() : longest;
    auto const bytes = static_cast<int64_t>(sizeof(NameHead) + (length + 7) / 8 * 8);
    auto* const place = next_place(bytes);
    if (place == nullptr) {
        full = true;
        return false;
    }
    NameHead const head{0, number, static_cast<uint32_t>(length), parent};
    memcpy(place + sizeof head, text.begin, text.begin_bytes);
    memcpy(place + sizeof head + text.begin_bytes, text.rest, length - text.begin_bytes);
    memcpy(place, &head, sizeof head);
    __atomic_store_n(reinterpret_cast<uint32_t*>(place), static_cast<uint32_t>(kind), __ATOMIC_RELEASE);
    written += bytes;
    written_of_types += kind == type_name ? bytes : 0;
    return true;
}

bool has_room_for(NameKind kind, NameText const& text) {
    return kind != type_name || written_of_types + static_cast<int64_t>(text.bytes()) <= most_of_types;
}

uint32_t number_of(NameKind kind, NameText const& text, uint32_t parent, uint64_t hash) {
    make_files();
    hash = hash == 0 ? 1 : hash;
    AtWork const at_work;
    system::Lock const guard(names_lock);
    if (auto const* const old = entry_of_name(hash); old != nullptr) {
        return old->number;
    }
    if (!has_room_for(kind, text) || !has_room_for_one() || !enter(kind, names + 1, parent, text)) {
        return unnamed;
    }
    remember(hash, ++names);
    return names;
}

}  // namespace

uint32_t file_number(char const* path) {
    return process.settings.wants(path) ? number_of(file_name, NameText(path), 0, hash_text(path, hash_of_files)) : 0;
}

uint32_t file_number(KeptDirectory const& directory, char const* name, PlainName const& known) {
    return number_of(file_name, NameText(directory, name, known.length), 0, known.hash);
}

uint32_t dataset_number(uint32_t parent, char const* name) {
    return parent == 0 ? 0 : number_of(file_name, NameText(name), parent, hash_of(file_name, name, parent));
}

void rename_dataset(uint32_t number, uint32_t parent, char const* name) {
    if (number == 0 || number == unnamed) {
        return;
    }
    auto const hash = hash_of(file_name, name, parent);
    AtWork const at_work;
    system::Lock const guard(names_lock);
    if (enter(file_name, number, parent, NameText(name)) && entry_of_name(hash) == nullptr && has_room_for_one()) {
        remember(hash, number);
    }
}

uint32_t name_number(NameKind kind, char const* text) {
    return number_of(kind, NameText(text), 0, hash_of(kind, text, 0));
}

void enter_call(Call const& call) {
    make_files();
    system::KeepErrno const keep;
    AtWork const at_work;
    char text[256];
    snprintf(text, sizeof text, "%s %s %s", call.interface(), call.name(), call.kind());
    system::Lock const guard(names_lock);
    if (call.entered_in != tables_of_names) {
        call.entered_in = tables_of_names;
        enter(call_name, call.id(), 0, NameText(text));
    }
}

void prepare_names() {
    AtWork const at_work;
    system::Lock const guard(names_lock);
    next_place(1);
}

void cut_names(char const* prefix) {
    auto& path = scratch().path;
    snprintf(path, sizeof path, "%s.names", prefix);
    system::Lock const guard(names_lock);
    file.cut(path, written);
}

/// Another thread of the parent may have been changing the table at the fork: its memory is abandoned.
void begin_names() {
    pthread_mutex_init(&names_lock, nullptr);
    entries = nullptr;
    remembered = 0;
    beginnings = nullptr;
    room = 0;
    names = 0;
    file = {};
    written = 0;
    written_of_types = 0;
    next_amount = first_amount;
    full = false;
    ++tables_of_names;  // no call is in this one
}

}  // namespace weir::trace
