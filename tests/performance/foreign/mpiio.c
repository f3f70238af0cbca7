// A writer through MPI-IO that knows nothing of Weir: FILE HOW, where HOW is contiguous (each rank its part),
// interleaved (records of the ranks in turn), strided (a view with holes) or collective (blocks of rows, together).
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD = 64 << 10, RECORDS = 256 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char const* const how = argc > 2 ? argv[2] : "contiguous";
    char* const data = malloc((size_t)RECORD * RECORDS);
    memset(data, 'a' + rank, (size_t)RECORD * RECORDS);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (!strcmp(how, "collective")) {
        MPI_Datatype rows;
        MPI_Type_vector(RECORDS, RECORD, RECORD * ranks, MPI_BYTE, &rows);
        MPI_Type_commit(&rows);
        MPI_File_set_view(file, (MPI_Offset)rank * RECORD, MPI_BYTE, rows, "native", MPI_INFO_NULL);
        for (int turn = 0; turn < 8; ++turn) {
            MPI_File_write_all(file, data, RECORD * (RECORDS / 8), MPI_BYTE, MPI_STATUS_IGNORE);
        }
        MPI_Type_free(&rows);
    } else {
        for (int i = 0; i < RECORDS; ++i) {
            MPI_Offset at = ((MPI_Offset)rank * RECORDS + i) * RECORD;
            if (!strcmp(how, "interleaved")) {
                at = ((MPI_Offset)i * ranks + rank) * RECORD;
            } else if (!strcmp(how, "strided")) {
                at = ((MPI_Offset)i * ranks + rank) * 2 * RECORD;
            }
            MPI_File_write_at(file, at, data + (size_t)i * RECORD, RECORD, MPI_BYTE, MPI_STATUS_IGNORE);
        }
    }
    MPI_File_close(&file);
    free(data);
    MPI_Finalize();
    return 0;
}
