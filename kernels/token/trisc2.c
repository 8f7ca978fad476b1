/* Core T2: semaphores in, a word in L1 out. See token.h. */
#include "token.h"

static uint32_t receive_from_t1(void)
{
    while (!semaphore_read(SEM_THERE))
        ;
    uint32_t low = semaphore_read(SEM_LOW), high = semaphore_read(SEM_HIGH);
    for (uint32_t n = low; n; n--)
        semaphore_get(SEM_LOW);
    for (uint32_t n = high; n; n--)
        semaphore_get(SEM_HIGH);
    semaphore_get(SEM_THERE);
    return high << 3 | low;
}

int main(void)
{
    uint32_t number;
    l1_write(&ALIVE(WHO_T2), 1);
    for (unsigned lap = 0; lap < LAPS; lap++) {
        number = visit(WHO_T2, receive_from_t1());
        l1_wait(&T2_TO_NC, 0);
        T2_TO_NC = number;
    }
    number = visit(WHO_T2, mailbox_receive(MAILBOX_T1));
    mailbox_send(MAILBOX_T0, number);
    number = visit(WHO_T2, receive_from_b());
    mailbox_send(MAILBOX_B, number);
    return 0;
}
