/**
 * Many byte patterns found in one pass, by the automaton of Aho and Corasick: time grows with the text, whatever the patterns. Regular
 * expressions and searches one by one take the product of both for values that are made for it.
 */

export interface Automaton {
  /** Where the state after a byte is found; 0 is the state in which nothing has begun. */
  readonly next: (state: number, byte: number) => number;
  /** By byte: 1 where a pattern begins with it. */
  readonly begins: Uint8Array;
  /** By two bytes, the first times 256: 1 where a pattern begins with them. Most texts are passed by this table alone. */
  readonly beginsWithPair: Uint8Array;
  /** How many of the last bytes are the beginning of a pattern, by state. */
  readonly depth: Int32Array;
  /** The length of the longest pattern that ends in the state; 0: none. */
  readonly matched: Int32Array;
}

/** Slots of a hash table with edges of the trie: parent and byte to child. */
const tableSize = (edges: number): number => 2 ** Math.ceil(Math.log2(Math.max(16, edges * 2)));

export const buildAutomaton = (patterns: Iterable<Uint8Array>): Automaton => {
  const all = [...patterns];
  const most = 1 + all.reduce((sum, { length }) => sum + length, 0);
  const size = tableSize(most);
  const keys = new Int32Array(size).fill(-1);
  const children = new Int32Array(size);
  const parent = new Int32Array(most);
  const byteOf = new Uint8Array(most);
  const depth = new Int32Array(most);
  const matched = new Int32Array(most);
  const fallback = new Int32Array(most);
  const slotOf = (key: number): number => {
    let slot = Math.imul(key, 0x9e3779b1) >>> 0;
    for (slot &= size - 1; keys[slot] !== -1 && keys[slot] !== key; slot = (slot + 1) & (size - 1));
    return slot;
  };
  const childOf = (node: number, byte: number): number => children[slotOf(node * 256 + byte)] as number;
  let nodes = 1;
  for (const pattern of all) {
    let node = 0;
    for (const byte of pattern) {
      const key = node * 256 + byte;
      const slot = slotOf(key);
      if (keys[slot] === -1) {
        keys[slot] = key;
        children[slot] = nodes;
        parent[nodes] = node;
        byteOf[nodes] = byte;
        depth[nodes] = (depth[node] as number) + 1;
        nodes += 1;
      }
      node = children[slot] as number;
    }
    matched[node] = pattern.length;
  }
  const next = (state: number, byte: number): number => {
    for (let from = state; ; from = fallback[from] as number) {
      const child = childOf(from, byte);
      if (child !== 0 || from === 0) return child;
    }
  };
  // What a node falls back to is nearer to the root, so nodes are completed in the order of their depth.
  const order = Int32Array.from({ length: nodes - 1 }, (_, index) => index + 1);
  order.sort((one, other) => (depth[one] as number) - (depth[other] as number));
  for (const node of order) {
    if (depth[node] === 1) continue;
    fallback[node] = next(fallback[parent[node] as number] as number, byteOf[node] as number);
    matched[node] = Math.max(matched[node] as number, matched[fallback[node] as number] as number);
  }
  const begins = new Uint8Array(256);
  const beginsWithPair = new Uint8Array(65_536);
  for (const [first, second] of all) {
    if (first === undefined) continue;
    begins[first] = 1;
    if (second === undefined) beginsWithPair.fill(1, first * 256, (first + 1) * 256);
    else beginsWithPair[first * 256 + second] = 1;
  }
  return { next, begins, beginsWithPair, depth, matched };
};
