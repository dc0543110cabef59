/** Gradients live in one list beside the tape. Clearing them clears those of the inputs only. */
export class Tape {
  readonly values: number[] = [];
  readonly rules: ((g: number) => void)[] = [];
  readonly isInput: boolean[] = [];
  gradients: number[] = [];

  private record(value: number, input: boolean, rule: (g: number) => void): number {
    this.values.push(value);
    this.gradients.push(0);
    this.isInput.push(input);
    return this.rules.push(rule) - 1;
  }

  input(value: number): number {
    return this.record(value, true, () => {});
  }

  add(a: number, b: number): number {
    return this.record(this.values[a] + this.values[b], false, (g) => {
      this.gradients[a] += g;
      this.gradients[b] += g;
    });
  }

  mul(a: number, b: number): number {
    return this.record(this.values[a] * this.values[b], false, (g) => {
      this.gradients[a] += g * this.values[b];
      this.gradients[b] += g * this.values[a];
    });
  }

  tanh(a: number): number {
    const y = Math.tanh(this.values[a]);
    return this.record(y, false, (g) => {
      this.gradients[a] += g * (1 - y * y);
    });
  }

  zeroGradients(): void {
    this.isInput.forEach((input, i) => {
      if (input) this.gradients[i] = 0; // fault: intermediate nodes keep theirs
    });
  }

  backward(output: number): void {
    this.gradients[output] = 1;
    for (let i = output; i >= 0; i--) this.rules[i](this.gradients[i]);
  }
}
