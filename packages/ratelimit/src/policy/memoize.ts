/** Memoizes values with two generations: keeps at least the latest `maxEntries` and at most twice as many. */
export const memoize = <Value, Name = string>(maxEntries: number): ((name: Name, create: () => Value) => Value) => {
  let young = new Map<Name, Value>();
  let old = new Map<Name, Value>();
  return (name, create) => {
    const known = young.get(name);
    if (known !== undefined) return known;
    const value = old.get(name) ?? create();
    if (young.size >= maxEntries) [young, old] = [new Map(), young];
    young.set(name, value);
    return value;
  };
};
