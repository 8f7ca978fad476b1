/* T1: should post what T0 waits for. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
#ifdef TWIN
    TT(OP_SEMPOST(SEM_BIT(SEM_UNPACK_MATH_DONE)));
#endif
    return 0;
}
