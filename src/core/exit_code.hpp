#pragma once

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

}  // namespace weir
