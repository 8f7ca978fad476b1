/* Core B: changes the word whenever T0 asks for it. See case.yaml. */
#include "stale.h"

int main(void)
{
    l1_write(&WORD, VALUE(0));
    release_cores(RESET_BIT_T(0));
    for (unsigned i = 1; i <= ROUNDS; i++) {
        mailbox_receive(MAILBOX_T0);
        l1_write(&WORD, VALUE(i));
        mailbox_send(MAILBOX_T0, i);
    }
    mailbox_receive(MAILBOX_T0);
    DONE = DONE_YES;
    return 0;
}
