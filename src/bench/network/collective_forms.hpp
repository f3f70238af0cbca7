#pragma once

#include <cctype>
#include <string>
#include <type_traits>
#include <utility>

#include "bench/network/mpi_forms.hpp"
#include "bench/network/network_function.hpp"

namespace weir {

/// A collective function in its three forms, each a function of the benchmark: Bcast, Ibcast, Bcast_persist, as IMB
/// names them. A file defines the call once, as a class derived from NetworkCall with
///
///     static constexpr FunctionFacts facts;             // of the blocking form
///     static constexpr MpiForms forms WEIR_MPI_FORMS(Bcast, Ibcast);
///     template <class Function, class... More>          // calls the function with the arguments that all forms share
///     int invoke(Function function, CallPlace const& at, More... more) const;
///
/// IMB-NBC and IMB's suite for MPI 4: a call is started, the processor computes, the call is waited for; the time is
/// that of all three (overlap.hpp).
template <class Call>
class BlockingForm final : public Call {
  public:
    using Call::Call;
    void call(CallPlace const& at) override { this->check(this->invoke(Call::forms.blocking, at)); }
};

template <class Call>
class NonblockingForm final : public Call, public NonblockingCall {
  public:
    using Call::Call;
    void call(CallPlace const& at) override {
        start(at);
        wait();
    }
    void start(CallPlace const& at) override { this->check(this->invoke(Call::forms.nonblocking, at, &request_)); }
    void wait() override { this->check(MPI_Wait(&request_, MPI_STATUS_IGNORE)); }

  private:
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// IMB prepares the request once, for the first buffers and root 0.
template <class Call>
class PersistentForm final : public Call, public NonblockingCall {
  public:
    using Call::Call;
    PersistentForm(PersistentForm const&) = delete;
    PersistentForm& operator=(PersistentForm const&) = delete;
    ~PersistentForm() override {
        if (request_ != MPI_REQUEST_NULL) {
            MPI_Request_free(&request_);
        }
    }
    void attach(std::span<std::byte> send, std::span<std::byte> receive) override {
        CallPlace const first{send.data(), receive.data(), 0};
        this->check(this->invoke(Call::forms.persistent, first, MPI_INFO_NULL, &request_));
    }
    void call(CallPlace const& at) override {
        start(at);
        wait();
    }
    void start(CallPlace const& /*at*/) override { this->check(MPI_Start(&request_)); }
    void wait() override { this->check(MPI_Wait(&request_, MPI_STATUS_IGNORE)); }

  private:
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Registers all forms. A persistent one that this MPI lacks is registered as unavailable.
template <class Call>
struct CollectiveRegistration {
    CollectiveRegistration() {
        auto& functions = Registry<NetworkFunction>::instance();
        functions.add(std::make_unique<NetworkFunctionOf<BlockingForm<Call>>>());
        functions.add(std::make_unique<NamedForm<NonblockingForm<Call>>>(nonblocking_name(), Call::facts));
        auto persistent = Call::facts;
        persistent.keeps_place = true;
        auto const name = std::string(Call::facts.name) + "_persist";
        if constexpr (std::is_null_pointer_v<decltype(Call::forms.persistent)>) {
            persistent.unavailable = "persistent collective calls";
            functions.add(std::make_unique<NamedForm<NonblockingForm<Call>>>(name, persistent));
        } else {
            functions.add(std::make_unique<NamedForm<PersistentForm<Call>>>(name, persistent));
        }
    }

  private:
    /// Reduce_scatter: Ireduce_scatter.
    static std::string nonblocking_name() {
        std::string name(Call::facts.name);
        name.front() = static_cast<char>(std::tolower(name.front()));
        return "I" + name;
    }

    template <class Form>
    class NamedForm final : public NetworkFunction {
      public:
        NamedForm(std::string name, FunctionFacts const& facts) : name_(std::move(name)), facts_(facts) {
            facts_.name = name_;
        }
        [[nodiscard]] FunctionFacts const& facts() const override { return facts_; }
        [[nodiscard]] std::unique_ptr<NetworkCall> prepare(CallSetting const& setting) const override {
            return std::make_unique<Form>(setting);
        }

      private:
        std::string name_;
        FunctionFacts facts_;
    };
};

}  // namespace weir
