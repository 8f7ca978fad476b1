/* Core NC: the other way round. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    uint32_t n = 0;
    while (LOAD_L1(FLAG(0)) != 1) /* hangs here */
        n++;
    RESULT[1] = n;
    STORE(FLAG(1), 1);
    return 0;
}
