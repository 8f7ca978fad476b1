/* Core B: waits until T0 has done all it was sent, that is, asks its PC buffer for more. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
    LOAD(PC_BUFFER); /* hangs here */
    pc_buffer_send(0, 1);
    mailbox_receive(MAILBOX_T0);
    DONE = DONE_YES;
    return 0;
}
