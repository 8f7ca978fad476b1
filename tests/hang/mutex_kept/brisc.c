/* Core B: waits for T1, which waits for a mutex that T0 keeps. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1));
    mailbox_receive(MAILBOX_T1);
    DONE = DONE_YES;
    return 0;
}
