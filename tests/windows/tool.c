/* What the tests need that only a Windows program can do.
 *   tool end MILLISECONDS COMMAND LINE...   starts a program and ends it with TerminateProcess, if it still runs then
 *   tool hold FILE MILLISECONDS             holds a file open that others may not delete or replace meanwhile
 *   tool read FILE MILLISECONDS             reads a file whole, again and again, and prints each sum of its bytes that is new
 *   tool fault                              reads where there is no memory
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static int end(DWORD time, int count, char **words) {
    char line[4096] = "";
    for (int i = 0; i < count; i++) {
        strcat(strcat(line, i ? " " : ""), words[i]);
    }
    STARTUPINFOA start = {sizeof start};
    PROCESS_INFORMATION made;
    if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &made)) return 3;
    if (WaitForSingleObject(made.hProcess, time) == WAIT_TIMEOUT) {
        TerminateProcess(made.hProcess, 99);
        WaitForSingleObject(made.hProcess, INFINITE);
    }
    DWORD code = 3;
    GetExitCodeProcess(made.hProcess, &code);
    return (int)code;
}

static int hold(const char *file, DWORD time) {
    HANDLE held = CreateFileA(file, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (held == INVALID_HANDLE_VALUE) return 3;
    puts("held");
    fflush(stdout);
    Sleep(time);
    return !CloseHandle(held);
}

static int read_again(const char *file, DWORD time) {
    unsigned long long last = 0;
    for (DWORD begin = GetTickCount(); GetTickCount() - begin < time;) {
        DWORD all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
        HANDLE open = CreateFileA(file, GENERIC_READ, all, NULL, OPEN_EXISTING, 0, NULL);
        if (open == INVALID_HANDLE_VALUE) continue;
        unsigned long long sum = 5381;
        unsigned char bytes[65536];
        for (DWORD got; ReadFile(open, bytes, sizeof bytes, &got, NULL) && got;)
            for (DWORD i = 0; i < got; i++) sum = sum * 33 + bytes[i];
        CloseHandle(open);
        if (sum != last) printf("%llu\n", last = sum);
        fflush(stdout);
        Sleep(2); // under wine, which has no POSIX renames, nobody can replace a file that is always open
    }
    return 0;
}

int main(int count, char **words) {
    if (count > 3 && !strcmp(words[1], "end")) return end(atoi(words[2]), count - 3, words + 3);
    if (count == 4 && !strcmp(words[1], "hold")) return hold(words[2], atoi(words[3]));
    if (count == 4 && !strcmp(words[1], "read")) return read_again(words[2], atoi(words[3]));
    if (count == 2 && !strcmp(words[1], "fault")) return *(volatile int *)0;
    return 4;
}
