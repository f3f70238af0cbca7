!> Describing arrays.
submodule(weir:weir_common) weir_describe
  implicit none

contains

#include "int32.inc"
#include "describe.inc"
#include "int64.inc"
#include "describe.inc"

  !> Fortran's order, if no other is given.
  pure integer(c_int) function order_of(order)
    integer, intent(in), optional :: order
    order_of = weir_fortran_order
    if (present(order)) order_of = order
  end function
end submodule
