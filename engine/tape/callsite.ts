/**
 * The call in progress, as the loader's rewritten code last announced it. Built-ins and explicit calls (`mul(x, y)`) take
 * their site from here. `row` gives the scopes row of the calling code, made only when it is asked for.
 */
export interface ScopeHandle {
  row(): number;
}

export const call: { site: number; scope: ScopeHandle | null } = { site: -1, scope: null };

/** The scopes row of the call in progress, 0 (the root) without one. */
export function callRow(): number {
  return call.scope === null ? 0 : call.scope.row();
}
