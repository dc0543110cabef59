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

/* ---- MLP ---- */

static int inputs, hidden, classes, batch, *labels;
static double *x, *h, *logits, *hBar;

/* out[i][:] += a[i][j] b[j][:] */
static void addProduct(double *restrict out, const double *restrict a, const double *restrict b, int rows, int inner, int columns) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < inner; j++) {
      double f = a[i * inner + j];
      for (int c = 0; c < columns; c++) out[i * columns + c] += f * b[j * columns + c];
    }
}

/* out[j][:] += a[i][j] b[i][:] */
static void addTransposed(double *restrict out, const double *restrict a, const double *restrict b, int rows, int inner, int columns) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < inner; j++) {
      double f = a[i * inner + j];
      for (int c = 0; c < columns; c++) out[j * columns + c] += f * b[i * columns + c];
    }
}

static double crossEntropy(void) {
  double loss = 0;
  for (int i = 0; i < batch; i++) {
    double *row = logits + i * classes, largest = -INFINITY, sum = 0;
    for (int c = 0; c < classes; c++) largest = fmax(largest, row[c]);
    double chosen = row[labels[i]] - largest;
    for (int c = 0; c < classes; c++) sum += row[c] = exp(row[c] - largest);
    loss += log(sum) - chosen;
    for (int c = 0; c < classes; c++) row[c] /= sum * batch;
    row[labels[i]] -= 1.0 / batch;
  }
  return loss / batch;
}

static double mlp(void) {
  double *W1 = p, *B1 = W1 + inputs * hidden, *W2 = B1 + hidden, *B2 = W2 + hidden * classes;
  double *dW1 = gradient, *dB1 = dW1 + inputs * hidden, *dW2 = dB1 + hidden, *dB2 = dW2 + hidden * classes;
  for (int i = 0; i < batch; i++) memcpy(h + i * hidden, B1, hidden * sizeof(double));
  addProduct(h, x, W1, batch, inputs, hidden);
  for (int i = 0; i < batch * hidden; i++) h[i] = tanh(h[i]);
  for (int i = 0; i < batch; i++) memcpy(logits + i * classes, B2, classes * sizeof(double));
  addProduct(logits, h, W2, batch, hidden, classes);
  double value = crossEntropy();
  memset(gradient, 0, parameters * sizeof(double));
  for (int i = 0; i < batch; i++)
    for (int c = 0; c < classes; c++) dB2[c] += logits[i * classes + c];
  addTransposed(dW2, h, logits, batch, hidden, classes);
  for (int i = 0; i < batch; i++)
    for (int j = 0; j < hidden; j++) {
      double sum = 0, t = h[i * hidden + j];
      for (int c = 0; c < classes; c++) sum += logits[i * classes + c] * W2[j * classes + c];
      hBar[i * hidden + j] = sum * (1 - t * t);
    }
  for (int i = 0; i < batch; i++)
    for (int j = 0; j < hidden; j++) dB1[j] += hBar[i * hidden + j];
  addTransposed(dW1, x, hBar, batch, inputs, hidden);
  return value;
}

static void readMlp(void) {
  inputs = whole();
  hidden = whole();
  classes = whole();
  batch = whole();
  labels = malloc(batch * sizeof(int));
  for (int i = 0; i < batch; i++) labels[i] = whole();
  x = numbers(batch * inputs);
  readParameters(inputs * hidden + hidden + hidden * classes + classes);
  h = zeros(batch * hidden);
  hBar = zeros(batch * hidden);
  logits = zeros(batch * classes);
  run = mlp;
}

/* ---- GMM ---- */

static int d, kinds, n, triangle;
static double m, gammaOfPrior, constant, *diagonal, *sumQ, *weight, *centred, *y, *back;

static double gmm(void) {
  double *alpha = p, *mu = alpha + kinds, *q = mu + kinds * d, *l = q + kinds * d;
  double *dAlpha = gradient, *dMu = dAlpha + kinds, *dQ = dMu + kinds * d, *dL = dQ + kinds * d;
  double g2 = gammaOfPrior * gammaOfPrior, value = constant, largest, sum;
  memset(gradient, 0, parameters * sizeof(double));
  for (int k = 0; k < kinds; k++) {
    sumQ[k] = 0;
    for (int r = 0; r < d; r++) {
      int i = k * d + r;
      sumQ[k] += q[i];
      diagonal[i] = exp(q[i]);
      value -= 0.5 * g2 * diagonal[i] * diagonal[i] - m * q[i];
      dQ[i] = m - g2 * diagonal[i] * diagonal[i];
    }
  }
  for (int i = 0; i < kinds * triangle; i++) {
    value -= 0.5 * g2 * l[i] * l[i];
    dL[i] = -g2 * l[i];
  }
  for (int i = 0; i < n; i++) {
    largest = -INFINITY;
    for (int k = 0; k < kinds; k++) {
      double *c = centred + k * d, *v = y + k * d, *entry = l + k * triangle, square = 0;
      for (int r = 0; r < d; r++) {
        c[r] = x[i * d + r] - mu[k * d + r];
        v[r] = diagonal[k * d + r] * c[r];
      }
      for (int column = 0; column < d; column++)
        for (int row = column + 1; row < d; row++) v[row] += *entry++ * c[column];
      for (int r = 0; r < d; r++) square += v[r] * v[r];
      weight[k] = alpha[k] + sumQ[k] - 0.5 * square;
      if (weight[k] > largest) largest = weight[k];
    }
    sum = 0;
    for (int k = 0; k < kinds; k++) sum += weight[k] = exp(weight[k] - largest);
    value += largest + log(sum);
    for (int k = 0; k < kinds; k++) {
      double w = weight[k] / sum, *c = centred + k * d, *v = y + k * d;
      double *entry = l + k * triangle, *dEntry = dL + k * triangle;
      for (int r = 0; r < d; r++) {
        back[r] = -w * v[r] * diagonal[k * d + r];
        dQ[k * d + r] += back[r] * c[r] + w;
      }
      for (int column = 0; column < d; column++) {
        double paid = back[column];
        for (int row = column + 1; row < d; row++) {
          double yBar = -w * v[row];
          *dEntry++ += yBar * c[column];
          paid += yBar * *entry++;
        }
        dMu[k * d + column] -= paid;
      }
      dAlpha[k] += w;
    }
  }
  largest = -INFINITY;
  for (int k = 0; k < kinds; k++) largest = fmax(largest, alpha[k]);
  sum = 0;
  for (int k = 0; k < kinds; k++) sum += exp(alpha[k] - largest);
  for (int k = 0; k < kinds; k++) dAlpha[k] -= n * exp(alpha[k] - largest) / sum;
  return value - n * (largest + log(sum));
}

static void readGmm(void) {
  d = whole();
  kinds = whole();
  n = whole();
  m = number();
  gammaOfPrior = number();
  constant = number();
  triangle = d * (d - 1) / 2;
  x = numbers((size_t)n * d);
  readParameters(kinds + 2 * kinds * d + kinds * triangle);
  diagonal = zeros(kinds * d);
  centred = zeros(kinds * d);
  y = zeros(kinds * d);
  sumQ = zeros(kinds);
  weight = zeros(kinds);
  back = zeros(d);
  run = gmm;
}

/* ---- LSTM ---- */

enum { FORGET, INGATE, OUTGATE, CHANGE, TANH_CELL, BEFORE, HIDDEN, SAVED };

static int layers, b, c;
static double *start, *sequence, *saved, *yBars, *last, *hiddenState, *cell, *hiddenBar, *cellBar, *flow;

static double sigmoid(double v) { return 1 / (1 + exp(-v)); }

static void layer(int step, int i) {
  double *w = p + 8 * b * i;
  for (int j = 0; j < b; j++) {
    double u = flow[j], before = hiddenState[i * b + j], *s = saved + ((step * layers + i) * b + j) * SAVED;
    s[FORGET] = sigmoid(u * w[j] + w[4 * b + j]);
    s[INGATE] = sigmoid(before * w[b + j] + w[5 * b + j]);
    s[OUTGATE] = sigmoid(u * w[2 * b + j] + w[6 * b + j]);
    s[CHANGE] = tanh(before * w[3 * b + j] + w[7 * b + j]);
    s[BEFORE] = cell[i * b + j];
    s[HIDDEN] = before;
    cell[i * b + j] = s[BEFORE] * s[FORGET] + s[INGATE] * s[CHANGE];
    s[TANH_CELL] = tanh(cell[i * b + j]);
    hiddenState[i * b + j] = flow[j] = s[OUTGATE] * s[TANH_CELL];
  }
}

static void layerBack(int step, int i) {
  double *w = p + 8 * b * i, *g = gradient + 8 * b * i, *scale = p + 8 * b * layers;
  for (int j = 0; j < b; j++) {
    double *s = saved + ((step * layers + i) * b + j) * SAVED, *below = s - b * SAVED;
    double u = i > 0 ? below[OUTGATE] * below[TANH_CELL] : sequence[step * b + j] * scale[j];
    double outBar = flow[j] + hiddenBar[i * b + j];
    double afterBar = cellBar[i * b + j] + outBar * s[OUTGATE] * (1 - s[TANH_CELL] * s[TANH_CELL]);
    double f = afterBar * s[BEFORE] * s[FORGET] * (1 - s[FORGET]);
    double in = afterBar * s[CHANGE] * s[INGATE] * (1 - s[INGATE]);
    double o = outBar * s[TANH_CELL] * s[OUTGATE] * (1 - s[OUTGATE]);
    double e = afterBar * s[INGATE] * (1 - s[CHANGE] * s[CHANGE]);
    cellBar[i * b + j] = afterBar * s[FORGET];
    g[j] += f * u;
    g[b + j] += in * s[HIDDEN];
    g[2 * b + j] += o * u;
    g[3 * b + j] += e * s[HIDDEN];
    g[4 * b + j] += f;
    g[5 * b + j] += in;
    g[6 * b + j] += o;
    g[7 * b + j] += e;
    hiddenBar[i * b + j] = in * w[b + j] + e * w[3 * b + j];
    flow[j] = f * w[j] + o * w[2 * b + j];
  }
}

static double lstm(void) {
  int steps = c - 1;
  double *scale = p + 8 * b * layers, *out = scale + b, *bias = out + b;
  double *dScale = gradient + 8 * b * layers, *dOut = dScale + b, *dBias = dOut + b;
  double total = 0, factor = -1.0 / (steps * b);
  for (int i = 0; i < layers; i++)
    for (int j = 0; j < b; j++) {
      hiddenState[i * b + j] = start[2 * i * b + j];
      cell[i * b + j] = start[(2 * i + 1) * b + j];
    }
  for (int step = 0; step < steps; step++) {
    double *gold = sequence + (step + 1) * b, *yBar = yBars + step * b, sum = 2, golds = 0;
    for (int j = 0; j < b; j++) flow[j] = sequence[step * b + j] * scale[j];
    for (int i = 0; i < layers; i++) layer(step, i);
    for (int j = 0; j < b; j++) {
      double v = flow[j] * out[j] + bias[j];
      last[step * b + j] = flow[j];
      sum += yBar[j] = exp(v);
      total += v * gold[j];
      golds += gold[j];
    }
    total -= golds * log(sum);
    for (int j = 0; j < b; j++) yBar[j] = (gold[j] - golds * yBar[j] / sum) * factor;
  }
  memset(gradient, 0, parameters * sizeof(double));
  memset(hiddenBar, 0, layers * b * sizeof(double));
  memset(cellBar, 0, layers * b * sizeof(double));
  for (int step = steps - 1; step >= 0; step--) {
    for (int j = 0; j < b; j++) {
      double yBar = yBars[step * b + j];
      dOut[j] += yBar * last[step * b + j];
      dBias[j] += yBar;
      flow[j] = yBar * out[j];
    }
    for (int i = layers - 1; i >= 0; i--) layerBack(step, i);
    for (int j = 0; j < b; j++) dScale[j] += flow[j] * sequence[step * b + j];
  }
  return total * factor;
}

static void readLstm(void) {
  layers = whole();
  b = whole();
  c = whole();
  start = numbers(2 * layers * b);
  sequence = numbers(c * b);
  readParameters(8 * layers * b + 3 * b);
  saved = zeros((size_t)c * layers * b * SAVED);
  yBars = zeros(c * b);
  last = zeros(c * b);
  hiddenState = zeros(layers * b);
  cell = zeros(layers * b);
  hiddenBar = zeros(layers * b);
  cellBar = zeros(layers * b);
  flow = zeros(b);
  run = lstm;
}

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
