/** Properties with some written and some gone. */
import { isRecord, type JsonRecord } from './values';

/** Whether a name is one of these or stands under one: `style.fill` with `style`. Its cost does not grow with how many they are. */
export const under = (names: readonly unknown[]): ((name: string) => boolean) => {
  const gone = new Set(names);
  return (name) => {
    if (gone.has(name)) return true;
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
      if (gone.has(name.slice(0, dot))) return true;
    return false;
  };
};

const without = (properties: JsonRecord, unset: readonly unknown[]): JsonRecord => {
  if (unset.length === 0) return properties;
  const isGone = under(unset);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !isGone(name)));
};

/** What is unset goes first, with everything under its name: `style` with `style.fill`. */
export const written = (properties: JsonRecord, change: JsonRecord): JsonRecord => {
  const kept = Array.isArray(change.unset) ? without(properties, change.unset) : properties;
  return isRecord(change.set) ? { ...kept, ...change.set } : kept;
};
