#include "trace/recorder/names.hpp"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

/// Maps the hash of a name to its number, in the recorder's own memory. The names themselves are only in the file.
struct Entry {
    uint64_t hash;
    uint32_t number;
};

constexpr uint32_t first_room = 4096;
constexpr uint32_t most_room = 1 << 20;  ///< 16 MiB; at most half full
constexpr size_t longest_text = 4390;
constexpr int64_t most_of_types = 1 << 24;  ///< bytes of texts of datatypes, which a program may construct repeatedly
constexpr int64_t window_bytes = 1 << 16;

pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
Entry* entries = nullptr;
uint32_t room = 0;
uint32_t names = 0;
GrowingFile file;
int64_t written = 0;
int64_t written_of_types = 0;
bool full = false;

uint64_t hash_of(NameKind kind, char const* text, uint32_t parent) {
    auto const hash = hash_text(text, 0xCBF29CE484222325 + parent + (uint64_t{kind} << 32));
    return hash == 0 ? 1 : hash;
}

Entry* place_of(Entry* table, uint32_t size, uint64_t hash) {
    auto i = hash % size;
    while (table[i].hash != 0 && table[i].hash != hash) {
        i = (i + 1) % size;
    }
    return &table[i];
}

bool grow() {
    auto const larger = room == 0 ? first_room : room * 4;
    auto* const table = larger > most_room ? nullptr : static_cast<Entry*>(system::map_memory(larger * sizeof(Entry)));
    if (table == nullptr) {
        return false;
    }
    for (uint32_t i = 0; i < room; ++i) {
        if (entries[i].hash != 0) {
            *place_of(table, larger, entries[i].hash) = entries[i];
        }
    }
    if (entries != nullptr) {
        system::unmap(entries, room * sizeof(Entry));
    }
    entries = table;
    room = larger;
    return true;
}

/// Room for this many bytes at the table's end; null if there is none.
char* next_place(int64_t bytes) {
    if (file.window == nullptr || written + bytes > file.window_from + file.window_bytes) {
        auto& path = scratch().path;
        snprintf(path, sizeof path, "%s.names", process.prefix);
        auto const amount = written == 0 ? window_bytes / 8 : window_bytes;  // most programs know few files
        return full ? nullptr : file.move(path, written, amount > bytes ? amount : bytes);
    }
    return file.window + (written - file.window_from);
}

/// Its kind is stored last, which makes the entry valid.
bool enter(NameKind kind, uint32_t number, uint32_t parent, char const* text) {
    auto const length = strnlen(text, kind == type_name ? longest_type : longest_text);
    auto const bytes = static_cast<int64_t>(sizeof(NameHead) + (length + 7) / 8 * 8);
    auto* const place = next_place(bytes);
    if (place == nullptr) {
        full = true;
        return false;
    }
    NameHead const head{0, number, static_cast<uint32_t>(length), parent};
    memcpy(place + sizeof head, text, length);
    memcpy(place, &head, sizeof head);
    __atomic_store_n(reinterpret_cast<uint32_t*>(place), static_cast<uint32_t>(kind), __ATOMIC_RELEASE);
    written += bytes;
    written_of_types += kind == type_name ? bytes : 0;
    return true;
}

bool has_room_for(NameKind kind, char const* text) {
    return kind != type_name || written_of_types + static_cast<int64_t>(strlen(text)) <= most_of_types;
}

uint32_t number_of(NameKind kind, char const* text, uint32_t parent) {
    make_files();
    auto const hash = hash_of(kind, text, parent);
    AtWork const at_work;
    system::Lock const guard(names_lock);
    auto number = unnamed;
    auto* const known = room == 0 ? nullptr : place_of(entries, room, hash);
    if (known != nullptr && known->hash != 0) {
        number = known->number;
    } else if (has_room_for(kind, text) && ((names + 1) * 2 <= room || grow()) &&
               enter(kind, names + 1, parent, text)) {
        *place_of(entries, room, hash) = {hash, ++names};
        number = names;
    }
    return number;
}

}  // namespace

uint32_t file_number(char const* path) { return process.settings.wants(path) ? number_of(file_name, path, 0) : 0; }

uint32_t dataset_number(uint32_t parent, char const* name) {
    return parent == 0 ? 0 : number_of(file_name, name, parent);
}

void rename_dataset(uint32_t number, uint32_t parent, char const* name) {
    if (number == 0 || number == unnamed) {
        return;
    }
    auto const hash = hash_of(file_name, name, parent);
    AtWork const at_work;
    system::Lock const guard(names_lock);
    auto* const known = place_of(entries, room, hash);
    if (enter(file_name, number, parent, name) && known->hash == 0 && (names + 1) * 2 <= room) {
        *known = {hash, number};
        ++names;  // the slot is taken, and with it a number
    }
}

uint32_t name_number(NameKind kind, char const* text) { return number_of(kind, text, 0); }

void enter_call(Call const& call) {
    make_files();
    system::KeepErrno const keep;
    AtWork const at_work;
    char text[256];
    snprintf(text, sizeof text, "%s %s %s", call.interface(), call.name(), call.kind());
    system::Lock const guard(names_lock);
    if (!call.entered) {
        call.entered = true;
        enter(call_name, call.id(), 0, text);
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
    room = 0;
    names = 0;
    file = {};
    written = 0;
    written_of_types = 0;
    full = false;
    for (auto const& call : AllCalls{}) {
        call.entered = false;
    }
}

}  // namespace weir::trace
