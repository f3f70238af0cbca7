#include "lists/arrays.hpp"

#include "core/error.hpp"

namespace weir::performance {
namespace {

weir_array* described(Decomposition const& list) {
    weir_array* array = nullptr;
    weir_error error;
    checked(weir_array_pieces(list.elements, static_cast<std::int64_t>(list.offsets.size()), list.offsets.data(),
                              list.lengths.data(), sizeof(double), &array, &error),
            error);
    return array;
}

}  // namespace

void checked(int code, weir_error const& error) {
    if (code != WEIR_OK) {
        throw Error({"the two-phase library failed", error.message, ""});
    }
}

SameLists::SameLists(Decomposition const& list, int arrays, Described how)
    : arrays_(static_cast<std::size_t>(arrays)), described_(how == Described::once ? 1 : arrays_.size()) {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        arrays_[i] = i < described_ ? described(list) : arrays_.front();
    }
}

SameLists::~SameLists() {
    for (std::size_t i = 0; i < described_; ++i) {
        weir_array_free(arrays_[i]);
    }
}

PlanHandle SameLists::planned(Communicator const& comm) const {
    weir_plan* plan = nullptr;
    weir_error error;
    checked(weir_plan_make(comm.handle(), static_cast<int>(arrays_.size()), arrays_.data(), "method=two_phase", &plan,
                           &error),
            error);
    return PlanHandle(plan);
}

}  // namespace weir::performance
