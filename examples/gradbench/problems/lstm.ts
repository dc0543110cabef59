/**
 * A stack of LSTM layers that predicts the next vector of a sequence (GradBench `lstm`, after ADBench). The weight matrices
 * are diagonal: each of the B units sees its own component only. So the gates act elementwise.
 */
export interface LstmParameters {
  /** [8 B a layer] weights of the gates forget, in, out and change, then their biases */
  readonly main: readonly number[];
  /** [3 B] input weights, output weights, output biases */
  readonly extra: readonly number[];
}

export interface LstmData {
  /** [2 layers][B] hidden state, then cell state, of each layer at the start */
  readonly state: readonly (readonly number[])[];
  /** [C][B] */
  readonly sequence: readonly (readonly number[])[];
}

/** Mean over all predicted components of minus the log-probability that the prediction gives them. */
export function lstmLoss({ main, extra }: LstmParameters, { state, sequence }: LstmData): number {
  const units = extra.length / 3;
  const layers = state.length / 2;
  const hidden: number[][] = [];
  const cell: number[][] = [];
  for (let layer = 0; layer < layers; layer++) {
    hidden.push([...state[2 * layer]]);
    cell.push([...state[2 * layer + 1]]);
  }

  let total = 0;
  for (let t = 0; t + 1 < sequence.length; t++) {
    let signal: readonly number[] = sequence[t].map((x, i) => x * extra[i]);
    for (let layer = 0; layer < layers; layer++) {
      advance(main, 8 * units * layer, signal, hidden[layer], cell[layer]);
      signal = hidden[layer];
    }
    const prediction = signal.map((h, i) => h * extra[units + i] + extra[2 * units + i]);
    let sum = 2;
    for (const p of prediction) sum += Math.exp(p);
    const normaliser = Math.log(sum);
    prediction.forEach((p, i) => {
      total += sequence[t + 1][i] * (p - normaliser);
    });
  }
  return -total / (units * (sequence.length - 1));
}

/** One step of one layer, whose parameters start at `first`; its state is overwritten. */
function advance(
  main: readonly number[],
  first: number,
  input: readonly number[],
  hidden: number[],
  cell: number[],
): void {
  const units = hidden.length;
  for (let i = 0; i < units; i++) {
    const gate = (g: number, x: number): number =>
      x * main[first + g * units + i] + main[first + (4 + g) * units + i];
    const forget = sigmoid(gate(0, input[i]));
    const take = sigmoid(gate(1, hidden[i]));
    const give = sigmoid(gate(2, input[i]));
    const change = Math.tanh(gate(3, hidden[i]));
    cell[i] = cell[i] * forget + take * change;
    hidden[i] = give * Math.tanh(cell[i]);
  }
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
