/* Touches what is not there. */
#include "tensix_window.h"

int main(void)
{
    *tensix_at(0x38) = 1;
    return (int)*tensix_at(0x38);
}
