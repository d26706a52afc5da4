/** Spans of a view's live writes, each in the trace of its event. Replays of past events are not traced. */
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { Tracer } from '../../../infra/ports/runtime/trace';

/** Of one batch: what is written together took the same time. */
const maxSpans = 32;
export interface TracedWrite {
  readonly trace: Tracer | undefined;
  readonly view: string;
  readonly events: readonly StoredEvent[];
}

export const traceWrite = async <How extends { readonly kind: string }>(
  { trace, view, events }: TracedWrite,
  write: () => Promise<How>,
): Promise<How> => {
  if (trace === undefined || events.length === 0) return write();
  const parents = events.flatMap(({ metadata }) => trace.traceparentOf(metadata) ?? []).slice(0, maxSpans);
  const attributes = { 'septet.view': view, 'septet.batch': events.length };
  const name = `project ${view}`;
  const spans = parents.map((parent) => trace.begin({ name, kind: 'consumer', under: { parent }, attributes }));
  const how = await write();
  for (const span of spans) span.end(how.kind === 'written' ? {} : { failed: how.kind });
  return how;
};
