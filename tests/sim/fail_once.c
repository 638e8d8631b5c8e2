// Lets one call of a program fail: a library for LD_PRELOAD. FAIL_CALL names the call, FAIL_AT is its number, from 1;
// with 0 none fails. FAIL_COUNTS is a file that gets "NAME COUNT" lines when the program ends. Node processes are left
// alone.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
  MALLOC,
  OPEN,
  READ,
  WRITE,
  PREAD,
  PWRITE,
  FSYNC,
  FTRUNCATE,
  RENAME,
  MMAP,
  FORK,
  PIPE,
  SOCKET,
  BIND,
  LISTEN,
  ACCEPT,
  SEND,
  RECV,
  SENDMSG,
  RECVMSG,
  READV,
  WRITEV,
  OPENAT,
  FCNTL,
  SETSOCKOPT,
  POLL,
  EVENTFD,
  EPOLL_CREATE,
  EPOLL_CTL,
  EPOLL_WAIT,
  CALLS
};
static const char* const names[CALLS] = {
    "malloc",     "open", "read",    "write",        "pread",     "pwrite",    "fsync",  "ftruncate",
    "rename",     "mmap", "fork",    "pipe",         "socket",    "bind",      "listen", "accept",
    "send",       "recv", "sendmsg", "recvmsg",      "readv",     "writev",    "openat", "fcntl",
    "setsockopt", "poll", "eventfd", "epoll_create", "epoll_ctl", "epoll_wait"};
static atomic_long counts[CALLS];
static int chosen = -1, active;
static long at;
static const char* counts_file;

// Counting begins with main(): nobody could say a sentence before it.
static void begin(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "node") == 0) return;
  const char *call = getenv("FAIL_CALL"), *number = getenv("FAIL_AT");
  counts_file = getenv("FAIL_COUNTS");
  for (int k = 0; call != NULL && k < CALLS; ++k)
    if (strcmp(call, names[k]) == 0) chosen = k;
  at = number != NULL ? atol(number) : 0;
  active = 1;
}

static int (*real_main)(int, char**, char**);
static int counted_main(int argc, char** argv, char** environment) {
  begin(argc, argv);
  return real_main(argc, argv, environment);
}
int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*first)(void),
                      void (*last)(void), void (*loader)(void), void* stack) {
  real_main = program;
  __typeof__(&__libc_start_main) start = (__typeof__(&__libc_start_main))dlsym(RTLD_NEXT, "__libc_start_main");
  return start(counted_main, argc, argv, first, last, loader, stack);
}

__attribute__((destructor)) static void end(void) {
  if (!active || counts_file == NULL) return;
  active = 0;
  FILE* file = fopen(counts_file, "w");
  if (file == NULL) return;
  for (int k = 0; k < CALLS; ++k) fprintf(file, "%s %ld\n", names[k], counts[k]);
  fclose(file);
}

static int fails(int call, int error) {
  if (!active) return 0;
  const long number = ++counts[call];
  if (call != chosen || number != at) return 0;
  errno = error;
  return 1;
}

#define REAL(name) (__typeof__(&name))real(#name)
static void* real(const char* name) {
  const int before = active;
  active = 0;
  void* found = dlsym(RTLD_NEXT, name);
  active = before;
  return found;
}

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
void* malloc(size_t size) { return fails(MALLOC, ENOMEM) ? NULL : __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return fails(MALLOC, ENOMEM) ? NULL : __libc_calloc(n, size); }
void* realloc(void* old, size_t size) { return fails(MALLOC, ENOMEM) ? NULL : __libc_realloc(old, size); }

static int open_as(const char* which, const char* path, int flags, mode_t mode) {
  if (fails(OPEN, EMFILE)) return -1;
  int (*open_it)(const char*, int, ...) = (int (*)(const char*, int, ...))real(which);
  return open_it(path, flags, mode);
}
#define MODE_OF(flags)                 \
  mode_t mode = 0;                     \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list more;                      \
    va_start(more, flags);             \
    mode = va_arg(more, mode_t);       \
    va_end(more);                      \
  }
int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_as("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_as("open64", path, flags, mode);
}
static int open_at(const char* which, int folder, const char* path, int flags, mode_t mode) {
  if (fails(OPENAT, EMFILE)) return -1;
  int (*open_it)(int, const char*, int, ...) = (int (*)(int, const char*, int, ...))real(which);
  return open_it(folder, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at("openat", folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at("openat64", folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) { return fails(OPEN, EMFILE) ? NULL : (REAL(fopen))(path, mode); }
FILE* fopen64(const char* path, const char* mode) { return fails(OPEN, EMFILE) ? NULL : (REAL(fopen64))(path, mode); }
ssize_t read(int file, void* to, size_t size) { return fails(READ, EIO) ? -1 : (REAL(read))(file, to, size); }
ssize_t write(int file, const void* from, size_t size) {
  return fails(WRITE, ENOSPC) ? -1 : (REAL(write))(file, from, size);
}
ssize_t pread64(int file, void* to, size_t size, off64_t from) {
  return fails(PREAD, EIO) ? -1 : (REAL(pread64))(file, to, size, from);
}
ssize_t pwrite64(int file, const void* from, size_t size, off64_t to) {
  return fails(PWRITE, ENOSPC) ? -1 : (REAL(pwrite64))(file, from, size, to);
}
int fsync(int file) { return fails(FSYNC, EIO) ? -1 : (REAL(fsync))(file); }
int fdatasync(int file) { return fails(FSYNC, EIO) ? -1 : (REAL(fdatasync))(file); }
int ftruncate64(int file, off64_t size) { return fails(FTRUNCATE, ENOSPC) ? -1 : (REAL(ftruncate64))(file, size); }
int rename(const char* from, const char* to) { return fails(RENAME, EACCES) ? -1 : (REAL(rename))(from, to); }
void* mmap(void* at_, size_t size, int protection, int flags, int file, off_t from) {
  return fails(MMAP, ENOMEM) ? MAP_FAILED : (REAL(mmap))(at_, size, protection, flags, file, from);
}
void* mmap64(void* at_, size_t size, int protection, int flags, int file, off64_t from) {
  return fails(MMAP, ENOMEM) ? MAP_FAILED : (REAL(mmap64))(at_, size, protection, flags, file, from);
}
pid_t fork(void) { return fails(FORK, EAGAIN) ? -1 : (REAL(fork))(); }
int pipe2(int files[2], int flags) { return fails(PIPE, EMFILE) ? -1 : (REAL(pipe2))(files, flags); }
int pipe(int files[2]) { return fails(PIPE, EMFILE) ? -1 : (REAL(pipe))(files); }
int socket(int domain, int type, int protocol) {
  return fails(SOCKET, EMFILE) ? -1 : (REAL(socket))(domain, type, protocol);
}
int bind(int socket_, const struct sockaddr* to, socklen_t size) {
  return fails(BIND, EADDRINUSE) ? -1 : (REAL(bind))(socket_, to, size);
}
int listen(int socket_, int most) { return fails(LISTEN, EADDRINUSE) ? -1 : (REAL(listen))(socket_, most); }
int accept4(int socket_, struct sockaddr* from, socklen_t* size, int flags) {
  return fails(ACCEPT, EMFILE) ? -1 : (REAL(accept4))(socket_, from, size, flags);
}
int accept(int socket_, struct sockaddr* from, socklen_t* size) {
  return fails(ACCEPT, EMFILE) ? -1 : (REAL(accept))(socket_, from, size);
}
ssize_t send(int socket_, const void* from, size_t size, int flags) {
  return fails(SEND, ECONNRESET) ? -1 : (REAL(send))(socket_, from, size, flags);
}
ssize_t recv(int socket_, void* to, size_t size, int flags) {
  return fails(RECV, ECONNRESET) ? -1 : (REAL(recv))(socket_, to, size, flags);
}
ssize_t sendmsg(int socket_, const struct msghdr* message, int flags) {
  return fails(SENDMSG, ECONNRESET) ? -1 : (REAL(sendmsg))(socket_, message, flags);
}
ssize_t recvmsg(int socket_, struct msghdr* message, int flags) {
  return fails(RECVMSG, ECONNRESET) ? -1 : (REAL(recvmsg))(socket_, message, flags);
}
ssize_t readv(int file, const struct iovec* to, int count) {
  return fails(READV, EIO) ? -1 : (REAL(readv))(file, to, count);
}
ssize_t writev(int file, const struct iovec* from, int count) {
  return fails(WRITEV, ENOSPC) ? -1 : (REAL(writev))(file, from, count);
}
// What the third argument is depends on the second; it is passed on as it came. Only what can fail for an open file does:
// locks and copies.
static int can_fail(int command) {
  return command != F_GETFD && command != F_SETFD && command != F_GETFL && command != F_SETFL;
}
#define FCNTL_AS(name)                                              \
  int name(int file, int command, ...) {                            \
    va_list more;                                                   \
    va_start(more, command);                                        \
    void* argument = va_arg(more, void*);                           \
    va_end(more);                                                   \
    if (can_fail(command) && fails(FCNTL, ENOLCK)) return -1;       \
    int (*as)(int, int, ...) = (int (*)(int, int, ...))real(#name); \
    return as(file, command, argument);                             \
  }
FCNTL_AS(fcntl)
FCNTL_AS(fcntl64)
int setsockopt(int socket_, int level, int option, const void* value, socklen_t size) {
  return fails(SETSOCKOPT, ENOBUFS) ? -1 : (REAL(setsockopt))(socket_, level, option, value, size);
}
int poll(struct pollfd* files, nfds_t count, int timeout) {
  return fails(POLL, ENOMEM) ? -1 : (REAL(poll))(files, count, timeout);
}
int eventfd(unsigned first, int flags) { return fails(EVENTFD, EMFILE) ? -1 : (REAL(eventfd))(first, flags); }
int epoll_create1(int flags) { return fails(EPOLL_CREATE, EMFILE) ? -1 : (REAL(epoll_create1))(flags); }
int epoll_ctl(int set, int what, int file, struct epoll_event* event) {
  return fails(EPOLL_CTL, ENOSPC) ? -1 : (REAL(epoll_ctl))(set, what, file, event);
}
int epoll_wait(int set, struct epoll_event* events, int most, int timeout) {
  return fails(EPOLL_WAIT, EINTR) ? -1 : (REAL(epoll_wait))(set, events, most, timeout);
}
