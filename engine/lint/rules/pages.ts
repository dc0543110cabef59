/** Where the documentation of a rule stands: what diagnostics, SARIF and ESLint link to. */
const PAGES = "https://github.com/backsweep/backsweep/blob/main/docs/rules/";

export const rulePage = (rule: string): string => `${PAGES}${rule}.md`;
