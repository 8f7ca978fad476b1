/* Core B: T1 and T2 start; T1 forgets to post. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_MATH_PACK)));
    release_cores(RESET_BIT_T(1) | RESET_BIT_T(2));
    return 0;
}
