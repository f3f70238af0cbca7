#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "array/plan.hpp"

namespace weir::array {

/// Throws Failure where a rank that holds bytes of an array gives no buffer for it. Local.
void check_buffers(Share const&, void* const* buffers);

/// Throws Failure where no file is named, an offset is negative, or numbers do not divide their array's elements.
/// Local.
void check_place(Arrays const&, char const* path, FileLayout const&);

/// Throws Failure (WEIR_DISAGREE) where ranks do not give the same text. Collective.
void agree_on_text(Communicator const&, std::string const& mine, char const* problem, char const* suggestion);

/// The same for a list of texts: the failure names the first that differs, so that a message has room for it. The first
/// text tells how many there are. Collective.
void agree_on_texts(Communicator const&, std::span<std::string const> mine, char const* problem,
                    char const* suggestion);

/// Throws what some rank has brought, or that ranks do not name the same file and layout. Collective.
void agree_on_place(Plan&, char const* path, FileLayout const&, FirstFailure&);

/// Throws Failure unless two plans are of the same ranks and of arrays of the same shapes. Local; all ranks find the
/// same.
void check_alike(Plan const&, Plan const&);

}  // namespace weir::array
