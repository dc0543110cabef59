/** Columns instead of objects: opcodes, operands and values in typed arrays that grow, one buffer of adjoints in binary32. */
const INPUT = 0;
const ADD = 1;
const MUL = 2;
const EXP = 3;

export class Columns {
  private op = new Uint8Array(16);
  private left = new Int32Array(16);
  private right = new Int32Array(16);
  private values = new Float64Array(16);
  private adjoint = new Float32Array(16);
  private n = 0;

  private grow(): void {
    const size = this.op.length * 2;
    const larger = <T extends { set(from: T): void }>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.op = larger(new Uint8Array(size), this.op);
    this.left = larger(new Int32Array(size), this.left);
    this.right = larger(new Int32Array(size), this.right);
    this.values = larger(new Float64Array(size), this.values);
  }

  private push(op: number, a: number, b: number, value: number): number {
    if (this.n === this.op.length) this.grow();
    this.op[this.n] = op;
    this.left[this.n] = a;
    this.right[this.n] = b;
    this.values[this.n] = value;
    return this.n++;
  }

  input(value: number): number {
    return this.push(INPUT, -1, -1, value);
  }
  add(a: number, b: number): number {
    return this.push(ADD, a, b, this.values[a] + this.values[b]);
  }
  mul(a: number, b: number): number {
    return this.push(MUL, a, b, this.values[a] * this.values[b]);
  }
  exp(a: number): number {
    return this.push(EXP, a, -1, Math.exp(this.values[a]));
  }
  value(i: number): number {
    return this.values[i];
  }
  gradient(i: number): number {
    return this.adjoint[i];
  }

  backward(output: number): void {
    this.adjoint = new Float32Array(this.n);
    const { adjoint, left, right, values } = this;
    adjoint[output] = 1;
    for (let i = output; i >= 0; i--) {
      const g = adjoint[i];
      switch (this.op[i]) {
        case ADD:
          adjoint[left[i]] += g;
          adjoint[right[i]] += g;
          break;
        case MUL:
          adjoint[left[i]] += g * values[right[i]];
          adjoint[right[i]] += g * values[left[i]];
          break;
        case EXP:
          adjoint[left[i]] += g * values[i];
          break;
      }
    }
  }
}
