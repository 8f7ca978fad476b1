/* test_kernel_ops.c - the words that kernels make with tensix_ops.h are the words of the assembler. */
#include "test.h"

#include <string.h>

#include "tensix_ops.h"
#include "waitgate.h"

static const struct {
    const char *text;
    uint32_t word;
} words[] = {
    {"ttmop 1, 0, 0", OP_MOP(1, 0, 0)},
    {"ttmop 0, 127, 0xA5A5", OP_MOP(0, 127, 0xA5A5)},
    {"ttnop", OP_NOP},
    {"ttmop_cfg 0x8001", OP_MOP_CFG(0x8001)},
    {"ttreplay 16, 4, 1, 1", OP_REPLAY(16, 4, 1, 1)},
    {"ttreplay 31, 63, 0, 0", OP_REPLAY(31, 63, 0, 0)},
    {"ttresourcedecl 4, 0x101, 9", OP_RESOURCEDECL(4, 0x101, 9)},
    {"ttatgetm 4", OP_ATGETM(4)},
    {"ttatrelm 3", OP_ATRELM(3)},
    {"ttstallwait STALL_SYNC, MATH|WAIT_SFPU", OP_STALLWAIT(STALL_SYNC, WAIT_MATH | WAIT_SFPU)},
    {"ttstallwait 0x1ff, 0x1fff", OP_STALLWAIT(STALL_THREAD, 0x1FFF)},
    {"ttseminit 15, 3, MATH_PACK", OP_SEMINIT(15, 3, SEM_BIT(SEM_MATH_PACK))},
    {"ttseminit 1, 0, MATH_DONE", OP_SEMINIT(1, 0, SEM_BIT(SEM_MATH_DONE))},
    {"ttsempost UNPACK_TO_DEST", OP_SEMPOST(SEM_BIT(SEM_UNPACK_TO_DEST))},
    {"ttsemget PACK_DONE", OP_SEMGET(SEM_BIT(SEM_PACK_DONE))},
    {"ttsemwait 322, 2, 2", OP_SEMWAIT(0x142, SEM_BIT(SEM_MATH_PACK), STALL_ON_MAX)},
    {"ttsemwait STALL_TDMA, MATH_PACK, STALL_ON_ZERO",
     OP_SEMWAIT(STALL_TDMA, SEM_BIT(SEM_MATH_PACK), STALL_ON_ZERO)},
    {"ttadddmareg 1, 2, 3, 4", OP_ADDDMAREG(1, 2, 3, 4)},
    {"ttsubdmareg 0, 63, 62, 61", OP_SUBDMAREG(0, 63, 62, 61)},
    {"ttmuldmareg 1, 5, 6, 7", OP_MULDMAREG(1, 5, 6, 7)},
    {"ttbitwopdmareg 1, 2, 5, 6, 7", OP_BITWOPDMAREG(1, 2, 5, 6, 7)},
    {"ttshiftdmareg 1, 1, 5, 6, 7", OP_SHIFTDMAREG(1, 1, 5, 6, 7)},
    {"ttcmpdmareg 0, 2, 5, 6, 7", OP_CMPDMAREG(0, 2, 5, 6, 7)},
    {"ttsetdmareg 3, 0x2bcd, 0, 9", OP_SETDMAREG_HI(4, 0xEBCD0000)},
    {"ttsetdmareg 0, 0x1234, 0, 8", OP_SETDMAREG_LO(4, 0x1234)},
    {"ttsetdmareg 1, 2, 1, 3", OP_SETDMAREG(1, 2, 1, 3)},
    {"ttflushdma 15", OP_FLUSHDMA(15)},
    {"ttdmanop", OP_DMANOP},
    {"ttstorereg 5, 0x12345", OP_STOREREG(5, 0x12345)},
    {"ttloadreg 6, 0x3ffff", OP_LOADREG(6, 0x3FFFF)},
    {"ttloadind 1, 2, 3, 4, 5", OP_LOADIND(1, 2, 3, 4, 5)},
    {"ttstoreind 1, 0, 1, 2, 3, 4, 5", OP_STOREIND_L1(1, 2, 3, 4, 5)},
    {"ttatincget 0, 31, 3, 4, 5", OP_ATINCGET(0, 31, 3, 4, 5)},
    {"ttwrcfg 12, 1, 124", OP_WRCFG(12, 1, 124)},
    {"ttrdcfg 12, 124", OP_RDCFG(12, 124)},
    {"ttsetc16 1, 0xffff", OP_SETC16(1, 0xFFFF)},
    {"ttrmwcib0 0xf0, 0x30, 2", OP_RMWCIB(0, 0xF0, 0x30, 2)},
    {"ttrmwcib3 1, 1, 64", OP_RMWCIB(3, 1, 1, 64)},
    {"ttsfpnop", OP_SFPNOP},
    {"ttsetdvalid 3", OP_SETDVALID(3)},
    {"ttcleardvalid 3, 1", OP_CLEARDVALID(3, 1)},
    {"ttsetadc 4, 1, 2, 0x3ffff", OP_SETADC(4, 1, 2, 0x3FFFF)},
    {"ttsetrwc 3, 1, 2, 4, 8, 15", OP_SETRWC(3, 1, 2, 4, 8, 15)},
    {"ttincrwc 1, 2, 4, 8", OP_INCRWC(1, 2, 4, 8)},
    {"ttunpacr 1, 0x51, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1", OP_UNPACR(1, 0x51, 1)},
    {"ttunpacr_nop 1, 0, 0, 1, 0, 1, 0, 1, 1", OP_UNPACR_NOP_CLEAR(1, 1, 1, 1)},
    {"ttsetadcxy 3, 1, 2, 3, 4, 11", OP_SETADCXY(3, 1, 2, 3, 4, 11)},
    {"ttsetadczw 4, 1, 2, 3, 4, 5", OP_SETADCZW(4, 1, 2, 3, 4, 5)},
    {"ttsetadcxx 2, 1023, 5", OP_SETADCXX(2, 1023, 5)},
    {"ttpacr 0, 0, 1, 2, 0, 0, 3, 0, 1, 0, 0, 1", OP_PACR(1, 2, 3, 1)},
    {"ttmvmul 3, 0, 5, 64", OP_MVMUL(3, 5, 64)},
    {"ttelwmul 1, 0, 3, 2, 8", OP_ELWMUL(1, 3, 2, 8)},
    {"ttelwadd 2, 1, 1, 7, 16", OP_ELWADD(2, 1, 1, 7, 16)},
    {"ttelwsub 3, 0, 2, 1, 1023", OP_ELWSUB(3, 0, 2, 1, 1023)},
    {"ttgmpool 1, 1, 3, 0, 4", OP_GMPOOL(1, 3, 4)},
    {"ttgapool 3, 1, 7, 0, 8", OP_GAPOOL(3, 7, 8)},
    {"ttmovd2a 1, 16, 2, 2, 4", OP_MOVD2A(1, 16, 2, 2, 4)},
    {"ttmovd2b 0, 63, 1, 0, 4", OP_MOVD2B(0, 63, 1, 0, 4)},
    {"ttmovb2a 8, 3, 2, 24", OP_MOVB2A(8, 3, 2, 24)},
    {"ttmova2d 1, 8, 3, 2, 24", OP_MOVA2D(1, 8, 3, 2, 24)},
    {"ttmovb2d 0, 20, 3, 4, 512", OP_MOVB2D(0, 20, 3, 4, 512)},
    {"tttrnspsrcb", OP_TRNSPSRCB},
    {"ttgatesrcrst 1, 0", OP_GATESRCRST(1, 0)},
    {"ttzeroacc 3, 1, 0, 7, 9", OP_ZEROACC(3, 1, 7, 9)},
    {"ttzerosrc 0, 1, 0, 3", OP_ZEROSRC(1, 0, 3)},
    {"ttsfpload 3, 4, 7, 0x3fe", OP_SFPLOAD(3, 4, 7, 0x3FE)},
    {"ttsfpstore 11, 2, 1, 64", OP_SFPSTORE(11, 2, 1, 64)},
    {"ttsfploadi 7, 10, 0xbeef", OP_SFPLOADI(7, 10, 0xBEEF)},
    {"ttsfplut 5, 4, 0", OP_SFPLUT(5, 4)},
    {"ttsfpmuli 0x3f80, 6, 2", OP_SFPMULI(0x3F80, 6, 2)},
    {"ttsfpaddi 0xc000, 7, 0", OP_SFPADDI(0xC000, 7, 0)},
    {"ttsfpconfig 0x104, 15, 1", OP_SFPCONFIG(0x104, 15, 1)},
    {"ttsfpdivp2 0xfff, 3, 4, 1", OP_SFPDIVP2(-1, 3, 4, 1)},
    {"ttsfpexexp 0, 3, 4, 2", OP_SFPEXEXP(3, 4, 2)},
    {"ttsfpexman 0, 3, 4, 1", OP_SFPEXMAN(3, 4, 1)},
    {"ttsfpiadd 0x7ff, 9, 4, 5", OP_SFPIADD(0x7FF, 9, 4, 5)},
    {"ttsfpshft 0xfff, 1, 2, 5", OP_SFPSHFT(-1, 1, 2, 5)},
    {"ttsfpsetcc 0, 3, 0, 6", OP_SFPSETCC(3, 6)},
    {"ttsfpmov 0, 8, 1, 1", OP_SFPMOV(8, 1, 1)},
    {"ttsfpabs 0, 2, 1, 1", OP_SFPABS(2, 1, 1)},
    {"ttsfpand 0, 2, 1, 0", OP_SFPAND(2, 1)},
    {"ttsfpor 0, 3, 2, 0", OP_SFPOR(3, 2)},
    {"ttsfpnot 0, 4, 3, 0", OP_SFPNOT(4, 3)},
    {"ttsfplz 0, 5, 4, 4", OP_SFPLZ(5, 4, 4)},
    {"ttsfpsetexp 127, 6, 5, 1", OP_SFPSETEXP(127, 6, 5, 1)},
    {"ttsfpsetman 0x800, 7, 6, 1", OP_SFPSETMAN(0x800, 7, 6, 1)},
    {"ttsfppushc 0, 0, 0, 0", OP_SFPPUSHC(0)},
    {"ttsfppopc 0, 0, 0, 14", OP_SFPPOPC(14)},
    {"ttsfpsetsgn 1, 2, 3, 1", OP_SFPSETSGN(1, 2, 3, 1)},
    {"ttsfpencc 3, 0, 0, 10", OP_SFPENCC(3, 10)},
    {"ttsfpcompc 0, 0, 0, 0", OP_SFPCOMPC},
    {"ttsfptransp 0, 0, 0, 0", OP_SFPTRANSP},
    {"ttsfpxor 0, 5, 6, 0", OP_SFPXOR(5, 6)},
    {"ttsfpcast 5, 6, 3", OP_SFPCAST(5, 6, 3)},
    {"ttsfpswap 0, 1, 2, 9", OP_SFPSWAP(1, 2, 9)},
    {"ttsfpshft2 3, 1, 2, 5", OP_SFPSHFT2(3, 1, 2, 5)},
    {"ttsfple 0, 1, 2, 8", OP_SFPLE(1, 2, 8)},
    {"ttsfpgt 0, 3, 4, 1", OP_SFPGT(3, 4, 1)},
    {"ttsfparecip 0, 7, 6, 2", OP_SFPARECIP(7, 6, 2)},
    {"ttsfplutfp32 7, 2", OP_SFPLUTFP32(7, 2)},
    {"ttsfp_stoch_rnd 2, 0, 0, 3, 4, 7", OP_SFP_STOCH_RND(2, 3, 4, 7)},
    {"ttsfp_stoch_rnd 1, 21, 0, 3, 4, 13", OP_SFP_STOCH_RND_BY(1, 21, 3, 4, 5)},
    {"ttsfpmad 1, 2, 3, 4, 5", OP_SFPMAD(1, 2, 3, 4, 5)},
    {"ttsfpadd 10, 2, 3, 4, 1", OP_SFPADD(10, 2, 3, 4, 1)},
    {"ttsfpmul 1, 2, 9, 4, 2", OP_SFPMUL(1, 2, 9, 4, 2)},
    {"ttsfpmul24 1, 2, 9, 4, 1", OP_SFPMUL24(1, 2, 9, 4, 1)},
    {"ttsfploadmacro 11, 4, 3, 0x201", OP_SFPLOADMACRO(2, 7, 4, 3, 0x200)},
};

static void words_are_those_of_the_assembler(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        struct waitgate_text_error error;
        uint32_t word;
        if (waitgate_assemble(words[i].text, strlen(words[i].text), &word, &error) != WAITGATE_OK)
            fail_msg("%s: %s", words[i].text, error.message);
        if (word != words[i].word)
            fail_msg("%s: 0x%08x, not 0x%08x", words[i].text, word, words[i].word);
    }
}

static void words_in_code_are_rotated(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        uint32_t ttinsn;
        assert_int_equal(waitgate_ttinsn_encode(words[i].word, &ttinsn), WAITGATE_OK);
        assert_int_equal(TENSIX_TTINSN(words[i].word), ttinsn);
    }
}

TEST_MAIN(cmocka_unit_test(words_are_those_of_the_assembler),
          cmocka_unit_test(words_in_code_are_rotated))
