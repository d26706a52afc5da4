/** Looks into JSON that others wrote, of which nothing is known. */

export interface JsonObject {
  readonly [name: string]: unknown;
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const emptyObject: JsonObject = {};

export const objectOrEmpty = (value: unknown): JsonObject => (isJsonObject(value) ? value : emptyObject);

export const arrayOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** More than anything counts that is not a mistake or an attack; sums of some of them are still exact. */
export const maxTokens = 2 ** 40;

/** Undefined unless it is a whole number that can be counted. */
export const tokenCountOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? Math.min(value as number, maxTokens) : undefined;
