/*
 * gate_model.h - a second, slow model of the three Wait Gates and of everything behind them that
 * decides when an instruction may go. Written from docs/timing.md 3 and 4 alone.
 *
 * Time is kept as numbers: when did something go, until when does it matter. A cycle is decided
 * from the state at the end of the last one; what happens in it is applied at its end.
 */
#ifndef WG_TESTS_MODEL_GATE_MODEL_H
#define WG_TESTS_MODEL_GATE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/expander_model.h"

#define GM_LONG_AGO     (-1000000)
#define GM_CONFIG_SLOTS 32u /* many RDCFG can wait for the GPRs */

/* Back-end units, by the block bits they answer to. */
enum gm_unit {
    GM_NOTHING, /* NOP and what goes like one */
    GM_MISC,
    GM_WAIT, /* STALLWAIT, SEMWAIT, STREAMWAIT */
    GM_SEM,
    GM_MUTEX,
    GM_UNPACK,
    GM_MATRIX,
    GM_PACK,
    GM_VECTOR,
    GM_SCALAR,
    GM_CONFIG, /* the pipe */
    GM_SETC16,
    GM_MOVER
};

/* A latched wait. */
struct gm_latch {
    bool set;
    unsigned block, cond;
    bool on_semaphores;
    unsigned sems, sem_cond;
};

struct gm_rwc {
    unsigned dst, dst_cr, a, a_cr, b, b_cr;
};

struct gm_thread {
    struct expander_model front;
    struct gm_latch latch;
    uint16_t config[256];
    uint32_t gpr[64];
    struct gm_rwc rwc;
    int64_t memory_until; /* a memory request is outstanding before this cycle */
    int64_t pack_until;   /* a packer instruction is busy before this cycle */
    unsigned pack_last;   /* the last datum of a row that the packer takes; the first is 0 */
    int64_t unpacr_go;    /* its last UNPACR */
    uint32_t x[2][2];     /* [unpacker][channel]: address counters */
    int64_t matrix_sent, vector_sent;
};

/* A pipe seen by C4 and C11. */
struct gm_pipe {
    int64_t busy_until; /* busy before this cycle */
    int64_t last_empty;
};

#define GM_UNPACK_WORDS 144u

/* An instruction inside an unpacker. */
struct gm_unpack {
    unsigned thread;
    uint32_t word;
    int64_t go, start;    /* start of the data phase, or -1 */
    uint32_t bytes, rate; /* UNPACR: to fetch, and wanted per cycle */
};

/* SrcA (0) or SrcB (1). */
struct gm_src {
    bool matrix_owns[2];
    unsigned format[2];                           /* that came with the bank */
    unsigned unpack_bank, matrix_bank, next_bank; /* next_bank: what the next consumer will use */
    struct {
        int64_t at; /* end of this cycle; 0: free */
        bool gives;
        unsigned bank;
    } flip[4];
};

/* An instruction in the Config pipe. */
struct gm_config {
    bool used;
    int stage;
    unsigned thread, bank, op;
    bool second; /* CFGSHIFTMASK in its second cycle */
    int64_t go;
    uint32_t word, value;
};

/* A GPR write of the Scalar Unit at the end of a cycle. */
struct gm_gpr_write {
    int64_t at;
    unsigned thread, half;
    uint32_t value;
    bool known; /* value and half are */
};

/* A core's access to GPRs or Config on its way. */
struct gm_mmio {
    bool pending, to_config;
    int64_t made;
    unsigned bank, index;
    uint32_t value;
};

struct gate_model {
    int64_t now;
    struct gm_thread thread[3];
    struct {
        unsigned value, max;
    } sem[8];
    int mutex[5];                 /* holder, or -1 */
    int last_sync, last_mutex[5]; /* served last, or -1 */
    int last_unpack, last_matrix, last_pack, last_vector, last_scalar, last_mover;
    int64_t pack_free;                   /* the packer takes the next instruction */
    int last_entry[3];                   /* Config pipe: -4, -1, 0 */
    bool core_sem[3], core_sem_taken[3]; /* window writes */
    unsigned core_sem_index[3];
    uint32_t core_sem_value[3];
    uint32_t config6[2]; /* DEST_REGW_BASE of both banks */
    struct gm_config pipe[GM_CONFIG_SLOTS];
    struct gm_gpr_write gpr_write[16];
    struct gm_mmio mmio[3];

    int stage_thread; /* whose instruction is in the stage; -1: none */
    uint32_t stage_word;
    int scalar_thread;          /* whose instruction executes, or was the last; -1: none */
    int64_t scalar_s, scalar_n; /* it executes in s+1 .. s+n */
    bool flushing;              /* it is a FLUSHDMA that still waits */
    unsigned flush_mask;

    struct gm_pipe matrix, vector;
    int64_t movd2a_go, movd2b_go, shiftxb_go, movx2d_go;
    int64_t dst_written[128];
    struct gm_src src[2];
    uint32_t unpack_config[GM_UNPACK_WORDS]; /* Config as programs find it and leave it */
    struct gm_unpack inside[2][8];
    unsigned n_inside[2];
    int64_t unpacr_go; /* anybody's last */
    int64_t swap_go;
    int64_t mad_go; /* the last SFPMAD or SFPMUL, and what it writes */
    unsigned mad_vd;
    int64_t mover_until;
    bool mover_asked; /* an XMOV would go in this cycle */

    bool went[3]; /* the answer: what left the gates in this cycle */
    uint32_t word[3];
};

void gm_reset(struct gate_model *m);
/* Ports, before gm_step(); see tile.h for what they mean. */
void gm_sem_write(struct gate_model *m, unsigned core, unsigned sem, uint32_t value);
bool gm_gpr_write(struct gate_model *m, unsigned core, unsigned reg, uint32_t value);
bool gm_config_write(struct gate_model *m, unsigned core, unsigned bank, unsigned word,
                     uint32_t value);
/* One cycle: fills went[] and word[]. */
void gm_step(struct gate_model *m);
/* Unit and block bits of an opcode, typed in from the STALLWAIT page. False: not in the table. */
bool gm_lookup(unsigned op, enum gm_unit *unit, unsigned *block);

#endif
