#include "core/error.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "core/sentence.hpp"

namespace weir {

Error::Error(Diagnosis diagnosis)
    : std::runtime_error(sentence(diagnosis.problem, diagnosis.reason, diagnosis.suggestion)),
      diagnosis_(std::move(diagnosis)) {}

Diagnosis out_of_memory() {
    return {"memory is used up", "", "Choose smaller sizes, or fewer ranks on a node.", ExitCode::cannot_run, {}, {}};
}

void validate(bool ok, std::string problem, std::string reason, std::string suggestion) {
    if (!ok) {
        throw Error({std::move(problem), std::move(reason), std::move(suggestion), ExitCode::usage});
    }
}

void expect(bool ok, char const* precondition) {
    if (!ok) {
        throw ContractError(fmt::format("precondition broken: {}", precondition));
    }
}

Error system_error(std::string problem, int error_number, std::string suggestion) {
    return Error({std::move(problem), std::strerror(error_number), std::move(suggestion), ExitCode::cannot_run});
}

}  // namespace weir
