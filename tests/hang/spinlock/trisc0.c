/* T0: takes the lock. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    (void)SWAP(FLAG(0), 1); /* changed here */
    STORE(ALIVE(0), 1);
#ifdef TWIN
    for (volatile unsigned i = 0; i < 3000; i++)
        ;
    STORE(FLAG(0), 0);
#endif
    return 0;
}
