#pragma once

namespace weir {

/// MPI from construction to destruction. One a program, in main. If another part has initialised MPI, this does
/// nothing.
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
