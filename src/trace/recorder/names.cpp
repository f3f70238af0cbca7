#include "trace/recorder/names.hpp"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

/// From the hash of a name to its number, in memory of our own. Names themselves are in the file alone.
struct Entry {
    uint64_t hash;
    uint32_t number;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int descriptor = -1;
Entry* entries = nullptr;
uint32_t room = 0;
uint32_t files = 0;

uint64_t hash_of(char const* text, uint64_t hash) {  // FNV-1a
    for (; *text != 0; ++text) {
        hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001B3;
    }
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
    auto const larger = room == 0 ? 4096 : room * 4;
    auto* const table = static_cast<Entry*>(system::map_memory(larger * sizeof(Entry)));
    if (table == nullptr) {
        return false;
    }
    for (uint32_t i = 0; i < room; ++i) {
        if (entries[i].hash != 0) {
            *place_of(table, larger, entries[i].hash) = entries[i];
        }
    }
    if (entries != nullptr) {
        munmap(entries, room * sizeof(Entry));
    }
    entries = table;
    room = larger;
    return true;
}

/// One write, so that an entry is whole or not there.
void enter(uint32_t kind, uint32_t number, uint32_t parent, char const* text) {
    char entry[sizeof(NameHead) + 4400] = {};
    auto const length = strnlen(text, 4390);
    NameHead const head{kind, number, static_cast<uint32_t>(length), parent};
    memcpy(entry, &head, sizeof head);
    memcpy(entry + sizeof head, text, length);
    system::write(descriptor, entry, sizeof head + (length + 7) / 8 * 8);
}

uint32_t number_of(NameKind kind, char const* text, uint32_t parent) {
    auto const hash = hash_of(text, 0xCBF29CE484222325 + parent + (uint64_t{kind} << 32));
    pthread_mutex_lock(&lock);
    uint32_t number = 0;
    if ((files + 1) * 2 <= room || grow()) {
        auto* const entry = place_of(entries, room, hash);
        if (entry->hash == 0) {
            *entry = {hash, ++files};
            enter(kind, files, parent, text);
        }
        number = entry->number;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

}  // namespace

uint32_t file_number(char const* path) { return process.settings.wants(path) ? number_of(file_name, path, 0) : 0; }

uint32_t dataset_number(uint32_t file, char const* name) { return file == 0 ? 0 : number_of(file_name, name, file); }

uint32_t name_number(NameKind kind, char const* text) { return number_of(kind, text, 0); }

void enter_call(Call const& call) {
    if (__atomic_exchange_n(&call.entered, true, __ATOMIC_ACQ_REL)) {
        return;
    }
    system::KeepErrno const keep;
    char text[256];
    snprintf(text, sizeof text, "%s %s %s", call.interface(), call.name(), call.kind());
    enter(call_name, call.id(), 0, text);
}

void begin_names(char const* prefix) {
    pthread_mutex_init(&lock, nullptr);
    if (entries != nullptr) {
        memset(entries, 0, room * sizeof(Entry));
    }
    files = 0;
    char path[4500];
    snprintf(path, sizeof path, "%s.names", prefix);
    if (descriptor >= 0) {
        system::close(descriptor);
    }
    descriptor = system::open(path, O_WRONLY | O_CREAT | O_APPEND);
    for (auto const& call : AllCalls{}) {
        if (call.entered) {
            call.entered = false;
            enter_call(call);
        }
    }
}

}  // namespace weir::trace
