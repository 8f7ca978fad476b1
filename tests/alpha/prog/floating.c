/* Floating point, single and double: a matrix product, Newton roots, sums, conversions, the C library's functions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 12

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
    static double a[N][N], b[N][N], c[N][N];
    float single = 0.0f;
    double sum = 0.0;
    for (unsigned r = 0; r < rounds; r++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                a[i][j] = 1.0 / (i + j + 1 + (int)r);
                b[i][j] = (i * 7 + j * 3) % 11 - 5.25;
            }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double s = 0.0;
                for (int k = 0; k < N; k++)
                    s += a[i][k] * b[k][j];
                c[i][j] = s;
            }
        for (int i = 0; i < N; i++) {
            double x = fabs(c[i][i]) + 2.0, y = x;
            for (int k = 0; k < 6; k++)
                y = 0.5 * (y + x / y);
            sum += y - sqrt(x) + sin(x) * exp(-x) + log(x) + floor(c[i][0]) + (double)(long)c[i][1];
            single = single * 0.75f + (float)c[i][2] / (float)(i + 1);
            single += (float)(int)single;
        }
    }
    printf("%.17g %.9g %a\n", sum, (double)single, sum);
    return 0;
}
