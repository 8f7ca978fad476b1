/* Integer arithmetic of all widths: CRC, division, 64 x 64 multiplication, shifts, byte accesses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t crc_table[256];

static void crc_make(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        crc_table[i] = c;
    }
}

static uint32_t crc(const unsigned char *p, size_t n)
{
    uint32_t c = ~0u;
    while (n--)
        c = crc_table[(c ^ *p++) & 255] ^ c >> 8;
    return ~c;
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    x ^= x << 17;
    return x + (x >> 7);
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    static unsigned char buf[1024];
    static int16_t words[256];
    uint64_t x = 88172645463325252u, sum = 0;
    int64_t quotients = 0;
    crc_make();
    for (unsigned r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < sizeof buf; i++) {
            x = mix(x);
            buf[i] = (unsigned char)(x >> 24);
            words[i & 255] = (int16_t)(words[i & 255] + (int16_t)x);
        }
        sum += crc(buf, sizeof buf);
        for (unsigned i = 0; i < 64; i++) {
            int64_t a = (int64_t)mix(x + i), b = (int64_t)(mix(a) >> (i & 31)) | 1;
            quotients += a / b - (int32_t)a % ((int32_t)b | 1);
            sum ^= (uint64_t)((unsigned __int128)(uint64_t)a * (uint64_t)b >> 64);
            sum += (uint64_t)__builtin_popcountll((uint64_t)a) +
                   (uint64_t)__builtin_ctzll((uint64_t)b) +
                   (uint64_t)__builtin_clzll((uint64_t)a | 1);
        }
    }
    for (unsigned i = 0; i < 256; i++)
        sum = sum * 31 + (uint64_t)(int64_t)words[i];
    printf("%016llx %lld\n", (unsigned long long)sum, (long long)quotients);
    return (int)(sum & 63);
}
