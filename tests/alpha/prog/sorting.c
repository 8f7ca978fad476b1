/* Sorting: qsort() with a comparison function, a heap, and a linked list merged in place. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int32_t key;
};

static int by_key(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static void sift(int32_t *h, unsigned i, unsigned n)
{
    for (unsigned c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && h[c + 1] > h[c])
            c++;
        if (h[i] >= h[c])
            return;
        int32_t t = h[i];
        h[i] = h[c];
        h[c] = t;
    }
}

static struct node *merge_sort(struct node *l)
{
    if (!l || !l->next)
        return l;
    struct node *slow = l, *fast = l->next, out, *tail = &out;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *b = slow->next, *a;
    slow->next = NULL;
    a = merge_sort(l);
    b = merge_sort(b);
    while (a && b) {
        struct node **least = a->key <= b->key ? &a : &b;
        tail = tail->next = *least;
        *least = (*least)->next;
    }
    tail->next = a ? a : b;
    return out.next;
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1])
                          : 200; /* qsort() asks for the machine's memory from 256 on */
    int32_t *q = malloc(n * sizeof *q), *h = malloc(n * sizeof *h);
    struct node *nodes = malloc(n * sizeof *nodes), *list = NULL;
    uint32_t x = 2463534242u;
    if (!q || !h || !nodes)
        return 1;
    for (unsigned i = 0; i < n; i++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        q[i] = h[i] = nodes[i].key = (int32_t)(x % 100003) - 50000;
        nodes[i].next = list;
        list = &nodes[i];
    }
    qsort(q, n, sizeof *q, by_key);
    for (unsigned i = n / 2; i-- > 0;)
        sift(h, i, n);
    for (unsigned end = n; end-- > 1;) {
        int32_t t = h[0];
        h[0] = h[end];
        h[end] = t;
        sift(h, 0, end);
    }
    list = merge_sort(list);
    unsigned wrong = 0;
    uint64_t hash = 14695981039346656037u;
    for (unsigned i = 0; i < n; i++, list = list->next) {
        wrong += q[i] != h[i] || q[i] != list->key;
        hash = (hash ^ (uint32_t)q[i]) * 1099511628211u;
    }
    printf("%u wrong, %016llx\n", wrong, (unsigned long long)hash);
    free(q), free(h), free(nodes);
    return wrong != 0;
}
