/* Places every large block on pages of its own. Where one buffer begins a few bytes behind another in a page, some
   processors take many times as long to copy between them: which function ran before would decide on a time. */
#include <stddef.h>
#include <string.h>

extern void* __libc_malloc(size_t);
extern void* __libc_memalign(size_t, size_t);

void* malloc(size_t bytes) {
    void* memory = bytes < 4096 ? __libc_malloc(bytes) : __libc_memalign(4096, bytes);
#ifdef FILLED
    /* A program that sends memory which it never wrote reads one page of zeros again and again, out of the cache. */
    if (memory != NULL && bytes >= 1000000 && bytes < 100000000) {
        memset(memory, 1, bytes);
    }
#endif
    return memory;
}
