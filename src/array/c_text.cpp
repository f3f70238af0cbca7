// The C interface: words.

#include "core/version.hpp"
#include "weir/array.h"

char const* weir_code_text(int code) {
    switch (code) {
        case WEIR_OK:
            return "fine";
        case WEIR_BAD_ARGUMENT:
            return "bad argument";
        case WEIR_DISAGREE:
            return "ranks disagree";
        case WEIR_OVERLAP:
            return "overlap";
        case WEIR_HOLES:
            return "holes";
        case WEIR_OTHER_COMM:
            return "another communicator";
        case WEIR_IO:
            return "file system error";
        case WEIR_SHORT_FILE:
            return "file too short";
        case WEIR_CHECKSUM:
            return "checksum mismatch";
        case WEIR_NO_MEMORY:
            return "no memory";
        case WEIR_MPI:
            return "MPI error";
        case WEIR_INTERNAL:
            return "a defect of Weir";
        default:
            return "unknown code";
    }
}

char const* weir_version() { return weir::version; }
