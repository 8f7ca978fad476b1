/*
 * The block table of the vendor's STALLWAIT page, row by row, typed in here a second time so that a
 * slip in tensix.def cannot hide: one column per bit B0..B8. "x" the bit holds the instruction,
 * "*" held only when all nine bits are set, "-" never reaches the Wait Gate.
 */
#include "test.h"

#include <string.h>

#include "isa/tensix.h"

static const struct row {
    const char *name;
    const char *bits; /* B0 first */
} rows[] = {
    {"ADDDMAREG", "x....x..."},    {"ADDRCRXY", "x........"},    {"ADDRCRZW", "x........"},
    {"APOOL3S1", "......x.."},     {"APOOL3S2", "......x.."},    {"ATCAS", "x....x..."},
    {"ATGETM", ".x......."},       {"ATINCGET", "x....x..."},    {"ATINCGETPTR", "x....x..."},
    {"ATRELM", ".x......."},       {"ATSWAP", "x....x..."},      {"BITWOPDMAREG", "x....x..."},
    {"CFGSHIFTMASK", ".......x."}, {"CLEARDVALID", "......x.."}, {"CLREXPHIST", "......x.."},
    {"CMPDMAREG", "x....x..."},    {"CONV3S1", "......x.."},     {"CONV3S2", "......x.."},
    {"DMANOP", "x....x..."},       {"DOTPV", "......x.."},       {"ELWADD", "......x.."},
    {"ELWMUL", "......x.."},       {"ELWSUB", "......x.."},      {"FLUSHDMA", "x....x..."},
    {"GAPOOL", "......x.."},       {"GATESRCRST", "......x.."},  {"GMPOOL", "......x.."},
    {"INCADCXY", "x........"},     {"INCADCZW", "x........"},    {"INCRWC", "......x.."},
    {"LOADIND", "x....x..."},      {"LOADREG", "x....x..."},     {"MFCONV3S1", "......x.."},
    {"MOP", "---------"},          {"MOP_CFG", "---------"},     {"MOVA2D", "......x.."},
    {"MOVB2A", "......x.."},       {"MOVB2D", "......x.."},      {"MOVD2A", "......x.."},
    {"MOVD2B", "......x.."},       {"MOVDBGA2D", "......x.."},   {"MPOOL3S1", "......x.."},
    {"MPOOL3S2", "......x.."},     {"MULDMAREG", "x....x..."},   {"MVMUL", "......x.."},
    {"NOP", "*********"},          {"PACR", "x.x......"},        {"PACR_SETREG", "x.x......"},
    {"RDCFG", ".......x."},        {"REG2FLOP", "x....x..."},    {"REPLAY", "---------"},
    {"RESOURCEDECL", "---------"}, {"RMWCIB", ".......x."},      {"RSTDMA", "x........"},
    {"SEMGET", ".x......."},       {"SEMINIT", ".x......."},     {"SEMPOST", ".x......."},
    {"SEMWAIT", "xxxxxxxxx"},      {"SETADC", "x........"},      {"SETADCXX", "x........"},
    {"SETADCXY", "x........"},     {"SETADCZW", "x........"},    {"SETC16", ".......x."},
    {"SETDMAREG", "x....x..."},    {"SETDVALID", "x........"},   {"SETRWC", "......x.."},
    {"SFPABS", "........x"},       {"SFPADD", "........x"},      {"SFPADDI", "........x"},
    {"SFPAND", "........x"},       {"SFPARECIP", "........x"},   {"SFPCAST", "........x"},
    {"SFPCOMPC", "........x"},     {"SFPCONFIG", "........x"},   {"SFPDIVP2", "........x"},
    {"SFPENCC", "........x"},      {"SFPEXEXP", "........x"},    {"SFPEXMAN", "........x"},
    {"SFPGT", "........x"},        {"SFPIADD", "........x"},     {"SFPLE", "........x"},
    {"SFPLOAD", "........x"},      {"SFPLOADI", "........x"},    {"SFPLOADMACRO", "........x"},
    {"SFPLUT", "........x"},       {"SFPLUTFP32", "........x"},  {"SFPLZ", "........x"},
    {"SFPMAD", "........x"},       {"SFPMOV", "........x"},      {"SFPMUL", "........x"},
    {"SFPMUL24", "........x"},     {"SFPMULI", "........x"},     {"SFPNOP", "........x"},
    {"SFPNOT", "........x"},       {"SFPOR", "........x"},       {"SFPPOPC", "........x"},
    {"SFPPUSHC", "........x"},     {"SFPSETCC", "........x"},    {"SFPSETEXP", "........x"},
    {"SFPSETMAN", "........x"},    {"SFPSETSGN", "........x"},   {"SFPSHFT", "........x"},
    {"SFPSHFT2", "........x"},     {"SFPSTOCHRND", "........x"}, {"SFPSTORE", "........x"},
    {"SFPSWAP", "........x"},      {"SFPTRANSP", "........x"},   {"SFPXOR", "........x"},
    {"SHIFTDMAREG", "x....x..."},  {"SHIFTXA", "......x.."},     {"SHIFTXB", "......x.."},
    {"STALLWAIT", "xxxxxxxxx"},    {"STOREIND", "x....x..."},    {"STOREREG", "x....x..."},
    {"STREAMWAIT", "xxxxxxxxx"},   {"STREAMWRCFG", ".......x."}, {"SUBDMAREG", "x....x..."},
    {"TRNSPSRCB", "......x.."},    {"UNPACR", "x..x....."},      {"UNPACR_NOP", "x..x....."},
    {"WRCFG", ".......x."},        {"XMOV", "x...x...."},        {"ZEROACC", "......x.."},
    {"ZEROSRC", "......x.."},
};

#define N_ROWS (sizeof rows / sizeof rows[0])

/* Row names that stand for several opcodes, or are spelt differently in the vendor's database. */
static bool row_covers(const char *row, const char *insn)
{
    if (!strcmp(row, "RMWCIB"))
        return !strncmp(insn, "RMWCIB", 6);
    if (!strcmp(row, "SFPSTOCHRND"))
        return !strcmp(insn, "SFP_STOCH_RND");
    return !strcmp(row, insn);
}

static bool row_holds(const struct row *row, uint32_t mask)
{
    if (row->bits[0] == '*')
        return mask == TENSIX_BLOCK_ALL;
    for (unsigned b = 0; b < 9; b++)
        if (row->bits[b] == 'x' && (mask >> b & 1))
            return true;
    return false;
}

/* Every row of the page, under each of the 512 masks. */
static void every_row_under_every_mask(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_ROWS; i++) {
        unsigned found = 0;
        for (unsigned op = 0; op < 256; op++) {
            const struct tensix_insn *insn = &tensix_table[op];
            if (!insn->name || !row_covers(rows[i].name, insn->name))
                continue;
            found++;
            for (uint32_t mask = 0; mask <= TENSIX_BLOCK_ALL; mask++)
                if (tensix_blocked((uint32_t)op << 24, mask) != row_holds(&rows[i], mask))
                    fail_msg("%s under mask 0x%03x", insn->name, (unsigned)mask);
            if (rows[i].bits[0] == '-')
                assert_int_equal(insn->unit, TENSIX_UNIT_NONE);
        }
        if (found != (strcmp(rows[i].name, "RMWCIB") ? 1u : 4u))
            fail_msg("%s: %u instructions", rows[i].name, found);
    }
}

/* What the page does not list has no public description, and is marked so; nothing else is. */
static void the_rest_is_marked_undescribed(void **state)
{
    unsigned undescribed = 0;
    (void)state;
    for (unsigned op = 0; op < 256; op++) {
        const struct tensix_insn *insn = &tensix_table[op];
        bool listed = false;
        if (!insn->name)
            continue;
        for (size_t i = 0; i < N_ROWS; i++)
            listed |= row_covers(rows[i].name, insn->name);
        if (listed == ((insn->flags & TENSIX_UNDESCRIBED) != 0))
            fail_msg("%s: %s but %s",
                     insn->name,
                     listed ? "listed" : "not listed",
                     listed ? "marked" : "not marked");
        undescribed += !listed;
    }
    assert_int_equal(undescribed, 10);
}

TEST_MAIN(cmocka_unit_test(every_row_under_every_mask),
          cmocka_unit_test(the_rest_is_marked_undescribed))
