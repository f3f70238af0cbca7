!> Names for a program's own phases in a trace (`weir trace`), as mark.h for C. Compile this file with the program: there
!> is nothing to link. Without the recorder, the first call finds that out and later ones do nothing.
!>
!>     use weir_marks
!>     call weir_mark_begin('dump')
!>     call write_checkpoint(...)
!>     call weir_mark_end('dump')
!>
!> Trailing blanks of a name are dropped. Where dlsym() is in a separate library (glibc before 2.34), link with -ldl.
module weir_marks
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: weir_mark, weir_mark_begin, weir_mark_end

  abstract interface
    subroutine mark_function(name) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
  end interface

  interface
    function find(library, name) bind(c, name='dlsym') result(found)
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: found
    end function
  end interface

  !> The result of dlsym(), cached.
  type :: recorder_function
    logical :: known = .false.
    type(c_funptr) :: address = c_null_funptr
  end type

  type(recorder_function), save :: moment, begin, end

contains

  !> An instant: 'step 7'.
  subroutine weir_mark(name)
    character(len=*), intent(in) :: name
    call mark(moment, 'weir_recorder_mark', name)
  end subroutine

  !> A phase begins.
  subroutine weir_mark_begin(name)
    character(len=*), intent(in) :: name
    call mark(begin, 'weir_recorder_mark_begin', name)
  end subroutine

  !> The innermost phase of this name ends, together with unfinished phases inside it.
  subroutine weir_mark_end(name)
    character(len=*), intent(in) :: name
    call mark(end, 'weir_recorder_mark_end', name)
  end subroutine

  subroutine mark(recorder, function, name)
    type(recorder_function), intent(inout) :: recorder
    character(len=*), intent(in) :: function, name
    procedure(mark_function), pointer :: call_recorder
    if (.not. recorder%known) then
      recorder%address = find(c_null_ptr, function // c_null_char)
      recorder%known = .true.
    end if
    if (c_associated(recorder%address)) then
      call c_f_procpointer(recorder%address, call_recorder)
      call call_recorder(trim(name) // c_null_char)
    end if
  end subroutine

end module
