/** Events of one conversation as a tree: what caused what. Whoever wrote the log may have written circles; they end. */
export interface Caused {
  readonly id: string;
  readonly causationId: string | null;
  readonly commandId: string | null;
}

export interface Placed<Event> {
  readonly event: Event;
  readonly depth: number;
}

/** Of several events of one command the last is the parent of none but by its own id, the first by the command's. */
const parentsOf = <Event extends Caused>(events: readonly Event[]): ReadonlyMap<string, Event> => {
  const byId = new Map<string, Event>();
  for (const event of events)
    if (event.commandId !== null && !byId.has(event.commandId)) byId.set(event.commandId, event);
  for (const event of events) byId.set(event.id, event);
  return byId;
};

/** In the order they were recorded; roots first, each followed by all that it led to. */
export const treeOf = <Event extends Caused>(events: readonly Event[]): readonly Placed<Event>[] => {
  const parents = parentsOf(events);
  const children = new Map<Event | undefined, Event[]>();
  const childrenOf = (event: Event | undefined): Event[] => {
    const known = children.get(event) ?? [];
    children.set(event, known);
    return known;
  };
  for (const event of events) {
    const parent = event.causationId === null ? undefined : parents.get(event.causationId);
    // What a command caused itself names that command: such an event begins something.
    const isOwn = parent === event || (parent !== undefined && parent.commandId === event.commandId);
    childrenOf(isOwn ? undefined : parent).push(event);
  }
  const placed = new Map<Event, Placed<Event>>();
  const place = (root: Event): void => {
    const waiting: Placed<Event>[] = [{ event: root, depth: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { event, depth } = next;
      if (placed.has(event)) continue;
      placed.set(event, next);
      for (const child of childrenOf(event).toReversed()) waiting.push({ event: child, depth: depth + 1 });
    }
  };
  for (const root of childrenOf(undefined)) place(root);
  // What is left is in circles: each is cut open at what was recorded first.
  for (const event of events) if (!placed.has(event)) place(event);
  return [...placed.values()];
};
