// Shared by short.c and nth.c: runs a command whose system calls of some names are stopped before they are made, in every thread and
// child, and lets them be changed. The program makes many calls directly, so a preloaded library could not intercept them: a seccomp
// filter stops them, and this process changes them. Since one process handles all stops, it sees the calls of all threads in one order.
#define _GNU_SOURCE
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
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "the registers are those of x86-64"
#endif

#define TMPFILE 020000000 // __O_TMPFILE

// Whether main has begun: the last thing before it is the stack for signals, which Rust's runtime sets.
static int begun;

static void filter(const int *calls, int count)
{
    struct sock_filter code[2 * count + 2];
    int at = 0;
    code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < count; i++) {
        code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
        code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = { (unsigned short)at, code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
        perror("seccomp");
        _exit(127);
    }
}

// Skips the call, and makes it return an error.
static void answer(struct user_regs_struct *regs, int error)
{
    regs->orig_rax = ~0ull;
    regs->rax = (unsigned long long)-(long long)error;
}

// Starts a command that is stopped at these calls, of which sigaltstack must be one.
static pid_t start(const int *calls, int count, char **arguments)
{
    pid_t command = fork();
    if (!command) {
        close(9);
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        filter(calls, count);
        execvp(*arguments, arguments);
        perror(*arguments);
        _exit(127);
    }
    int status;
    waitpid(command, &status, 0);
    ptrace(PTRACE_SETOPTIONS, command, 0,
           PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC
               | PTRACE_O_TRACESYSGOOD);
    ptrace(PTRACE_CONT, command, 0, 0);
    return command;
}

// Follows the command to its end. `before` may change a call before it is made. If it returns an error, the call is made, and returns that
// error nevertheless. Returns the exit code of the command.
static int follow(pid_t command, int (*before)(pid_t thread, struct user_regs_struct *regs))
{
    int status, code = 127, later = 0;
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) >= 0;) {
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == command)
                code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int signal = WSTOPSIG(status), event = status >> 16, pass = 0, made = 0;
        struct user_regs_struct regs;
        if (event == PTRACE_EVENT_SECCOMP && !ptrace(PTRACE_GETREGS, thread, 0, &regs)) {
            if (regs.orig_rax == SYS_sigaltstack)
                begun |= regs.rdi != 0;
            made = before(thread, &regs);
            later = made ? made : later;
            ptrace(PTRACE_SETREGS, thread, 0, &regs);
        } else if (!event && signal == (SIGTRAP | 0x80) && !ptrace(PTRACE_GETREGS, thread, 0, &regs)) {
            regs.rax = (unsigned long long)-(long long)later;
            ptrace(PTRACE_SETREGS, thread, 0, &regs);
        } else if (!event && signal != SIGTRAP && signal != SIGSTOP)
            pass = signal;
        ptrace(made ? PTRACE_SYSCALL : PTRACE_CONT, thread, 0, pass);
    }
    return code;
}
