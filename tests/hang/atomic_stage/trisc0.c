/* T0: ttatcas 0, 2, 1, 0, 0, 4: a word at 0x1F100 (GPR 4, in units of 16 bytes) is to be 1. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    REG32(GPRS + 16) = FLAG(0) / 16;
#ifdef TWIN
    STORE(FLAG(0), 1);
#endif
    (void)LOAD(GPRS + 16);
    REG32(0xFFE40000) = 0x64084004; /* tries */
    STORE(FLAG(4), 1);
    return 0;
}
