/* The LSTM; included by hand.c. */

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
