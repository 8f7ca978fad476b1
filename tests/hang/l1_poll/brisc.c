/* Core B: should set the flag that T0 looks at. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
#ifdef TWIN
    STORE(FLAG(0), 1);
#endif
    return 0;
}
