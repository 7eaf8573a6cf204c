# SPDX-License-Identifier: Apache-2.0
"""A file system that is not the one of this machine: a library for LD_PRELOAD."""

import pathlib
import subprocess

# As an NFS client does, flock() locks all bytes of the file with record locks, with which others,
# like those of SQLite, conflict. The rest is asked for by variables.
SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char* format, ...) {
  const char* log = getenv("FILE_SYSTEM_LOG");
  if (log == NULL) return;
  char line[9000];
  va_list words;
  va_start(words, format);
  int size = vsnprintf(line, sizeof line, format, words);
  va_end(words);
  int to = open(log, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (write(to, line, size) < 0) abort();
  close(to);
}

/* DIRECTORY_LOCK_ERROR: the number of the error of each flock() of a directory. */
int flock(int file, int operation) {
  const char* error = getenv("DIRECTORY_LOCK_ERROR");
  struct stat found;
  if (error != NULL && fstat(file, &found) == 0 && S_ISDIR(found.st_mode)) {
    errno = atoi(error);
    return -1;
  }
  struct flock lock = {.l_whence = SEEK_SET};
  lock.l_type = operation & LOCK_UN ? F_UNLCK : operation & LOCK_EX ? F_WRLCK : F_RDLCK;
  int result = fcntl(file, operation & LOCK_NB ? F_OFD_SETLK : F_OFD_SETLKW, &lock);
  if (result != 0 && errno == EACCES) errno = EWOULDBLOCK;
  return result;
}

/* STUCK: a file name that nobody can take away, as one that is open elsewhere. */
int unlinkat(int folder, const char* name, int flags) {
  const char* stuck = getenv("STUCK");
  if (stuck != NULL && strcmp(name, stuck) == 0) {
    errno = EBUSY;
    return -1;
  }
  return (int)syscall(SYS_unlinkat, folder, name, flags);
}

/* FILE_SYSTEM_LOG: a file that receives a line for each fsync() and rename(). */
int fsync(int file) {
  char link[64], path[4096] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (readlink(link, path, sizeof path - 1) < 0) abort();
  say("fsync %s\n", path);
  return (int)syscall(SYS_fsync, file);
}

int rename(const char* from, const char* to) {
  say("rename %s %s\n", from, to);
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
"""


def environment(folder, **settings):
    """Compiles the library into `folder`; returns the variables of a process that is to use it."""
    source = pathlib.Path(folder) / "file_system.c"
    library = source.with_suffix(".so")
    source.write_text(SOURCE)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library), **settings}
