#pragma once

#include <optional>

#include "storage/backends/posix/posix_file.hpp"

namespace weir {

/// A file descriptor that a rank opens at first use: for a shared file accessed only by its aggregators, the other
/// ranks never open it. Local.
class DeferredFile {
  public:
    /// `alone`: is a new file created by one rank only?
    DeferredFile(OpenRequest request, bool alone) : request_(std::move(request)) { request_.empties = alone; }

    /// The file; opens it.
    PosixFile& get() {
        if (!file_) {
            file_.emplace(request_, false);
        }
        return *file_;
    }

    /// From now on the file exists: another rank has created it.
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
