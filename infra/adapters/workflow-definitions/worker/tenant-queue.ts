/** A queue that takes one item of each tenant in turn (round-robin): many items of one tenant delay another by one item at most. */
export interface TenantQueue<Item> {
  readonly add: (tenantId: string, item: Item) => void;
  /** The oldest item of the tenant whose turn it is; undefined when the queue is empty. */
  readonly take: () => Item | undefined;
  /** Empties the queue. */
  readonly drain: () => readonly Item[];
  readonly isEmpty: () => boolean;
}

export const openTenantQueue = <Item>(): TenantQueue<Item> => {
  /** Tenants with items, in the order of their turns. */
  const waiting = new Map<string, Item[]>();
  let lastServed: string | undefined;

  /** The last tenant comes after all others, also when its next item was added before theirs. */
  const nextTenant = (): string | undefined => {
    for (const tenantId of waiting.keys()) if (tenantId !== lastServed) return tenantId;
    return waiting.size === 0 ? undefined : lastServed;
  };

  return {
    add: (tenantId, item) => {
      const items = waiting.get(tenantId);
      if (items === undefined) waiting.set(tenantId, [item]);
      else items.push(item);
    },
    take: () => {
      const tenantId = nextTenant();
      if (tenantId === undefined) return undefined;
      const [item, ...rest] = waiting.get(tenantId) ?? [];
      waiting.delete(tenantId);
      if (rest.length > 0) waiting.set(tenantId, rest);
      lastServed = tenantId;
      return item;
    },
    drain: () => {
      const items = [...waiting.values()].flat();
      waiting.clear();
      return items;
    },
    isEmpty: () => waiting.size === 0,
  };
};
