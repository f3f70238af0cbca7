!> What else may be said of an array, and what it says of its local part.
submodule(weir:weir_common) weir_adjust
  implicit none

contains

  module subroutine ghosts_int32(array, before, after, error)
    type(weir_array), intent(inout) :: array
    integer(int32), intent(in) :: before(:), after(:)
    type(weir_error), intent(out), optional :: error
    call ghosts_int64(array, int(before, int64), int(after, int64), error)
  end subroutine

  module subroutine ghosts_int64(array, before, after, error)
    type(weir_array), intent(inout) :: array
    integer(int64), intent(in) :: before(:), after(:)
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    if (fits(array, [size(before), size(after)], error)) then
      code = c_ghosts(array%handle, before, after, from)
      call tell(from, error)
    end if
  end subroutine

  module subroutine within_int32(array, larger_shape, first, error)
    type(weir_array), intent(inout) :: array
    integer(int32), intent(in) :: larger_shape(:), first(:)
    type(weir_error), intent(out), optional :: error
    call within_int64(array, int(larger_shape, int64), int(first, int64), error)
  end subroutine

  module subroutine within_int64(array, larger_shape, first, error)
    type(weir_array), intent(inout) :: array
    integer(int64), intent(in) :: larger_shape(:), first(:)
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    if (fits(array, [size(larger_shape), size(first)], error)) then
      code = c_within(array%handle, larger_shape, first - 1, from)
      call tell(from, error)
    end if
  end subroutine

  module subroutine weir_array_memory_order(array, order, error)
    type(weir_array), intent(inout) :: array
    integer, intent(in) :: order
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    code = c_memory_order(array%handle, order, from)
    call tell(from, error)
  end subroutine

  module subroutine local_int32(array, rank, ranks, first, counts, grid, error)
    type(weir_array), intent(in) :: array
    integer, intent(in) :: rank, ranks
    integer(int32), intent(out) :: first(:), counts(:)
    integer(int32), intent(out), optional :: grid(:)
    type(weir_error), intent(out), optional :: error
    integer(int64) :: long_first(size(first)), long_counts(size(counts)), long_grid(array%dims)
    call local_int64(array, rank, ranks, long_first, long_counts, long_grid, error)
    first = int(long_first, int32)
    counts = int(long_counts, int32)
    if (present(grid)) grid(:array%dims) = int(long_grid, int32)
  end subroutine

  module subroutine local_int64(array, rank, ranks, first, counts, grid, error)
    type(weir_array), intent(in) :: array
    integer, intent(in) :: rank, ranks
    integer(int64), intent(out) :: first(:), counts(:)
    integer(int64), intent(out), optional :: grid(:)
    type(weir_error), intent(out), optional :: error
    type(c_error) :: from
    integer(c_int) :: code
    integer(c_int64_t) :: bytes, long_grid(array%dims)
    first = 0
    counts = 0
    long_grid = 0
    if (size(first) == array%dims .and. size(counts) == array%dims) then
      code = c_local(array%handle, int(rank, c_int64_t), int(ranks, c_int64_t), long_grid, first, counts, bytes, from)
      call tell(from, error)
    else
      call tell_lists(from, .false., error)
    end if
    first = first + 1
    if (present(grid)) grid(:array%dims) = long_grid
  end subroutine

  module function weir_array_bytes(array, rank, ranks) result(bytes)
    type(weir_array), intent(in) :: array
    integer, intent(in) :: rank, ranks
    integer(int64) :: bytes
    type(c_error) :: from
    bytes = 0
    if (c_local(array%handle, int(rank, c_int64_t), int(ranks, c_int64_t), bytes=bytes, error=from) /= 0) bytes = 0
  end function

  module subroutine weir_array_free(array)
    type(weir_array), intent(inout) :: array
    call c_array_free(array%handle)
    array%handle = c_null_ptr
  end subroutine

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
