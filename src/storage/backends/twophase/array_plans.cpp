#include "storage/backends/twophase/array_plans.hpp"

#include <algorithm>

#include "storage/backends/twophase/as_errors.hpp"

namespace weir {
namespace {

array::Indices indices(std::vector<std::uint64_t> const& values) { return {values.begin(), values.end()}; }

/// This rank's part, as a box, or as pieces if it has several blocks.
void describe_part(array::Description& description, Section const& section) {
    auto const dims = section.all().first(section.dims - 1);
    if (std::ranges::all_of(dims, &Dim::one_block)) {
        description.distribution = array::Distribution::boxes;
        if (section.bytes() > 0) {
            auto& start = description.starts.emplace_back();
            auto& count = description.counts.emplace_back();
            for (auto const& dim : dims) {
                start.push_back(static_cast<std::int64_t>(dim.first));
                count.push_back(static_cast<std::int64_t>(dim.owned));
            }
        }
        return;
    }
    description.distribution = array::Distribution::pieces;
    section.each(0, section.bytes(), [&](Rows const& rows) {
        for (std::uint64_t row = 0; row < rows.rows; ++row) {
            auto const step = static_cast<std::int64_t>(row);
            description.pieces.push_back({rows.position + row * rows.position_step - section.origin, rows.length,
                                          rows.memory + step * rows.memory_step});
        }
    });
}

array::Description description_of(PartRequest const& request) {
    auto const& [what, by] = std::tie(request.of.what, request.of.by);
    array::Description description;
    description.element_bytes = what.element.bytes;
    description.shape = what.shape.empty() ? array::Indices{1} : indices(what.shape);
    description.block = array::Indices(description.shape.size(), 0);
    if (request.by_rank && by.counts.empty() && !what.shape.empty()) {
        description.grid = indices(by.grid);
        description.block = by.block.empty() ? description.block : indices(by.block);
        return description;
    }
    if (!request.section) {
        description.distribution = array::Distribution::boxes;  // no boxes: this rank has no part of the array
        return description;
    }
    auto section = *request.section;
    if (what.shape.empty()) {  // a scalar: one element as a dimension
        section.dim[1] = section.dim[0];
        section.dim[0] = {1, 0, 1, 1, 1, static_cast<std::int64_t>(what.element.bytes)};
        section.dims = 2;
    }
    describe_part(description, section);
    return description;
}

}  // namespace

ArrayPlans::ArrayPlans(Communicator const& ranks, array::PlanOptions const& options)
    : ranks_(Communicator::duplicate(ranks.handle())), node_(ranks_.node()), options_(options) {}

bool ArrayPlans::serves(Communicator const& ranks) const {
    int same = MPI_UNEQUAL;
    MPI_Comm_compare(ranks_.handle(), ranks.handle(), &same);
    return same == MPI_IDENT || same == MPI_CONGRUENT;
}

bool ArrayPlans::first_of_node(bool it_is) const {
    auto const mine = it_is ? ranks_.rank() : ranks_.size();
    auto const first = ~node_.max(~mine);
    return it_is && first == mine;
}

bool ArrayPlans::Planned::fits(PartRequest const& request) const {
    auto const& array = request.of.what;
    auto const align = plan.choice().align;
    return request.by_rank && what.shape == array.shape && what.element.bytes == array.element.bytes &&
           by == request.of.by && (align <= 1 || (*array.offset - *what.offset) % align == 0);
}

array::Plan& ArrayPlans::plan_for(PartRequest const& request) {
    constexpr std::size_t most = 16;
    auto const found = std::ranges::find_if(plans_, [&](Planned const& planned) { return planned.fits(request); });
    if (found != plans_.end()) {
        plans_.splice(plans_.begin(), plans_, found);
        return plans_.front().plan;
    }
    if (plans_.size() == most) {
        plans_.pop_back();
    }
    auto options = options_;
    options.offset = Bytes{*request.of.what.offset};
    as_errors([&] {
        plans_.emplace_front(request.of.what, request.by_rank ? request.of.by : Partition{}, ranks_.handle(),
                             description_of(request), options);
    });
    return plans_.front().plan;
}

}  // namespace weir
