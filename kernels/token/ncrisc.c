/* Core NC: a word in L1 in, an atomic exchange out; a second life after another reset. See token.h. */
#include "token.h"

int main(void)
{
    uint32_t number = l1_swap(&B_TO_NC, 0);
    if (number) { /* B reset this core and left the number */
        number = visit(WHO_NC, number);
        l1_add(&NC_TO_B, number);
        return 0;
    }
    l1_write(&ALIVE(WHO_NC), 1);
    for (unsigned lap = 0; lap < LAPS; lap++) {
        while (!(number = l1_read(&T2_TO_NC)))
            ;
        l1_write(&T2_TO_NC, 0);
        number = visit(WHO_NC, number);
        l1_swap(&NC_TO_B, number);
    }
    return 0;
}
