/* T0: wants two words. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    uint32_t sum = LOAD(MAILBOX(MAILBOX_B));
    sum += LOAD(MAILBOX(MAILBOX_B)); /* hangs here */
    l1_write(&RESULT[0], sum);
    DONE = DONE_YES;
    return 0;
}
