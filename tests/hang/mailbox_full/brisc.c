/* Core B: sends one word more than fit while nobody reads. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
    for (uint32_t i = 1; i <= 5; i++)
        STORE(MAILBOX(MAILBOX_T0), i); /* hangs here */
    DONE = DONE_YES;
    return 0;
}
