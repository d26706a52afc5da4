/** Reads untyped JSON of clients and providers. */

export interface JsonObject {
  readonly [name: string]: unknown;
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const emptyObject: JsonObject = {};

export const objectOrEmpty = (value: unknown): JsonObject => (isJsonObject(value) ? value : emptyObject);

export const arrayOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Larger counts are mistakes or attacks; sums of a few stay exact. */
export const maxTokens = 2 ** 40;

/** Undefined unless it is a valid count. */
export const tokenCountOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? Math.min(value as number, maxTokens) : undefined;
