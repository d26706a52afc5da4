/** What was made lately need not be made again: of so many it is known, and of at most twice as many. */
export const remembered = <Value, Name = string>(most: number): ((name: Name, make: () => Value) => Value) => {
  let lately = new Map<Name, Value>();
  let before = new Map<Name, Value>();
  return (name, make) => {
    const known = lately.get(name);
    if (known !== undefined) return known;
    const value = before.get(name) ?? make();
    if (lately.size >= most) [lately, before] = [new Map(), lately];
    lately.set(name, value);
    return value;
  };
};
