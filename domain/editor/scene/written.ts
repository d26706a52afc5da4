/** Properties with some written and some gone. */
import { isRecord, type JsonRecord } from './values';

const without = (properties: JsonRecord, unset: readonly unknown[]): JsonRecord => {
  const names = unset.filter((name) => typeof name === 'string');
  const isGone = (name: string): boolean => names.some((gone) => name === gone || name.startsWith(`${gone}.`));
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !isGone(name)));
};

/** What is unset goes first, with everything under its name: `style` with `style.fill`. */
export const written = (properties: JsonRecord, change: JsonRecord): JsonRecord => {
  const kept = Array.isArray(change.unset) ? without(properties, change.unset) : properties;
  return isRecord(change.set) ? { ...kept, ...change.set } : kept;
};
