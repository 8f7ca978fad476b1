/* T2: waits for a word from B. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    STORE(ALIVE(2), 1);
    l1_write(&RESULT[0], LOAD(PC_BUFFER)); /* hangs here */
    DONE = DONE_YES;
    return 0;
}
