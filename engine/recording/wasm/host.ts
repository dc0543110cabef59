/** Does one node in JavaScript. */
@external("js", "one")
export declare function elsewhere(i: i32): void;
