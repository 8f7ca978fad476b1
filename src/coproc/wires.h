/*
 * wires.h - which blocks each unit is wired to: what its instructions look at and change.
 *
 * Internal to src/coproc.
 */
#ifndef WG_COPROC_WIRES_H
#define WG_COPROC_WIRES_H

#include "base/hot.h"
#include "coproc/coproc.h"

HOT_INLINE struct matrix_io wires_matrix(struct coproc *cp, unsigned thread)
{
    return matrix_io_of(
        &cp->src, &cp->dst, &cp->rwc, &cp->config, &cp->vector.lanes, thread, &cp->probe);
}

HOT_INLINE struct vector_io wires_vector(struct coproc *cp, unsigned thread)
{
    return vector_io_of(&cp->vector, &cp->dst, &cp->rwc, &cp->config, thread, &cp->probe);
}

HOT_INLINE struct unpack_io wires_unpack(struct coproc *cp)
{
    return (struct unpack_io){.config = &cp->config,
                              .adc = &cp->adc,
                              .src = &cp->src,
                              .dst = &cp->dst,
                              .l1 = &cp->l1,
                              .regwrite = &cp->regwrite,
                              .probe = &cp->probe,
                              .order = &cp->order};
}

HOT_INLINE struct pack_io wires_pack(struct coproc *cp)
{
    return (struct pack_io){.config = &cp->config,
                            .adc = &cp->adc,
                            .dst = &cp->dst,
                            .l1 = &cp->l1,
                            .regwrite = &cp->regwrite,
                            .meta = &cp->packmeta,
                            .probe = &cp->probe};
}

/* thcon_taken: the Config Unit writes THCON configuration in this cycle. */
HOT_INLINE struct scalar_io wires_scalar(struct coproc *cp, bool thcon_taken)
{
    return (struct scalar_io){.gpr = &cp->gpr,
                              .config = &cp->config,
                              .adc = &cp->adc,
                              .src = &cp->src,
                              .l1 = &cp->l1,
                              .meta = &cp->packmeta,
                              .probe = &cp->probe,
                              .thcon_taken = thcon_taken};
}

#endif
