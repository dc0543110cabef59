/* The Gaussian mixture; included by hand.c. */

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
