/* Places every large block on pages of its own. Where one buffer begins a few bytes behind another in a page, some
   processors take many times as long to copy between them: which function ran before would decide on a time. */
#include <stddef.h>

extern void* __libc_malloc(size_t);
extern void* __libc_memalign(size_t, size_t);

void* malloc(size_t bytes) { return bytes < 4096 ? __libc_malloc(bytes) : __libc_memalign(4096, bytes); }
