/** Reading a few events while somebody waits: a server that stands still ends nothing, so its silence is an end as well. */
import type { ResolvedEvent, StreamingRead } from '@eventstore/db-client';

export type Events = StreamingRead<ResolvedEvent>;

/** Rejects when nothing has come for so long. */
export const collect = async (events: Events, milliseconds: number): Promise<readonly ResolvedEvent[]> => {
  const found: ResolvedEvent[] = [];
  // What its call ends with after it was given up concerns nobody.
  events.on('error', () => undefined);
  const timer = setTimeout(() => events.destroy(new Error('The event store is silent.')), milliseconds);
  try {
    for await (const event of events) {
      found.push(event);
      timer.refresh();
    }
    return found;
  } catch (error) {
    void events.cancel().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
};
