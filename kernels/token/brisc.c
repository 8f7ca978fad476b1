/* Core B: starts the others, begins each round and ends the program. See token.h. */
#include "token.h"

static uint32_t take_from_nc(void)
{
    uint32_t number;
    do
        number = l1_swap(&NC_TO_B, 0); /* atomics do not look into the L0 cache */
    while (!number);
    return number;
}

int main(void)
{
    uint32_t number = 0;

    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1) | RESET_BIT_T(2) | RESET_BIT_NC);
    /* A PC buffer is emptied when its core leaves reset: send nothing before it runs. */
    for (enum who who = WHO_T0; who <= WHO_NC; who++)
        l1_wait(&ALIVE(who), 1);

    for (unsigned lap = 0; lap < LAPS; lap++) {
        number = visit(WHO_B, number);
        send_to_t(0, number);
        number = take_from_nc();
    }
    number = visit(WHO_B, number);
    send_to_t(1, number);
    number = mailbox_receive(MAILBOX_T0);

    number = visit(WHO_B, number);
    send_to_t(2, number);
    number = mailbox_receive(MAILBOX_T2);

    number = visit(WHO_B, number);
    hold_cores(RESET_BIT_NC);
    l1_write(&B_TO_NC, number);
    release_cores(RESET_BIT_NC);
    number = take_from_nc();

    visit(WHO_B, number);
    DONE = DONE_YES;
    return 0;
}
