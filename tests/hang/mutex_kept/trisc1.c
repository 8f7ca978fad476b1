/* T1: wants the mutex when T0 has it. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    mailbox_receive(MAILBOX_T0);
    TT(OP_ATGETM(2)); /* hangs here */
    TT(OP_ATRELM(2));
    tensix_sync();
    mailbox_send(MAILBOX_B, 1);
    return 0;
}
