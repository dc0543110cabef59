export function buildCache(root: string, dist?: string): Promise<void>;
