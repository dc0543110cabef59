/** Functions of JavaScript's Math, which the host knows and calls without a detour. */

@external("math", "exp")
export declare function exp(x: f64): f64;
@external("math", "log")
export declare function log(x: f64): f64;
@external("math", "log1p")
export declare function log1p(x: f64): f64;
@external("math", "sin")
export declare function sin(x: f64): f64;
@external("math", "cos")
export declare function cos(x: f64): f64;
@external("math", "tan")
export declare function tan(x: f64): f64;
@external("math", "asin")
export declare function asin(x: f64): f64;
@external("math", "acos")
export declare function acos(x: f64): f64;
@external("math", "atan")
export declare function atan(x: f64): f64;
@external("math", "atan2")
export declare function atan2(x: f64, y: f64): f64;
@external("math", "pow")
export declare function pow(x: f64, y: f64): f64;
