/*
 * gate_table.c - which block bits catch which instruction, typed in from the STALLWAIT page and
 * not from the implementation's table.
 */
#include <stddef.h>

#include "isa/tensix.h"
#include "model/gate_model.h"

enum { B0 = 1, B1 = 2, B2 = 4, B3 = 8, B4 = 16, B5 = 32, B6 = 64, B7 = 128, B8 = 256, ALL = 511 };

struct row {
    uint16_t block;
    uint8_t unit;
    uint8_t n;
    const uint8_t *ops;
};

#define OP(name) TENSIX_OP_##name

static const uint8_t waits[] = {OP(STALLWAIT), OP(SEMWAIT), OP(STREAMWAIT)};
static const uint8_t sems[] = {OP(SEMINIT), OP(SEMPOST), OP(SEMGET)};
static const uint8_t mutexes[] = {OP(ATGETM), OP(ATRELM)};
static const uint8_t misc[] = {OP(ADDRCRXY),
                               OP(ADDRCRZW),
                               OP(INCADCXY),
                               OP(INCADCZW),
                               OP(RSTDMA),
                               OP(SETADC),
                               OP(SETADCXX),
                               OP(SETADCXY),
                               OP(SETADCZW),
                               OP(SETDVALID)};
static const uint8_t scalar[] = {OP(ADDDMAREG),
                                 OP(ATCAS),
                                 OP(ATINCGET),
                                 OP(ATINCGETPTR),
                                 OP(ATSWAP),
                                 OP(CMPDMAREG),
                                 OP(BITWOPDMAREG),
                                 OP(DMANOP),
                                 OP(FLUSHDMA),
                                 OP(LOADIND),
                                 OP(LOADREG),
                                 OP(MULDMAREG),
                                 OP(REG2FLOP),
                                 OP(SETDMAREG),
                                 OP(SHIFTDMAREG),
                                 OP(STOREIND),
                                 OP(STOREREG),
                                 OP(SUBDMAREG)};
static const uint8_t pack[] = {OP(PACR), OP(PACR_SETREG)};
static const uint8_t unpack[] = {OP(UNPACR), OP(UNPACR_NOP)};
static const uint8_t mover[] = {OP(XMOV)};
static const uint8_t matrix[] = {
    OP(APOOL3S1), OP(APOOL3S2), OP(CLEARDVALID), OP(CLREXPHIST), OP(CONV3S1),  OP(CONV3S2),
    OP(DOTPV),    OP(ELWADD),   OP(ELWMUL),      OP(ELWSUB),     OP(GAPOOL),   OP(GATESRCRST),
    OP(GMPOOL),   OP(INCRWC),   OP(MFCONV3S1),   OP(MOVA2D),     OP(MOVB2A),   OP(MOVB2D),
    OP(MOVD2A),   OP(MOVD2B),   OP(MOVDBGA2D),   OP(MPOOL3S1),   OP(MPOOL3S2), OP(MVMUL),
    OP(SETRWC),   OP(SHIFTXA),  OP(SHIFTXB),     OP(TRNSPSRCB),  OP(ZEROACC),  OP(ZEROSRC)};
static const uint8_t config[] = {OP(CFGSHIFTMASK),
                                 OP(RDCFG),
                                 OP(RMWCIB0),
                                 OP(RMWCIB1),
                                 OP(RMWCIB2),
                                 OP(RMWCIB3),
                                 OP(WRCFG),
                                 OP(STREAMWRCFG)};
static const uint8_t setc16[] = {OP(SETC16)};
static const uint8_t vector[] = {
    OP(SFPABS),   OP(SFPADD),      OP(SFPADDI),   OP(SFPAND),    OP(SFPARECIP), OP(SFPCAST),
    OP(SFPCOMPC), OP(SFPCONFIG),   OP(SFPDIVP2),  OP(SFPENCC),   OP(SFPEXEXP),  OP(SFPEXMAN),
    OP(SFPGT),    OP(SFPIADD),     OP(SFPLE),     OP(SFPLOAD),   OP(SFPLOADI),  OP(SFPLOADMACRO),
    OP(SFPLUT),   OP(SFPLUTFP32),  OP(SFPLZ),     OP(SFPMAD),    OP(SFPMOV),    OP(SFPMUL),
    OP(SFPMUL24), OP(SFPMULI),     OP(SFPNOP),    OP(SFPNOT),    OP(SFPOR),     OP(SFPPOPC),
    OP(SFPPUSHC), OP(SFPSETCC),    OP(SFPSETEXP), OP(SFPSETMAN), OP(SFPSETSGN), OP(SFPSHFT),
    OP(SFPSHFT2), OP(SFPSTOCHRND), OP(SFPSTORE),  OP(SFPSWAP),   OP(SFPTRANSP), OP(SFPXOR)};
/* NOP, and the words that go like one */
static const uint8_t nothing[] = {OP(NOP), OP(MOP), OP(MOP_CFG), OP(REPLAY), OP(RESOURCEDECL)};

static const struct row rows[] = {
    {ALL, GM_WAIT, sizeof waits, waits},
    {B1, GM_SEM, sizeof sems, sems},
    {B1, GM_MUTEX, sizeof mutexes, mutexes},
    {B0, GM_MISC, sizeof misc, misc},
    {B0 | B5, GM_SCALAR, sizeof scalar, scalar},
    {B0 | B2, GM_PACK, sizeof pack, pack},
    {B0 | B3, GM_UNPACK, sizeof unpack, unpack},
    {B0 | B4, GM_MOVER, sizeof mover, mover},
    {B6, GM_MATRIX, sizeof matrix, matrix},
    {B7, GM_CONFIG, sizeof config, config},
    {B7, GM_SETC16, sizeof setc16, setc16},
    {B8, GM_VECTOR, sizeof vector, vector},
    {0, GM_NOTHING, sizeof nothing, nothing},
};

bool gm_lookup(unsigned op, enum gm_unit *unit, unsigned *block)
{
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        for (unsigned i = 0; i < rows[r].n; i++) {
            if (rows[r].ops[i] != op)
                continue;
            *unit = (enum gm_unit)rows[r].unit;
            *block = rows[r].block;
            return true;
        }
    }
    return false;
}
