#include "core/proc.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "support/temporary_directory.hpp"

namespace weir {
namespace {

constexpr auto plenty = "MemTotal: 1024 kB\nMemAvailable: 1000 kB\n";

/// A root folder with /proc and /sys as the kernel would show them.
class MadeRoot : public ::testing::Test {
  protected:
    void write(std::string const& path, std::string const& text) {
        auto const whole = root() + path;
        std::filesystem::create_directories(std::filesystem::path(whole).parent_path());
        std::ofstream(whole) << text;
    }
    [[nodiscard]] std::string root() const { return folder_.path().string(); }
    [[nodiscard]] std::uint64_t available() const { return available_memory(root()).value_or(Bytes{0}).value; }

    void limit_version2(std::string const& group, std::string const& limit, std::string const& usage) {
        write("/sys/fs/cgroup" + group + "/memory.max", limit + "\n");
        write("/sys/fs/cgroup" + group + "/memory.current", usage + "\n");
    }
    void limit_version1(std::string const& group, std::string const& limit, std::string const& usage) {
        write("/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes", limit + "\n");
        write("/sys/fs/cgroup/memory" + group + "/memory.usage_in_bytes", usage + "\n");
    }

  private:
    testing::TemporaryDirectory folder_;
};

using AvailableMemory = MadeRoot;
using BusyCoreTime = MadeRoot;

using Processes = MadeRoot;

TEST_F(Processes, HaveAStateBehindAnyName) {
    write("/proc/12/stat", "12 (a) R (b)) T 1 12 12 0");
    EXPECT_EQ(process_state(12, root()), 'T');
    EXPECT_EQ(process_state(13, root()), std::nullopt);
    EXPECT_EQ(process_state(getpid()), 'R');
}

TEST_F(Processes, WaitInAFunctionOfTheKernel) {
    write("/proc/12/wchan", "nfs_wait");
    write("/proc/13/wchan", "0");
    EXPECT_EQ(kernel_function(12, root()), "nfs_wait");
    EXPECT_EQ(kernel_function(13, root()), "");
}

TEST_F(Processes, MoveBytesOfStorage) {
    write("/proc/12/io", "rchar: 1\nwchar: 2\nread_bytes: 30\nwrite_bytes: 400\n");
    EXPECT_EQ(storage_bytes(12, root()), Bytes{430});
    EXPECT_EQ(storage_bytes(13, root()), std::nullopt);
}

TEST_F(Processes, SeeTheLastCache) {
    EXPECT_EQ(last_cache(root()), std::nullopt);
    write("/sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
    write("/sys/devices/system/cpu/cpu0/cache/index0/size", "48K\n");
    write("/sys/devices/system/cpu/cpu0/cache/index1/level", "2\n");
    write("/sys/devices/system/cpu/cpu0/cache/index1/size", "2048K\n");
    EXPECT_EQ(last_cache(root()), Bytes{std::uint64_t{2} << 20U});
    write("/proc/meminfo", "MemTotal: 1000 kB\n");
    EXPECT_EQ(total_memory(root()), Bytes{1'024'000});
}

TEST(NumberOfLine, FindsAKeyAtTheStartOfALine) {
    std::string const text = "MemTotal:  16 kB\nMemAvailable:   12 kB\nread_bytes: 7\n";
    EXPECT_EQ(number_of_line(text, "MemAvailable"), 12U);
    EXPECT_EQ(number_of_line(text, "read_bytes"), 7U);
    EXPECT_EQ(number_of_line(text, "Available"), std::nullopt);
    EXPECT_EQ(number_of_line("key: none\n", "key"), std::nullopt);
}

TEST_F(AvailableMemory, IsTheMachinesWithoutAControlGroup) {
    EXPECT_FALSE(available_memory(root()).has_value());
    write("/proc/meminfo", plenty);
    EXPECT_EQ(available(), 1000U * 1024);
}

TEST_F(AvailableMemory, IsLimitedByAGroupAboveItsOwn) {
    // As Slurm does it: the job has the limit, its step and task have none.
    write("/proc/meminfo", plenty);
    write("/proc/self/cgroup", "0::/system.slice/job_7/step_0/task_0\n");
    limit_version2("/system.slice/job_7/step_0/task_0", "max", "1000");
    limit_version2("/system.slice/job_7/step_0", "max", "1000");
    limit_version2("/system.slice/job_7", "5000", "2000");
    EXPECT_EQ(available(), 3000U);
}

TEST_F(AvailableMemory, IsTheLeastThatAnyGroupLeaves) {
    write("/proc/meminfo", plenty);
    write("/proc/self/cgroup", "0::/a/b\n");
    limit_version2("/a/b", "9000", "1000");
    limit_version2("/a", "9000", "8500");
    limit_version2("", "90000", "8500");
    EXPECT_EQ(available(), 500U);
    limit_version2("/a/b", "100", "101");
    EXPECT_EQ(available(), 0U) << "more than the limit is used";
}

TEST_F(AvailableMemory, IsLimitedByVersion1) {
    write("/proc/meminfo", plenty);
    write("/proc/self/cgroup", "5:cpu,memory:/slurm/job:7/step\n3:cpuset:/elsewhere\n0::/\n");
    limit_version1("/slurm/job:7/step", "9223372036854771712", "10");
    limit_version1("/slurm/job:7", "6000", "2000");
    limit_version1("/elsewhere", "1", "0");
    EXPECT_EQ(available(), 4000U);
}

TEST_F(AvailableMemory, CountsCachedFilesAsFree) {
    write("/proc/meminfo", plenty);
    write("/proc/self/cgroup", "0::/job\n");
    limit_version2("/job", "6000", "5900");
    write("/sys/fs/cgroup/job/memory.stat", "anon 900\nfile 5000\ninactive_file 3000\nactive_file 1000\nshmem 1000\n");
    EXPECT_EQ(available(), 4100U);
    write("/sys/fs/cgroup/job/memory.stat", "inactive_file 30000\n");
    EXPECT_EQ(available(), 6000U) << "no more than the limit, however late the counts are";
}

TEST_F(AvailableMemory, CountsCachedFilesOfGroupsBelowInVersion1) {
    write("/proc/meminfo", plenty);
    write("/proc/self/cgroup", "4:memory:/job\n");
    limit_version1("/job", "6000", "5900");
    write("/sys/fs/cgroup/memory/job/memory.stat",
          "inactive_file 7\nactive_file 7\ntotal_inactive_file 3000\ntotal_active_file 1000\n");
    EXPECT_EQ(available(), 4100U);
}

TEST_F(AvailableMemory, IsLimitedInAContainerThatSeesItsGroupAsTheRoot) {
    write("/proc/meminfo", plenty);
    write("/proc/self/cgroup", "4:memory:/docker/abc\n");
    limit_version1("", "7000", "3000");
    EXPECT_EQ(available(), 4000U);
}

TEST_F(AvailableMemory, PassesOverLinesThatItCannotRead) {
    write("/proc/meminfo", plenty);
    write("/proc/self/cgroup", "nonsense\n4:memory\n\n");
    EXPECT_EQ(available(), 1000U * 1024);
}

TEST_F(BusyCoreTime, LeavesOutIdleWaitingAndStolenTime) {
    EXPECT_FALSE(busy_core_time(root()).has_value());
    // user nice system idle iowait irq softirq steal guest guest_nice
    write("/proc/stat", "cpu  1 2 4 1000 2000 8 16 4000 1 1\ncpu0 1 2 4 1000 2000 8 16 4000 1 1\n");
    auto const ticks_per_s = static_cast<double>(::sysconf(_SC_CLK_TCK));
    EXPECT_DOUBLE_EQ(busy_core_time(root()).value_or(Seconds{}).value, 31 / ticks_per_s);
}

TEST(Proc, TellsOfThisMachine) {
    EXPECT_FALSE(host_name().empty());
    EXPECT_FALSE(allowed_cpus().empty());
    auto const memory = available_memory();
    ASSERT_TRUE(memory.has_value());
    EXPECT_GT(memory->value, 1U << 20);
}

TEST(UtcTime, IsIso8601WithMilliseconds) {
    EXPECT_TRUE(std::regex_match(utc_time(), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"))) << utc_time();
}

TEST(Proc, KnowsCpusThatItsBindingLeavesOut) {
    auto const bindable = bindable_cpus();
    EXPECT_FALSE(bindable.empty());
    cpu_set_t before;
    ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    auto const bound = allowed_cpus();
    EXPECT_EQ(bindable_cpus(), bindable);
    EXPECT_EQ(allowed_cpus(), bound) << "the binding stays";
    sched_setaffinity(0, sizeof(before), &before);
}

}  // namespace
}  // namespace weir
