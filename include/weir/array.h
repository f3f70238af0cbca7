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
 * All counts and offsets are 64 bits. Shapes, starts and counts are in elements; dimensions stand in the order of the
 * array's indices, as the program writes them. */
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
    WEIR_HOLES = 4,        /* nobody would write some element */
    WEIR_OTHER_COMM = 5,   /* the plan belongs to another communicator */
    WEIR_IO = 6,           /* the file system refused; the message contains its error text */
    WEIR_SHORT_FILE = 7,   /* the file ends before the array does */
    WEIR_CHECKSUM = 8,     /* what was read is not what was written, or too little to verify (option checksum) */
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
typedef struct weir_plan weir_plan;       /* all that repeated dumps have in common */
typedef struct weir_request weir_request; /* a dump on its way */

/* ---- 1. Describe. All of these are local. ------------------------------------------------------------------------ */

/* A description that fails still gives an array: it remembers the error, and weir_plan_make() with it fails with that
 * error on all ranks. So a rank with a bad box leaves none waiting, and a program may check the plan alone. */

/* Blocks on a grid of ranks, as even as they can be: of n elements on p ranks, the first n mod p ranks hold one more.
 * `grid` holds the ranks along each dimension; their product is the communicator's size. Ranks stand in the grid as
 * MPI_Cart_create puts them: the last dimension runs fastest. A grid of null is chosen: as square as it can be,
 * more ranks along longer dimensions; weir_array_local() tells it. */
WEIR_API int weir_array_block(int dims, int64_t const shape[], int64_t const grid[], size_t element_bytes, int order,
                              weir_array** array, weir_error* error);

/* Block-cyclic: blocks of given lengths assigned cyclically along each dimension, as ScaLAPACK and HPF do: rank r of p
 * holds blocks r, r + p, r + 2p, ... `block` of 0: even blocks, as above. The local array is dense: it holds what it
 * owns alone. */
WEIR_API int weir_array_block_cyclic(int dims, int64_t const shape[], int64_t const block[], int64_t const grid[],
                                     size_t element_bytes, int order, weir_array** array, weir_error* error);

/* Any boxes: box i starts at starts[i * dims ...] and holds counts[i * dims ...] elements. In memory one box follows
 * the other, each dense. A rank may have none. */
WEIR_API int weir_array_boxes(int dims, int64_t const shape[], int64_t boxes, int64_t const starts[],
                              int64_t const counts[], size_t element_bytes, int order, weir_array** array,
                              weir_error* error);

/* Any pieces of an array of one dimension, as unstructured meshes have them: piece i holds lengths[i] elements from
 * offsets[i] on; `lengths` of null: one element each. In memory one piece follows the other, in the order given here;
 * the file's order is that of the offsets. The lists may be freed after the call. */
WEIR_API int weir_array_pieces(int64_t elements, int64_t pieces, int64_t const offsets[], int64_t const lengths[],
                               size_t element_bytes, weir_array** array, weir_error* error);

/* The same elements on every rank (a header, run parameters): rank 0 writes them, all ranks read them. */
WEIR_API int weir_array_replicated(int64_t elements, size_t element_bytes, weir_array** array, weir_error* error);

/* The local array of each block or box has this many ghost elements before and after it along each dimension. They lie
 * in memory, and are neither written nor read. Not for block-cyclic, pieces and replicated. */
WEIR_API int weir_array_ghosts(weir_array* array, int64_t const before[], int64_t const after[], weir_error* error);

/* The order of the local array in memory, where it is not that of the file. */
WEIR_API int weir_array_memory_order(weir_array* array, int order, weir_error* error);

/* The array is the part of a larger one that starts at start[]; the rest of the larger one in the file is left alone.
 * The larger array's shape is what takes room in the file: writing makes the file long enough for all of it, and what
 * nobody has written there reads as zeros. */
WEIR_API int weir_array_within(weir_array* array, int64_t const larger_shape[], int64_t const start[],
                               weir_error* error);

/* What a rank of a communicator of this size holds of a block or block-cyclic array: the ranks along each dimension,
 * the first index, and the number of elements; of any array, the bytes of the local array, ghosts included. Outputs may
 * be null. */
WEIR_API int weir_array_local(weir_array const* array, int64_t rank, int64_t ranks, int64_t grid[], int64_t start[],
                              int64_t count[], int64_t* bytes, weir_error* error);

/* Null is fine. */
WEIR_API void weir_array_free(weir_array* array);

/* ---- 2. Plan. Collective over the communicator. ------------------------------------------------------------------ */

/* Works out who sends what to whom. Several arrays are written by one call, one after the other in the file, each in
 * its own order. The arrays and the communicator may be freed after the call: the plan has a duplicate of its own.
 * `options` is text such as "method=two_phase memory=64MiB"; null or empty: all is chosen, see weir_plan_explain().
 * Every option is in docs/reference/array-options.md.
 *
 * Fails with WEIR_DISAGREE where ranks describe different arrays. Boxes and pieces that overlap on different ranks,
 * boxes that do on one, and those that leave holes may be read; writing with such a plan fails with WEIR_OVERLAP or
 * WEIR_HOLES, naming the element and the ranks. */
WEIR_API int weir_plan_make(MPI_Comm comm, int arrays, weir_array* const array[], char const* options, weir_plan** plan,
                            weir_error* error);

/* One line: what was chosen, and why. Local; the text lives as long as the plan. */
WEIR_API char const* weir_plan_explain(weir_plan const* plan);

/* The same for a communicator as Fortran and mpi4py know it. */
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
    int64_t messages; /* MPI messages with data that it sent or received; agreements of the ranks are not among them */
} weir_times;
WEIR_API int weir_plan_times(weir_plan const* plan, weir_times* times);

/* Collective. A dump on its way is to be completed before: one that is not remains unfinished, and weir_wait() for it
 * says so. Null is fine; after MPI_Finalize it frees memory alone. */
WEIR_API void weir_plan_free(weir_plan* plan);

/* ---- 3. Write, 4. read. Collective over the plan's communicator. ------------------------------------------------- */

/* Writes all arrays to the file from this byte on: buffers[i] is the local array of array i, and may be null where this
 * rank holds nothing of it, or need not give it (replicated arrays on other ranks than 0). The file is created where it
 * is not there; what it holds beside the arrays, before and behind them, stays. When the call returns, the data is on
 * the device (option sync=no: in the hands of the file system).
 *
 * With safe=yes it is written to PATH.weir-part and then takes the old file's place, with its mode and, where that may
 * be done, its owner; rank 0 copies what stands beside the arrays. Where the path is a symbolic link, the file that it
 * leads to is replaced. A file PATH.weir-part that is another user's, no plain file, or being written is refused. */
WEIR_API int weir_write(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_error* error);

/* Reads all arrays. The file may have been written by any number of ranks, in any distribution. */
WEIR_API int weir_read(weir_plan* plan, char const* path, int64_t offset, void* const buffers[], weir_error* error);

/* The same, with a place of its own for each array: array i begins at offsets[i]. For files of other formats, whose
 * library says where a dataset lies. */
WEIR_API int weir_write_at(weir_plan* plan, char const* path, int64_t const offsets[], void* const buffers[],
                           weir_error* error);
WEIR_API int weir_read_at(weir_plan* plan, char const* path, int64_t const offsets[], void* const buffers[],
                          weir_error* error);

/* The same for numbers of the other byte order, as in files of a machine that has it, or of a format that demands it:
 * array i consists of numbers of number_bytes[i] bytes (8 in a complex double of 16), which are reversed on their way.
 * 1: they stay as they are; null: each element is one number. The buffers are left alone. */
WEIR_API int weir_write_swapped(weir_plan* plan, char const* path, int64_t const offsets[], int const number_bytes[],
                                void* const buffers[], weir_error* error);
WEIR_API int weir_read_swapped(weir_plan* plan, char const* path, int64_t const offsets[], int const number_bytes[],
                               void* const buffers[], weir_error* error);

/* Something other than a file. The aggregators hand it contiguous pieces of the arrays: `bytes` bytes of array `array`,
 * from its byte `start` on, in its own order and without what weir_array_within() adds. They may be called on several
 * ranks at once. Each returns 0, or another value after writing why into message. */
typedef struct weir_target {
    void* context;
    int (*write)(void* context, int array, int64_t start, int64_t bytes, void const* data,
                 char message[WEIR_MESSAGE_SIZE]);
    int (*read)(void* context, int array, int64_t start, int64_t bytes, void* data, char message[WEIR_MESSAGE_SIZE]);
} weir_target;
WEIR_API int weir_write_target(weir_plan* plan, weir_target const* target, void* const buffers[], weir_error* error);
WEIR_API int weir_read_target(weir_plan* plan, weir_target const* target, void* const buffers[], weir_error* error);

/* ---- Beyond files. Collective. ----------------------------------------------------------------------------------- */

/* Moves arrays from one distribution to another in memory. Both plans are of the same communicator, and of arrays of
 * the same shapes. */
WEIR_API int weir_redistribute(weir_plan* from, void* const source[], weir_plan* to, void* const target[],
                               weir_error* error);

/* Starts a write and returns when the buffers may be changed again; the data may still be on its way from the
 * aggregators to the file, carried by a thread that makes no MPI call: any thread level will do. Each request is
 * completed by weir_wait(), and nothing else is asked of its plan before. */
WEIR_API int weir_write_start(weir_plan* plan, char const* path, int64_t offset, void* const buffers[],
                              weir_request** request, weir_error* error);

/* Local: has this rank's part ended? */
WEIR_API int weir_test(weir_request const* request);

/* Returns when the dump is complete, with its error if it has one, and frees the request. WEIR_BAD_ARGUMENT: its plan
 * has been freed before. */
WEIR_API int weir_wait(weir_request* request, weir_error* error);

/* ---- For libraries on top of this one. --------------------------------------------------------------------------- */

/* An array of a plan as it lies in the file. */
typedef struct weir_file_array {
    int dims;
    int64_t shape[WEIR_MAX_DIMS];  /* elements along each dimension, in the order of the array's indices */
    int64_t start[WEIR_MAX_DIMS];  /* where it begins in the larger array that it is a part of; else zeros */
    int64_t larger[WEIR_MAX_DIMS]; /* the shape of that one; else its own */
    size_t element_bytes;
    weir_order order;
} weir_file_array;
WEIR_API int weir_plan_array(weir_plan const* plan, int array, weir_file_array* what);

/* The number of arrays, and the plan's own communicator, for collective calls between those of the plan. Local. */
WEIR_API int weir_plan_arrays(weir_plan const* plan);
WEIR_API MPI_Comm weir_plan_comm(weir_plan const* plan);

/* 1 where an option of the plan that is a yes or no is in force ("sync", "safe"), otherwise 0. Local. */
WEIR_API int weir_plan_has(weir_plan const* plan, char const* option);

/* Another plan of the same arrays on the same ranks: with the plan's options and these, which prevail. Collective. */
WEIR_API int weir_plan_alike(weir_plan* plan, char const* options, weir_plan** other, weir_error* error);

/* A weir_code in a few words. */
WEIR_API char const* weir_code_text(int code);

/* The library's version, as "0.1.0". */
WEIR_API char const* weir_version(void);

#ifdef __cplusplus
}
#endif

#endif /* NOLINTEND(modernize-deprecated-headers,modernize-use-using) */
