/* Core B: T0 and T1 start; T1 forgets to post. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_UNPACK_MATH_DONE)));
    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1));
    return 0;
}
