/* Core B: sets its flag only when it has seen that of NC, which does the same. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_NC);
#ifdef TWIN
    STORE(FLAG(0), 1);
#endif
    while (LOAD_L1(FLAG(1)) != 1) /* hangs here */
        ;
    STORE(FLAG(0), 1);
    DONE = DONE_YES;
    return 0;
}
