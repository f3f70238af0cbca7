#include "trace/recorder/handle_table.hpp"

#include "trace/recorder/system.hpp"

namespace weir::trace {

HandleTable* HandleTable::in_use_ = nullptr;

namespace {

constexpr uint64_t most_places = 1 << 18;  ///< 6 MiB; handles that do not fit are ignored

/// A bijective, well-distributed hash: the finaliser of MurmurHash3. Handles are pointers, of one library, or numbers
/// below 2^40 under a few high bits.
uint64_t key_of(Library const* library, Word handle) {
    auto key = handle + 1 + (uint64_t{library == nullptr ? 0 : library->number + 1} << 40);
    key = (key ^ (key >> 33)) * 0xFF51AFD7ED558CCD;
    key = (key ^ (key >> 33)) * 0xC4CEB9FE1A85EC53;
    key ^= key >> 33;
    return key == 0 ? 1 : key;
}

}  // namespace

/// The slot of a key, or the empty one where it belongs.
HandleTable::HandleSlot* HandleTable::find(uint64_t key) {
    auto i = key & (room_ - 1);
    while (places_[i].key != 0 && places_[i].key != key) {
        i = (i + 1) & (room_ - 1);
    }
    return &places_[i];
}

bool HandleTable::grow() {
    auto const larger = room_ == 0 ? 128 : room_ * 2;
    auto* const places =
        larger > most_places ? nullptr : static_cast<HandleSlot*>(system::map_memory(larger * sizeof(HandleSlot)));
    if (places == nullptr) {
        return false;
    }
    if (!registered_) {
        registered_ = true;
        next_ = __atomic_load_n(&in_use_, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(&in_use_, &next_, this, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
        }
    }
    auto* const old = places_;
    auto const old_room = room_;
    places_ = places;
    room_ = larger;
    for (uint64_t i = 0; i < old_room; ++i) {
        if (old[i].key != 0) {
            *find(old[i].key) = old[i];
        }
    }
    if (old != nullptr) {
        system::unmap(old, old_room * sizeof(HandleSlot));
    }
    return true;
}

void HandleTable::put(Library const* library, Word handle, Info info) {
    system::Lock const lock(lock_);
    if ((count_ + 1) * 2 > room_ && !grow()) {
        return;
    }
    auto const key = key_of(library, handle);
    auto* const place = find(key);
    count_ += place->key == 0 ? 1 : 0;
    *place = {key, info};
    place->info.found = true;
}

HandleTable::Info HandleTable::get(Library const* library, Word handle) {
    if (empty()) {
        return {};
    }
    system::Lock const lock(lock_);
    return find(key_of(library, handle))->info;
}

HandleTable::Info HandleTable::take(Library const* library, Word handle) {
    if (empty()) {
        return {};
    }
    system::Lock const lock(lock_);
    auto* const place = find(key_of(library, handle));
    auto const info = place->info;
    if (info.found) {
        __atomic_fetch_add(&removals_, 1, __ATOMIC_RELEASE);
        remove(place);
    }
    return info;
}

/// Closes the gap, so that every key stays reachable from its home slot (Knuth, volume 3, section 6.4, algorithm R).
void HandleTable::remove(HandleSlot* place) {
    --count_;
    auto gap = static_cast<uint64_t>(place - places_);
    for (auto i = (gap + 1) & (room_ - 1); places_[i].key != 0; i = (i + 1) & (room_ - 1)) {
        auto const from = places_[i].key & (room_ - 1);
        bool const reached_without_gap = ((i - from) & (room_ - 1)) < ((i - gap) & (room_ - 1));
        if (!reached_without_gap) {
            places_[gap] = places_[i];
            gap = i;
        }
    }
    places_[gap] = {};
}

/// Another thread of the parent may have been changing the table at the fork: its memory is abandoned.
void HandleTable::forget_all() {
    for (auto* table = in_use_; table != nullptr; table = table->next_) {
        pthread_mutex_init(&table->lock_, nullptr);
        table->places_ = nullptr;
        table->room_ = 0;
        table->count_ = 0;
        ++table->removals_;
    }
}

}  // namespace weir::trace
