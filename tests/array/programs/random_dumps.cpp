// Random dumps, each compared with what one process writes element by element. Under MPI, on any number of ranks:
//
//     random_dumps --cases 20000 --seed 7      so many cases, on as many ranks as there are and fewer
//     random_dumps --case 'write{...} ...'     one, in the words that a failure is told in
//
// The first case that fails is made smaller as long as it fails in the same way, and printed so that it can be run
// again. Exit code 1: a case has failed; 2: there is no such option.

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "comm/communicator.hpp"
#include "support/arrays/dump_trial.hpp"
#include "support/arrays/random_dump.hpp"
#include "support/arrays/shrink.hpp"
#include "support/temporary_directory.hpp"

namespace weir::testing {
namespace {

/// What is running, for the handler of signals: a case that crashes or hangs cannot tell it.
char running[1 << 16];

void tell_and_end(int signal) {
    auto const say = [](char const* text) { static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text))); };
    say(signal == SIGALRM ? "random_dumps: a case has not ended within 120 s:\n  --case '"
                          : "random_dumps: a case has crashed:\n  --case '");
    say(running);
    say("'\n");
    ::_exit(1);
}

/// The step that failed, and the words up to the first number: small cases fail at other bytes than large ones.
std::string kind_of(std::string const& problem) { return problem.substr(0, problem.find_first_of("0123456789(")); }

class Driver {
  public:
    explicit Driver(Communicator comm) : comm_(std::move(comm)), directory_(comm_) {
        for (int const signal : {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) {
            ::signal(signal, tell_and_end);
        }
    }

    /// The problem of a case, the same on all ranks. Collective.
    std::string problem_of(DumpCase const& dump) const {
        auto const text = text_of(dump);
        std::snprintf(running, sizeof running, "%s", text.c_str());
        ::alarm(120);
        auto problem = DumpTrial(comm_, dump, directory_.path() / "file").run();
        ::alarm(0);
        return problem;
    }

    /// Is it right? If not, rank 0 says what fails, as small as it can be. Collective.
    bool good(DumpCase const& dump, std::string const& name) const {
        auto const problem = problem_of(dump);
        if (problem.empty()) {
            return true;
        }
        say(name + " fails: " + problem + "\n  --case '" + text_of(dump) + "'\nmade smaller ...");
        auto const kind = kind_of(problem);
        auto const least = shrunk(dump, [&](DumpCase const& smaller) { return kind_of(problem_of(smaller)) == kind; });
        say("smallest: " + problem_of(least) + "\n  mpirun -n " +
            std::to_string(std::max(least.write.ranks, least.read.ranks)) + " random_dumps --case '" + text_of(least) +
            "'");
        return false;
    }

    void say(std::string const& text) const {
        if (comm_.is_root()) {
            std::printf("%s\n", text.c_str());
            std::fflush(stdout);
        }
    }

    [[nodiscard]] std::uint64_t ranks() const { return comm_.size(); }

  private:
    Communicator comm_;
    TemporaryDirectory directory_;
};

bool run_cases(Driver const& driver, std::uint64_t cases, std::uint64_t seed) {
    for (std::uint64_t i = 0; i < cases; ++i) {
        std::mt19937_64 random(seed * 1000003 + i);  // each case by itself, whatever comes before it
        auto const name = "case " + std::to_string(i) + " of seed " + std::to_string(seed);
        if (!driver.good(random_dump(random, driver.ranks()), name)) {
            return false;
        }
        if ((i + 1) % 1000 == 0) {
            driver.say(std::to_string(i + 1) + " cases are right");
        }
    }
    driver.say(std::to_string(cases) + " random dumps of seed " + std::to_string(seed) + " on up to " +
               std::to_string(driver.ranks()) + " ranks: all as one process writes them");
    return true;
}

int run(int argc, char** argv, Communicator const& world) {
    std::map<std::string, std::string> options{{"--cases", "300"}, {"--seed", "1"}, {"--case", ""}};
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc || !options.contains(argv[i])) {
            std::fprintf(stderr, "random_dumps [--cases N] [--seed S] | --case TEXT\n");
            return 2;
        }
        options[argv[i]] = argv[i + 1];
    }
    Driver const driver(world);
    if (options["--case"].empty()) {
        return run_cases(driver, std::stoull(options["--cases"]), std::stoull(options["--seed"])) ? 0 : 1;
    }
    auto const dump = dump_case_of(options["--case"]);
    if (std::max(dump.write.ranks, dump.read.ranks) > driver.ranks()) {
        driver.say("this case needs more ranks");
        return 2;
    }
    auto const good = driver.good(dump, "this case");
    driver.say(good ? "this case is right" : "");
    return good ? 0 : 1;
}

}  // namespace
}  // namespace weir::testing

int main(int argc, char** argv) {
    weir::MpiSession const session(argc, argv);
    return weir::testing::run(argc, argv, weir::Communicator::duplicate(MPI_COMM_WORLD));
}
