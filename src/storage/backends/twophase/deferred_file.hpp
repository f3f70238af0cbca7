#pragma once

#include <optional>

#include "storage/backends/posix/posix_file.hpp"

namespace weir {

/// A file descriptor that a rank opens when it first needs it: of a shared file that a few ranks move for all, the
/// others never do. Local.
class DeferredFile {
  public:
    /// Is a new one made by one rank alone?
    DeferredFile(OpenRequest request, bool alone) : request_(std::move(request)) { request_.empties = alone; }

    /// The file; opens it.
    PosixFile& get() {
        if (!file_) {
            file_.emplace(request_, false);
        }
        return *file_;
    }

    /// From now on it is there: another rank has made it.
    void expect_there() { request_.mode = request_.mode == OpenMode::create ? OpenMode::update : request_.mode; }

    [[nodiscard]] bool is_open() const { return file_.has_value(); }

    void close() {
        if (file_) {
            file_->close();
        }
    }

  private:
    OpenRequest request_;
    std::optional<PosixFile> file_;
};

}  // namespace weir
