/* Core B: room for one tile between T0 and T1, for two between T1 and T2. See handshake.h. */
#include "handshake.h"

int main(void)
{
    push(0, OP_SEMINIT(2, 0, SEM_BIT(SEM_MATH_PACK)));
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_UNPACK_TO_DEST)));
    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1) | RESET_BIT_T(2));
    for (unsigned i = 0; i < 3; i++) {
        uint32_t end = mailbox_receive((enum mailbox)(MAILBOX_T0 + i));
        l1_write(&RESULT[24 + i], end);
    }
    DONE = DONE_YES;
    return 0;
}
