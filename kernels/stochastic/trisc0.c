/* T0: operands to SrcA or to Dst. See sfpu.h. */
#include "sfpu.h"

int main(void)
{
    sfpu_unpack();
    return 0;
}
