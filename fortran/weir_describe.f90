!> Describing arrays: lists of either kind to 64 bits, indices from 1 to those from 0.
submodule(weir:weir_common) weir_describe
  implicit none

contains

  module subroutine block_int32(array, shape, element_bytes, grid, order, error)
    type(weir_array), intent(out) :: array
    integer(int32), intent(in) :: shape(:)
    integer, intent(in) :: element_bytes
    integer(int32), intent(in), optional :: grid(:)
    integer, intent(in), optional :: order
    type(weir_error), intent(out), optional :: error
    if (present(grid)) then
      call block_int64(array, int(shape, int64), element_bytes, int(grid, int64), order, error)
    else
      call block_int64(array, int(shape, int64), element_bytes, order=order, error=error)
    end if
  end subroutine

  module subroutine block_int64(array, shape, element_bytes, grid, order, error)
    type(weir_array), intent(out) :: array
    integer(int64), intent(in) :: shape(:)
    integer, intent(in) :: element_bytes
    integer(int64), intent(in), optional :: grid(:)
    integer, intent(in), optional :: order
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    logical :: agree
    array%dims = size(shape)
    agree = .true.
    if (present(grid)) agree = size(grid) == size(shape)
    code = c_block(merge(array%dims, mismatch, agree), shape, grid, int(element_bytes, c_size_t), order_of(order), &
                   array%handle, from)
    call tell_lists(from, agree, error)
  end subroutine

  module subroutine block_cyclic_int32(array, shape, blocks, element_bytes, grid, order, error)
    type(weir_array), intent(out) :: array
    integer(int32), intent(in) :: shape(:), blocks(:)
    integer, intent(in) :: element_bytes
    integer(int32), intent(in), optional :: grid(:)
    integer, intent(in), optional :: order
    type(weir_error), intent(out), optional :: error
    if (present(grid)) then
      call block_cyclic_int64(array, int(shape, int64), int(blocks, int64), element_bytes, int(grid, int64), order, error)
    else
      call block_cyclic_int64(array, int(shape, int64), int(blocks, int64), element_bytes, order=order, error=error)
    end if
  end subroutine

  module subroutine block_cyclic_int64(array, shape, blocks, element_bytes, grid, order, error)
    type(weir_array), intent(out) :: array
    integer(int64), intent(in) :: shape(:), blocks(:)
    integer, intent(in) :: element_bytes
    integer(int64), intent(in), optional :: grid(:)
    integer, intent(in), optional :: order
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    logical :: agree
    array%dims = size(shape)
    agree = size(blocks) == size(shape)
    if (present(grid)) agree = agree .and. size(grid) == size(shape)
    code = c_block_cyclic(merge(array%dims, mismatch, agree), shape, blocks, grid, int(element_bytes, c_size_t), &
                          order_of(order), array%handle, from)
    call tell_lists(from, agree, error)
  end subroutine

  module subroutine boxes_int32(array, shape, first, counts, element_bytes, order, error)
    type(weir_array), intent(out) :: array
    integer(int32), intent(in) :: shape(:), first(:, :), counts(:, :)
    integer, intent(in) :: element_bytes
    integer, intent(in), optional :: order
    type(weir_error), intent(out), optional :: error
    call boxes_int64(array, int(shape, int64), int(first, int64), int(counts, int64), element_bytes, order, error)
  end subroutine

  module subroutine boxes_int64(array, shape, first, counts, element_bytes, order, error)
    type(weir_array), intent(out) :: array
    integer(int64), intent(in) :: shape(:), first(:, :), counts(:, :)
    integer, intent(in) :: element_bytes
    integer, intent(in), optional :: order
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    logical :: agree
    array%dims = size(shape)
    agree = size(first, 1) == size(shape) .and. size(counts, 1) == size(shape) &
            .and. size(first, 2) == size(counts, 2)
    code = c_boxes(merge(array%dims, mismatch, agree), shape, size(first, 2, c_int64_t), first - 1, counts, &
                   int(element_bytes, c_size_t), order_of(order), array%handle, from)
    call tell_lists(from, agree, error)
  end subroutine

  module subroutine pieces_int32(array, elements, first, element_bytes, lengths, error)
    type(weir_array), intent(out) :: array
    integer(int32), intent(in) :: elements, first(:)
    integer, intent(in) :: element_bytes
    integer(int32), intent(in), optional :: lengths(:)
    type(weir_error), intent(out), optional :: error
    if (present(lengths)) then
      call pieces_int64(array, int(elements, int64), int(first, int64), element_bytes, int(lengths, int64), error)
    else
      call pieces_int64(array, int(elements, int64), int(first, int64), element_bytes, error=error)
    end if
  end subroutine

  module subroutine pieces_int64(array, elements, first, element_bytes, lengths, error)
    type(weir_array), intent(out) :: array
    integer(int64), intent(in) :: elements, first(:)
    integer, intent(in) :: element_bytes
    integer(int64), intent(in), optional :: lengths(:)
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    logical :: agree
    array%dims = 1
    agree = .true.
    if (present(lengths)) agree = size(lengths) == size(first)
    code = c_pieces(elements, merge(size(first, kind=c_int64_t), int(mismatch, c_int64_t), agree), first - 1, lengths, &
                    int(element_bytes, c_size_t), array%handle, from)
    call tell_lists(from, agree, error)
  end subroutine

  module subroutine replicated_int32(array, elements, element_bytes, error)
    type(weir_array), intent(out) :: array
    integer(int32), intent(in) :: elements
    integer, intent(in) :: element_bytes
    type(weir_error), intent(out), optional :: error
    call replicated_int64(array, int(elements, int64), element_bytes, error)
  end subroutine

  module subroutine replicated_int64(array, elements, element_bytes, error)
    type(weir_array), intent(out) :: array
    integer(int64), intent(in) :: elements
    integer, intent(in) :: element_bytes
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    array%dims = 1
    code = c_replicated(elements, int(element_bytes, c_size_t), array%handle, from)
    call tell(from, error)
  end subroutine

  !> Fortran's order, if no other is given.
  pure integer(c_int) function order_of(order)
    integer, intent(in), optional :: order
    order_of = weir_fortran_order
    if (present(order)) order_of = order
  end function
end submodule
