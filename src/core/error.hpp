#pragma once

#include <cstdint>
#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

namespace weir {

/// A program's exit status; part of the public interface (docs/reference/exit-codes.md).
enum class ExitCode : int {
    fine = 0,
    missed = 1,         ///< a regression, or a threshold missed
    usage = 2,          ///< wrong usage or configuration; nothing ran
    cannot_run = 3,     ///< a case could not run
    wrong_data = 4,     ///< data read back is wrong
    inconclusive = 5,   ///< too noisy, or nothing to compare with
    nothing = 6,        ///< nothing selected
    internal = 70,      ///< a defect of Weir
    interrupted = 130,  ///< stopped by the user; finished results are kept
};

/// A failure as reported to the user: problem, reason, advice.
struct Diagnosis {
    std::string problem;
    std::string reason;
    std::string suggestion;
    ExitCode exit_code = ExitCode::cannot_run;
    std::optional<std::uint64_t> rank{};  ///< where it happened
    std::string details{};                ///< further keys of its result line, as the text of a JSON object
};

/// An error that the user can understand and act on. what() reads `problem (reason). Suggestion`.
class Error : public std::runtime_error {
  public:
    explicit Error(Diagnosis diagnosis);

    [[nodiscard]] Diagnosis const& diagnosis() const noexcept { return diagnosis_; }

  private:
    Diagnosis diagnosis_;
};

/// What std::bad_alloc tells the user.
Diagnosis out_of_memory();

/// Runs `work`; keeps its failure in `first`, unless there was an earlier one, since the first failure is the one to
/// report. For a rank that must continue to where the others wait for it.
template <class Work>
void keep_failure(std::optional<Diagnosis>& first, Work work) {
    try {
        work();
    } catch (Error const& error) {
        first = first ? first : error.diagnosis();
    } catch (std::bad_alloc const&) {
        first = first ? first : out_of_memory();
    }
}

/// A broken contract between pieces of Weir: always a defect of the program, never of its input.
class ContractError : public std::logic_error {
    using std::logic_error::logic_error;
};

/// Refuses user input: throws Error with ExitCode::usage unless `ok`.
void validate(bool ok, std::string problem, std::string reason, std::string suggestion);

/// A precondition against programmer errors; throws ContractError.
void expect(bool ok, char const* precondition);

/// The error of a failed system call, from its errno.
Error system_error(std::string problem, int error_number, std::string suggestion);

/// The error of a failed call on a file or directory, "cannot `what` 'path'", with advice by its errno. Distinguishes a
/// file system out of space from one out of inodes.
Error file_error(char const* what, std::filesystem::path const& path, int error_number);

}  // namespace weir
