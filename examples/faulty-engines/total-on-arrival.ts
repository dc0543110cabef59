/** Each arrival pushes the whole gradient so far further back, not the part that has just arrived. */
export class Num {
  grad = 0;
  constructor(
    readonly v: number,
    readonly kids: readonly [Num, number][] = [],
  ) {}

  plus(o: Num): Num {
    return new Num(this.v + o.v, [
      [this, 1],
      [o, 1],
    ]);
  }

  times(o: Num): Num {
    return new Num(this.v * o.v, [
      [this, o.v],
      [o, this.v],
    ]);
  }

  sin(): Num {
    return new Num(Math.sin(this.v), [[this, Math.cos(this.v)]]);
  }

  backward(): void {
    for (const [kid, d] of this.kids) {
      kid.grad += d * this.grad;
      kid.backward(); // fault: kid.grad holds what was pushed before, too
    }
  }
}
