// short SEED MODE -- COMMAND...: runs a command whose reads and writes move fewer bytes than requested, are interrupted (EINTR) or
// must wait (EAGAIN, pipes only), depending on a seed. The program makes system calls directly, so a preloaded library
// could not intercept them: a seccomp filter stops the relevant calls, and this process changes them. Short calls are really short,
// since they are made with a smaller count.
//
// MODE: "short" is what every program must cope with; "torn" also stops one write to a file in its middle, and makes the disk full from
// then on; "named" and "torn-named" do the same as if the file system did not support O_TMPFILE. Follows threads and children. Changes nothing
// before main, since the loader is not part of the program. The exit code is that of the command; the number of changed calls is written to descriptor 9.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "the registers are those of x86-64"
#endif

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

static void filter(void)
{
    struct sock_filter code[2 * CALLS + 2];
    int at = 0;
    code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++) {
        code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)stopped[i], 0, 1);
        code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = { (unsigned short)at, code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
        perror("seccomp");
        _exit(127);
    }
}

static int kind(pid_t thread, unsigned long long descriptor)
{
    char path[64];
    struct stat is;
    snprintf(path, sizeof path, "/proc/%d/fd/%llu", thread, descriptor);
    return stat(path, &is) ? 0 : (int)(is.st_mode & S_IFMT);
}

static int torn, named, begun, full;
static long changed;

// Skips the call, and makes it return an error.
static void answer(struct user_regs_struct *regs, int error)
{
    regs->orig_rax = ~0ull;
    regs->rax = (unsigned long long)-(long long)error;
    changed++;
}

static void disturb(pid_t thread)
{
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, thread, 0, &regs))
        return;
    if (regs.orig_rax == SYS_sigaltstack) {
        begun |= regs.rdi != 0;
        return;
    }
    if (!begun)
        return;
    if (regs.orig_rax == SYS_openat) {
        if (named && (regs.rdx & 020000000)) // __O_TMPFILE
            answer(&regs, EOPNOTSUPP);
        ptrace(PTRACE_SETREGS, thread, 0, &regs);
        return;
    }
    int writes = regs.orig_rax == SYS_write || regs.orig_rax == SYS_pwrite64;
    int is = kind(thread, regs.rdi), file = is == S_IFREG;
    unsigned long long size = regs.rdx, dice = rnd() % 16;
    if (writes && file && full)
        answer(&regs, ENOSPC);
    else if (writes && file && torn && size > 1 && rnd() % 4 == 0) {
        regs.rdx = 1 + rnd() % (size - 1);
        full = 1;
        changed++;
    } else if (dice == 0 && regs.orig_rax != SYS_pwrite64)
        answer(&regs, EINTR);
    else if (dice == 1 && (is == S_IFIFO || is == S_IFSOCK))
        answer(&regs, EAGAIN);
    else if (dice < 12 && size > 1) {
        regs.rdx = dice < 5 ? 1 + rnd() % (size < 8 ? size : 8) : 1 + rnd() % size;
        changed += regs.rdx != size;
    }
    ptrace(PTRACE_SETREGS, thread, 0, &regs);
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
    pid_t command = fork();
    if (!command) {
        close(9);
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        filter();
        execvp(arguments[4], arguments + 4);
        perror(arguments[4]);
        _exit(127);
    }
    int status, code = 127;
    waitpid(command, &status, 0);
    ptrace(PTRACE_SETOPTIONS, command, 0,
           PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC);
    ptrace(PTRACE_CONT, command, 0, 0);
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) >= 0;) {
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == command)
                code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int signal = WSTOPSIG(status), event = status >> 16, pass = 0;
        if (event == PTRACE_EVENT_SECCOMP)
            disturb(thread);
        else if (!event && signal != SIGTRAP && signal != SIGSTOP)
            pass = signal;
        ptrace(PTRACE_CONT, thread, 0, pass);
    }
    dprintf(9, "%ld\n", changed);
    return code;
}
