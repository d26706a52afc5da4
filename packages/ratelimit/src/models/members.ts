/** Looks into JSON that others wrote, of which nothing is known. */

export interface Members {
  readonly [name: string]: unknown;
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const none: Members = {};

export const membersOf = (value: unknown): Members => (isMembers(value) ? value : none);

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** More than anything counts that is not a mistake or an attack; sums of some of them are still exact. */
export const mostTokens = 2 ** 40;

/** Undefined unless it is a whole number that can be counted. */
export const wholeOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? Math.min(value as number, mostTokens) : undefined;
