/* Strings and formatted output: the byte instructions, and the C library's search, copy and print functions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "The quick brown fox jumps over the lazy dog; pack my box with five dozen liquor jugs. "
    "Sphinx of black quartz, judge my vow! 0123456789";

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 3;
    char line[512], word[64];
    unsigned long hash = 5381;
    for (unsigned r = 0; r < rounds; r++) {
        strcpy(line, text + r % 7);
        for (char *p = strtok(line, " ;.,!"); p; p = strtok(NULL, " ;.,!")) {
            size_t n = strlen(p);
            memset(word, '.', sizeof word - 1);
            word[sizeof word - 1] = '\0';
            memcpy(word + (r + n) % 9, p, n + 1);
            for (char *q = word + (r + n) % 9; *q; q++) {
                *q = (char)(isupper((unsigned char)*q) ? tolower((unsigned char)*q)
                                                       : toupper((unsigned char)*q));
                hash = hash * 33 + (unsigned char)*q;
            }
            hash += (unsigned long)(strchr(text, p[0]) - text) +
                    (unsigned long)abs(strcmp(p, "judge") > 0);
            if (strstr(text, p))
                hash ^= n;
        }
        snprintf(line,
                 sizeof line,
                 "%u: %08lx %+d %5.2f %s|%-10s|%c",
                 r,
                 hash & 0xffffffff,
                 (int)(hash % 1000) - 500,
                 (double)(hash % 977) / 8,
                 word + 60 - r % 3,
                 "left",
                 'a' + (int)(r % 26));
        puts(line);
    }
    printf("%lx\n", hash);
    return 0;
}
