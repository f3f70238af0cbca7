/* A tree of processes by its description: `process_tree TEXT` does what each letter says. N is a number, (...) a text.
   wN, rN: writes, reads so many blocks of a file that is recorded; xN, uN: writes to one that is not; dN: as uN, by
   system calls of its own. f(...), F(...): a child, which ends by exit() or _exit(), and is waited for; b(...): not
   waited for; e(...), p(...), v(...), c(...), o(...): this program again in a child, by fork and exec, posix_spawn,
   vfork, system, popen; k(...), K(...): a child, killed when it is done, and waited for or not; n(...), N(...): in a
   namespace of processes of its own, waited for or not; t(...): a thread; zN, ZN: a static program in a child, which
   does uN, waited for or not; s: setsid; S: adopts orphans; i: ignores SIGCHLD; a: waits for all children; mN: sleeps
   so many milliseconds. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static char block[1 << 16];
static char const* self;

static void move(char const* name, int flags, int count, int direct) {
    int fd = open(getenv(name), flags, 0644);
    for (int i = 0; i < count; ++i) {
        ssize_t moved = -1;
        if (direct) {
#if defined(__x86_64__)
            __asm__ volatile("syscall"
                             : "=a"(moved)
                             : "a"(1), "D"(fd), "S"(block), "d"(sizeof block)
                             : "rcx", "r11", "memory");
#endif
        } else if (flags == O_RDONLY)
            moved = pread(fd, block, sizeof block, 0);
        else
            moved = write(fd, block, sizeof block);
        if (moved != sizeof block)
            abort();
    }
    close(fd);
}

static void act(char const* text);

static void* act_in_thread(void* text) {
    act(text);
    return NULL;
}

static void start_again(char const* program, char const* text) {
    execl(program, program, text, (char*)NULL);
    _exit(127);
}

static void act_until_killed(char const* text, int wait) {
    int ends[2];
    char done;
    if (pipe(ends) != 0)
        abort();
    pid_t child = fork();
    if (child == 0) {
        act(text);
        if (write(ends[1], "", 1) != 1)
            abort();
        for (;;)
            pause();
    }
    close(ends[1]); /* a child that dies early is told, not waited for */
    if (read(ends[0], &done, 1) != 1)
        abort();
    close(ends[0]);
    kill(child, SIGKILL);
    if (wait)
        waitpid(child, NULL, 0);
}

static void act_in_namespace(char const* text, int wait) {
    pid_t outside = fork();
    if (outside == 0) {
        if (unshare(CLONE_NEWPID) != 0)
            exit(0);
        pid_t first = fork();
        if (first == 0)
            act(text), exit(0);
        if (wait)
            waitpid(first, NULL, 0);
        else
            usleep(10000); /* so that some have ended before, and some have not */
        exit(0);
    }
    waitpid(outside, NULL, 0);
}

static void act_by(char letter, char const* text) {
    char command[8192];
    char* words[] = {(char*)self, (char*)text, NULL};
    pid_t child = 0;
    pthread_t thread;
    snprintf(command, sizeof command, "%s '%s'", self, text);
    switch (letter) {
        case 'f':
        case 'F':
        case 'b':
        case 'e':
            child = fork();
            if (child == 0 && letter == 'e')
                start_again(self, text);
            if (child == 0) {
                act(text);
                letter == 'F' ? _exit(0) : exit(0);
            }
            if (letter != 'b')
                waitpid(child, NULL, 0);
            break;
        case 'p':
            if (posix_spawn(&child, self, NULL, NULL, words, environ) == 0)
                waitpid(child, NULL, 0);
            break;
        case 'v':
            child = vfork();
            if (child == 0)
                start_again(self, text);
            waitpid(child, NULL, 0);
            break;
        case 'c':
            if (system(command) < 0 && errno != ECHILD) /* that it ignores SIGCHLD is no failure */
                abort();
            break;
        case 'o':
            pclose(popen(command, "r"));
            break;
        case 'k':
        case 'K':
            act_until_killed(text, letter == 'k');
            break;
        case 'n':
        case 'N':
            act_in_namespace(text, letter == 'n');
            break;
        case 't':
            pthread_create(&thread, NULL, act_in_thread, (void*)text);
            pthread_join(thread, NULL);
            break;
        default:
            abort();
    }
}

static void do_simply(char letter, int number) {
    char text[16];
    pid_t child;
    switch (letter) {
        case 'w':
            move("TREE_FILE", O_WRONLY | O_CREAT, number, 0);
            break;
        case 'x':
            move("TREE_OTHER", O_WRONLY | O_CREAT, number, 0);
            break;
        case 'u':
        case 'd':
            move("TREE_UNSEEN", O_WRONLY | O_CREAT, number, letter == 'd');
            break;
        case 'r':
            move("TREE_INPUT", O_RDONLY, number, 0);
            break;
        case 'm':
            usleep((useconds_t)number * 1000);
            break;
        case 's':
            setsid();
            break;
        case 'S':
            prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
            break;
        case 'i':
            signal(SIGCHLD, SIG_IGN);
            break;
        case 'a':
            while (wait(NULL) > 0) {
            }
            break;
        case 'z':
        case 'Z':
            snprintf(text, sizeof text, "u%d", number);
            child = fork();
            if (child == 0)
                start_again(getenv("TREE_STATIC"), text);
            if (letter == 'z')
                waitpid(child, NULL, 0);
            break;
        default:
            abort();
    }
}

static void act(char const* text) {
    while (*text != 0) {
        char const letter = *text++;
        if (*text != '(') {
            char* end;
            long const number = strtol(text, &end, 10);
            do_simply(letter, (int)number);
            text = end;
            continue;
        }
        char const* end = text + 1;
        for (int depth = 1; depth > 0; ++end)
            depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
        char* inner = strndup(text + 1, (size_t)(end - text - 2));
        act_by(letter, inner);
        free(inner);
        text = end;
    }
}

int main(int argc, char** argv) {
    self = argv[0];
    act(argc > 1 ? argv[1] : "");
    return 0;
}
