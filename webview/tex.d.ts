/** Formulas are imported as MathML, which the build makes of their TeX. */
declare module "*.tex" {
  const mathml: string;
  export default mathml;
}
