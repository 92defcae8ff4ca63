// short SEED MODE -- COMMAND...: runs a command whose reads and writes move fewer bytes than requested, are interrupted (EINTR) or
// must wait (EAGAIN, pipes only), depending on a seed. Short calls are really short, since they are made with a smaller count.
//
// MODE: "short" is what every program must cope with; "torn" also stops one write to a file in its middle, and makes the disk full from
// then on; "named" and "torn-named" do the same as if the file system did not support O_TMPFILE. Follows threads and children. Changes nothing
// before main, since the loader is not part of the program. The exit code is that of the command; the number of changed calls is written to descriptor 9.
#include "tracer.h"
#include <sys/stat.h>

static unsigned long long state;

static unsigned long long rnd(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static const int stopped[] = { SYS_read, SYS_pread64, SYS_write, SYS_pwrite64, SYS_openat, SYS_sigaltstack };
enum { CALLS = sizeof stopped / sizeof *stopped };

static int kind(pid_t thread, unsigned long long descriptor)
{
    char path[64];
    struct stat is;
    snprintf(path, sizeof path, "/proc/%d/fd/%llu", thread, descriptor);
    return stat(path, &is) ? 0 : (int)(is.st_mode & S_IFMT);
}

static int torn, named, full;
static long changed;

static void refuse(struct user_regs_struct *regs, int error)
{
    answer(regs, error);
    changed++;
}

static int disturb(pid_t thread, struct user_regs_struct *regs)
{
    if (regs->orig_rax == SYS_sigaltstack || !begun)
        return 0;
    if (regs->orig_rax == SYS_openat) {
        if (named && (regs->rdx & TMPFILE))
            refuse(regs, EOPNOTSUPP);
        return 0;
    }
    int writes = regs->orig_rax == SYS_write || regs->orig_rax == SYS_pwrite64;
    int is = kind(thread, regs->rdi), file = is == S_IFREG;
    unsigned long long size = regs->rdx, dice = rnd() % 16;
    if (writes && file && full)
        refuse(regs, ENOSPC);
    else if (writes && file && torn && size > 1 && rnd() % 4 == 0) {
        regs->rdx = 1 + rnd() % (size - 1);
        full = 1;
        changed++;
    } else if (dice == 0 && regs->orig_rax != SYS_pwrite64)
        refuse(regs, EINTR);
    else if (dice == 1 && (is == S_IFIFO || is == S_IFSOCK))
        refuse(regs, EAGAIN);
    else if (dice < 12 && size > 1) {
        regs->rdx = dice < 5 ? 1 + rnd() % (size < 8 ? size : 8) : 1 + rnd() % size;
        changed += regs->rdx != size;
    }
    return 0;
}

int main(int count, char **arguments)
{
    if (count < 5 || strcmp(arguments[3], "--"))
        return fprintf(stderr, "usage: short SEED short|torn|named|torn-named -- COMMAND...\n"), 127;
    state = strtoull(arguments[1], 0, 10) * 2654435761u + 88172645463325252ull;
    torn = !strncmp(arguments[2], "torn", 4);
    named = !!strstr(arguments[2], "named");
    for (int i = 0; i < 8; i++)
        rnd();
    int code = follow(start(stopped, CALLS, arguments + 4), disturb);
    dprintf(9, "%ld\n", changed);
    return code;
}
