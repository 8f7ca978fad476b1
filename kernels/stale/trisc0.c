/*
 * Core T0: reads the word, lets B change it, reads it again. They talk by mailbox, so that nothing but the
 * instruction in question touches the L0 data cache. See case.yaml.
 */
#include "stale.h"

static inline void let_b_change(void)
{
    mailbox_send(MAILBOX_B, 0);
    mailbox_receive(MAILBOX_B);
}

int main(void)
{
    uint32_t seen[8];
    cfg0_set(CFG0_NO_PERIODIC_FLUSH); /* else one hit in 128 or so forgets the cache */
    fence();

    seen[0] = arrived(WORD);
    let_b_change();
    seen[1] = arrived(WORD); /* stale */
    fence();
    seen[2] = arrived(WORD); /* the fence forgot the cache */

    let_b_change();
    l1_write(&NEIGHBOUR, 1); /* a store forgets the line it falls into */
    seen[3] = arrived(WORD);

    let_b_change();
    seen[4] = l1_add(&WORD, 0); /* an atomic does not look into the cache */

    arrived(WORD);
    let_b_change();
    l1_add(&RESULT[15], 1); /* any atomic forgets all of it */
    seen[5] = arrived(WORD);

    cfg0_set(CFG0_NO_DATA_CACHE);
    fence();
    seen[6] = arrived(WORD);
    let_b_change();
    seen[7] = arrived(WORD); /* without the cache nothing is stale */

    for (unsigned i = 0; i < 8; i++)
        l1_write(&RESULT[i], seen[i]);
    mailbox_send(MAILBOX_B, 0);
    return 0;
}
