/* Core B: starts T0. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_PACK_DONE)));
    release_cores(RESET_BIT_T(0));
    return 0;
}
