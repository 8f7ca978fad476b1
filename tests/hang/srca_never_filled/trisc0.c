/* T0: in place of an unpacker; should hand the SrcA bank to the Matrix Unit. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
#ifdef TWIN
    TT(OP_SETDVALID(1));
#endif
    return 0;
}
