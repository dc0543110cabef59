/*
 * The hand-derived adjoints of bench/hand in C. Reads a problem from the file named on the command line (numbers apart by
 * white space, in the order of engines/hand-c.ts), then commands from standard input, a line each:
 *   result     prints the value and the gradient
 *   time R     runs R times and prints milliseconds
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int parameters;
static double *p, *gradient;
static double (*run)(void);
static FILE *input;

static double number(void) {
  double x;
  if (fscanf(input, "%lf", &x) != 1) {
    fprintf(stderr, "the problem file ends too early\n");
    exit(1);
  }
  return x;
}

static int whole(void) { return (int)number(); }

static double *zeros(size_t n) {
  double *a = calloc(n ? n : 1, sizeof(double));
  if (!a) exit(1);
  return a;
}

static double *numbers(size_t n) {
  double *a = zeros(n);
  for (size_t i = 0; i < n; i++) a[i] = number();
  return a;
}

static void readParameters(int n) {
  parameters = n;
  p = numbers(n);
  gradient = zeros(n);
}

/* ---- Rosenbrock ---- */

static double rosenbrock(void) {
  double value = 0, carried = 0, xi = p[0];
  int n = parameters;
  for (int i = 0; i + 1 < n; i++) {
    double next = p[i + 1], a = 1 - xi, b = next - xi * xi;
    value += a * a + 100 * b * b;
    gradient[i] = carried - 2 * a - 400 * b * xi;
    carried = 200 * b;
    xi = next;
  }
  gradient[n - 1] = carried;
  return value;
}

static void readRosenbrock(void) {
  readParameters(whole());
  run = rosenbrock;
}

/* ---- chain ---- */

static int length;
static double *argument, *sine;

static double chain(void) {
  double s = p[0], a = p[1], b = p[2], bar = 1, aBar = 0, bBar = 0;
  int full = length / 3, left = length % 3;
  for (int i = 0; i < full; i++) {
    argument[i] = s;
    sine[i] = sin(s);
    s = a * sine[i] + b;
  }
  if (left > 0) {
    argument[full] = s;
    s = sine[full] = sin(s);
    if (left > 1) {
      s *= a;
      aBar = sine[full];
      bar = a;
    }
    bar *= cos(argument[full]);
  }
  for (int i = full - 1; i >= 0; i--) {
    bBar += bar;
    aBar += bar * sine[i];
    bar *= a * cos(argument[i]);
  }
  gradient[0] = bar;
  gradient[1] = aBar;
  gradient[2] = bBar;
  return s;
}

static void readChain(void) {
  length = whole();
  readParameters(3);
  argument = zeros(length / 3 + 1);
  sine = zeros(length / 3 + 1);
  run = chain;
}

/* ---- MLP, GMM, LSTM ---- */

#include "mlp.h"
#include "gmm.h"
#include "lstm.h"

/* ---- commands ---- */

static double sink;

int main(int argc, char **argv) {
  char kind[32], command[32];
  if (argc != 2 || !(input = fopen(argv[1], "r")) || fscanf(input, "%31s", kind) != 1) return 1;
  if (!strcmp(kind, "rosenbrock")) readRosenbrock();
  else if (!strcmp(kind, "chain")) readChain();
  else if (!strcmp(kind, "mlp")) readMlp();
  else if (!strcmp(kind, "gmm")) readGmm();
  else if (!strcmp(kind, "lstm")) readLstm();
  else return 1;
  while (scanf("%31s", command) == 1) {
    if (!strcmp(command, "time")) {
      long repeats = 0;
      struct timespec from, to;
      if (scanf("%ld", &repeats) != 1) return 1;
      clock_gettime(CLOCK_MONOTONIC, &from);
      for (long i = 0; i < repeats; i++) sink += run();
      clock_gettime(CLOCK_MONOTONIC, &to);
      printf("%.9g\n", (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) * 1e-6);
    } else {
      printf("%.17g", run());
      for (int i = 0; i < parameters; i++) printf(" %.17g", gradient[i]);
      printf("\n");
    }
    fflush(stdout);
  }
  return 0;
}
