/*
 * tensix.c - words that T cores push: arithmetic on the thread's own GPRs, waits that end by themselves,
 * Config with what must stand between, replays and MOPs; and what core B pushes to a thread without a core.
 *
 * A thread's own: GPRs 4 to 59, Config words 72 + 8 * thread and seven more, mutexes while it holds them.
 */
#include "program.h"

#include "isa/tensix.h"

#define BLOCK_ALL 0x1ffu
#define WAIT_C0   0x0001u
#define WAIT_C10  0x0400u
#define WAIT_C12  0x1000u

#define WORD(name, ...) tensix_##name##_encode((struct tensix_##name){__VA_ARGS__})
#define PLAIN(name)     ((uint32_t)TENSIX_OP_##name << 24)

static uint32_t any_gpr(struct maker *m)
{
    return 4 + below(m, percent(m, 70) ? 8 : 56);
}

static uint32_t config_word(struct maker *m, unsigned thread)
{
    return 72 + 8 * thread + below(m, 8);
}

uint32_t word_stallwait(uint32_t block, uint32_t conditions)
{
    return WORD(STALLWAIT, .stall_res = block, .wait_res = conditions);
}

uint32_t word_set_half(unsigned half, uint32_t value)
{
    return WORD(SETDMAREG,
                .reg_index_16b = half,
                .payload_sig_sel = value & 0x3fff,
                .payload_sig_sel_size = value >> 14 & 3);
}

static uint32_t word_arithmetic(struct maker *m)
{
    static const uint8_t op[] = {TENSIX_OP_ADDDMAREG,
                                 TENSIX_OP_SUBDMAREG,
                                 TENSIX_OP_MULDMAREG,
                                 TENSIX_OP_BITWOPDMAREG,
                                 TENSIX_OP_SHIFTDMAREG,
                                 TENSIX_OP_CMPDMAREG};
    unsigned k = below(m, 6), mode = k < 3 ? 0 : k == 4 ? below(m, 2) : below(m, 3);
    uint32_t word = WORD(ADDDMAREG,
                         .op_a_reg_index = any_gpr(m),
                         .op_b_reg_index = any_gpr(m),
                         .result_reg_index = any_gpr(m),
                         .op_b_is_const = percent(m, 30));
    return (word & UINT32_C(0xffffff)) | (uint32_t)op[k] << 24 | mode << 18;
}

/* Any word that may stand anywhere and ends by itself. */
uint32_t make_word(struct maker *m)
{
    static const uint16_t conditions[] = {
        WAIT_C0, 0x8, 0x10, 0x60, 0x200, WAIT_C10, 0x800, WAIT_C12};
    unsigned k = below(m, 100);
    if (k < 20)
        return PLAIN(NOP);
    if (k < 50)
        return word_set_half(2 * any_gpr(m) + below(m, 2), rng_next(&m->rng) & 0xffff);
    if (k < 75)
        return word_arithmetic(m);
    if (k < 78)
        return PLAIN(DMANOP);
    if (k < 82)
        return PLAIN(SFPNOP);
    if (k < 85)
        return WORD(INCRWC, .rwc_d = below(m, 16), .rwc_a = below(m, 16));
    if (k < 88)
        return WORD(SETADC, .value = below(m, 100), .cnt_set_mask = below(m, 8));
    if (k < 91)
        return WORD(SETC16, .setc16_reg = 12 + below(m, 8), .setc16_value = below(m, 65536));
    if (k < 93)
        return WORD(FLUSHDMA, .flush_spec = 1 + below(m, 15));
    return word_stallwait(1 + below(m, BLOCK_ALL), conditions[below(m, 8)]);
}

void make_push(struct maker *m, uint32_t word)
{
    if (percent(m, 70)) {
        emit_word(m, tensix_to_ttinsn(word));
        return;
    }
    emit_li(m, X_VALUE, word);
    emit_store(m, X_VALUE, DEVICE_PUSH);
}

static void make_sync_at(struct maker *m, uint32_t address)
{
    emit_store(m, 0, address);
    EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
    emit_use(m, X_DEVICE);
}

void make_tensix_sync(struct maker *m)
{
    make_sync_at(m, DEVICE_SYNC);
}

static void make_words(struct maker *m, unsigned most)
{
    for (unsigned n = 1 + below(m, most); n; n--)
        make_push(m, make_word(m));
}

/* ---- GPRs and Config seen by the core ---- */

static void make_gpr_read(struct maker *m)
{
    make_tensix_sync(m);
    for (unsigned n = 1 + below(m, 4); n; n--) {
        uint8_t r = any(m);
        emit_load(m, r, DEVICE_GPR + 4 * any_gpr(m));
        if (percent(m, 50))
            EMIT(m, SW, .rs2 = r, .rs1 = X_L1, .imm = (int32_t)(4 * below(m, 16)));
    }
}

/* The core writes, the thread waits for that and goes on with it. */
static void make_gpr_write(struct maker *m)
{
    make_tensix_sync(m);
    for (unsigned n = 1 + below(m, 3); n; n--) {
        emit_li(m, X_ADDRESS, DEVICE_GPR + 4 * any_gpr(m));
        if (percent(m, 70))
            EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = any(m));
        else
            EMIT(m, SH, .rs1 = X_ADDRESS, .rs2 = any(m), .imm = (int32_t)(2 * below(m, 2)));
        if (percent(m, 40))
            EMIT(m, LW, .rs1 = X_ADDRESS, .rd = any(m));
    }
    make_push(m, word_stallwait(BLOCK_ALL, WAIT_C10));
    make_words(m, 4);
}

static void make_config(struct maker *m)
{
    uint32_t gpr = any_gpr(m), word = config_word(m, m->core);
    make_push(m, word_set_half(2 * gpr, below(m, 65536)));
    make_push(m, PLAIN(DMANOP));
    make_push(m, word_stallwait(0x80 | (percent(m, 30) ? BLOCK_ALL : 0), WAIT_C0));
    make_push(m, WORD(WRCFG, .gpr_address = gpr, .cfg_reg = word));
    make_push(m, PLAIN(NOP));
    make_push(m, PLAIN(NOP));
    if (percent(m, 40)) {
        uint32_t rmw = WORD(RMWCIB0,
                            .mask = below(m, 256),
                            .data = below(m, 256),
                            .cfg_reg_addr = config_word(m, m->core));
        make_push(m, rmw + (below(m, 4) << 24));
    }
    make_push(m, word_stallwait(BLOCK_ALL, WAIT_C12));
    make_push(m, WORD(RDCFG, .gpr_address = any_gpr(m), .cfg_reg = word));
    make_push(m, word_stallwait(BLOCK_ALL, WAIT_C12));
    if (percent(m, 50)) {
        make_tensix_sync(m);
        emit_load(m, any(m), DEVICE_CONFIG + 4 * word);
    }
}

static void make_config_core(struct maker *m)
{
    uint32_t word = config_word(m, m->core);
    make_tensix_sync(m);
    emit_store(m, any(m), DEVICE_CONFIG + 4 * word);
    if (percent(m, 40))
        EMIT(m, LW, .rd = any(m), .rs1 = X_ADDRESS);
    make_push(m, word_stallwait(BLOCK_ALL, WAIT_C10));
    make_push(m, WORD(RDCFG, .gpr_address = any_gpr(m), .cfg_reg = word));
    make_push(m, word_stallwait(BLOCK_ALL, WAIT_C12));
}

/* ---- expanders ---- */

/* Words that are recorded must not be fused: pushed by stores, or with fusing off. */
static void make_replay(struct maker *m)
{
    unsigned n = 1 + below(m, 10), start = below(m, 32);
    bool fused = percent(m, 50);
    if (fused) {
        emit_li(m, X_VALUE, UINT32_C(1) << 18);
        EMIT(m, CSRRS, .rs1 = X_VALUE, .csr = CSR_CFG0);
    }
    for (unsigned i = 0; i <= n; i++) {
        uint32_t word = make_word(m);
        if (!i)
            word = WORD(REPLAY,
                        .load_mode = 1,
                        .execute_while_loading = below(m, 2),
                        .len = n,
                        .start_idx = start);
        if (fused) {
            emit_word(m, tensix_to_ttinsn(word));
        } else {
            emit_li(m, X_VALUE, word);
            emit_store(m, X_VALUE, DEVICE_PUSH);
        }
    }
    if (fused && percent(m, 70)) {
        emit_li(m, X_VALUE, UINT32_C(1) << 18);
        EMIT(m, CSRRC, .rs1 = X_VALUE, .csr = CSR_CFG0);
    }
    for (unsigned i = below(m, 4); i; i--) {
        make_push(m, WORD(REPLAY, .len = 1 + below(m, n), .start_idx = start));
        if (percent(m, 30))
            make_words(m, 2);
    }
}

static void make_mop(struct maker *m)
{
    bool loops = percent(m, 60);
    make_sync_at(m, DEVICE_SYNC + 4);
    emit_li(m, X_ADDRESS, DEVICE_MOPCFG);
    for (unsigned i = 0; i < 9; i++) {
        uint32_t value = percent(m, 25) ? PLAIN(NOP) : make_word(m);
        if (i < 2)
            value = loops ? 1 + below(m, 4) : below(m, 4);
        emit_li(m, X_VALUE, value);
        EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = X_VALUE, .imm = (int32_t)(4 * i));
    }
    for (unsigned n = 1 + below(m, 3); n; n--) {
        if (!loops && percent(m, 50))
            make_push(m, WORD(MOP_CFG, .zmask_hi16 = below(m, 65536)));
        make_push(m,
                  WORD(MOP,
                       .mop_type = loops,
                       .loop_count = below(m, 12),
                       .zmask_lo16_or_loop_count = loops ? 0 : below(m, 65536)));
    }
}

static void make_mutex(struct maker *m)
{
    static const uint8_t index[] = {0, 2, 3, 4};
    uint32_t mutex = index[below(m, 4)];
    make_push(m, WORD(ATGETM, .mutex_index = mutex));
    make_words(m, 4);
    make_push(m, WORD(ATRELM, .mutex_index = mutex));
}

void make_tensix(struct maker *m)
{
    unsigned k = below(m, 100);
    if (k < 45)
        make_words(m, 12);
    else if (k < 60)
        make_gpr_read(m);
    else if (k < 67)
        make_gpr_write(m);
    else if (k < 77)
        make_config(m);
    else if (k < 82)
        make_config_core(m);
    else if (k < 89)
        make_replay(m);
    else if (k < 95)
        make_mop(m);
    else
        make_mutex(m);
}

/* ---- core B ---- */

/* To a thread whose core does not run: B gives its GPR a value, and sees it come. */
void make_b_push(struct maker *m)
{
    unsigned thread = below(m, 3);
    uint32_t gpr = 4 + below(m, 32), value = rng_next(&m->rng) | 1;
    if (has_core(m->p, thread))
        return;
    emit_li(m, X_ADDRESS, DEVICE_PUSH + 0x10000 * thread);
    for (unsigned i = 0; i < 2; i++) {
        emit_li(m, X_VALUE, word_set_half(2 * gpr + i, value >> 16 * i & 0xffff));
        EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = X_VALUE);
        for (unsigned n = below(m, 12); n; n--) {
            emit_li(m, X_VALUE, percent(m, 50) ? PLAIN(NOP) : word_set_half(120, below(m, 65536)));
            EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = X_VALUE);
        }
    }
    emit_li(m, X_ADDRESS, DEVICE_GPR + 256 * thread + 4 * gpr);
    emit_li(m, X_VALUE, value);
    uint32_t top = here(m);
    EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
    emit_back(m, top, RV_OP_BNE, (struct rv32_args){.rs1 = X_DEVICE, .rs2 = X_VALUE});
}
