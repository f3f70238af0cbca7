// Calls that move data from one file to another inside the system.

#include <sys/sendfile.h>
#include <unistd.h>

#include "trace/recorder/wrap.hpp"

using namespace weir::trace;

namespace {

/// One of the two files of a call.
class End {
  public:
    /// `offset` is null where the call is at the file's own position. It is looked at only after a call that succeeded:
    /// whether it is a pointer, the kernel finds out.
    End(int descriptor, off_t const* offset)
        : descriptor_(descriptor), offset_(offset), file_(file_of(descriptor)), name_(known() ? file_->name : 0) {}

    [[nodiscard]] bool known() const { return file_ != nullptr; }

    void record(Call const& call, uint64_t begin, uint64_t now, uint64_t length, int64_t result, uint8_t flags) {
        auto const at = offset_ == nullptr ? moved(*file_, descriptor_, result) : result < 0 ? -1 : *offset_ - result;
        Recording(call, begin).end_at(now, name_, at, length, result, flags);
    }

  private:
    int descriptor_;
    off_t const* offset_;
    OpenFile* file_;
    uint32_t name_;
};

/// A read of the one file and a write of the other, with half of the call's time each; where one of them is not
/// recorded, the other has all of it.
template <class Real>
ssize_t between(Call const& reads, Call const& writes, End from, End to, size_t bytes, Real real) {
    constexpr size_t most_at_once = 0x7FFFF000;  // more than the system ever moves in a call means: what there is
    if (!from.known() && !to.known()) {
        auto const result = real();
        move_unrecorded(0, result);
        move_unrecorded(1, result);
        return result;
    }
    auto const begin = ticks();
    auto const result = real();
    auto const now = ticks();
    system::KeepErrno const keep;
    auto const value = outcome(result);
    auto const length = bytes <= most_at_once ? bytes : static_cast<uint64_t>(value < 0 ? 0 : value);
    auto const middle = begin + (now - begin) / 2;
    if (!from.known() || !to.known()) {
        move_unrecorded(from.known() ? 1 : 0, value);
    }
    if (from.known() && to.known()) {
        from.record(reads, begin, middle, length, value, first_half);
        to.record(writes, middle, now, length, value, second_half);
    } else if (from.known()) {
        from.record(reads, begin, now, length, value, 0);
    } else {
        to.record(writes, begin, now, length, value, 0);
    }
    return result;
}

}  // namespace

WEIR_CALL_NAMED(copy_from_file, POSIX, copy_file_range, read);
WEIR_CALL(POSIX, copy_file_range, write);
WEIR_EXPORT ssize_t copy_file_range(int from, off_t* from_offset, int to, off_t* to_offset, size_t bytes,
                                    unsigned flags) {
    auto const real = [&] {
        return call_copy_file_range.next<decltype(&copy_file_range)>()(from, from_offset, to, to_offset, bytes, flags);
    };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    return between(call_copy_from_file, call_copy_file_range, {from, from_offset}, {to, to_offset}, bytes, real);
}

WEIR_CALL_NAMED(send_to_file, POSIX, sendfile, write);
WEIR_CALL(POSIX, sendfile, read);
WEIR_EXPORT ssize_t sendfile(int to, int from, off_t* offset, size_t bytes) noexcept {
    auto const real = [&] { return call_sendfile.next<decltype(&sendfile)>()(to, from, offset, bytes); };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    return between(call_sendfile, call_send_to_file, {from, offset}, {to, nullptr}, bytes, real);
}
WEIR_SAME(ssize_t, sendfile64, (int, int, off_t*, size_t) noexcept, sendfile)
