// SPDX-License-Identifier: Apache-2.0
// A library for LD_PRELOAD that makes one call of the C library fail, as a broken disk or a lack of memory would.
//
//   PIDFOREST_FAIL=write:3:28 LD_PRELOAD=./libfailing_calls.so pidforest fit ...
//
// fails the third call of write() with the error 28 (ENOSPC). A number with a plus, such as 3+, fails the later calls
// too. The name `memory` stands for malloc and its relatives, `large memory` for those of at least 1 kB. If
// PIDFOREST_FAIL_MARK names a file, it is created when the call fails. PIDFOREST_CLOCK_JUMPS=SEED makes the clocks
// jump: by up to an hour forwards, the time of day also backwards. PIDFOREST_TRACE names a file that gets the sizes of
// its first 65,536 allocations. A program that runs on, such as Python, calls fail_call() instead of setting the
// variable.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED void* __libc_malloc(std::size_t size);
EXPORTED void* __libc_calloc(std::size_t count, std::size_t size);
EXPORTED void* __libc_realloc(void* memory, std::size_t size);
EXPORTED void* __libc_memalign(std::size_t alignment, std::size_t size);

namespace {

/// Names are compared before dynamic initialization ends, so that everything here is plain memory.
char chosen_call[32];
std::atomic<long> calls_left{0};
std::atomic<bool> fails_later_calls{false};
std::atomic<long> n_failed{0};
int chosen_error = 0;
std::atomic<std::uint64_t> clock_random{0};  // 0: clocks do not jump
std::atomic<long> seconds_ahead{0};
char mark_path[4096];
char trace_path[4096];
std::uint32_t trace[1 << 16];  // sizes of allocations, in their order
std::atomic<std::size_t> n_traced{0};

void leave_mark() {
  if (mark_path[0] == '\0') return;
  const long file = syscall(SYS_openat, AT_FDCWD, mark_path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) syscall(SYS_close, file);
}

/// Whether this call of `name` must fail. Sets errno.
bool fails(const char* name) {
  if (chosen_call[0] == '\0' || std::strcmp(chosen_call, name) != 0) return false;
  const long left = calls_left.fetch_sub(1);
  if (left > 1 || (left < 1 && !fails_later_calls)) return false;
  n_failed.fetch_add(1);
  leave_mark();
  errno = chosen_error;
  return true;
}

bool lacks_memory(std::size_t size) {
  if (const std::size_t i = n_traced.fetch_add(1); i < std::size(trace)) trace[i] = static_cast<std::uint32_t>(size);
  constexpr std::size_t large = 1024;
  return fails("memory") || (size >= large && fails("large memory"));
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

/// Fails call number `number` of `name` from now on; "" fails none. Negative: that call and all later ones.
EXPORTED void fail_call(const char* name, long number, int error) {
  chosen_call[0] = '\0';
  fails_later_calls = number < 0;
  calls_left = number < 0 ? -number : number;
  n_failed = 0;
  chosen_error = error;
  std::snprintf(chosen_call, sizeof chosen_call, "%s", name);
}

/// The number of calls that failed since fail_call().
EXPORTED long failed_calls() { return n_failed; }

__attribute__((constructor)) static void read_environment() {
  if (const char* path = std::getenv("PIDFOREST_FAIL_MARK")) std::snprintf(mark_path, sizeof mark_path, "%s", path);
  if (const char* path = std::getenv("PIDFOREST_TRACE")) std::snprintf(trace_path, sizeof trace_path, "%s", path);
  if (const char* seed = std::getenv("PIDFOREST_CLOCK_JUMPS")) clock_random = std::strtoull(seed, nullptr, 10) | 1U;
  n_traced = 0;  // allocations are counted from here on, as those that fail are
  const char* wish = std::getenv("PIDFOREST_FAIL");
  char name[sizeof chosen_call] = {};
  char number[24] = {};
  int error = 0;
  if (wish == nullptr || std::sscanf(wish, "%31[^:]:%23[^:]:%d", name, number, &error) != 3) return;
  const long n = std::strtol(number, nullptr, 10);
  fail_call(name, std::strchr(number, '+') == nullptr ? n : -n, error);
}

__attribute__((destructor)) static void write_trace() {
  if (trace_path[0] == '\0') return;
  const std::size_t n = n_traced < std::size(trace) ? n_traced.load() : std::size(trace);
  const long file = syscall(SYS_openat, AT_FDCWD, trace_path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, trace, n * sizeof trace[0]);
  syscall(SYS_close, file);
}

EXPORTED int clock_gettime(clockid_t clock, timespec* now) {
  const long answer = syscall(SYS_clock_gettime, clock, now);
  if (answer != 0 || clock_random == 0) return static_cast<int>(answer);
  const std::uint64_t random = clock_random = clock_random * 6364136223846793005U + 1442695040888963407U;
  constexpr long hour = 3600;
  if (random >> 61 == 0) seconds_ahead += static_cast<long>((random >> 32) % hour);
  now->tv_sec += seconds_ahead;
  if (clock == CLOCK_REALTIME && random >> 62 == 1) now->tv_sec -= 2 * hour;
  return 0;
}

// A call with the name, result and parameters of the C library's own.
#define CALL(result, name, parameters, arguments, failure)    \
  EXPORTED result name parameters {                           \
    if (fails(#name)) return failure;                         \
    static auto* const next = real<result parameters>(#name); \
    return next arguments;                                    \
  }

CALL(ssize_t, read, (int file, void* bytes, size_t size), (file, bytes, size), -1)
CALL(ssize_t, write, (int file, const void* bytes, size_t size), (file, bytes, size), -1)
CALL(ssize_t, pread, (int file, void* bytes, size_t size, off_t at), (file, bytes, size, at), -1)
CALL(ssize_t, pwrite, (int file, const void* bytes, size_t size, off_t at), (file, bytes, size, at), -1)
CALL(int, fsync, (int file), (file), -1)
CALL(int, fdatasync, (int file), (file), -1)
CALL(int, ftruncate, (int file, off_t size), (file, size), -1)
CALL(int, fchmod, (int file, mode_t mode), (file, mode), -1)
CALL(int, flock, (int file, int what) noexcept, (file, what), -1)
CALL(off_t, lseek, (int file, off_t at, int from) noexcept, (file, at, from), -1)
CALL(int, access, (const char* path, int what) noexcept, (path, what), -1)
CALL(int, rename, (const char* from, const char* to) noexcept, (from, to), -1)
CALL(int, unlink, (const char* path) noexcept, (path), -1)
CALL(int, fstat, (int file, struct stat* facts) noexcept, (file, facts), -1)
CALL(int, stat, (const char* path, struct stat* facts) noexcept, (path, facts), -1)
CALL(int, lstat, (const char* path, struct stat* facts) noexcept, (path, facts), -1)
CALL(int, mkostemp, (char* pattern, int flags), (pattern, flags), -1)
CALL(int, poll, (pollfd * files, nfds_t count, int wait), (files, count, wait), -1)
CALL(DIR*, opendir, (const char* path), (path), nullptr)
CALL(size_t, fwrite, (const void* bytes, size_t size, size_t count, FILE* file), (bytes, size, count, file), 0)
CALL(int, fflush, (FILE * file), (file), EOF)

/// The file is closed in any case, as Linux does.
EXPORTED int close(int file) {
  static auto* const next = real<int(int)>("close");
  if (!fails("close")) return next(file);
  const int error = errno;
  next(file);
  errno = error;
  return -1;
}

EXPORTED int open(const char* path, int flags, ...) {
  if (fails("open")) return -1;
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  static auto* const next = real<int(const char*, int, ...)>("open");
  return next(path, flags, mode);
}

EXPORTED void* malloc(size_t size) { return lacks_memory(size) ? nullptr : __libc_malloc(size); }
EXPORTED void* calloc(size_t count, size_t size) {
  return lacks_memory(count * size) ? nullptr : __libc_calloc(count, size);
}
EXPORTED void* realloc(void* memory, size_t size) {
  return lacks_memory(size) ? nullptr : __libc_realloc(memory, size);
}
EXPORTED void* aligned_alloc(size_t alignment, size_t size) {
  return lacks_memory(size) ? nullptr : __libc_memalign(alignment, size);
}
EXPORTED int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (lacks_memory(size)) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
