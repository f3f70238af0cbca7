#include "array/serve.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <thread>

#include "array/contender.hpp"
#include "array/memory_growth.hpp"
#include "comm/collective_error.hpp"
#include "core/clock.hpp"
#include "core/json.hpp"
#include "core/memory.hpp"

namespace weir::performance {
namespace {

/// Longer than Communicator::quiet_barrier() sleeps: several launches wait while one is measured.
void sleep_until_all_are_here(Communicator const& comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm.handle(), &request);
    for (int done = 0; done == 0;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
}

std::string next_command(Communicator const& comm) {
    std::string line;
    if (comm.is_root()) {
        std::getline(std::cin, line);
    }
    sleep_until_all_are_here(comm);
    return comm.broadcast(line);
}

/// So that what was removed is not removed in the next dump's sync.
void sync_directory(std::filesystem::path const& path) {
    auto const directory = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        fsync(directory);
        close(directory);
    }
}

class Server {
  public:
    explicit Server(Block const& block)
        : block_(block),
          memory_(block.elements() * sizeof(double)),
          data_(reinterpret_cast<double*>(memory_.bytes().data()), block.elements()) {
        fill(block_, data_);
    }

    Json carry_out(std::string const& line) {
        std::istringstream words(line);
        std::string verb;
        std::string name;
        std::string path;
        words >> verb >> name >> std::ws;
        std::getline(words, path);
        try {
            if (auto const equals = verb.find('='); equals != std::string::npos) {
                return time_many(verb.starts_with("writes"), std::stoull(verb.substr(equals + 1)), contender(name),
                                 path);
            }
            return verb == "verify" ? verify(name, path) : time(verb, contender(name), path);
        } catch (Error const& error) {
            return {{"failure", error.what()}};
        }
    }

  private:
    Contender& contender(std::string const& name) {
        auto& found = contenders_[name];
        if (!found) {
            auto const entry = entries().find(name);
            validate(entry != entries().end(), "there is no contender '" + name + "'", "", "Ask for a list.");
            found = entry->second.make(block_);
        }
        return *found;
    }

    Json time(std::string const& verb, Contender& with, std::string const& path) {
        auto const writes = verb != "read";
        if (verb == "write") {
            run_together(block_.comm, [&] { remove(path); });
        }
        block_.comm.barrier();
        auto const began = clock_.now_s();
        Taken taken;
        run_together(block_.comm, [&] {
            taken = writes ? with.write(path, data_) : with.read(path, data_);
            taken.total_s = taken.total_s.value_or(clock_.now_s() - began);
        });
        auto const mine = *taken.total_s;
        auto const ranks = block_.comm.all_gather(mine);
        auto const whose = static_cast<std::uint64_t>(std::max_element(ranks.begin(), ranks.end()) - ranks.begin());
        auto const steps = block_.comm.broadcast(Json(taken.steps_s).dump(), whose);
        return {{"seconds", ranks[whose]}, {"steps_s", Json::parse(steps)}};
    }

    /// The mean of dumps, each over the one before, or of reads: of small ones in a row, as a program makes them whose
    /// ranks do not sleep between.
    Json time_many(bool writes, std::uint64_t count, Contender& with, std::string const& path) {
        block_.comm.barrier();
        auto const began = clock_.now_s();
        run_together(block_.comm, [&] {
            for (std::uint64_t i = 0; i < count; ++i) {
                static_cast<void>(writes ? with.write(path, data_) : with.read(path, data_));
            }
        });
        auto const mean = (clock_.now_s() - began) / static_cast<double>(std::max<std::uint64_t>(count, 1));
        return {{"seconds", block_.comm.max(mean)}, {"steps_s", Json::object()}};
    }

    /// For a new file; the old one's removal is over before the clock starts, also in the file system's journal.
    void remove(std::string const& path) {
        if (block_.comm.is_root()) {
            std::filesystem::remove(path);
            sync_directory(std::filesystem::path(path).parent_path());
        }
    }

    Json verify(std::string const& name, std::string const& path) {
        MemoryGrowth growth(block_.comm);
        auto& with = contender(name);
        time("write", with, path);
        auto const place = with.place(path);
        run_together(block_.comm, [&] { check_file(block_, path, place); });
        std::fill(data_.begin(), data_.end(), -1.0);
        time("read", with, path);
        auto const grown = growth.bytes();
        run_together(block_.comm, [&] { check(block_, data_); });
        return {{"verified", true},
                {"memory_growth_bytes", grown},
                {"memory_bound_bytes", block_.comm.sum(with.memory_bound_bytes())}};
    }

    Block const& block_;
    MonotonicClock clock_;
    Buffer memory_;
    std::span<double> data_;
    std::map<std::string, std::unique_ptr<Contender>> contenders_;
};

}  // namespace

void serve(Block const& block) {
    Server server(block);
    for (auto line = next_command(block.comm); !line.empty(); line = next_command(block.comm)) {
        auto const answer = server.carry_out(line);
        if (block.comm.is_root()) {
            std::cout << answer.dump() << std::endl;
        }
    }
}

}  // namespace weir::performance
