/*
 * item_value.c - see state.h.
 */
#include "script/item_value.h"

static uint64_t read_adc(const struct adc *a, struct tts_item item)
{
    const struct adc_counter *c =
        &a->c[item.thread][item.index / 16][item.index / 8 % 2][item.index % 4];
    return item.index % 8 < 4 ? c->v : c->cr;
}

static uint64_t read_rwc(const struct rwc_thread *r, unsigned index)
{
    const uint16_t value[] = {
        r->dst, r->dst_cr, r->srca, r->srca_cr, r->srcb, r->srcb_cr, r->fidelity};
    return value[index];
}

uint64_t state_read(const struct coproc *t, struct tts_item item)
{
    unsigned thread = item.thread, index = item.index;
    switch (item.kind) {
    case ITEM_GPR: return t->gpr.r[thread][index];
    case ITEM_CONFIG: return t->config.word[thread & 1][index];
    case ITEM_THCONFIG: return t->config.thread[thread][index];
    case ITEM_SEM: return coproc_sem_read(t, index);
    case ITEM_MUTEX: return t->sync.holder[index];
    case ITEM_MOPCFG: return t->fe[thread].mop.cfg[index];
    case ITEM_REPLAY: return t->fe[thread].replay.slot[index].word;
    case ITEM_BANK: return t->src.owner[thread][index] == SRC_MATRIX;
    case ITEM_STREAM: return t->stream.reg[thread][index];
    case ITEM_ADC: return read_adc(&t->adc, item);
    case ITEM_RWC: return read_rwc(&t->rwc.t[thread], index);
    case ITEM_ISSUED: return t->issued[thread];
    case ITEM_IDLE: return coproc_thread_idle(t, thread);
    default: return 0;
    }
}

unsigned state_sem_max(const struct coproc *t, unsigned sem)
{
    return t->sync.sem[sem].max;
}

static void preset_slot(struct entry *e, const struct tts_preset *p)
{
    *e = (struct entry){.word = p->value, .op = (uint8_t)(p->value >> 24)};
}

void state_preset(struct coproc *t, const struct tts_preset *p)
{
    unsigned thread = p->item.thread, index = p->item.index;
    switch (p->item.kind) {
    case ITEM_GPR: t->gpr.r[thread][index] = p->value; break;
    case ITEM_CONFIG: config_write(&t->config, thread, index, p->value, false); break;
    case ITEM_THCONFIG: t->config.thread[thread][index] = (uint16_t)p->value; break;
    case ITEM_SEM:
        t->sync.sem[index].value = (uint8_t)p->value;
        t->sync.sem[index].max = (uint8_t)p->max;
        break;
    case ITEM_MUTEX: t->sync.holder[index] = (uint8_t)p->value; break;
    case ITEM_MOPCFG: t->fe[thread].mop.cfg[index] = p->value; break;
    case ITEM_REPLAY: preset_slot(&t->fe[thread].replay.slot[index], p); break;
    case ITEM_BANK:
        src_set_owner(&t->src, thread, index, p->value ? SRC_MATRIX : SRC_UNPACKERS);
        break;
    case ITEM_STREAM: coproc_stream_write(t, thread, index, p->value); break;
    case ITEM_ADC:
        adc_write(&t->adc, thread, index / 16, index / 8 % 2, index % 4, index / 4 % 2, p->value);
        break;
    default: break;
    }
}

bool state_compare(uint64_t left, unsigned compare, uint64_t right)
{
    switch (compare) {
    case COMPARE_EQ: return left == right;
    case COMPARE_NE: return left != right;
    case COMPARE_LT: return left < right;
    case COMPARE_LE: return left <= right;
    case COMPARE_GT: return left > right;
    default: return left >= right;
    }
}
