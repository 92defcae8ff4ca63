// nth [named] count -- COMMAND...: runs a command, and counts its system calls in the order in which all of its threads make them.
// nth [named] CALL N[+] ERROR|KILL -- COMMAND...: makes the Nth call of this name (and all later ones) return an error, or kills the
// command there.
//
// strace counts the calls of each thread separately, so the first thread, which also loads the program, nearly always meets the fault;
// here, the Nth call is that of whichever thread makes it. "named" does the same as if the file system did not support O_TMPFILE.
// A failing close closes nevertheless, as in Linux. If the Nth write is not one to stderr, later writes to stderr do not fail either, so
// that a message can be demanded.
//
// The exit code is that of the command. Descriptor 9 gets, with "count", lines of "CALL all before-main other-threads", and otherwise
// "before|first|other DESCRIPTOR" (when and in which thread the call was made, and its first argument), or "never".
#include "tracer.h"

static const struct {
    const char *name;
    int number;
} calls[] = {
#define CALL(name) { #name, SYS_##name }
    CALL(write), CALL(pwrite64), CALL(read), CALL(pread64), CALL(mmap), CALL(mremap), CALL(mprotect), CALL(munmap), CALL(madvise),
    CALL(fsync), CALL(fdatasync), CALL(renameat), CALL(renameat2), CALL(rename), CALL(link), CALL(linkat), CALL(unlink), CALL(unlinkat),
    CALL(open), CALL(openat), CALL(close), CALL(fallocate), CALL(ftruncate), CALL(statx), CALL(stat), CALL(lstat), CALL(newfstatat), CALL(fstat),
    CALL(clone), CALL(clone3), CALL(fchmod), CALL(chown), CALL(fchown), CALL(lseek), CALL(getdents64), CALL(faccessat2), CALL(access),
    CALL(readlink), CALL(fcntl), CALL(flock), CALL(poll), CALL(pipe2), CALL(socketpair), CALL(fstatfs), CALL(statfs), CALL(recvfrom),
    CALL(sendto), CALL(getrandom), CALL(rt_sigaction), CALL(ioctl), CALL(brk), CALL(copy_file_range), CALL(lgetxattr),
    CALL(llistxattr), CALL(fgetxattr), CALL(fsetxattr), CALL(fremovexattr), CALL(prlimit64), CALL(exit_group),
    CALL(sigaltstack), // as the last one: it is only counted
};
enum { CALLS = sizeof calls / sizeof *calls };

static const struct {
    const char *name;
    int number;
} errors[] = {
    { "EIO", EIO }, { "ENOSPC", ENOSPC }, { "EINTR", EINTR }, { "EMFILE", EMFILE }, { "ENOMEM", ENOMEM }, { "EDQUOT", EDQUOT },
};

static pid_t command;
static long all[CALLS], early[CALLS], others[CALLS], nth;
static int named, target = -1, onwards, error, hit, hit_stderr;
static char where[64] = "never\n";

static int before(pid_t thread, struct user_regs_struct *regs)
{
    int at = 0;
    while (at < CALLS && (unsigned long long)calls[at].number != regs->orig_rax)
        at++;
    if (at == CALLS)
        return 0;
    all[at]++;
    early[at] += !begun;
    others[at] += thread != command;
    int is_stderr = regs->orig_rax == SYS_write && regs->rdi == 2;
    if (at == target && (all[at] == nth || (onwards && all[at] > nth && (!is_stderr || hit_stderr)))) {
        if (!hit) {
            snprintf(where, sizeof where, "%s %lld\n", !begun ? "before" : thread == command ? "first" : "other", (long long)regs->rdi);
            hit = 1;
            hit_stderr = is_stderr;
        }
        if (!error)
            kill(command, SIGKILL);
        else if (regs->orig_rax == SYS_close)
            return error;
        else
            answer(regs, error);
        return 0;
    }
    if (named && regs->orig_rax == SYS_openat && (regs->rdx & TMPFILE))
        answer(regs, EOPNOTSUPP);
    return 0;
}

static void fault(char **arguments)
{
    for (int i = 0; i < CALLS - 1; i++)
        if (!strcmp(calls[i].name, arguments[0]))
            target = i;
    char *rest;
    nth = strtol(arguments[1], &rest, 10);
    onwards = *rest == '+';
    for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++)
        if (!strcmp(errors[i].name, arguments[2]))
            error = errors[i].number;
    if (target < 0 || nth < 1 || (!error && strcmp(arguments[2], "KILL"))) {
        fprintf(stderr, "nth: unknown: %s %s %s\n", arguments[0], arguments[1], arguments[2]);
        exit(127);
    }
}

int main(int count, char **arguments)
{
    arguments++;
    named = count > 1 && !strcmp(*arguments, "named");
    arguments += named;
    int counts = *arguments && !strcmp(*arguments, "count"), words = counts ? 1 : 3;
    if (count < 1 + named + words + 2 || strcmp(arguments[words], "--"))
        return fprintf(stderr, "usage: nth [named] count|CALL N[+] ERROR|KILL -- COMMAND...\n"), 127;
    if (!counts)
        fault(arguments);
    int numbers[CALLS];
    for (int i = 0; i < CALLS; i++)
        numbers[i] = calls[i].number;
    command = start(numbers, CALLS, arguments + words + 1);
    int code = follow(command, before);
    if (!counts)
        dprintf(9, "%s", where);
    for (int i = 0; counts && i < CALLS - 1; i++)
        if (all[i])
            dprintf(9, "%s %ld %ld %ld\n", calls[i].name, all[i], early[i], others[i]);
    return code;
}
