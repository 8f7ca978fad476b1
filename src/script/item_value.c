/*
 * item_value.c - see item_value.h.
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

uint64_t item_value_read(const struct coproc *cp, struct tts_item item)
{
    unsigned thread = item.thread, index = item.index;
    switch (item.kind) {
    case ITEM_GPR: return cp->gpr.r[thread][index];
    case ITEM_CONFIG: return cp->config.word[thread & 1][index];
    case ITEM_THCONFIG: return cp->config.thread[thread][index];
    case ITEM_SEM: return coproc_port_sem_read(cp, index);
    case ITEM_MUTEX: return cp->sync.holder[index];
    case ITEM_MOPCFG: return cp->fe[thread].mop.cfg[index];
    case ITEM_REPLAY: return cp->fe[thread].replay.slot[index].word;
    case ITEM_BANK: return cp->src.owner[thread][index] == SRC_MATRIX;
    case ITEM_STREAM: return cp->stream.reg[thread][index];
    case ITEM_ADC: return read_adc(&cp->adc, item);
    case ITEM_RWC: return read_rwc(&cp->rwc.t[thread], index);
    case ITEM_ISSUED: return cp->issued[thread];
    case ITEM_IDLE: return coproc_thread_idle(cp, thread);
    default: return 0;
    }
}

unsigned item_value_sem_max(const struct coproc *cp, unsigned sem)
{
    return cp->sync.sem[sem].max;
}

static void preset_slot(struct entry *e, const struct tts_preset *p)
{
    *e = (struct entry){.word = p->value, .op = (uint8_t)(p->value >> 24)};
}

void item_value_preset(struct coproc *cp, const struct tts_preset *p)
{
    unsigned thread = p->item.thread, index = p->item.index;
    switch (p->item.kind) {
    case ITEM_GPR: cp->gpr.r[thread][index] = p->value; break;
    case ITEM_CONFIG: config_write(&cp->config, thread, index, p->value, false); break;
    case ITEM_THCONFIG: cp->config.thread[thread][index] = (uint16_t)p->value; break;
    case ITEM_SEM:
        cp->sync.sem[index].value = (uint8_t)p->value;
        cp->sync.sem[index].max = (uint8_t)p->max;
        break;
    case ITEM_MUTEX: cp->sync.holder[index] = (uint8_t)p->value; break;
    case ITEM_MOPCFG: cp->fe[thread].mop.cfg[index] = p->value; break;
    case ITEM_REPLAY: preset_slot(&cp->fe[thread].replay.slot[index], p); break;
    case ITEM_BANK:
        src_set_owner(&cp->src, thread, index, p->value ? SRC_MATRIX : SRC_UNPACKERS);
        break;
    case ITEM_STREAM: coproc_port_stream_write(cp, thread, index, p->value); break;
    case ITEM_ADC:
        adc_write(&cp->adc, thread, index / 16, index / 8 % 2, index % 4, index / 4 % 2, p->value);
        break;
    default: break;
    }
}

bool item_value_compare(uint64_t left, unsigned compare, uint64_t right)
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
