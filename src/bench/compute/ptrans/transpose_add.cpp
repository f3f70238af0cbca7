#include "bench/compute/ptrans/transpose_add.hpp"

#include <algorithm>
#include <array>

#include "bench/compute/linear/transpose.hpp"
#include "core/rank_progress.hpp"

namespace weir {
namespace {

constexpr std::size_t in_flight = 2;  ///< messages of each direction

}  // namespace

TransposeAdd::TransposeAdd(ProcessGrid const& grid, GridShape const& shape, NodeBuffer const& b,
                           std::uint64_t part_bytes)
    : grid_(grid),
      shape_(shape),
      b_(b),
      seen_(grid, shape, b),
      sent_parts_(parts(true)),
      received_parts_(parts(false)),
      sent_(messages(sent_parts_, part_bytes)),
      received_(messages(received_parts_, part_bytes)) {}

/// One for each rank that shares blocks, the next ranks first when sending and the ranks before when receiving, so that
/// no rank is everybody's first.
std::vector<TransposeAdd::SharedBlocks> TransposeAdd::parts(bool sends) const {
    auto const ranks = grid_.all.size();
    std::vector<SharedBlocks> found;
    for (std::uint64_t step = 0; step < ranks; ++step) {
        SharedBlocks part;
        part.rank = (grid_.all.rank() + (sends ? step : ranks - step)) % ranks;
        if (b_.of(part.rank) != nullptr) {
            continue;
        }
        auto const to = sends ? part.rank : grid_.all.rank();
        auto const from = sends ? grid_.all.rank() : part.rank;
        for (std::uint64_t block = 0; block < shape_.rows.blocks(); ++block) {
            // Block (I, J) of A lies on row I mod P and column J mod Q, the transposed one of B on row J and column I.
            if (block % grid_.rows == to / grid_.columns && block % grid_.columns == from % grid_.columns) {
                part.rows.push_back(block);
            }
            if (block % grid_.columns == to % grid_.columns && block % grid_.rows == from / grid_.columns) {
                part.columns.push_back(block);
            }
        }
        if (!part.rows.empty() && !part.columns.empty()) {
            found.push_back(std::move(part));
        }
    }
    return found;
}

std::vector<TransposeAdd::BlockMessage> TransposeAdd::messages(std::vector<SharedBlocks> const& parts,
                                                               std::uint64_t part_bytes) const {
    std::vector<BlockMessage> found;
    auto const block_bytes = shape_.rows.block * shape_.rows.block * sizeof(double);
    auto const blocks = std::max<std::uint64_t>(part_bytes / block_bytes, 1);
    for (auto const& part : parts) {
        auto const height = std::min<std::uint64_t>(blocks, part.rows.size());
        auto const columns = blocks / height;
        for (std::uint64_t column = 0; column < part.columns.size(); column += columns) {
            for (std::uint64_t row = 0; row < part.rows.size(); row += height) {
                auto const size = [](auto const& all, std::uint64_t first, std::uint64_t most) {
                    return std::min<std::uint64_t>(most, all.size() - first);
                };
                found.push_back({part.rank, std::span(part.rows).subspan(row, size(part.rows, row, height)),
                                 std::span(part.columns).subspan(column, size(part.columns, column, columns))});
            }
        }
    }
    return found;
}

/// Rows and columns of a block: fewer in the last one.
std::uint64_t TransposeAdd::width(std::uint64_t block) const {
    return std::min(shape_.rows.block, shape_.rows.size - block * shape_.rows.block);
}

std::uint64_t TransposeAdd::numbers_in(BlockMessage const& message) const {
    std::uint64_t rows = 0;
    for (auto const block : message.rows) {
        rows += width(block);
    }
    std::uint64_t columns = 0;
    for (auto const block : message.columns) {
        columns += width(block);
    }
    return rows * columns;
}

/// As the receiver has them: column by column, of each the block rows one after the other.
void TransposeAdd::pack(BlockMessage const& message, double* numbers) const {
    auto const block = shape_.rows.block;
    auto const* const b = reinterpret_cast<double const*>(b_.of(grid_.all.rank()));
    std::uint64_t rows = 0;
    for (auto const one : message.rows) {
        rows += width(one);
    }
    for (auto const column : message.columns) {
        auto const* const b_row = b + shape_.rows.local(column * block);
        auto* to = numbers;
        for (auto const row : message.rows) {
            auto const* const from = b_row + shape_.columns.local(row * block) * shape_.local_rows;
            transpose(width(row), width(column), from, shape_.local_rows, to, rows);
            to += width(row);
        }
        numbers += rows * width(column);
    }
}

void TransposeAdd::add(BlockMessage const& message, double const* numbers, double alpha, double beta, double* a) const {
    auto const block = shape_.rows.block;
    for (auto const column : message.columns) {
        for (std::uint64_t c = 0; c < width(column); ++c) {
            auto* const a_column = a + (shape_.columns.local(column * block) + c) * shape_.local_rows;
            for (auto const row : message.rows) {
                auto* const to = a_column + shape_.rows.local(row * block);
                for (std::uint64_t r = 0; r < width(row); ++r) {
                    to[r] = beta * to[r] + alpha * numbers[r];
                }
                numbers += width(row);
            }
        }
    }
}

void TransposeAdd::run(double alpha, double beta, double* a) {
    std::array<InFlight, in_flight> coming;
    std::array<InFlight, in_flight> leaving;
    std::array<MPI_Request, 2 * in_flight> requests;  // receives first
    requests.fill(MPI_REQUEST_NULL);
    auto next_sent = sent_.begin();
    auto next_received = received_.begin();
    seen_.restart();
    auto const start = [&](auto call, InFlight& slot, auto& next, MPI_Request& request) {
        slot.message = *next++;
        slot.numbers.resize(numbers_in(slot.message));
        return [call, &slot, &request, this] {
            check_mpi(call(slot.numbers.data(), static_cast<int>(slot.numbers.size()), MPI_DOUBLE,
                           static_cast<int>(slot.message.rank), 0, grid_.all.handle(), &request),
                      "cannot exchange parts of a matrix");
        };
    };
    auto const receive_into = [&](std::size_t i) {
        if (next_received != received_.end()) {
            start(MPI_Irecv, coming[i], next_received, requests[i])();
        }
    };
    auto const send_from = [&](std::size_t i) {
        if (next_sent != sent_.end()) {
            auto const send = start(MPI_Isend, leaving[i], next_sent, requests[in_flight + i]);
            pack(leaving[i].message, leaving[i].numbers.data());
            send();
        }
    };
    for (std::size_t i = 0; i < in_flight; ++i) {
        receive_into(i);
    }
    for (std::size_t i = 0; i < in_flight; ++i) {
        send_from(i);
    }
    while (true) {
        int which = MPI_UNDEFINED;
        int is_done = 1;
        if (seen_.has_next()) {
            check_mpi(MPI_Testany(requests.size(), requests.data(), &which, &is_done, MPI_STATUS_IGNORE),
                      "cannot exchange parts of a matrix");
            if (which == MPI_UNDEFINED) {
                note_step();
                seen_.add_next(alpha, beta, a);
                continue;
            }
        } else {
            check_mpi(MPI_Waitany(requests.size(), requests.data(), &which, MPI_STATUS_IGNORE),
                      "cannot exchange parts of a matrix");
            if (which == MPI_UNDEFINED) {
                return;
            }
        }
        note_step();
        auto const slot = static_cast<std::size_t>(which);
        if (slot < in_flight) {
            add(coming[slot].message, coming[slot].numbers.data(), alpha, beta, a);
            receive_into(slot);
        } else {
            send_from(slot - in_flight);
        }
    }
}

}  // namespace weir
