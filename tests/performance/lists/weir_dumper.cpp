#include "core/error.hpp"
#include "lists/arrays.hpp"
#include "lists/dumper.hpp"

namespace weir::performance {
namespace {

std::vector<void*> buffers_of(Variables const& of, std::span<double> data) {
    std::vector<void*> buffers;
    for (int v = 0; v < of.count; ++v) {
        buffers.push_back(data.data() + static_cast<std::size_t>(v) * of.held());
    }
    return buffers;
}

void write_by(weir_plan* plan, Variables const& of, std::string const& path, std::span<double> data) {
    auto const buffers = buffers_of(of, data);
    weir_error error;
    checked(weir_write(plan, path.c_str(), 0, buffers.data(), &error), error);
}

void read_by(weir_plan* plan, Variables const& of, std::string const& path, std::span<double> data) {
    auto const buffers = buffers_of(of, data);
    weir_error error;
    checked(weir_read(plan, path.c_str(), 0, buffers.data(), &error), error);
}

class Planned final : public Dumper {
  public:
    explicit Planned(Variables const& of)
        : of_(of), plan_(SameLists(of.list, of.count, Described::once).planned(of.comm)) {}
    void write(std::string const& path, std::span<double> data) override { write_by(plan_.get(), of_, path, data); }
    void read(std::string const& path, std::span<double> data) override { read_by(plan_.get(), of_, path, data); }

  private:
    Variables const& of_;
    PlanHandle plan_;
};

class Planning final : public Dumper {
  public:
    explicit Planning(Variables const& of) : of_(of) {}
    void write(std::string const& path, std::span<double> data) override {
        write_by(SameLists(of_.list, of_.count, Described::each).planned(of_.comm).get(), of_, path, data);
    }
    void read(std::string const& path, std::span<double> data) override {
        read_by(SameLists(of_.list, of_.count, Described::each).planned(of_.comm).get(), of_, path, data);
    }

  private:
    Variables const& of_;
};

}  // namespace

NamedDumper weir_dumper(Variables const& of) {
    return {"weir", "weir_write with a plan that is kept", std::make_unique<Planned>(of)};
}

NamedDumper weir_planning_dumper(Variables const& of) {
    return {"weir-once", "the same; each variable described, planned and freed for the one dump",
            std::make_unique<Planning>(of)};
}

}  // namespace weir::performance
