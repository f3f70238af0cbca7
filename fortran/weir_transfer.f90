!> Writing, reading and moving.
submodule(weir:weir_common) weir_transfer
  implicit none

contains

  module procedure weir_write
    type(c_ptr) :: address
    character(len=:), allocatable :: wrong
    call locate(plan, buffer, address, wrong)
    call weir_write_list(plan, file, [address], error, offset)
    call tell_wrong(wrong, plan, error)
  end procedure

  module procedure weir_read
    type(c_ptr) :: address
    character(len=:), allocatable :: wrong
    call locate(plan, buffer, address, wrong)
    call weir_read_list(plan, file, [address], error, offset)
    call tell_wrong(wrong, plan, error)
  end procedure

  module procedure weir_write_list
    type(c_error) :: from
    integer(c_int) :: code
    if (present(offsets)) then
      code = c_write_at(plan%handle, c_text(file), filled(plan, offsets), padded(plan, buffers), from)
    else
      code = c_write(plan%handle, c_text(file), zero_if_absent(offset), padded(plan, buffers), from)
    end if
    call tell(from, error)
  end procedure

  module procedure weir_read_list
    type(c_error) :: from
    integer(c_int) :: code
    if (present(offsets)) then
      code = c_read_at(plan%handle, c_text(file), filled(plan, offsets), padded(plan, buffers), from)
    else
      code = c_read(plan%handle, c_text(file), zero_if_absent(offset), padded(plan, buffers), from)
    end if
    call tell(from, error)
  end procedure

  module procedure weir_write_start
    type(c_ptr) :: address
    character(len=:), allocatable :: wrong
    call locate(plan, buffer, address, wrong)
    call weir_write_start_list(plan, file, [address], request, error, offset)
    call tell_wrong(wrong, plan, error)
  end procedure

  module procedure weir_write_start_list
    type(c_error) :: from
    integer(c_int) :: code
    code = c_write_start(plan%handle, c_text(file), zero_if_absent(offset), padded(plan, buffers), request%handle, from)
    call tell(from, error)
  end procedure

  module procedure weir_test
    ended = .not. c_associated(request%handle)
    if (.not. ended) ended = c_test(request%handle) /= 0
  end procedure

  module procedure weir_wait
    type(c_error) :: from
    integer(c_int) :: code
    if (.not. c_associated(request%handle)) return
    code = c_wait(request%handle, from)
    request%handle = c_null_ptr
    call tell(from, error)
  end procedure

  module procedure weir_redistribute
    type(c_ptr) :: source_address, target_address
    character(len=:), allocatable :: wrong_source, wrong_target
    call locate(from, source, source_address, wrong_source)
    call locate(to, target, target_address, wrong_target)
    call weir_redistribute_list(from, [source_address], to, [target_address], error)
    call tell_wrong(wrong_source, from, error)
    call tell_wrong(wrong_target, to, error)
  end procedure

  module procedure weir_redistribute_list
    type(c_error) :: told
    integer(c_int) :: code
    code = c_redistribute(from%handle, padded(from, sources), to%handle, padded(to, targets), told)
    call tell(told, error)
  end procedure

  pure function c_text(text) result(characters)
    character(len=*), intent(in) :: text
    character(len=len_trim(text) + 1, kind=c_char) :: characters
    characters = trim(text)//c_null_char
  end function

  pure integer(c_int64_t) function zero_if_absent(offset)
    integer(int64), intent(in), optional :: offset
    zero_if_absent = 0
    if (present(offset)) zero_if_absent = offset
  end function

  !> One buffer for each of the plan's arrays; where the list is too short, null, which the call refuses on all ranks.
  pure function padded(plan, buffers) result(list)
    type(weir_plan), intent(in) :: plan
    type(c_ptr), intent(in) :: buffers(:)
    type(c_ptr), allocatable :: list(:)
    integer :: given
    allocate (list(max(size(buffers), arrays_of(plan))))
    given = size(buffers)
    list(:given) = buffers
    list(given + 1:) = c_null_ptr
  end function

  !> One offset for each of the plan's arrays; where the list is too short, -1, which the call refuses on all ranks.
  pure function filled(plan, offsets) result(list)
    type(weir_plan), intent(in) :: plan
    integer(int64), intent(in) :: offsets(:)
    integer(int64), allocatable :: list(:)
    allocate (list(max(size(offsets), arrays_of(plan))), source=-1_int64)
    list(:size(offsets)) = offsets
  end function

  pure integer function arrays_of(plan)
    type(weir_plan), intent(in) :: plan
    arrays_of = 0
    if (allocated(plan%bytes)) arrays_of = size(plan%bytes)
  end function
end submodule
