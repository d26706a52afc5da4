/** Orders the events of one correlation id as a tree of causes. Cycles in the log are cut. */
export interface CausedEvent {
  readonly id: string;
  readonly causationId: string | null;
  readonly commandId: string | null;
}

export interface TreeEntry<Event> {
  readonly event: Event;
  readonly depth: number;
}

/** Of several events of one command the last is the parent of none but by its own id, the first by the command's. */
const parentsOf = <Event extends CausedEvent>(events: readonly Event[]): ReadonlyMap<string, Event> => {
  const byId = new Map<string, Event>();
  for (const event of events)
    if (event.commandId !== null && !byId.has(event.commandId)) byId.set(event.commandId, event);
  for (const event of events) byId.set(event.id, event);
  return byId;
};

/** By parent; roots under undefined. */
const childrenOf = <Event extends CausedEvent>(
  events: readonly Event[],
): ReadonlyMap<Event | undefined, readonly Event[]> => {
  const parents = parentsOf(events);
  const children = new Map<Event | undefined, Event[]>();
  for (const event of events) {
    const found = event.causationId === null ? undefined : parents.get(event.causationId);
    // What a command caused itself names that command: such an event begins something.
    const isOwn = event.commandId !== null && found?.commandId === event.commandId;
    const parent = isOwn ? undefined : found;
    const others = children.get(parent);
    if (others === undefined) children.set(parent, [event]);
    else others.push(event);
  }
  return children;
};

/** In the order they were recorded; roots first, each followed by all that it led to. */
export const treeOf = <Event extends CausedEvent>(events: readonly Event[]): readonly TreeEntry<Event>[] => {
  const children = childrenOf(events);
  const placed = new Map<Event, TreeEntry<Event>>();
  const place = (root: Event): void => {
    const waiting: TreeEntry<Event>[] = [{ event: root, depth: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { event, depth } = next;
      if (placed.has(event)) continue;
      placed.set(event, next);
      for (const child of children.get(event)?.toReversed() ?? []) waiting.push({ event: child, depth: depth + 1 });
    }
  };
  for (const root of children.get(undefined) ?? []) place(root);
  // What is left is in circles: each is cut open at what was recorded first.
  for (const event of events) place(event);
  return [...placed.values()];
};
