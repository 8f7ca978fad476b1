/* T0: should read what B sends. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
#ifdef TWIN
    uint32_t sum = 0;
    for (unsigned i = 0; i < 5; i++)
        sum += LOAD(MAILBOX(MAILBOX_B));
    l1_write(&RESULT[0], sum);
#endif
    return 0;
}
