!> What else may be said of an array, and what it says of its local part.
submodule(weir:weir_common) weir_adjust
  implicit none

contains

#include "int32.inc"
#include "adjust.inc"
#include "int64.inc"
#include "adjust.inc"

  module procedure weir_array_alike
    type(c_error) :: from
    integer(c_int) :: code
    array%dims = other%dims
    code = c_alike(other%handle, int(element_bytes, c_size_t), array%handle, from)
    call tell(from, error)
  end procedure

  module procedure weir_array_fill_value
    type(c_error) :: from
    integer(c_int) :: code
    code = c_fill_value(array%handle, value, from)
    call tell(from, error)
  end procedure

  module procedure weir_array_memory_order
    type(c_error) :: from
    integer(c_int) :: code
    code = c_memory_order(array%handle, order, from)
    call tell(from, error)
  end procedure

  module procedure weir_array_bytes
    type(c_error) :: from
    bytes = 0
    if (c_local(array%handle, int(rank, c_int64_t), int(ranks, c_int64_t), bytes=bytes, error=from) /= 0) bytes = 0
  end procedure

  module procedure weir_array_free
    call c_array_free(array%handle)
    array%handle = c_null_ptr
  end procedure

  !> Have the lists one entry a dimension? If not, the array is spoilt: it is then refused by the plan on all ranks.
  logical function fits(array, lengths, error)
    type(weir_array), intent(in) :: array
    integer, intent(in) :: lengths(:)
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    integer(c_int64_t) :: refused(array%dims)
    fits = all(lengths == array%dims)
    if (fits) return
    refused = -1
    code = c_ghosts(array%handle, refused, refused, from)
    call tell_lists(from, .false., error)
  end function
end submodule
