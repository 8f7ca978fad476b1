/* T0: should look into its PC buffer. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    TT_SET_GPR(4, 1);
#ifdef TWIN
    pc_buffer_receive();
    mailbox_send(MAILBOX_B, 1);
#endif
    return 0;
}
