/** Replacing properties of built-in objects so that it does not show, and can be undone. */

/* eslint-disable @typescript-eslint/no-explicit-any -- built-ins take anything */

export class Patches {
  private readonly undo: (() => void)[] = [];

  /**
   * Replaces a method. `make` gets the original; what it returns takes over name and length, and is (as method
   * shorthand and arrow functions are) no constructor.
   */
  method(holder: any, key: PropertyKey, make: (original: any) => any): void {
    const descriptor = Object.getOwnPropertyDescriptor(holder, key);
    if (descriptor === undefined || typeof descriptor.value !== "function") return;
    const original = descriptor.value;
    const replacement = make(original);
    if (replacement === original) return;
    Object.defineProperty(replacement, "name", { value: original.name, configurable: true });
    Object.defineProperty(replacement, "length", { value: original.length, configurable: true });
    this.value(holder, key, replacement);
  }

  /** Replaces the value of a property, keeping its attributes. */
  value(holder: any, key: PropertyKey, value: unknown): void {
    const descriptor = Object.getOwnPropertyDescriptor(holder, key)!;
    Object.defineProperty(holder, key, { ...descriptor, value });
    this.undo.push(() => Object.defineProperty(holder, key, descriptor));
  }

  restore(): void {
    for (const step of this.undo.reverse()) step();
    this.undo.length = 0;
  }
}
