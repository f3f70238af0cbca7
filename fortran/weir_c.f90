!> include/weir/array.h as Fortran sees it, and fortran/weir_fortran.c; for the submodules of `weir` alone.
module weir_c
  use, intrinsic :: iso_c_binding
  implicit none

  type, bind(c) :: c_error
    integer(c_int) :: code = 0, rank = -1
    character(kind=c_char) :: message(1024) = c_null_char
  end type

  interface
    integer(c_int) function c_block(dims, shape, grid, element_bytes, order, array, error) bind(c, name='weir_array_block')
      import :: c_int, c_int64_t, c_size_t, c_ptr, c_error
      integer(c_int), value :: dims, order
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int64_t), intent(in), optional :: grid(*)
      integer(c_size_t), value :: element_bytes
      type(c_ptr), intent(out) :: array
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_block_cyclic(dims, shape, blocks, grid, element_bytes, order, array, error) &
      bind(c, name='weir_array_block_cyclic')
      import :: c_int, c_int64_t, c_size_t, c_ptr, c_error
      integer(c_int), value :: dims, order
      integer(c_int64_t), intent(in) :: shape(*), blocks(*)
      integer(c_int64_t), intent(in), optional :: grid(*)
      integer(c_size_t), value :: element_bytes
      type(c_ptr), intent(out) :: array
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_boxes(dims, shape, boxes, starts, counts, element_bytes, order, array, error) &
      bind(c, name='weir_array_boxes')
      import :: c_int, c_int64_t, c_size_t, c_ptr, c_error
      integer(c_int), value :: dims, order
      integer(c_int64_t), value :: boxes
      integer(c_int64_t), intent(in) :: shape(*), starts(*), counts(*)
      integer(c_size_t), value :: element_bytes
      type(c_ptr), intent(out) :: array
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_pieces(elements, pieces, offsets, lengths, element_bytes, array, error) &
      bind(c, name='weir_array_pieces')
      import :: c_int, c_int64_t, c_size_t, c_ptr, c_error
      integer(c_int64_t), value :: elements, pieces
      integer(c_int64_t), intent(in) :: offsets(*)
      integer(c_int64_t), intent(in), optional :: lengths(*)
      integer(c_size_t), value :: element_bytes
      type(c_ptr), intent(out) :: array
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_replicated(elements, element_bytes, array, error) bind(c, name='weir_array_replicated')
      import :: c_int, c_int64_t, c_size_t, c_ptr, c_error
      integer(c_int64_t), value :: elements
      integer(c_size_t), value :: element_bytes
      type(c_ptr), intent(out) :: array
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_alike(other, element_bytes, array, error) bind(c, name='weir_array_alike')
      import :: c_int, c_size_t, c_ptr, c_error
      type(c_ptr), value :: other
      integer(c_size_t), value :: element_bytes
      type(c_ptr), intent(out) :: array
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_fill_value(array, value, error) bind(c, name='weir_array_fill_value')
      import :: c_int, c_ptr, c_error
      type(c_ptr), value :: array, value
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_ghosts(array, before, after, error) bind(c, name='weir_array_ghosts')
      import :: c_int, c_int64_t, c_ptr, c_error
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in) :: before(*), after(*)
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_memory_order(array, order, error) bind(c, name='weir_array_memory_order')
      import :: c_int, c_ptr, c_error
      type(c_ptr), value :: array
      integer(c_int), value :: order
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_within(array, larger_shape, start, error) bind(c, name='weir_array_within')
      import :: c_int, c_int64_t, c_ptr, c_error
      type(c_ptr), value :: array
      integer(c_int64_t), intent(in) :: larger_shape(*), start(*)
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_local(array, rank, ranks, grid, start, counts, bytes, error) bind(c, name='weir_array_local')
      import :: c_int, c_int64_t, c_ptr, c_error
      type(c_ptr), value :: array
      integer(c_int64_t), value :: rank, ranks
      integer(c_int64_t), intent(inout), optional :: grid(*), start(*), counts(*)
      integer(c_int64_t), intent(out) :: bytes
      type(c_error), intent(inout) :: error
    end function
    subroutine c_array_free(array) bind(c, name='weir_array_free')
      import :: c_ptr
      type(c_ptr), value :: array
    end subroutine

    integer(c_int) function c_plan_make(comm, arrays, array, options, plan, error) bind(c, name='weir_plan_make_f')
      import :: c_int, c_char, c_ptr, c_error
      integer(c_int), value :: comm
      integer(c_int), value :: arrays
      type(c_ptr), intent(in) :: array(*)
      character(kind=c_char), intent(in) :: options(*)
      type(c_ptr), intent(out) :: plan
      type(c_error), intent(inout) :: error
    end function
    type(c_ptr) function c_explain(plan) bind(c, name='weir_plan_explain')
      import :: c_ptr
      type(c_ptr), value :: plan
    end function
    integer(c_int64_t) function c_memory(plan) bind(c, name='weir_plan_memory')
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: plan
    end function
    integer(c_int64_t) function c_file_bytes(plan) bind(c, name='weir_plan_file_bytes')
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: plan
    end function
    integer(c_int) function c_times(plan, times) bind(c, name='weir_plan_times')
      import :: c_int, c_ptr
      type(c_ptr), value :: plan, times
    end function
    subroutine c_plan_free(plan) bind(c, name='weir_plan_free')
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine

    integer(c_int) function c_write(plan, path, offset, buffers, error) bind(c, name='weir_write')
      import :: c_int, c_int64_t, c_char, c_ptr, c_error
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), value :: offset
      type(c_ptr), intent(in) :: buffers(*)
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_read(plan, path, offset, buffers, error) bind(c, name='weir_read')
      import :: c_int, c_int64_t, c_char, c_ptr, c_error
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), value :: offset
      type(c_ptr), intent(in) :: buffers(*)
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_write_at(plan, path, offsets, buffers, error) bind(c, name='weir_write_at')
      import :: c_int, c_int64_t, c_char, c_ptr, c_error
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), intent(in) :: offsets(*)
      type(c_ptr), intent(in) :: buffers(*)
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_read_at(plan, path, offsets, buffers, error) bind(c, name='weir_read_at')
      import :: c_int, c_int64_t, c_char, c_ptr, c_error
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), intent(in) :: offsets(*)
      type(c_ptr), intent(in) :: buffers(*)
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_write_start(plan, path, offset, buffers, request, error) bind(c, name='weir_write_start')
      import :: c_int, c_int64_t, c_char, c_ptr, c_error
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), value :: offset
      type(c_ptr), intent(in) :: buffers(*)
      type(c_ptr), intent(out) :: request
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_test(request) bind(c, name='weir_test')
      import :: c_int, c_ptr
      type(c_ptr), value :: request
    end function
    integer(c_int) function c_wait(request, error) bind(c, name='weir_wait')
      import :: c_int, c_ptr, c_error
      type(c_ptr), value :: request
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_redistribute(from, source, to, target, error) bind(c, name='weir_redistribute')
      import :: c_int, c_ptr, c_error
      type(c_ptr), value :: from, to
      type(c_ptr), intent(in) :: source(*), target(*)
      type(c_error), intent(inout) :: error
    end function
    type(c_ptr) function c_version() bind(c, name='weir_version')
      import :: c_ptr
    end function

    ! Of weir_fortran.c.
    subroutine c_rank(comm, rank, ranks) bind(c, name='weir_fortran_rank')
      import :: c_int
      integer(c_int), value :: comm
      integer(c_int), intent(out) :: rank, ranks
    end subroutine
    subroutine c_buffer(buffer, address, bytes) bind(c, name='weir_fortran_buffer')
      import :: c_int64_t, c_ptr
      type(*), dimension(..), intent(in) :: buffer
      type(c_ptr), intent(out) :: address
      integer(c_int64_t), intent(out) :: bytes
    end subroutine
    pure integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface
end module
