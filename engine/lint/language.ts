/** Whose words a rewrite or a message has to use: the tree is one, the texts behind it are of two languages. */
import type { FileFacts } from "./facts.js";

/** The text is Python, and the tree says in JavaScript's words what it does. */
export const isPythonText = (facts: FileFacts): boolean => facts.root.language === "python";
