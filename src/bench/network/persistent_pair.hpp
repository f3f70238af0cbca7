#pragma once

#include <array>

#include "bench/network/network_function.hpp"

namespace weir {

/// A send and a receive whose requests are made once and started by each call.
class PersistentPair : public NetworkCall {
  public:
    using NetworkCall::NetworkCall;
    PersistentPair(PersistentPair const&) = delete;
    PersistentPair& operator=(PersistentPair const&) = delete;
    ~PersistentPair() override {
        for (auto& request : requests_) {
            if (request != MPI_REQUEST_NULL) {
                MPI_Request_free(&request);
            }
        }
    }

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

  protected:
    [[nodiscard]] MPI_Request& send() { return requests_[0]; }
    [[nodiscard]] MPI_Request& receive() { return requests_[1]; }
    void start(MPI_Request& request) const { check(MPI_Start(&request)); }
    void wait(MPI_Request& request) const { check(MPI_Wait(&request, MPI_STATUS_IGNORE)); }
    void start_both() { check(MPI_Startall(2, requests_.data())); }
    void wait_for_both() { check(MPI_Waitall(2, requests_.data(), MPI_STATUSES_IGNORE)); }

  private:
    std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace weir
