/* Makes so many calls of one kind in a folder, and prints the nanoseconds that one took: calls KIND COUNT FOLDER */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char data[1024];
static char path[4096];
static int fd;
static FILE* stream;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void pwrite_1k(long i) {
    if (pwrite(fd, data, 1024, (i % 65536) * 1024) != 1024)
        abort();
}
static void pwrite_1(long i) {
    if (pwrite(fd, data, 1, i % 65536) != 1)
        abort();
}
static void fwrite_1(long i) {
    (void)i;
    if (fwrite(data, 1, 1, stream) != 1)
        abort();
}
static void open_close(long i) {
    (void)i;
    int other = open(path, O_RDONLY);
    if (other < 0 || close(other) != 0)
        abort();
}
static void stat_it(long i) {
    (void)i;
    struct stat facts;
    if (stat(path, &facts) != 0)
        abort();
}

static struct {
    char const* name;
    void (*call)(long);
} const kinds[] = {{"pwrite-1KiB", pwrite_1k},
                   {"pwrite-1B", pwrite_1},
                   {"fwrite-1B", fwrite_1},
                   {"open-close", open_close},
                   {"stat", stat_it}};

int main(int argc, char** argv) {
    if (argc != 4)
        return 2;
    long const count = atol(argv[2]);
    void (*call)(long) = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (strcmp(kinds[i].name, argv[1]) == 0)
            call = kinds[i].call;
    }
    if (call == NULL)
        return 2;
    snprintf(path, sizeof path, "%s/data", argv[3]);
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    snprintf(path + strlen(path), sizeof path - strlen(path), ".stream");
    stream = fopen(path, "w");
    if (fd < 0 || stream == NULL)
        return 3;
    /* All pages of the file are there before the clock is read. */
    for (long i = 0; i < 65536; ++i)
        pwrite_1k(i);
    double const start = now();
    for (long i = 0; i < count; ++i)
        call(i);
    printf("%.2f\n", (now() - start) / (double)count);
    return 0;
}
