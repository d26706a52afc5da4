/** Removes what is known of viewers who were forgotten, from where this ended before. */
import { type Either, isLeft } from 'fp-ts/Either';
import { subjects } from '../../../domain/privacy/subject/events';
import type { EventStore } from '../../../infra/ports/event-store';
import type { ViewCounts } from '../../../infra/ports/video/view-counts';

interface Forgetting {
  readonly store: Pick<EventStore, 'subscribeAll'>;
  readonly counts: Pick<ViewCounts, 'forget' | 'forgottenTo' | 'recordForgottenTo'>;
  readonly signal: AbortSignal;
}

const orThrow = <A>(answer: Either<{ readonly detail: string }, A>): A => {
  if (isLeft(answer)) throw new Error(answer.left.detail);
  return answer.right;
};

/** Until the signal aborts; throws where a store is away. */
export const forgetViewers = async ({ store, counts, signal }: Forgetting, progress: () => void): Promise<void> => {
  const request = { after: orThrow(await counts.forgottenTo()), filter: { streams: [subjects.prefix] }, signal };
  for await (const seen of store.subscribeAll(request)) {
    progress();
    if (seen.kind !== 'event') continue;
    const { stream, type, data, position } = seen.event;
    const event = subjects.decode(type, data);
    if (isLeft(event)) throw new Error(`${stream} cannot be decoded`);
    orThrow(await counts.forget([event.right.data.subject]));
    orThrow(await counts.recordForgottenTo(position));
  }
};
