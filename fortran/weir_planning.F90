!> Making, asking and freeing plans.
submodule(weir:weir_common) weir_planning
  implicit none

contains

#ifdef WEIR_HAVE_MPI_F08
  module procedure plan_make_f08
    call plan_make_integer(plan, comm%MPI_VAL, arrays, error, options)
  end procedure
#endif

  module procedure plan_make_integer
    type(c_error) :: from
    integer(c_int) :: code, ranks
    integer :: i
    character(len=:), allocatable :: text
    text = ''
    if (present(options)) text = trim(options)
    code = c_plan_make(comm, size(arrays), [(arrays(i)%handle, i=1, size(arrays))], text//c_null_char, plan%handle, from)
    call tell(from, error)
    allocate (plan%bytes(size(arrays)), source=0_int64)
    if (code /= weir_ok) return
    call c_rank(comm, plan%rank, ranks)
    plan%bytes = [(weir_array_bytes(arrays(i), plan%rank, ranks), i=1, size(arrays))]
  end procedure

  module function weir_plan_explain(plan) result(text)
    type(weir_plan), intent(in) :: plan
    character(len=:), allocatable :: text
    text = text_of(c_explain(plan%handle))
  end function

  module procedure weir_plan_memory
    bytes = c_memory(plan%handle)
  end procedure

  module procedure weir_plan_file_bytes
    bytes = c_file_bytes(plan%handle)
  end procedure

  module procedure weir_plan_times
    type(weir_times), target :: spent
    integer(c_int) :: code
    code = c_times(plan%handle, c_loc(spent))
    times = spent
  end procedure

  module procedure weir_plan_free
    call c_plan_free(plan%handle)
    plan%handle = c_null_ptr
  end procedure
end submodule
