/* Core B: sends one word where two are wanted. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
    mailbox_send(MAILBOX_T0, 1);
#ifdef TWIN
    mailbox_send(MAILBOX_T0, 2);
#endif
    return 0;
}
