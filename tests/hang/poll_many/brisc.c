/* Core B: looks at nine words of L1 in each round. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    uint32_t all;
    release_cores(RESET_BIT_T(0));
    do {
        __asm__ volatile("fence" ::: "memory");
        all = REG32(FLAG(0)) | REG32(FLAG(1)) | REG32(FLAG(2)) | REG32(FLAG(3)) | REG32(FLAG(4)) |
              REG32(FLAG(5)) | REG32(FLAG(6)) | REG32(FLAG(7)) | REG32(FLAG(8)); /* hangs here */
    } while (!all);
    DONE = DONE_YES;
    return 0;
}
