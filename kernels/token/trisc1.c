/* Core T1: mailbox in, semaphores out. See token.h. */
#include "token.h"

static void send_to_t2(uint32_t number)
{
    while (semaphore_read(SEM_THERE))
        ;
    for (uint32_t n = number & 7; n; n--)
        semaphore_post(SEM_LOW);
    for (uint32_t n = number >> 3; n; n--)
        semaphore_post(SEM_HIGH);
    semaphore_post(SEM_THERE); /* behind the others: stores to one place stay in order */
}

int main(void)
{
    uint32_t number;
    l1_write(&ALIVE(WHO_T1), 1);
    for (unsigned lap = 0; lap < LAPS; lap++) {
        number = visit(WHO_T1, mailbox_receive(MAILBOX_T0));
        send_to_t2(number);
    }
    number = visit(WHO_T1, receive_from_b());
    mailbox_send(MAILBOX_T2, number);
    return 0;
}
