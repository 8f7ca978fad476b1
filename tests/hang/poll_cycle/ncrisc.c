/* Core NC: waits for B's flag, then sets its own. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    while (LOAD_L1(FLAG(0)) != 1) /* hangs here */
        ;
    STORE(FLAG(1), 1);
    return 0;
}
