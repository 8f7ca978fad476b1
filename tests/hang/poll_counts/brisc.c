/* Core B: waits for NC's flag, which waits for that of B; both count how often they look. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    uint32_t n = 0;
    release_cores(RESET_BIT_NC);
#ifdef TWIN
    STORE(FLAG(0), 1);
#endif
    while (LOAD_L1(FLAG(1)) != 1) /* hangs here */
        n++;
    STORE(FLAG(0), 1);
    RESULT[0] = n;
    DONE = DONE_YES;
    return 0;
}
