! Writes a distributed array with ghost cells to a file and reads it back: describe, plan, write, read, compare.
!
!     mpifort dump.f90 $(pkg-config --cflags --libs weir-array-fortran) -o dump && mpirun -n 4 ./dump density.raw
!
! tests/python/end_to_end/array/test_install.py builds it against an installed Weir, runs it, and checks the file.
program dump
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use mpi_f08
  use weir
  implicit none

  integer, parameter :: shape_of_all(3) = [32, 48, 64], ghosts(3) = 1
  type(weir_array) :: density
  type(weir_plan) :: plan
  type(weir_error) :: error
  real(real64), allocatable :: rho(:, :, :)
  integer :: rank, ranks, first(3), counts(3), wrong, i, j, k
  character(len=200) :: path = 'density.raw'

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  if (command_argument_count() > 0) call get_command_argument(1, path)

  call weir_array_block(density, shape_of_all, element_bytes=storage_size(rho)/8)
  call weir_array_ghosts(density, ghosts, ghosts)
  call weir_plan_make(plan, MPI_COMM_WORLD, [density], error)
  if (error%code == weir_ok) then
    call weir_array_local(density, rank, ranks, first, counts)
    allocate (rho(0:counts(1) + 1, 0:counts(2) + 1, 0:counts(3) + 1), source=-1.0_real64)
    do concurrent(i=1:counts(1), j=1:counts(2), k=1:counts(3))
      rho(i, j, k) = place(i, j, k)
    end do
    call weir_write(plan, path, rho, error)
  end if
  if (error%code == weir_ok) then
    rho = -1
    call weir_read(plan, path, rho, error)
  end if

  wrong = 0
  if (error%code /= weir_ok) then
    if (rank == 0) write (error_unit, '(2a)') 'dump: ', error%message
  else
    do k = 1, counts(3)
      do j = 1, counts(2)
        do i = 1, counts(1)
          if (rho(i, j, k) /= place(i, j, k)) wrong = wrong + 1
        end do
      end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (rank == 0) print '(i0, 2a)', wrong, ' elements are wrong; ', weir_plan_explain(plan)
  end if
  call weir_plan_free(plan)
  call weir_array_free(density)
  call MPI_Finalize()
  if (error%code /= weir_ok .or. wrong /= 0) stop 1, quiet=.true.

contains

  !> The place of this rank's element in the file, counted from 0: the first index runs fastest.
  pure real(real64) function place(i, j, k)
    integer, intent(in) :: i, j, k
    associate (all => first + [i, j, k] - 2)
      place = all(1) + shape_of_all(1)*(all(2) + shape_of_all(2)*all(3))
    end associate
  end function
end program
