#pragma once

namespace weir {

/// MPI initialised from construction to destruction. One per program, in main. Does nothing if MPI was initialised
/// elsewhere.
class MpiSession {
  public:
    MpiSession(int& argc, char**& argv);
    ~MpiSession();
    MpiSession(MpiSession const&) = delete;
    MpiSession& operator=(MpiSession const&) = delete;

  private:
    bool owner_ = false;
};

}  // namespace weir
