/* Preloaded into a node: a flush to the disk waits while the file that HOLD_FLUSH names is there, and says so by making `<file>.waiting`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void wait_while_held(void) {
  const char *path = getenv("HOLD_FLUSH");
  char waiting[4096];
  if (path == NULL || access(path, F_OK) != 0) return;
  snprintf(waiting, sizeof waiting, "%s.waiting", path);
  close(open(waiting, O_CREAT | O_WRONLY, 0600));
  while (access(path, F_OK) == 0) usleep(10000);
}

int fdatasync(int fd) {
  wait_while_held();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}

int fsync(int fd) {
  wait_while_held();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int msync(void *address, size_t length, int flags) {
  wait_while_held();
  return ((int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "msync"))(address, length, flags);
}
