/* T0: takes the mutex, lets T1 go on, and ends. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    TT(OP_ATGETM(2)); /* changed here */
    tensix_sync();
    mailbox_send(MAILBOX_T1, 1);
#ifdef TWIN
    TT(OP_ATRELM(2));
#endif
    return 0;
}
