/** The words of the field and the settings of the lint. Names only ever add to structural evidence. */
import type { Severity } from "./report.js";

export interface LintOptions {
  /** further names of gradient slots, as words or as regular expressions in slashes */
  readonly gradientNames?: readonly string[];
  /** further names of functions that set gradients back to nothing */
  readonly resetNames?: readonly string[];
  /** further names of functions that add a contribution into a slot */
  readonly helperNames?: readonly string[];
  /** take every value to be used once: assigned contributions are shown as information */
  readonly assumeChain?: boolean;
  /** severity of a rule whatever its evidence; "off" silences it */
  readonly severities?: Readonly<Record<string, Severity | "off">>;
}

/** Words that alone say that a slot holds a gradient, compared without underscores, hash, case and plural. */
const STRONG =
  /^(?:grads?|gradients?|gradvalue|valgrad|adjs?|adjoints?|cotangents?|cotan|cots?|bar|upstream|derivs?|derivatives?|sensitivit(?:y|ies)|partialaccum|accgrad|gradacc|gradbuf(?:fer)?)$/;
/** `xGrad`, `grad_w`, `adjOut`, `wBar`: such a word as a part of a longer name. */
const STRONG_PART =
  /(?:^|[_$#])(?:grads?|gradients?|adjoints?|adj|cotangents?|bar)(?:$|[_$0-9A-Z])|(?:[a-z0-9])(?:Grads?|Gradients?|Adjoints?|Adj|Cotangents?|Bar)(?:$|[_$0-9A-Z])/;
/** Short names that engines use and that mean other things elsewhere. */
const WEAK =
  /^(?:g|gs|d|ds|dw|dx|dy|dz|da|db|dv|dval|dvalue|dout|dl|der|ders|diff|deltas?|err|error|sens|dloss|bars|cts?)$/;

/** `outgrads`, `dgrad`: written together, with what the gradient is of. */
const STRONG_TAIL =
  /^(?:in|out|up|down|d|w|x|y|z|a|b|h|parent|child|node|loss|total|acc|sum|self|val|value|param|weight|bias|input|output)grads?$/;

/** Names with `gradient` or `bar` that colour ramps and widgets use. */
const ELSEWHERE =
  /^(?:(?:linear|radial|conic|css|colou?r|background|bg|fill|stroke|canvas|text)_?gradients?|gradient(?:transform|units|map|stops?|colou?rs?|texture|id|type|angle|direction)|(?:tool|side|nav|scroll|status|progress|menu|title|task|app|search|error|tab|snack|info|control|color|colour|action|address|loading|error|pull|cross|foo|space)_?bars?)$/i;

export type NameStrength = 0 | 1 | 2;

const BACKWARD =
  /(?:^|[_$#.\s])(?:back(?:ward|wards|prop|propagate|propagation|propagat\w*|pass|fn|op)?|bwd|bw|vjps?|pull_?back|adjoint|reverse|rev|grad(?:ient)?_?(?:fn|func|function)|propagate|chain|ad_?back)(?:$|[_$#A-Z0-9\s])|(?:[a-z0-9])(?:Back(?:ward|wards|prop|Prop|propagate|Pass)?|Bwd|Vjp|VJP|Pull_?[bB]ack|Adjoint|Reverse|GradFn)(?:$|[_$A-Z0-9\s])/;

const DERIVATIVE =
  /(?:vjp|pullback|backward|gradient|grad|local|partial|deriv|jacobian|adjoint|^gf|^d[a-z]{0,3}$|^df)/i;

const RESET = /^_*(?:zero|reset|clear|init)/i;

/** Of a canvas, a clock, the marks of a profile: no slot is set back by these. */
const OF_THE_PLATFORM =
  /^(?:clear(?:Rect|Timeout|Interval|Immediate|Color|Depth|Stencil|Marks|Measures)|resetTransform)$/;

const COPYING =
  /^(?:copy|clone|ref(?:Clone|Copy)|copyFrom|assign|deserialize|from[A-Z]?\w*|load\w*|restore\w*|swap\w*)$/i;

/** Compiled once a set of options. */
export class Names {
  readonly assumeChain: boolean;
  readonly #gradient: readonly ((name: string) => boolean)[];
  readonly #helpers: readonly ((name: string) => boolean)[];
  readonly #resets: readonly ((name: string) => boolean)[];
  /** a file has few names and asks for each of them often */
  readonly #strengths = new Map<string, NameStrength>();
  readonly #backward = new Map<string, boolean>();

  constructor(
    options: LintOptions = {},
    /** the text was written by a minifier: short names say nothing */
    readonly minified = false,
    /** the text makes colour ramps: a name with `gradient` in it may be one */
    readonly ramps = false,
  ) {
    this.assumeChain = options.assumeChain === true;
    this.#gradient = (options.gradientNames ?? []).map(matcher);
    this.#helpers = (options.helperNames ?? []).map(matcher);
    this.#resets = (options.resetNames ?? []).map(matcher);
  }

  /** 2: the name says gradient; 1: engines use it so, others too; 0: says nothing. */
  gradient(name: string): NameStrength {
    let known = this.#strengths.get(name);
    if (known === undefined) this.#strengths.set(name, (known = this.#strength(name)));
    return known;
  }

  #strength(name: string): NameStrength {
    if (this.#gradient.some((test) => test(name))) return 2;
    if (ELSEWHERE.test(name)) return 0;
    const bare = name.replace(/^[_$#]+|[_$]+$/g, "");
    const word = bare.replace(/_/g, "").toLowerCase();
    if (this.ramps && word.includes("gradient")) return this.minified ? 0 : 1;
    if (STRONG.test(word) || STRONG_TAIL.test(word) || STRONG_PART.test(bare)) return 2;
    // what a minifier named means nothing
    if (this.minified) return 0;
    // of one letter only the small ones are: `D`, `G` are tables and groups
    if (/^[A-Z]$/.test(bare)) return 0;
    return WEAK.test(word) || /^d[A-Z]\w{0,7}$/.test(bare) || /^d_\w{1,7}$/.test(bare) ? 1 : 0;
  }

  /** A function that runs in the reverse sweep, by its name. */
  backward(name: string): boolean {
    let known = this.#backward.get(name);
    if (known === undefined) this.#backward.set(name, (known = BACKWARD.test(name)));
    return known;
  }

  /** A function that gives local derivatives or contributions, by its name. */
  derivative(name: string): boolean {
    if (this.minified && name.length < 4) return false;
    return DERIVATIVE.test(this.ramps ? name.replace(/gradients?/gi, "") : name);
  }

  copying(name: string): boolean {
    return COPYING.test(name);
  }

  helper(name: string): boolean {
    return this.#helpers.some((test) => test(name));
  }

  reset(name: string): boolean {
    return (RESET.test(name) && !OF_THE_PLATFORM.test(name)) || this.#resets.some((test) => test(name));
  }
}

function matcher(word: string): (name: string) => boolean {
  const pattern = /^\/(.+)\/([imsu]*)$/.exec(word);
  if (pattern === null) return (name) => name === word || name.replace(/^[_#]+/, "") === word;
  const regexp = new RegExp(pattern[1], pattern[2]);
  return (name) => regexp.test(name);
}
