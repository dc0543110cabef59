/* The MLP; included by hand.c. */

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
