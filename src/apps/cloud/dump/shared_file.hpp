#pragma once

#include <functional>
#include <optional>

#include "apps/cloud/dump/counted_file.hpp"
#include "apps/cloud/dump/method.hpp"
#include "weir/array.hpp"

namespace weir::cloud {

/// A file of a dump as all ranks move it: opened by rank 0 first and then, unless everything goes through rank 0, by
/// the others. All members are collective, and what fails on one rank is thrown on all.
class SharedFile {
  public:
    SharedFile(Communicator, std::filesystem::path, Method, Tally&, Clock&);

    /// Opens it. `with_header` is what rank 0 does to the header, before any other rank opens the file; the others'
    /// file pointers go past it.
    void open(Access, std::function<void(CountedFile&)> const& with_header);

    /// The next array of the file, by a plan of this array alone; `block` is this rank's.
    void write(io::Plan&, std::span<std::byte const> block);
    void read(io::Plan&, std::span<std::byte> block);

    void sync();
    void close();

  private:
    [[nodiscard]] bool shared() const { return method_ != Method::rank0 && comm_.size() > 1; }

    template <class Transfer>
    void move(io::Plan&, Transfer);

    Communicator comm_;
    std::filesystem::path path_;
    Method method_;
    Tally& log_;
    Clock& clock_;
    std::optional<CountedFile> file_;  ///< nothing on a rank that leaves all to rank 0
    std::uint64_t next_ = 0;           ///< where the next array begins
};

}  // namespace weir::cloud
