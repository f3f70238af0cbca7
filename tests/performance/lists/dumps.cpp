#include "lists/dumps.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/own_file.hpp"
#include "core/posix_io.hpp"
#include "lists/samples.hpp"

namespace weir::performance {
namespace {

/// Never 0, and nowhere the same.
double value_at(Variables const& of, int variable, std::int64_t element) {
    return static_cast<double>(variable * of.list.elements + element + 1);
}

template <class Visit>
void each_value(Variables const& of, std::span<double> data, Visit visit) {
    std::size_t at = 0;
    for (int v = 0; v < of.count; ++v) {
        for (std::size_t i = 0; i < of.list.offsets.size(); ++i) {
            for (std::int64_t k = 0; k < of.list.lengths[i]; ++k) {
                visit(data[at++], value_at(of, v, of.list.offsets[i] + k));
            }
        }
    }
}

/// Reads a rank's share of the file's bytes by itself, and throws Error where they are wrong. Local.
void check_file(Variables const& of, std::string const& path, FilePlace place) {
    auto const ranks = static_cast<std::int64_t>(of.comm.size());
    auto const rank = static_cast<std::int64_t>(of.comm.rank());
    auto const all = of.count * of.list.elements;
    auto const first = all * rank / ranks;
    std::vector<double> values(static_cast<std::size_t>(all * (rank + 1) / ranks - first));
    Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    auto const moved = read_at(file.get(), place.offset_bytes + static_cast<std::uint64_t>(first) * sizeof(double),
                               std::as_writable_bytes(std::span(values)));
    validate(!moved.failed() && moved.bytes == values.size() * sizeof(double), "a file is too short", path, "");
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &values[i], sizeof bits);
        bits = place.other_byte_order ? __builtin_bswap64(bits) : bits;
        std::memcpy(&values[i], &bits, sizeof bits);
        validate(values[i] == static_cast<double>(first + static_cast<std::int64_t>(i) + 1), "a file is wrong", path,
                 "");
    }
}

class Round {
  public:
    Round(Variables const& of, std::string directory)
        : of_(of), directory_(std::move(directory)), data_(of.held() * static_cast<std::size_t>(of.count)) {}

    double write(NamedDumper const& by) {
        auto const path = path_of(by);
        if (of_.comm.is_root()) {
            std::filesystem::remove(path);
        }
        each_value(of_, data_, [](double& value, double wanted) { value = wanted; });
        return slowest(of_.comm, [&] { by.dumper->write(path, data_); });
    }

    double read(NamedDumper const& by) {
        std::fill(data_.begin(), data_.end(), -1.0);
        return slowest(of_.comm, [&] { by.dumper->read(path_of(by), data_); });
    }

    /// Throws Error where what is in the file, or was read, is wrong. Collective.
    void check(NamedDumper const& by) {
        auto const place = by.dumper->place(path_of(by));
        run_together(of_.comm, [&] {
            check_file(of_, path_of(by), place);
            each_value(of_, data_, [&](double value, double wanted) {
                validate(value == wanted, "what was read is wrong", by.name, "");
            });
        });
    }

  private:
    [[nodiscard]] std::string path_of(NamedDumper const& by) const { return directory_ + "/" + by.name; }

    Variables const& of_;
    std::string directory_;
    std::vector<double> data_;
};

struct Samples {
    std::vector<double> write, read;
};

void show_all(Variables const& of, std::vector<NamedDumper> const& dumpers, std::vector<Samples> const& taken) {
    auto const mib = static_cast<double>(of.bytes() * of.count) / (1 << 20);
    fmt::print("{} variables of {:.3g} MiB in all\n", of.count, mib);
    for (std::size_t i = 0; i < dumpers.size(); ++i) {
        fmt::print("{}: {}\n", dumpers[i].name, dumpers[i].what);
        show("  write", median_of(taken[i].write), "s");
        show("  read", median_of(taken[i].read), "s");
        for (std::size_t ours = 0; i >= 2 && ours < 2; ++ours) {  // the first two are ours
            show(fmt::format("  write: times that of {}", dumpers[ours].name),
                 median_of(ratios(taken[i].write, taken[ours].write)), "");
        }
        if (i >= 2) {
            show("  read: times that of weir", median_of(ratios(taken[i].read, taken[0].read)), "");
        }
    }
}

}  // namespace

void measure_dumps(Variables const& of, std::string const& directory, int repetitions) {
    std::vector<NamedDumper> dumpers;
    dumpers.push_back(weir_dumper(of));
    dumpers.push_back(weir_planning_dumper(of));
    for (auto rivals : {&romio_dumpers, &pnetcdf_dumpers}) {
        for (auto& rival : rivals(of)) {
            dumpers.push_back(std::move(rival));
        }
    }
    Round round(of, directory);
    std::vector<Samples> taken(dumpers.size());
    for (int repetition = 0; repetition <= repetitions; ++repetition) {
        for (std::size_t turn = 0; turn < dumpers.size(); ++turn) {
            auto const i = (turn + static_cast<std::size_t>(repetition)) % dumpers.size();
            auto const write_s = round.write(dumpers[i]);
            auto const read_s = round.read(dumpers[i]);
            if (repetition == 0) {  // it warms up
                round.check(dumpers[i]);
                continue;
            }
            taken[i].write.push_back(write_s);
            taken[i].read.push_back(read_s);
        }
    }
    auto const pieces = of.comm.sum(of.list.offsets.size());
    if (of.comm.is_root()) {
        fmt::print("{} ranks, {} pieces, {} elements\n", of.comm.size(), pieces, of.list.elements);
        show_all(of, dumpers, taken);
    }
}

}  // namespace weir::performance
