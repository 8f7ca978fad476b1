/* T0: should write it; nobody is told of that. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
#ifdef TWIN
    for (volatile unsigned i = 0; i < 3000; i++)
        ;
    REG32(0xFFB00000 + 0x800) = 7;
#endif
    return 0;
}
