!> What the parts of the module share: errors, texts and buffers between Fortran and C.
submodule(weir) weir_common
  use weir_c
  implicit none

  integer(c_int), parameter :: mismatch = -1 ! as a number of dimensions or pieces: C refuses it

contains

  !> Hands on C's error, if it is asked for.
  subroutine tell(from, error)
    type(c_error), intent(in) :: from
    type(weir_error), intent(out), optional :: error
    integer :: length
    if (.not. present(error)) return
    length = findloc(from%message, c_null_char, dim=1) - 1
    if (length < 0) length = size(from%message)
    error%code = from%code
    error%rank = from%rank
    error%message = joined(from%message(:length))
  end subroutine

  !> The same for a description, where lists of different lengths are this module's own error.
  subroutine tell_lists(from, agree, error)
    type(c_error), intent(in) :: from
    logical, intent(in) :: agree
    type(weir_error), intent(out), optional :: error
    call tell(from, error)
    if (agree .or. .not. present(error)) return
    error%code = weir_bad_argument
    error%message = 'the lists of a description differ in length (each needs one entry a dimension or piece)'
  end subroutine

  !> A copy of C's text.
  function text_of(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    text = ''
    if (.not. c_associated(pointer)) return
    call c_f_pointer(pointer, characters, [c_strlen(pointer)])
    text = joined(characters)
  end function

  pure function joined(characters) result(text)
    character(kind=c_char), intent(in) :: characters(:)
    character(len=size(characters)) :: text
    integer :: i
    do i = 1, size(characters)
      text(i:i) = characters(i)
    end do
  end function

  pure function number(value) result(text)
    integer(int64), intent(in) :: value
    character(len=:), allocatable :: text
    character(len=20) :: digits
    write (digits, '(i0)') value
    text = trim(digits)
  end function

  !> Where buffer `place` of a plan lies. One of another size is handed on as null, and `wrong` tells why: so the call
  !> fails on all ranks, where refusing it on this one alone would leave the others waiting.
  subroutine locate(plan, buffer, address, wrong)
    type(weir_plan), intent(in) :: plan
    type(*), dimension(..), intent(in) :: buffer
    type(c_ptr), intent(out) :: address
    character(len=:), allocatable, intent(out) :: wrong
    integer(int64) :: bytes
    call c_buffer(buffer, address, bytes)
    wrong = ''
    if (.not. allocated(plan%bytes) .or. bytes == -1) return
    if (size(plan%bytes) /= 1) then
      wrong = 'one buffer was given for the '//number(size(plan%bytes, kind=int64))// &
              ' arrays of the plan (one an array is needed). Use the call that ends in _list'
    else if (bytes == -2) then
      wrong = 'the buffer is not contiguous (it is a section of a larger array). Pass the whole local array'
    else if (bytes /= plan%bytes(1)) then
      wrong = 'the buffer has '//number(bytes)//' bytes (this rank''s part, ghosts included, has '// &
              number(plan%bytes(1))//'). weir_array_bytes tells the size'
    end if
    if (wrong /= '') address = c_null_ptr
  end subroutine

  !> The error of a call to which a wrong buffer was handed on as null.
  subroutine tell_wrong(wrong, plan, error)
    character(len=*), intent(in) :: wrong
    type(weir_plan), intent(in) :: plan
    type(weir_error), intent(inout) :: error
    if (wrong == '' .or. error%code == weir_ok) return
    error%code = weir_bad_argument
    error%rank = plan%rank
    error%message = wrong
  end subroutine

  module function weir_version() result(text)
    character(len=:), allocatable :: text
    text = text_of(c_version())
  end function
end submodule
