/* Core B: should send a word when T2 runs; a PC buffer is emptied when its core leaves reset. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(2));
    while (LOAD_L1(ALIVE(2)) != 1)
        ;
#ifdef TWIN
    pc_buffer_send(2, 1);
#endif
    return 0;
}
