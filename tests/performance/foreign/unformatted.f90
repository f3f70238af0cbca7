! Unformatted records of one array a rank, as many Fortran codes write their restarts; FILE is the only argument.
program unformatted
  use mpi
  implicit none
  integer :: error, rank, record
  character(len=1024) :: path, name
  real(8), allocatable :: field(:)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call get_command_argument(1, path)
  write(name, '(a,".",i4.4)') trim(path), rank
  allocate(field(65536))
  field = real(rank, 8)
  open(unit=10, file=trim(name), form='unformatted', status='replace')
  do record = 1, 64
     write(10) record, field
  end do
  close(10)
  call MPI_Finalize(error)
end program
