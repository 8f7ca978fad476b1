/* Core B: shared configuration, then waits for the others. See compute.h. */
#include "compute.h"

int main(void)
{
    compute_start();
    return 0;
}
