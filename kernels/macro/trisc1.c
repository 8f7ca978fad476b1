/*
 * T1: SFPLOADMACRO, which loads 32 datums and schedules what is to be done with them, and twins that do the same word by
 * word. Rounding to BF16, in 32-bit Dst; and 1.5 x - 0.25. See sfpu.h.
 *
 * A sequence has a byte for each sub-unit: what (4 to 7: a template, 3: SFPSTORE), how many cycles later, and
 * whether VB is what was loaded (else VC is). Four LRegs take turns: the first one is stored when the
 * fourth is loaded.
 */
#include "sfpu.h"

enum { TEMPLATE = 0, SEQUENCE = 4, MISC = 8 }; /* destinations of SFPCONFIG */
enum { LOADED_IS_VB = 0x80, STORE = 3, OF_TEMPLATE = 4 };
#define PART(what, later) ((what) | (later) << 3)
#define ROUND_PART(part)  ((part) << 16)
#define MAD_PART(part)    ((part) << 8)
#define STORE_PART(part)  ((part) << 24)
#define STORE_AS_LOADED   0x10 /* of macro 0 */

#define FOUR_MACROS                                                                                \
    OP_SFPLOADMACRO(0, L0, AS_SRCB, NEXT, 0), OP_SFPLOADMACRO(0, L1, AS_SRCB, NEXT, 0),            \
        OP_SFPLOADMACRO(0, L2, AS_SRCB, NEXT, 0), OP_SFPLOADMACRO(0, L3, AS_SRCB, NEXT, 0)

static const uint32_t cast_setup[] = {
    SFPU_CONSTANT(TEMPLATE, OP_SFP_STOCH_RND(NEAREST, 0, 0, TO_BF16)),
    SFPU_CONSTANT(SEQUENCE, ROUND_PART(PART(OF_TEMPLATE, 0)) | STORE_PART(PART(STORE, 1))),
    OP_SFPCONFIG(STORE_AS_LOADED, MISC, 1),
    OP_SFPNOP,
};
static const uint32_t linear_setup[] = {
    SFPU_CONSTANT(C1, 0x3FC00000), /* 1.5 */
    SFPU_CONSTANT(C2, 0xBE800000), /* -0.25 */
    SFPU_CONSTANT(TEMPLATE, OP_SFPMAD(C1, 0, C2, 0, 0)),
    SFPU_CONSTANT(SEQUENCE,
                  MAD_PART(LOADED_IS_VB | PART(OF_TEMPLATE, 0)) | STORE_PART(PART(STORE, 2))),
    OP_SFPCONFIG(STORE_AS_LOADED, MISC, 1),
    OP_SFPNOP,
};
static const uint32_t macro_body[] = {FOUR_MACROS};

static const uint32_t cast_plain_body[] = {
    SFPU_LOAD(L0),
    OP_SFP_STOCH_RND(NEAREST, L0, L1, TO_BF16),
    OP_SFPSTORE(L1, AS_SRCB, NEXT, 0),
};
static const uint32_t linear_plain_body[] = {
    SFPU_LOAD(L0),
    OP_SFPMAD(C1, L0, C2, L0, 0),
    OP_SFPSTORE(L0, AS_SRCB, NEXT, 0),
};

int main(void)
{
    static const struct sfpu_pass passes[] = {
        [MACRO_CAST] = SFPU_PASS_OF(cast_setup, macro_body, 2),
        [MACRO_CAST_PLAIN] = SFPU_PASS(cast_setup, cast_plain_body),
        [MACRO_LINEAR] = SFPU_PASS_OF(linear_setup, macro_body, 2),
        [MACRO_LINEAR_PLAIN] = SFPU_PASS(linear_setup, linear_plain_body),
    };
    sfpu_run(&passes[ARGS->op]);
    return 0;
}
