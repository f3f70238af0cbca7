#pragma once

#include <cstdint>
#include <map>

namespace weir {

/// One rank's file pointers, of a program that has some: by index into Pattern::files, each at 0 when the file is
/// opened.
class FilePointers {
  public:
    void open(std::uint64_t file) { at_[file] = 0; }
    void seek(std::uint64_t file, std::uint64_t to) { at_[file] = to; }

    /// A request with the pointer, which then is at its end. Was the pointer elsewhere, so that the program sets it?
    bool seeks_before(std::uint64_t file, std::uint64_t offset, std::uint64_t length) {
        auto& at = at_[file];
        auto const elsewhere = at != offset;
        at = offset + length;
        return elsewhere;
    }

  private:
    std::map<std::uint64_t, std::uint64_t> at_;
};

}  // namespace weir
