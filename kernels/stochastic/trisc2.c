/* T2: the tiles of the result, one by one. See sfpu.h. */
#include "sfpu.h"

int main(void)
{
    sfpu_pack();
    return 0;
}
