!> Making, asking and freeing plans.
submodule(weir:weir_common) weir_planning
  implicit none

contains

#ifdef WEIR_HAVE_MPI_F08
  module subroutine plan_make_f08(plan, comm, arrays, error, options)
    type(weir_plan), intent(out) :: plan
    type(MPI_Comm), intent(in) :: comm
    type(weir_array), intent(in) :: arrays(:)
    type(weir_error), intent(out) :: error
    character(len=*), intent(in), optional :: options
    call plan_make_integer(plan, comm%MPI_VAL, arrays, error, options)
  end subroutine
#endif

  module subroutine plan_make_integer(plan, comm, arrays, error, options)
    type(weir_plan), intent(out) :: plan
    integer, intent(in) :: comm
    type(weir_array), intent(in) :: arrays(:)
    type(weir_error), intent(out) :: error
    character(len=*), intent(in), optional :: options
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
  end subroutine

  module function weir_plan_explain(plan) result(text)
    type(weir_plan), intent(in) :: plan
    character(len=:), allocatable :: text
    text = text_of(c_explain(plan%handle))
  end function

  module function weir_plan_memory(plan) result(bytes)
    type(weir_plan), intent(in) :: plan
    integer(int64) :: bytes
    bytes = c_memory(plan%handle)
  end function

  module function weir_plan_file_bytes(plan) result(bytes)
    type(weir_plan), intent(in) :: plan
    integer(int64) :: bytes
    bytes = c_file_bytes(plan%handle)
  end function

  module function weir_plan_times(plan) result(times)
    type(weir_plan), intent(in) :: plan
    type(weir_times) :: times
    type(weir_times), target :: spent
    integer(c_int) :: code
    code = c_times(plan%handle, c_loc(spent))
    times = spent
  end function

  module subroutine weir_plan_free(plan)
    type(weir_plan), intent(inout) :: plan
    call c_plan_free(plan%handle)
    plan%handle = c_null_ptr
  end subroutine
end submodule
