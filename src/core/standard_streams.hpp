#pragma once

namespace weir {

/// Gives standard streams that were closed at the start a place, so that no file or connection gets their numbers and
/// what is printed. Standard output then fails when it is written to; messages on standard error go nowhere.
void open_closed_streams();

}  // namespace weir
