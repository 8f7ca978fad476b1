/* T1: should post what T2 looks at. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
#ifdef TWIN
    TT(OP_SEMPOST(SEM_BIT(SEM_MATH_PACK)));
#endif
    return 0;
}
