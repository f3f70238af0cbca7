#pragma once

#include <string>

#include "core/own_file.hpp"

namespace weir {

/// The file that hpcc's --output names: made and written before the tests, so that nothing is measured that could not
/// be kept. All local.
class SummaryFile {
  public:
    /// Throws Error: usage, where there is such a file or none can be made; cannot_run, leaving no file, where the text
    /// cannot be written.
    SummaryFile(std::string const& path, std::string const& text);

    /// Replaces what it holds. Where it cannot be written, or is no longer there, the last one throws Error
    /// (cannot_run), and prints the text on standard error instead; of the others the file keeps what it held, and the
    /// tests go on.
    void write(std::string const& text, bool is_last);

  private:
    [[nodiscard]] bool put(std::string const& text);
    [[nodiscard]] bool is_in_place() const;
    [[nodiscard]] bool put_part(std::string const& text, std::size_t from, std::size_t end);

    std::string path_;
    Descriptor file_;
    std::size_t held_ = 0;  ///< bytes in it
};

}  // namespace weir
