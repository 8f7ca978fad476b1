/* case_node.h - values of a case file with their place in it; used by case.c only. */
#ifndef WG_LOAD_CASE_NODE_H
#define WG_LOAD_CASE_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/error.h"

struct fy_node; /* libfyaml's */

/* What reading needs everywhere; the first error ends it. */
struct case_reader {
    const char *path;
    struct load_error *error;
};

enum load_status case_node_fail(const struct case_reader *reader, struct fy_node *node,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));

unsigned case_node_line(struct fy_node *node);

/* Plain values. A number is decimal or 0x..., in quotes or not. */
enum load_status case_node_number(const struct case_reader *reader, struct fy_node *node,
                                  const char *what, uint64_t max, uint64_t *value);
enum load_status case_node_text(const struct case_reader *reader, struct fy_node *node,
                                const char *what, char **text);
enum load_status case_node_words(const struct case_reader *reader, struct fy_node *node,
                                 uint32_t **words, unsigned *n_words);

/* Mappings: call take for each key, which must be one of keys (ended by NULL). */
typedef enum load_status node_take(const struct case_reader *reader, void *context, unsigned key,
                                   struct fy_node *value);
enum load_status case_node_mapping(const struct case_reader *reader, struct fy_node *node,
                                   const char *what, const char *const *keys, node_take *take,
                                   void *context);

/* Mappings with any keys, by node_take_pair with the text of each; how many there are. */
typedef enum load_status node_take_pair(const struct case_reader *reader, void *context,
                                        unsigned index, const char *key, size_t length,
                                        struct fy_node *value);
enum load_status case_node_pairs(const struct case_reader *reader, struct fy_node *node,
                                 const char *what, node_take_pair *take, void *context);
unsigned case_node_pair_count(struct fy_node *node);

/* Lists: call take with the index of each item. With one_is_enough an item alone is a list of one. */
enum load_status case_node_list(const struct case_reader *reader, struct fy_node *node,
                                const char *what, bool one_is_enough, node_take *take,
                                void *context);

/* How many calls case_node_list() will make. */
unsigned case_node_count(struct fy_node *node, bool one_is_enough);

#endif
