#include "trace/recorder/library_function.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

#include "trace/recorder/recorder.hpp"

extern "C" __attribute__((visibility("hidden"))) char const __ehdr_start[];
extern "C" __attribute__((visibility("hidden"))) char const _end[];

namespace weir::trace {
namespace {

pthread_mutex_t lookup_lock = PTHREAD_MUTEX_INITIALIZER;
Library libraries[64];
uint32_t library_count = 0;

/// A loaded object: the program, or a library.
struct Object {
    Word begin = 0;
    Word end = 0;
    char const* name = nullptr;  ///< empty: the program

    [[nodiscard]] bool holds(Word address) const { return address >= begin && address < end; }
};

Object bounds_of(dl_phdr_info const& info) {
    Object object{~Word{0}, 0, info.dlpi_name};
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        auto const& part = info.dlpi_phdr[i];
        if (part.p_type == PT_LOAD) {
            auto const begin = info.dlpi_addr + part.p_vaddr;
            object.begin = begin < object.begin ? begin : object.begin;
            object.end = begin + part.p_memsz > object.end ? begin + part.p_memsz : object.end;
        }
    }
    return object;
}

/// Objects in load order; those beyond the capacity are left out.
struct Objects {
    static constexpr int room = 1024;
    int count = 0;
    Object all[room];

    void collect() {
        auto const visit = [](dl_phdr_info* info, size_t, void* self) {
            auto& objects = *static_cast<Objects*>(self);
            if (objects.count < room) {
                objects.all[objects.count++] = bounds_of(*info);
            }
            return 0;
        };
        dl_iterate_phdr(visit, this);
    }

    [[nodiscard]] Object const* around(Word address) const {
        for (int i = 0; i < count; ++i) {
            if (all[i].holds(address)) {
                return &all[i];
            }
        }
        return nullptr;
    }
};

/// Never closed: addresses found in it stay valid.
void* open_again(Object const& object) {
    return dlopen(object.name == nullptr || object.name[0] == 0 ? nullptr : object.name, RTLD_NOLOAD | RTLD_LAZY);
}

bool is_ours(void const* function) {
    auto const* const address = static_cast<char const*>(function);
    return address >= __ehdr_start && address < _end;
}

/// Looks in an object and its dependencies; ignores the recorder's own wrapper.
void* find_in(void* handle, char const* name) {
    auto* const function = handle == nullptr ? nullptr : dlsym(handle, name);
    return is_ours(function) ? nullptr : function;
}

/// Looks where the caller's object would find it, otherwise in all others. A function that the caller itself defines is
/// a wrapper that has just passed the call on: then takes the next one.
void* find(Objects const& objects, Object const* caller, char const* name) {
    auto* function = caller == nullptr ? nullptr : find_in(open_again(*caller), name);
    if (function == nullptr || caller->holds(reinterpret_cast<Word>(function))) {
        function = dlsym(RTLD_NEXT, name);
    }
    for (int i = 0; function == nullptr && i < objects.count; ++i) {
        function = find_in(open_again(objects.all[i]), name);
    }
    return function;
}

/// Null if there are too many.
Library const* library_of(Objects const& objects, void const* function) {
    auto const* const object = objects.around(reinterpret_cast<Word>(function));
    auto* const handle = object == nullptr ? nullptr : open_again(*object);
    if (handle == nullptr) {
        return nullptr;
    }
    system::Lock const guard(lookup_lock);
    uint32_t i = 0;
    while (i < library_count && libraries[i].handle != handle) {
        ++i;
    }
    if (i == library_count && i < sizeof libraries / sizeof libraries[0]) {
        libraries[library_count++] = {handle, i};
    }
    return i < library_count ? &libraries[i] : nullptr;
}

}  // namespace

/// Other threads may hold the dynamic linker's lock while running code that gets here, so our lock is never held while
/// the linker is called.
LibraryFunction::Target LibraryFunction::look_up(void const* caller) {
    system::KeepErrno const keep;
    AtWork const at_work;
    auto* const objects = static_cast<Objects*>(system::map_memory(sizeof(Objects)));
    Target target{};
    if (objects != nullptr) {
        objects->collect();
        auto const* const object = objects->around(reinterpret_cast<Word>(caller));
        target.function = find(*objects, object, name());
        target.library = library_of(*objects, target.function);
        if (object != nullptr) {
            keep_for(object->begin, object->end, target);
        }
        system::unmap(objects, sizeof(Objects));
    }
    return target;
}

void LibraryFunction::after_fork() { pthread_mutex_init(&lookup_lock, nullptr); }

void LibraryFunction::keep_for(Word begin, Word end, Target target) {
    system::Lock const guard(lookup_lock);
    for (auto& caller : callers_) {
        if (caller.begin == begin) {
            break;  // another thread was first
        }
        if (caller.begin == 0) {
            caller.bytes = end - begin;
            caller.target = target;
            __atomic_store_n(&caller.begin, begin, __ATOMIC_RELEASE);
            break;
        }
    }
}

char LibrarySymbol::absent_;

/// The program may have the only copy of an object that all use (copy relocation): looks there first.
void* LibrarySymbol::look_up(Library const& library) {
    auto* found = what_ == object ? dlsym(RTLD_DEFAULT, name_.text) : nullptr;
    found = found == nullptr ? find_in(library.handle, name_.text) : found;
    if (library.number < kept) {
        __atomic_store_n(&found_[library.number], found == nullptr ? &absent_ : found, __ATOMIC_RELAXED);
    }
    return found;
}

}  // namespace weir::trace
