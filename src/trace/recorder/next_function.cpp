#include "trace/recorder/next_function.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

extern "C" __attribute__((visibility("hidden"))) char const __ehdr_start[];

namespace weir::trace {
namespace {

/// The objects of the program's start that come after the recorder, which stay loaded. Those loaded later come behind
/// `last`, and may go at any time.
struct ObjectsBehind {
    link_map const* first;
    link_map const* last;
};

/// An object's symbols, by the hash table of GNU (which all objects of the last fifteen years have).
struct SymbolTable {
    uint32_t const* table = nullptr;
    Elf64_Sym const* symbols = nullptr;
    char const* texts = nullptr;
    Elf64_Versym const* versions = nullptr;  ///< null: it has none

    explicit SymbolTable(link_map const& object) {
        for (auto const* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
            // The dynamic linker makes them addresses, unless it cannot write there.
            auto const given = entry->d_un.d_ptr;
            auto const* const place =
                reinterpret_cast<void const*>(given < object.l_addr ? given + object.l_addr : given);
            switch (entry->d_tag) {
                case DT_GNU_HASH:
                    table = static_cast<uint32_t const*>(place);
                    break;
                case DT_SYMTAB:
                    symbols = static_cast<Elf64_Sym const*>(place);
                    break;
                case DT_STRTAB:
                    texts = static_cast<char const*>(place);
                    break;
                case DT_VERSYM:
                    versions = static_cast<Elf64_Versym const*>(place);
                    break;
                default:
                    break;
            }
        }
    }

    [[nodiscard]] bool known() const { return table != nullptr && symbols != nullptr && texts != nullptr; }

    /// Of several versions, the default one, as dlsym() takes.
    [[nodiscard]] bool is_default(uint32_t index) const {
        constexpr Elf64_Versym hidden = 0x8000;
        return versions == nullptr || (versions[index] & hidden) == 0;
    }

    /// Null if it does not define the symbol.
    [[nodiscard]] Elf64_Sym const* find(char const* name, uint32_t hash) const {
        auto const buckets = table[0];
        auto const first_hashed = table[1];
        auto const words = table[2];
        auto const* const filter = reinterpret_cast<uint64_t const*>(table + 4);
        auto const* const bucket = reinterpret_cast<uint32_t const*>(filter + words);
        auto const* const chain = bucket + buckets;
        auto const word = filter[hash / 64 % words];
        if (((word >> (hash % 64)) & (word >> ((hash >> table[3]) % 64)) & 1) == 0) {
            return nullptr;
        }
        for (auto i = bucket[hash % buckets]; i >= first_hashed && i != 0; ++i) {
            auto const found = chain[i - first_hashed];
            auto const& symbol = symbols[i];
            if ((found | 1) == (hash | 1) && symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 && is_default(i) &&
                strcmp(texts + symbol.st_name, name) == 0) {
                return &symbol;
            }
            if ((found & 1) != 0) {
                break;  // the end of the list
            }
        }
        return nullptr;
    }
};

uint32_t gnu_hash(char const* name) {
    uint32_t hash = 5381;
    for (; *name != 0; ++name) {
        hash = hash * 33 + static_cast<unsigned char>(*name);
    }
    return hash;
}

ObjectsBehind find_objects_behind() {
    ObjectsBehind objects{nullptr, nullptr};
    auto const own = reinterpret_cast<ElfW(Addr)>(__ehdr_start);
    bool behind_own = false;
    for (auto const* object = _r_debug.r_map; object != nullptr; object = object->l_next) {
        if (behind_own) {
            objects.first = objects.first == nullptr ? object : objects.first;
            objects.last = object;
        }
        behind_own |= object->l_addr == own;
    }
    return objects;
}

/// The first call comes from the recorder's start, when there is one thread.
ObjectsBehind const& objects_behind() {
    static ObjectsBehind const objects = find_objects_behind();
    return objects;
}

/// The kernel's object is in the list, but programs' symbols are not looked for in it.
bool is_of_kernel(link_map const& object) { return strncmp(object.l_name, "linux-", 6) == 0; }

/// What only the dynamic linker can answer.
bool takes_linker(Elf64_Sym const& symbol) {
    auto const type = ELF64_ST_TYPE(symbol.st_info);
    return type != STT_FUNC && type != STT_NOTYPE;
}

}  // namespace

void* next_function(char const* name) {
    auto const& objects = objects_behind();
    auto const hash = gnu_hash(name);
    for (auto const* object = objects.first; object != nullptr; object = object->l_next) {
        SymbolTable const symbols(*object);
        if (!is_of_kernel(*object)) {
            auto const* const symbol = symbols.known() ? symbols.find(name, hash) : nullptr;
            if (!symbols.known() || (symbol != nullptr && takes_linker(*symbol))) {
                break;
            }
            if (symbol != nullptr) {
                return reinterpret_cast<void*>(object->l_addr + symbol->st_value);
            }
        }
        if (object == objects.last) {
            break;
        }
    }
    return dlsym(RTLD_NEXT, name);
}

}  // namespace weir::trace
