/* Weir's two-phase library: distributed arrays to files and back.
 *
 * Four calls: describe how an array is distributed, make a plan once, then write and read with it at every dump.
 *
 *     weir_array *density;
 *     weir_plan *plan;
 *     void *buffers[] = {rho};
 *     weir_array_block(3, shape, grid, sizeof(double), WEIR_C_ORDER, &density, &error);
 *     weir_plan_make(MPI_COMM_WORLD, 1, &density, NULL, &plan, &error);
 *     weir_write(plan, "density.raw", 0, buffers, &error);
 *     weir_read(plan, "density.raw", 0, buffers, &error);
 *
 * Every call returns WEIR_OK or a weir_code, and fills `error` where that is not null. Collective calls return the same
 * code on every rank of the plan's communicator, and never leave one waiting. Nothing aborts, nothing is global.
 * All counts and offsets are 64 bits. Shapes, starts and counts are in elements; dimensions are in the order of the
 * array's indices in the program. A shape may have a 0: the array then has no elements, and a dump of it is a file. */
#ifndef WEIR_ARRAY_H
#define WEIR_ARRAY_H /* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using): it is C */

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WEIR_API __attribute__((visibility("default")))
#else
#define WEIR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { WEIR_MAX_DIMS = 7, WEIR_MESSAGE_SIZE = 1024 };

typedef enum weir_code {
    WEIR_OK = 0,
    WEIR_BAD_ARGUMENT = 1, /* an invalid argument: a null buffer, a group of 0, a box outside the array */
    WEIR_DISAGREE = 2,     /* ranks describe different arrays, or give different options or file names */
    WEIR_OVERLAP = 3,      /* two ranks would write the same element */
    WEIR_HOLES = 4,        /* no rank would write some element */
    WEIR_OTHER_COMM = 5,   /* the plan belongs to another communicator */
    WEIR_IO = 6,           /* the file system refused; the message contains its error text */
    WEIR_SHORT_FILE = 7,   /* the file ends before the array does */
    WEIR_CHECKSUM = 8,     /* data read differs from data written, or is too little to verify (option checksum) */
    WEIR_NO_MEMORY = 9,
    WEIR_MPI = 10,     /* MPI failed; the message contains its error text */
    WEIR_INTERNAL = 11 /* a defect of Weir */
} weir_code;

/* What went wrong, for people: problem (reason) suggestion. The same on all ranks after a collective call. */
typedef struct weir_error {
    int code; /* a weir_code */
    int rank; /* where it happened, in the plan's communicator; -1: everywhere, or in a local call */
    char message[WEIR_MESSAGE_SIZE];
} weir_error;

/* The order of elements in the file, and in memory unless weir_array_memory_order() says otherwise. Calls take it as an
 * int, so that they can refuse any other value. */
typedef enum weir_order {
    WEIR_C_ORDER = 0,      /* the last index runs fastest */
    WEIR_FORTRAN_ORDER = 1 /* the first index runs fastest */
} weir_order;

typedef struct weir_array weir_array;     /* how one array is distributed, as this rank sees it */
typedef struct weir_plan weir_plan;       /* the state shared by repeated dumps */
typedef struct weir_request weir_request; /* a dump in flight */

/* ---- 1. Describe. All of these are local. ------------------------------------------------------------------------ */

/* A failed description still returns an array, which keeps the error: weir_plan_make() fails with it on all ranks. So a
 * rank with an invalid box leaves no rank waiting, and a program needs to check only the plan. */

/* Blocks on a grid of ranks, as even as possible: of n elements on p ranks, the first n mod p ranks hold one more.
 * `grid` holds the ranks along each dimension; their product is the communicator's size. Rank order in the grid is that
 * of MPI_Cart_create: the last dimension runs fastest. With a null grid the library chooses one: as square as possible,
 * more ranks along longer dimensions; weir_array_local() returns it. */
WEIR_API int weir_array_block(int dims, int64_t const shape[], int64_t const grid[], size_t element_bytes, int order,
                              weir_array** array, weir_error* error);

/* Block-cyclic: blocks of given lengths assigned cyclically along each dimension, as in ScaLAPACK and HPF: rank r of p
 * holds blocks r, r + p, r + 2p, ... `block` of 0: even blocks, as above. The local array is dense: only the rank's own
 * elements. */
WEIR_API int weir_array_block_cyclic(int dims, int64_t const shape[], int64_t const block[], int64_t const grid[],
                                     size_t element_bytes, int order, weir_array** array, weir_error* error);

/* Any boxes: box i starts at starts[i * dims ...] and holds counts[i * dims ...] elements. In memory the boxes are
 * consecutive, each dense. A rank may have none. */
WEIR_API int weir_array_boxes(int dims, int64_t const shape[], int64_t boxes, int64_t const starts[],
                              int64_t const counts[], size_t element_bytes, int order, weir_array** array,
                              weir_error* error);

/* Any pieces of an array of one dimension, as in unstructured meshes: piece i holds lengths[i] elements from offsets[i]
 * on; `lengths` of null: one element each. In memory the pieces are consecutive, in the order given here; in the file
 * they are in the order of the offsets. The lists may be freed after the call. Arrays of a plan with equal lists share
 * one: planning many variables of one mesh costs little more than planning one, but describing each by itself takes
 * time and, until it is freed, memory; see weir_array_alike(). */
WEIR_API int weir_array_pieces(int64_t elements, int64_t pieces, int64_t const offsets[], int64_t const lengths[],
                               size_t element_bytes, weir_array** array, weir_error* error);

/* The same elements on every rank (a header, run parameters): rank 0 writes them, all ranks read them. */
WEIR_API int weir_array_replicated(int64_t elements, size_t element_bytes, weir_array** array, weir_error* error);

/* Another array distributed as this one, with elements of another size: of pieces, both have one list. An array may
 * also be given to weir_plan_make() several times. */
WEIR_API int weir_array_alike(weir_array const* other, size_t element_bytes, weir_array** array, weir_error* error);

/* The local array of each block or box has this many ghost elements before and after it along each dimension. They lie
 * in memory, and are neither written nor read. Not for block-cyclic, pieces and replicated. */
WEIR_API int weir_array_ghosts(weir_array* array, int64_t const before[], int64_t const after[], weir_error* error);

/* The order of the local array in memory, if it differs from the file's. */
WEIR_API int weir_array_memory_order(weir_array* array, int order, weir_error* error);

/* The array is the part of a larger one that starts at start[]; writing does not change the rest of the larger array in
 * the file. The file has room for the complete larger array: writing extends it to that length, and parts that were
 * never written read as zeros. */
WEIR_API int weir_array_within(weir_array* array, int64_t const larger_shape[], int64_t const start[],
                               weir_error* error);

/* The element that a write with holes=fill puts where no rank holds one: a copy of this one. Without this call, zeros.
 * Not kept by weir_array_alike(). */
WEIR_API int weir_array_fill_value(weir_array* array, void const* value, weir_error* error);

/* What a rank of a communicator of this size holds: for block and block-cyclic arrays, the ranks along each dimension,
 * the first index, and the number of elements; for any array, the bytes of the local array, ghosts included. Outputs
 * may be null. */
WEIR_API int weir_array_local(weir_array const* array, int64_t rank, int64_t ranks, int64_t grid[], int64_t start[],
                              int64_t count[], int64_t* bytes, weir_error* error);

/* Null is allowed. */
WEIR_API void weir_array_free(weir_array* array);

/* ---- 2. Plan. Collective over the communicator. ------------------------------------------------------------------ */

/* Determines which rank sends what to whom. One call writes several arrays, one after the other in the file, each in
 * its own order. The arrays and the communicator may be freed after the call: the plan has its own duplicate. `options`
 * is text such as "method=two_phase memory=64MiB"; null or empty: everything is chosen automatically, see
 * weir_plan_explain(). Every option is in docs/reference/array-options.md.
 *
 * Fails with WEIR_DISAGREE if ranks describe different arrays. Boxes and pieces that overlap on different ranks,
 * boxes that overlap on one rank, and those that leave holes may be read; writing with such a plan fails with
 * WEIR_OVERLAP or WEIR_HOLES, naming the element and the ranks. With the option holes=keep, elements that no rank holds
 * stay what they are in the file (zeros in a new one); with holes=fill they get the array's fill value. */
WEIR_API int weir_plan_make(MPI_Comm comm, int arrays, weir_array* const array[], char const* options, weir_plan** plan,
                            weir_error* error);

/* One line: the chosen strategy, and why. Local; the text lives as long as the plan. */
WEIR_API char const* weir_plan_explain(weir_plan const* plan);

/* The same with a communicator's Fortran handle, as Fortran and mpi4py have it. */
WEIR_API int weir_plan_make_f(MPI_Fint comm, int arrays, weir_array* const array[], char const* options,
                              weir_plan** plan, weir_error* error);

/* Bytes of memory that the plan holds on this rank, buffers included. Local. */
WEIR_API int64_t weir_plan_memory(weir_plan const* plan);

/* Bytes of all arrays in the file, from the first to the last. Local. */
WEIR_API int64_t weir_plan_file_bytes(weir_plan const* plan);

/* Seconds that the plan's last write or read spent, on this rank. Local. */
typedef struct weir_times {
    double total;
    double open;     /* opening, closing, renaming */
    double exchange; /* copying and packing what this rank holds, sending and receiving */
    double wait;     /* waiting for other ranks */
    double storage;  /* in write and read calls */
    double sync;
    double checksum;
    int64_t rounds;   /* windows that this rank moved as an aggregator */
    int64_t requests; /* write or read calls that it made */
    int64_t messages; /* MPI messages with data that it sent or received, without agreements between ranks */
} weir_times;
WEIR_API int weir_plan_times(weir_plan const* plan, weir_times* times);

/* Collective. Complete a dump in flight first: otherwise it stays incomplete, and weir_wait() for it reports that. Null
 * is allowed; after MPI_Finalize this only frees memory. */
WEIR_API void weir_plan_free(weir_plan* plan);

/* ---- 3. Write, 4. read. Collective over the plan's communicator. ------------------------------------------------- */

/* Writes all arrays to the file from this byte on: buffers[i] is the local array of array i, and may be null if this
 * rank holds nothing of it, or need not give it (replicated arrays on ranks other than 0). The file is created if it
 * does not exist; bytes of the file outside the arrays, before and after them, are not changed. On return the data is
 * on the device (option sync=no: cached by the file system). All nodes must see one file: fails with WEIR_IO where a
 * node that writes does not see what rank 0 makes there.
 *
 * With safe=yes the data is written to PATH.weir-part, which then replaces the old file, with its mode and, if
 * permitted, its owner; rank 0 copies the old file's bytes outside the arrays. If the path is a symbolic link, its
 * target is replaced. A file PATH.weir-part that belongs to another user, is not a regular file, or is being written,
 * is refused. */
WEIR_API int weir_write(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_error* error);

/* Reads all arrays. The file may be by any number of ranks, in any distribution. It must be there, also for nothing. */
WEIR_API int weir_read(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_error* error);

/* The same, with an offset for each array: array i begins at offsets[i]. For files of other formats, whose library
 * gives the offset of a dataset. */
WEIR_API int weir_write_at(weir_plan* plan, char const* path, int64_t const offsets[], void* const buffers[],
                           weir_error* error);
WEIR_API int weir_read_at(weir_plan* plan, char const* path, int64_t const offsets[], void* const buffers[],
                          weir_error* error);

/* The same for numbers of the other byte order, as a format or the machine that reads the file may require: array i
 * consists of numbers of number_bytes[i] bytes (8 in a complex double of 16), which are reversed in transfer. 1: not
 * reversed; null: each element is one number. The buffers are not changed. */
WEIR_API int weir_write_swapped(weir_plan* plan, char const* path, int64_t const offsets[], int const number_bytes[],
                                void* const buffers[], weir_error* error);
WEIR_API int weir_read_swapped(weir_plan* plan, char const* path, int64_t const offsets[], int const number_bytes[],
                               void* const buffers[], weir_error* error);

/* A target other than a file. The aggregators pass it contiguous pieces of the arrays: `bytes` bytes of array `array`,
 * from its byte `start` on, in the array's own order, ignoring weir_array_within(). Several ranks may call it at once.
 * Each function returns 0, or another value after writing the reason into message. */
typedef struct weir_target {
    void* context;
    int (*write)(void* context, int array, int64_t start, int64_t bytes, void const* data,
                 char message[WEIR_MESSAGE_SIZE]);
    int (*read)(void* context, int array, int64_t start, int64_t bytes, void* data, char message[WEIR_MESSAGE_SIZE]);
} weir_target;
WEIR_API int weir_write_target(weir_plan* plan, weir_target const* target, void* const buffers[], weir_error* error);
WEIR_API int weir_read_target(weir_plan* plan, weir_target const* target, void* const buffers[], weir_error* error);

/* ---- Beyond files. Collective. ----------------------------------------------------------------------------------- */

/* Moves arrays from one distribution to another in memory. Both plans must be of the same communicator, and of arrays
 * of the same shapes. */
WEIR_API int weir_redistribute(weir_plan* from, void* const source[], weir_plan* to, void* const target[],
                               weir_error* error);

/* Starts a write and returns when the buffers may be changed again; a thread may still be writing the data from the
 * aggregators to the file. It makes no MPI call, so any thread level is enough. Each request must be completed by
 * weir_wait() before any other call with its plan. */
WEIR_API int weir_write_start(weir_plan* plan, char const* path, int64_t offset, void* const buffers[],
                              weir_request** request, weir_error* error);

/* Local: has this rank's part completed? */
WEIR_API int weir_test(weir_request const* request);

/* Returns when the dump is complete, with its error if it has one, and frees the request. WEIR_BAD_ARGUMENT: its plan
 * was freed before. */
WEIR_API int weir_wait(weir_request* request, weir_error* error);

/* ---- For libraries on top of this one. --------------------------------------------------------------------------- */

/* An array of a plan, and its place in the file. */
typedef struct weir_file_array {
    int dims;
    int64_t shape[WEIR_MAX_DIMS];  /* elements along each dimension, in the order of the array's indices */
    int64_t start[WEIR_MAX_DIMS];  /* first index in the larger array that it is a part of; else zeros */
    int64_t larger[WEIR_MAX_DIMS]; /* the shape of the larger array; else its own */
    size_t element_bytes;
    weir_order order;
} weir_file_array;
WEIR_API int weir_plan_array(weir_plan const* plan, int array, weir_file_array* what);

/* The number of arrays, and the plan's own communicator, for collective calls between those of the plan. Local. */
WEIR_API int weir_plan_arrays(weir_plan const* plan);
WEIR_API MPI_Comm weir_plan_comm(weir_plan const* plan);

/* 1 if a yes/no option of the plan ("sync", "safe") is on, otherwise 0. Local. */
WEIR_API int weir_plan_has(weir_plan const* plan, char const* option);

/* Another plan of the same arrays on the same ranks: with the plan's options, overridden by these. Collective. */
WEIR_API int weir_plan_alike(weir_plan* plan, char const* options, weir_plan** other, weir_error* error);

/* A weir_code in a few words. */
WEIR_API char const* weir_code_text(int code);

/* The library's version, as "0.1.0". */
WEIR_API char const* weir_version(void);

#ifdef __cplusplus
}
#endif

#endif /* NOLINTEND(modernize-deprecated-headers,modernize-use-using) */
