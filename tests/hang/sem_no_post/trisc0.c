/* T0: should post what T1 waits for. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    TT_SET_GPR(4, 1);
#ifdef TWIN
    TT(OP_SEMPOST(SEM_BIT(SEM_UNPACK_OPERAND_SYNC)));
#endif
    return 0;
}
