/* T0: should set the flag. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
#ifdef TWIN
    for (volatile unsigned i = 0; i < 3000; i++)
        ;
    STORE(FLAG(0), 1);
#endif
    return 0;
}
