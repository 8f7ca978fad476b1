/* Core B: T0 and T1 start; T0 forgets to post. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_UNPACK_OPERAND_SYNC)));
    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1));
    return 0;
}
