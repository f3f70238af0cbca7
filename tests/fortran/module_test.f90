! What the Fortran module does by itself: kinds of lists, indices from 1, communicators, buffers, texts and errors.
program module_test
  use, intrinsic :: iso_c_binding, only: c_loc, c_ptr
  use, intrinsic :: iso_fortran_env, only: error_unit, int32, int64, real64
  use mpi_f08
  use weir
  implicit none

  integer, parameter :: all_rows = 7, all_columns = 6
  type(weir_array) :: array
  type(weir_plan) :: plan
  type(weir_error) :: error
  character(len=200) :: folder
  integer :: rank, ranks, failures = 0

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call get_command_argument(1, folder)
  call check(weir_version() /= '', 'a version')

  call weir_array_block(array, [all_rows, all_columns], element_bytes=8)
  call weir_plan_make(plan, MPI_COMM_WORLD, [array], error)
  call check(error%code == weir_ok, 'a plan on a communicator of mpi_f08')
  call blocks_are_written_in_fortran_order()
  call wrong_buffers_fail_on_all_ranks()
  call other_distributions_read_them()
  call dumps_are_asynchronous()
  call arrays_are_moved_in_memory()
  call weir_plan_free(plan)
  call weir_array_free(array)
  call several_arrays_are_one_dump()
  call arrays_may_have_no_elements()
  call bad_descriptions_fail_in_the_plan()

  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
  if (failures > 0) error stop 'some checks failed'

contains

  subroutine blocks_are_written_in_fortran_order()
    real(real64), allocatable :: rho(:, :), whole(:, :)
    integer :: unit, status
    rho = places(array)
    call weir_write(plan, path('blocks'), rho, error)
    call check(error%code == weir_ok .and. error%message == '', 'writing: '//error%message)
    allocate (whole(all_rows, all_columns), source=0.0_real64)
    open (newunit=unit, file=path('blocks'), access='stream', form='unformatted', status='old')
    read (unit, iostat=status) whole
    close (unit)
    call check(status == 0 .and. all(reshape(whole, [size(whole)]) == [(real(status, real64), status=0, size(whole) - 1)]), &
               'the order in the file')
    rho = -1
    call weir_read(plan, path('blocks'), rho, error)
    call check(error%code == weir_ok .and. all(rho == places(array)), 'reading')
    call weir_write(plan, path('later'), places(array), error, offset=24_int64)
    call weir_read(plan, path('later'), rho, error, offset=24_int64)
    call check(error%code == weir_ok .and. all(rho == places(array)), 'at an offset')
    call check(weir_plan_file_bytes(plan) == 8*size(whole), 'bytes in the file')
    call check(weir_plan_memory(plan) > 0, 'memory')
    call check(len(weir_plan_explain(plan)) > 0, 'an explanation')
    associate (times => weir_plan_times(plan))
      call check(times%total > 0 .and. times%requests >= 0 .and. times%messages >= 0, 'times')
    end associate
  end subroutine

  subroutine wrong_buffers_fail_on_all_ranks()
    real(real64), allocatable :: rho(:, :), wide(:, :)
    rho = places(array)
    if (rank == 0) rho = rho(:, 2:)
    call weir_write(plan, path('wrong'), rho, error)
    call check(error%code == weir_bad_argument .and. error%rank == 0, 'too small on one rank')
    call check((index(error%message, 'weir_array_bytes') > 0) .eqv. rank == 0, 'said there: '//error%message)
    rho = places(array)
    allocate (wide(2*size(rho, 1), size(rho, 2)))
    wide(::2, :) = rho
    call weir_write(plan, path('wrong'), wide(::2, :), error)
    call check(error%code == weir_bad_argument .and. index(error%message, 'not contiguous') > 0, 'not contiguous')
    call weir_read(plan, path('nowhere'), rho, error)
    call check(error%code == weir_io .and. len(error%message) > 10, 'no file')
  end subroutine

  !> Lists of 64 bits, and indices from 1.
  subroutine other_distributions_read_them()
    type(weir_array) :: other
    type(weir_plan) :: reader
    real(real64) :: box(2, 2), pieces(3)
    integer(int64) :: first(1), counts(1), grid(1), cyclic_blocks(1) = 2
    call weir_array_boxes(other, int([all_rows, all_columns], int64), reshape([2_int64, 3_int64], [2, 1]), &
                          reshape([2_int64, 2_int64], [2, 1]), element_bytes=8)
    call weir_plan_make(reader, MPI_COMM_WORLD%MPI_VAL, [other], error)
    call check(error%code == weir_ok, 'a plan on an integer communicator')
    call weir_read(reader, path('blocks'), box, error)
    call check(error%code == weir_ok .and. all(box == reshape([15, 16, 22, 23], [2, 2])), 'a box')
    call weir_plan_free(reader)
    call weir_array_free(other)

    call weir_array_pieces(other, all_rows*all_columns, [30, 1 + rank], element_bytes=8, lengths=[1, 2])
    call check(weir_array_bytes(other, rank, ranks) == 24, 'bytes of pieces')
    call weir_plan_make(reader, MPI_COMM_WORLD, [other], error, options='  ')
    call weir_read(reader, path('blocks'), pieces, error)
    call check(error%code == weir_ok .and. all(pieces == [29, rank, rank + 1]), 'pieces')
    call weir_plan_free(reader)
    call weir_array_free(other)

    call weir_array_block_cyclic(other, [20_int64], cyclic_blocks, element_bytes=4, grid=[int(ranks, int64)])
    call weir_array_local(other, rank, ranks, first, counts, grid)
    call check(first(1) == 1 + 2*rank .and. grid(1) == ranks, 'dealt out')
    call weir_array_free(other)
  end subroutine

  subroutine dumps_are_asynchronous()
    type(weir_request) :: request
    real(real64), allocatable :: rho(:, :)
    rho = places(array)
    call weir_write_start(plan, path('async'), rho, request, error)
    call check(error%code == weir_ok, 'started')
    rho = -1
    call weir_wait(request, error)
    call check(error%code == weir_ok .and. weir_test(request), 'waited for')
    call weir_read(plan, path('async'), rho, error)
    call check(error%code == weir_ok .and. all(rho == places(array)), 'what was written in the background')
  end subroutine

  subroutine arrays_are_moved_in_memory()
    type(weir_array) :: columns
    type(weir_plan) :: other
    real(real64), allocatable :: moved(:, :)
    call weir_array_block(columns, [all_rows, all_columns], element_bytes=8, grid=[1, ranks])
    call weir_plan_make(other, MPI_COMM_WORLD, [columns], error)
    moved = 0*places(columns)
    call weir_redistribute(plan, places(array), other, moved, error)
    call check(error%code == weir_ok .and. all(moved == places(columns)), 'moved')
    call weir_plan_free(other)
    call weir_array_free(columns)
  end subroutine

  subroutine several_arrays_are_one_dump()
    type(weir_array) :: header, field
    type(weir_plan) :: both
    integer(int32), target :: parameters(2)
    real(real64), allocatable, target :: rho(:, :)
    parameters = [4, 2]
    call weir_array_replicated(header, 2, element_bytes=4)
    call weir_array_block(field, [all_rows, all_columns], element_bytes=8)
    call weir_array_ghosts(field, [1, 0], [0, 0])
    rho = places(field)
    call check(weir_array_bytes(field, rank, ranks) == 8*(size(rho) + size(rho, 2)), 'bytes with ghosts')
    call weir_array_free(field)
    call weir_array_alike(field, header, element_bytes=8)
    call weir_array_fill_value(field, c_loc(parameters), error)
    call check(error%code == weir_ok, 'a fill value')
    call weir_array_fill_value(field, c_null_ptr, error)
    call check(error%code == weir_bad_argument, 'no fill value')
    call check(weir_array_bytes(field, rank, ranks) == 0, 'a description without a fill value')
    call weir_array_free(field)
    call weir_array_alike(field, header, element_bytes=8)
    call check(weir_array_bytes(field, rank, ranks) == 2*weir_array_bytes(header, rank, ranks), 'alike')
    call weir_array_free(field)
    call weir_array_block(field, [all_rows, all_columns], element_bytes=8)
    call weir_plan_make(both, MPI_COMM_WORLD, [header, field], error)
    call weir_write_list(both, path('both'), [c_loc(parameters), c_loc(rho)], error)
    call check(error%code == weir_ok, 'a list: '//error%message)
    parameters = 0
    rho = 0
    call weir_read_list(both, path('both'), [c_loc(parameters), c_loc(rho)], error, offsets=[0_int64, 8_int64])
    call check(error%code == weir_ok .and. all(parameters == [4, 2]) .and. all(rho == places(field)), 'offsets')
    call weir_write(both, path('both'), rho, error)
    call check(error%code == weir_bad_argument .and. index(error%message, '_list') > 0, 'one buffer for two arrays')
    call weir_write_list(both, path('both'), [c_loc(parameters)], error)
    call check(error%code == weir_bad_argument, 'a list that is too short')
    call weir_plan_free(both)
    call weir_array_free(header)
    call weir_array_free(field)
  end subroutine

  subroutine arrays_may_have_no_elements()
    type(weir_array) :: nothing
    type(weir_plan) :: empty
    real(real64) :: rho(0, all_columns)
    logical :: there
    call weir_array_block(nothing, [0, all_columns], element_bytes=8, grid=[ranks, 1])
    call weir_plan_make(empty, MPI_COMM_WORLD, [nothing], error)
    call check(error%code == weir_ok, 'a plan of an array without elements: '//error%message)
    call weir_write(empty, path('nothing'), rho, error)
    call check(error%code == weir_ok, 'writing nothing: '//error%message)
    inquire (file=path('nothing'), exist=there)
    call check(there, 'a file without elements')
    call weir_read(empty, path('nothing'), rho, error)
    call check(error%code == weir_ok, 'reading nothing: '//error%message)
    call weir_read(empty, path('nowhere'), rho, error)
    call check(error%code == weir_io, 'nothing from no file')
    call weir_plan_free(empty)
    call weir_array_free(nothing)
  end subroutine

  subroutine bad_descriptions_fail_in_the_plan()
    type(weir_array) :: bad
    call weir_array_block(bad, [4, 4], element_bytes=8, grid=[4], error=error)
    call check(error%code == weir_bad_argument .and. index(error%message, 'differ in length') > 0, 'lists')
    call weir_plan_make(plan, MPI_COMM_WORLD, [bad], error)
    call check(error%code == weir_bad_argument, 'the plan of bad lists')
    call weir_array_free(bad)
    call weir_array_block(bad, [4, 4], element_bytes=8)
    if (rank == 0) call weir_array_ghosts(bad, [1], [1])
    call weir_plan_make(plan, MPI_COMM_WORLD, [bad], error)
    call check(error%code == weir_bad_argument, 'the plan of bad ghosts on one rank')
    call weir_array_free(bad)
  end subroutine

  !> This rank's part of an array in blocks, each element holding its place in the file.
  function places(described) result(part)
    type(weir_array), intent(in) :: described
    real(real64), allocatable :: part(:, :)
    integer :: first(2), counts(2), i, j
    call weir_array_local(described, rank, ranks, first, counts)
    allocate (part(counts(1), counts(2)))
    do j = 1, counts(2)
      do i = 1, counts(1)
        part(i, j) = first(1) + i - 2 + all_rows*(first(2) + j - 2)
      end do
    end do
  end function

  function path(name)
    character(len=*), intent(in) :: name
    character(len=:), allocatable :: path
    path = trim(folder)//'/'//name
  end function

  subroutine check(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what
    if (right) return
    failures = failures + 1
    write (error_unit, '(a, i0, 2a)') 'rank ', rank, ': not right: ', what
  end subroutine
end program
