// What a run leaves in its files, against a model of the whole box.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "apps/aquifer/io/aquifer_program.hpp"
#include "apps/aquifer/model/analytic_model.hpp"
#include "apps/common/run/one_run.hpp"
#include "support/file_bytes.hpp"
#include "support/mpi/on_root.hpp"
#include "support/temporary_directory.hpp"

namespace weir::aquifer {
namespace {

constexpr Triple in_all{7, 5, 8};
constexpr double long_step_s = 20 * 86400;

AquiferRun run_with(OutputFiles files) {
    AquiferRun run;
    run.scenario = usual_scenario({in_all, {10, 20, 1}}, 2, Retention::van_genuchten);
    run.scenario.flow.soils.push_back(run.scenario.flow.soils.front());
    run.files = {.box = run.scenario.box, .buffer = 100, .files = files, .species = {}, .interval_d = 20, .hdf5 = true};
    for (auto const& species : run.scenario.species) {
        run.files.species.push_back(species.name);
    }
    run.input = {.permuted = true, .conductivity = run.scenario.conductivity};
    run.model = {ModelChoice::analytic, 0};
    return run;
}

/// The state of the whole box after so many steps.
class Expected {
  public:
    Expected(AquiferRun run, std::uint64_t steps) : maker_(run.files, run.input) {
        run.scenario.put_well(well_cells(in_all));
        model_ = std::make_unique<AnalyticModel>(run.scenario, block_of(run.scenario.box, {1, 1, 1}, 0), 0,
                                                 std::make_unique<ManualClock>());
        for (std::uint64_t step = 0; step < steps; ++step) {
            model_->advance(long_step_s);
        }
    }

    [[nodiscard]] double at(std::string const& field, std::uint64_t cell) const {
        auto const has = [&](char const* word) { return field.find(word) != std::string::npos; };
        return has("/Liquid_Pressure [Pa]")          ? 101325 + 998.2 * 9.80665 * model_->heads()[cell]
               : has("/Liquid_Saturation")           ? model_->saturation()[cell]
               : has("/Total_Tracer [M]")            ? model_->concentrations(0)[cell]
               : has("/Total_Tracer_2 [M]")          ? model_->concentrations(1)[cell]
               : has("/Material_ID")                 ? static_cast<double>(maker_.material(cell))
               : has("/Liquid X-Velocity [m_per_d]") ? model_->velocity(0)[cell] * 86400
               : has("/Liquid Y-Velocity [m_per_d]") ? model_->velocity(1)[cell] * 86400
               : has("/Liquid Z-Velocity [m_per_d]") ? model_->velocity(2)[cell] * 86400
                                                     : std::nan("");
    }

  private:
    InputMaker maker_;
    std::unique_ptr<AnalyticModel> model_;
};

struct FilesOfAquifers : ::testing::Test {
    /// Two steps, and the state before them.
    void run(AquiferRun const& of) {
        auto const* kind = Backends::instance().find("posix");
        std::shared_ptr<Backend> const backend = kind->make();
        OptionSet none;
        backend->declare(none);
        auto plain = of.files;
        plain.hdf5 = false;  // the program is told with each plan which back-end it is for
        DumpWriter files(
            plan_of(plain, comm.size(), 0, true), other_strategy("posix", backend, false),
            [](std::filesystem::path const&, DumpStrategy const&) {}, comm, directory.path(), clock);
        files.check_places(times);
        AquiferProgram program(comm, of);
        files.dump_restart(program);
        Progress progress(Progress::Where::nowhere, clock);
        OneRun(program, &files, {}, comm, clock, progress).run({.restarted = true}, times);
    }

    void expect_fields(AquiferRun const& of, std::uint64_t dump, std::vector<std::byte> const& bytes) const {
        Expected const expected(of, dump);
        std::uint64_t fields = 0;
        auto const plan = plan_of(of.files, comm.size(), dump, dump == 0);
        for (auto const& array : plan.shape.files[1].arrays) {
            auto const real = array.element.kind == Element::Kind::real;
            auto const value = [&](std::uint64_t place) {
                return real ? number<double>(bytes, *array.offset + 8 * place)
                            : number<std::int32_t>(bytes, *array.offset + 4 * place);
            };
            ASSERT_GE(bytes.size(), *array.offset + bytes_of(array));
            if (array.element.kind == Element::Kind::text) {
                auto const* const text = reinterpret_cast<char const*>(bytes.data() + *array.offset);
                EXPECT_TRUE(std::string(text, bytes_of(array)).starts_with(provenance(array.name))) << array.name;
                continue;
            }
            if (array.shape.size() == 1) {
                auto const edge = array.name == "Coordinates/X [m]" ? 10 : array.name == "Coordinates/Y [m]" ? 20 : 1;
                for (std::uint64_t i = 0; i < array.shape[0]; ++i) {
                    EXPECT_EQ(value(i), static_cast<double>(edge * i)) << array.name;
                }
                continue;
            }
            ++fields;
            for (std::uint64_t cell = 0; cell < of.files.count(); ++cell) {
                auto const [i, j, k] = cell_of(in_all, cell);
                auto const place = static_cast<std::uint64_t>(k + in_all[2] * (j + in_all[1] * i));
                ASSERT_DOUBLE_EQ(value(place), expected.at(array.name, cell)) << array.name << ", cell " << cell;
            }
        }
        EXPECT_EQ(fields, 8U);
    }

    template <class Number>
    static double number(std::vector<std::byte> const& bytes, std::uint64_t offset) {
        Number one{};
        std::memcpy(&one, bytes.data() + offset, sizeof one);
        return static_cast<double>(one);
    }

    DumpTimes const times{0, 2, 1, {}, true};
    Communicator const comm = Communicator::world();
    testing::TemporaryDirectory directory{comm};
    MonotonicClock clock;
};

TEST_F(FilesOfAquifers, HaveTheStatesOfTheModel) {
    auto const of = run_with(OutputFiles::per_step);
    run(of);
    testing::on_root(comm, [&] {
        for (std::uint64_t dump = 0; dump < 3; ++dump) {
            auto const name = fmt::format("aquifer-{:03}.raw", dump);
            expect_fields(of, dump, testing::bytes_of_file(directory.path() / name));
        }
        EXPECT_EQ(directory.entries(), 4) << "with the input";
        Expected const last(of, 2);
        EXPECT_NE(last.at("/Total_Tracer [M]", 0), last.at("/Total_Tracer_2 [M]", 0)) << "else none of this is a test";
        EXPECT_NE(last.at("/Liquid Y-Velocity [m_per_d]", 0), 0);
    });
}

TEST_F(FilesOfAquifers, KeepEarlierTimesWhereTheyAreOne) {
    auto const of = run_with(OutputFiles::one);
    run(of);
    testing::on_root(comm, [&] {
        auto const bytes = testing::bytes_of_file(directory.path() / "aquifer.raw");
        for (std::uint64_t dump = 0; dump < 3; ++dump) {
            expect_fields(of, dump, bytes);
        }
    });
}

}  // namespace
}  // namespace weir::aquifer
