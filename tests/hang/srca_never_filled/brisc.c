/* Core B: T0 and T1 start; T0 gives no SrcA bank. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1));
    return 0;
}
