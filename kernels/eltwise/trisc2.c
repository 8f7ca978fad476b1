/* T2: the tiles of the result, one by one. See compute.h. */
#include "compute.h"

int main(void)
{
    pack_start(16);
    pack_all();
    return 0;
}
