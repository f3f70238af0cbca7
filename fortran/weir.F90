!> Weir's two-phase library for Fortran 2008: distributed arrays to files and back. Calls and rules are those of
!> include/weir/array.h; what is Fortran's own:
!>
!>     type(weir_array) :: density
!>     type(weir_plan) :: plan
!>     type(weir_error) :: error
!>     call weir_array_block(density, [nx, ny, nz], element_bytes=8, grid=[2, 2, 1])
!>     call weir_plan_make(plan, MPI_COMM_WORLD, [density], error)
!>     call weir_write(plan, 'density.raw', rho, error)
!>     call weir_read(plan, 'density.raw', rho, error)
!>
!> - The first index runs fastest in file and memory, if `order` does not say otherwise.
!> - Indices count from 1: the first element of an array is 1 along each dimension. Offsets in files are bytes from 0 on.
!> - Lists of integers are of one kind, int32 or int64. Communicators are those of mpi_f08, or integers (of mpi).
!> - A buffer is an array of any type, kind and rank; its size is checked. Several arrays: the calls with `_list`, as in
!>   call weir_write_list(plan, 'dump.raw', [c_loc(rho), c_loc(u)], error), where nothing is checked.
!> - An error's code is weir_ok or what went wrong. A description that fails also fails the plan made with it, on all
!>   ranks: `error` may be left out there.
!> - Nothing is freed by itself: weir_array_free (local), weir_plan_free (collective), weir_wait.
module weir
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_double, c_int64_t
  use, intrinsic :: iso_fortran_env, only: int32, int64
#ifdef WEIR_HAVE_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  implicit none
  private

  public :: weir_array, weir_plan, weir_request, weir_error, weir_times
  public :: weir_array_block, weir_array_block_cyclic, weir_array_boxes, weir_array_pieces, weir_array_replicated
  public :: weir_array_alike, weir_array_fill_value, weir_array_ghosts, weir_array_memory_order, &
    weir_array_within, weir_array_local, weir_array_bytes, weir_array_free
  public :: weir_plan_make, weir_plan_explain, weir_plan_memory, weir_plan_file_bytes, weir_plan_times, weir_plan_free
  public :: weir_write, weir_read, weir_write_list, weir_read_list
  public :: weir_write_start, weir_write_start_list, weir_test, weir_wait
  public :: weir_redistribute, weir_redistribute_list, weir_version

  integer, parameter, public :: weir_ok = 0, weir_bad_argument = 1, weir_disagree = 2, weir_overlap = 3, weir_holes = 4, &
    weir_other_comm = 5, weir_io = 6, weir_short_file = 7, weir_checksum = 8, weir_no_memory = 9, weir_mpi = 10, &
    weir_internal = 11
  integer, parameter, public :: weir_c_order = 0, weir_fortran_order = 1

  !> What went wrong: problem (reason) suggestion. After a collective call it is the same on all ranks.
  type :: weir_error
    integer :: code = weir_ok
    integer :: rank = -1 !< where it happened, in the plan's communicator; -1: everywhere, or in a local call
    character(len=:), allocatable :: message
  end type

  !> How one array is distributed.
  type :: weir_array
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: dims = 0
  end type

  !> All that repeated dumps have in common.
  type :: weir_plan
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: rank = -1
    integer(int64), allocatable :: bytes(:) ! of each local array
  end type

  !> A dump on its way.
  type :: weir_request
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  !> Seconds that the plan's last write or read spent, on this rank.
  type, bind(c) :: weir_times
    real(c_double) :: total, open, exchange, wait, storage, sync, checksum
    integer(c_int64_t) :: rounds, requests, messages
  end type

  ! ---- 1. Describe. Local. -------------------------------------------------------------------------------------------

  !> Blocks on a grid of ranks, as even as they can be: (array, shape, element_bytes [, grid, order, error]).
  interface weir_array_block
    procedure block_int32, block_int64
  end interface

  !> Block-cyclic, in blocks of given lengths: (array, shape, blocks, element_bytes [, grid, order, error]).
  interface weir_array_block_cyclic
    procedure block_cyclic_int32, block_cyclic_int64
  end interface

  !> Any boxes: box i begins at first(:, i) and holds counts(:, i) elements:
  !> (array, shape, first, counts, element_bytes [, order, error]).
  interface weir_array_boxes
    procedure boxes_int32, boxes_int64
  end interface

  !> Any pieces of an array of one dimension: piece i holds lengths(i) elements (without lengths: one) from first(i) on:
  !> (array, elements, first, element_bytes [, lengths, error]).
  interface weir_array_pieces
    procedure pieces_int32, pieces_int64
  end interface

  !> The same elements on every rank: (array, elements, element_bytes [, error]).
  interface weir_array_replicated
    procedure replicated_int32, replicated_int64
  end interface

  !> Ghost elements around each block or box: (array, before, after [, error]).
  interface weir_array_ghosts
    procedure ghosts_int32, ghosts_int64
  end interface

  !> The array is the part of a larger one that begins at first(:): (array, larger_shape, first [, error]).
  interface weir_array_within
    procedure within_int32, within_int64
  end interface

  !> What a rank holds of an array in blocks: the first index and the number of elements along each dimension:
  !> (array, rank, ranks, first, counts [, grid, error]).
  interface weir_array_local
    procedure local_int32, local_int64
  end interface

  interface
#include "int32.inc"
#include "lists.inc"
#include "int64.inc"
#include "lists.inc"

    !> Bytes of a rank's local array of any kind, ghosts included; 0 where the description failed.
    module function weir_array_bytes(array, rank, ranks) result(bytes)
      type(weir_array), intent(in) :: array
      integer, intent(in) :: rank, ranks
      integer(int64) :: bytes
    end function
    !> Another array distributed as `other`, with elements of another size: of pieces, both have one list.
    module subroutine weir_array_alike(array, other, element_bytes, error)
      type(weir_array), intent(out) :: array
      type(weir_array), intent(in) :: other
      integer, intent(in) :: element_bytes
      type(weir_error), intent(out), optional :: error
    end subroutine
    !> The element, as c_loc(land), that option holes=fill writes where no rank holds one.
    module subroutine weir_array_fill_value(array, value, error)
      type(weir_array), intent(inout) :: array
      type(c_ptr), intent(in) :: value
      type(weir_error), intent(out), optional :: error
    end subroutine
    !> The order of the local array in memory, where it is not that of the file.
    module subroutine weir_array_memory_order(array, order, error)
      type(weir_array), intent(inout) :: array
      integer, intent(in) :: order
      type(weir_error), intent(out), optional :: error
    end subroutine
    module subroutine weir_array_free(array)
      type(weir_array), intent(inout) :: array
    end subroutine
  end interface

  ! ---- 2. Plan. Making and freeing are collective. -------------------------------------------------------------------

  !> (plan, comm, arrays, error [, options])
  interface weir_plan_make
    module subroutine plan_make_integer(plan, comm, arrays, error, options)
      type(weir_plan), intent(out) :: plan
      integer, intent(in) :: comm
      type(weir_array), intent(in) :: arrays(:)
      type(weir_error), intent(out) :: error
      character(len=*), intent(in), optional :: options
    end subroutine
#ifdef WEIR_HAVE_MPI_F08
    module subroutine plan_make_f08(plan, comm, arrays, error, options)
      type(weir_plan), intent(out) :: plan
      type(MPI_Comm), intent(in) :: comm
      type(weir_array), intent(in) :: arrays(:)
      type(weir_error), intent(out) :: error
      character(len=*), intent(in), optional :: options
    end subroutine
#endif
  end interface

  interface
    !> One line: what was chosen, and why.
    module function weir_plan_explain(plan) result(text)
      type(weir_plan), intent(in) :: plan
      character(len=:), allocatable :: text
    end function
    module function weir_plan_memory(plan) result(bytes)
      type(weir_plan), intent(in) :: plan
      integer(int64) :: bytes
    end function
    module function weir_plan_file_bytes(plan) result(bytes)
      type(weir_plan), intent(in) :: plan
      integer(int64) :: bytes
    end function
    module function weir_plan_times(plan) result(times)
      type(weir_plan), intent(in) :: plan
      type(weir_times) :: times
    end function
    module subroutine weir_plan_free(plan)
      type(weir_plan), intent(inout) :: plan
    end subroutine

    ! ---- 3. Write, 4. read. Collective. ------------------------------------------------------------------------------

    !> Writes the plan's only array. `offset`: bytes before it in the file.
    module subroutine weir_write(plan, file, buffer, error, offset)
      type(weir_plan), intent(in) :: plan
      character(len=*), intent(in) :: file
      type(*), dimension(..), intent(in) :: buffer
      type(weir_error), intent(out) :: error
      integer(int64), intent(in), optional :: offset
    end subroutine
    module subroutine weir_read(plan, file, buffer, error, offset)
      type(weir_plan), intent(in) :: plan
      character(len=*), intent(in) :: file
      type(*), dimension(..), intent(inout) :: buffer
      type(weir_error), intent(out) :: error
      integer(int64), intent(in), optional :: offset
    end subroutine

    !> Writes all arrays of the plan: one after the other from `offset` on, or each from its own of `offsets` on.
    module subroutine weir_write_list(plan, file, buffers, error, offset, offsets)
      type(weir_plan), intent(in) :: plan
      character(len=*), intent(in) :: file
      type(c_ptr), intent(in) :: buffers(:)
      type(weir_error), intent(out) :: error
      integer(int64), intent(in), optional :: offset, offsets(:)
    end subroutine
    module subroutine weir_read_list(plan, file, buffers, error, offset, offsets)
      type(weir_plan), intent(in) :: plan
      character(len=*), intent(in) :: file
      type(c_ptr), intent(in) :: buffers(:)
      type(weir_error), intent(out) :: error
      integer(int64), intent(in), optional :: offset, offsets(:)
    end subroutine

    ! ---- Beyond files. Collective, but for weir_test. ----------------------------------------------------------------

    !> Starts a write. Returns when the buffer may be changed again; the dump is complete after weir_wait.
    module subroutine weir_write_start(plan, file, buffer, request, error, offset)
      type(weir_plan), intent(in) :: plan
      character(len=*), intent(in) :: file
      type(*), dimension(..), intent(in) :: buffer
      type(weir_request), intent(out) :: request
      type(weir_error), intent(out) :: error
      integer(int64), intent(in), optional :: offset
    end subroutine
    module subroutine weir_write_start_list(plan, file, buffers, request, error, offset)
      type(weir_plan), intent(in) :: plan
      character(len=*), intent(in) :: file
      type(c_ptr), intent(in) :: buffers(:)
      type(weir_request), intent(out) :: request
      type(weir_error), intent(out) :: error
      integer(int64), intent(in), optional :: offset
    end subroutine
    !> Has this rank's part ended?
    module function weir_test(request) result(ended)
      type(weir_request), intent(in) :: request
      logical :: ended
    end function
    module subroutine weir_wait(request, error)
      type(weir_request), intent(inout) :: request
      type(weir_error), intent(out) :: error
    end subroutine

    !> Moves an array from one plan's distribution to another's, in memory.
    module subroutine weir_redistribute(from, source, to, target, error)
      type(weir_plan), intent(in) :: from, to
      type(*), dimension(..), intent(in) :: source
      type(*), dimension(..), intent(inout) :: target
      type(weir_error), intent(out) :: error
    end subroutine
    module subroutine weir_redistribute_list(from, sources, to, targets, error)
      type(weir_plan), intent(in) :: from, to
      type(c_ptr), intent(in) :: sources(:), targets(:)
      type(weir_error), intent(out) :: error
    end subroutine

    !> The library's version, as '0.1.0'.
    module function weir_version() result(text)
      character(len=:), allocatable :: text
    end function
  end interface
end module
