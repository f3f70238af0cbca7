#pragma once

namespace weir::trace {

/// Room for texts of the thread that is at work, instead of its stack: signal handlers and threads may have very little
/// of that. To be used while `Inside` alone: what comes in between does not record, and so does not use it.
struct Scratch {
    char name[8400];  ///< of one of the program's files
    char path[4500];  ///< of one of the trace's
    char raw[2048];   ///< for the first facts, as the following
    char command[4096];
    char line[8192];
};

/// This thread's, mapped when it is first used and given back at the thread's end.
Scratch& scratch();

/// This thread's, given back.
void forget_scratch();

}  // namespace weir::trace
