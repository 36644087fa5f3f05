// Counts the operations that change files below a folder, and lets one of them fail or end the process. `faults.rs`
// compiles this library and loads it into the command with LD_PRELOAD. It is controlled by these variables:
//
// FAULT_FOLDER  the folder, without links in its path
// FAULT_AT      the number of the operation, counted from 1
// FAULT_MODE    `once`: the operation fails with ENOSPC; `eio`: it fails with EIO; `full`: it fails with ENOSPC, and so
//               does every later one that needs room; `kill`: the process is killed. With `full` and `kill`, a write
//               writes the first half of its bytes.
// FAULT_COUNT   a file that gets the number of operations when the process ends by itself
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation { WRITES, NEEDS_ROOM, NEEDS_NO_ROOM };
enum fate { PASSES, FAILS, IS_CUT };

static atomic_long operations;

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static int is_mode(const char *mode) {
    const char *given = getenv("FAULT_MODE");
    return given && !strcmp(given, mode);
}

static enum fate next(enum operation operation) {
    const char *at = getenv("FAULT_AT");
    long number = ++operations, fault = at ? atol(at) : LONG_MAX;
    if (is_mode("kill") && number == fault && operation != WRITES) raise(SIGKILL);
    if (is_mode("full") && (number < fault || operation == NEEDS_NO_ROOM)) return PASSES;
    if (!is_mode("full") && number != fault) return PASSES;
    errno = is_mode("eio") ? EIO : ENOSPC;
    int is_cut = operation == WRITES && number == fault && (is_mode("kill") || is_mode("full"));
    return is_cut ? IS_CUT : FAILS;
}

static int is_below(const char *path) {
    const char *folder = getenv("FAULT_FOLDER");
    return folder && !strncmp(path, folder, strlen(folder));
}

static int is_open_below(int file) {
    char link[64], path[PATH_MAX + 1];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX);
    path[length < 0 ? 0 : length] = 0;
    return is_below(path);
}

__attribute__((destructor)) static void tell_count(void) {
    FILE *file = getenv("FAULT_COUNT") ? fopen(getenv("FAULT_COUNT"), "w") : NULL;
    if (file) fprintf(file, "%ld", (long)operations), fclose(file);
}

// Writes half of the bytes.
static ssize_t cut(int file, const void *bytes, size_t count, off64_t offset) {
    ssize_t written = offset < 0 ? REAL(write)(file, bytes, count / 2)
                                 : REAL(pwrite64)(file, bytes, count / 2, offset);
    if (is_mode("kill")) raise(SIGKILL);
    if (written > 0) return written;
    errno = ENOSPC;
    return -1;
}

ssize_t write(int file, const void *bytes, size_t count) {
    enum fate fate = is_open_below(file) ? next(WRITES) : PASSES;
    if (fate == IS_CUT) return cut(file, bytes, count, -1);
    return fate == FAILS ? -1 : REAL(write)(file, bytes, count);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    enum fate fate = is_open_below(file) ? next(WRITES) : PASSES;
    if (fate == IS_CUT) return cut(file, bytes, count, offset);
    return fate == FAILS ? -1 : REAL(pwrite64)(file, bytes, count, offset);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    enum fate fate = is_open_below(file) ? next(WRITES) : PASSES;
    if (fate == IS_CUT) return cut(file, parts[0].iov_base, parts[0].iov_len, -1);
    return fate == FAILS ? -1 : REAL(writev)(file, parts, count);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (flags & O_CREAT && is_below(path) && next(NEEDS_ROOM) != PASSES) return -1;
    return REAL(open64)(path, flags, mode);
}

int ftruncate64(int file, off64_t length) {
    return is_open_below(file) && next(NEEDS_ROOM) != PASSES ? -1 : REAL(ftruncate64)(file, length);
}

int mkdir(const char *path, mode_t mode) {
    return is_below(path) && next(NEEDS_ROOM) != PASSES ? -1 : REAL(mkdir)(path, mode);
}

int rename(const char *from, const char *to) {
    return is_below(to) && next(NEEDS_NO_ROOM) != PASSES ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path) {
    return is_below(path) && next(NEEDS_NO_ROOM) != PASSES ? -1 : REAL(unlink)(path);
}

// Nothing is really synced: only the process ends, not the machine.
int fsync(int file) {
    return is_open_below(file) && next(NEEDS_ROOM) != PASSES ? -1 : 0;
}

int fdatasync(int file) {
    return fsync(file);
}
