/* Core T2: see seen.h. */
#include "seen.h"

int main(void)
{
    wait_and_report(CORE_T);
    return 0;
}
