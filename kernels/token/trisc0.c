/* Core T0: PC buffer in, mailbox out. See token.h. */
#include "token.h"

int main(void)
{
    uint32_t number;
    l1_write(&ALIVE(WHO_T0), 1);
    for (unsigned lap = 0; lap < LAPS; lap++) {
        number = visit(WHO_T0, receive_from_b());
        mailbox_send(MAILBOX_T1, number);
    }
    number = visit(WHO_T0, mailbox_receive(MAILBOX_T2));
    mailbox_send(MAILBOX_B, number);
    return 0;
}
