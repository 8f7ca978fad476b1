/* Core B: spins for a lock with amoswap; each try writes what is there already. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
    while (LOAD_L1(ALIVE(0)) != 1)
        ;
    while (SWAP(FLAG(0), 1) != 0) /* hangs here */
        ;
    DONE = DONE_YES;
    return 0;
}
