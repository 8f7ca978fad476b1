/* Core NC: has nothing but L1 to report through. See boot.h. */
#include "boot.h"

static volatile uint32_t initialised = 0x1234; /* copied from L1 by the start-up code */
static volatile uint32_t zero;

int main(void)
{
    REPORT(BOOT_NC, 0) = code_place();
    REPORT(BOOT_NC, 1) = initialised;
    REPORT(BOOT_NC, 2) = zero;
    REPORT(BOOT_NC, 3) = (uint32_t)&initialised;
    NC_REPORTED = 1; /* L1 keeps the order of one core's stores */
    return 0;
}
