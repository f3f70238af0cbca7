#pragma once

#include <pthread.h>
#include <stdint.h>

#include "trace/recorder/library_function.hpp"

namespace weir::trace {

/// A hash table of the handles of one kind that a library has returned: open files, datasets, requests.
class HandleTable {
  public:
    struct Info {
        bool found = false;      ///< is the handle in the table?
        uint32_t name = 0;       ///< of the file, dataset or communicator; 0: not recorded
        uint64_t bytes = 0;      ///< of a request
        void* memory = nullptr;  ///< memory of this size that a request needs until it completes
    };

    /// Handles of different libraries are distinct.
    void put(Library const*, Word handle, Info);
    Info get(Library const*, Word handle);
    /// Returns the entry, as get(), and removes it.
    Info take(Library const*, Word handle);
    /// Changes when an entry is removed: until then, what get() has found stays true.
    [[nodiscard]] uint32_t removals() const { return __atomic_load_n(&removals_, __ATOMIC_ACQUIRE); }
    [[nodiscard]] bool empty() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED) == 0; }

    /// Numbers of names are invalid in the child of a fork.
    static void forget_all();

  private:
    struct HandleSlot {
        uint64_t key;  ///< 0: none
        Info info;
    };

    HandleSlot* find(uint64_t key);
    bool grow();
    void remove(HandleSlot*);

    pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
    HandleSlot* places_ = nullptr;
    uint64_t room_ = 0;
    uint64_t count_ = 0;
    HandleTable* next_ = nullptr;  ///< of the tables in use
    uint32_t removals_ = 1;
    bool registered_ = false;
    static HandleTable* in_use_;
};

}  // namespace weir::trace
