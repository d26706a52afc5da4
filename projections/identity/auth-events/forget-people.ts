/** Removes addresses and devices of persons who were forgotten from authorization decisions, from where this ended before. */
import { isLeft } from 'fp-ts/Either';
import { decodeStored } from '../../../domain/kernel/codec';
import { EventMetadata } from '../../../domain/kernel/metadata';
import { subjects } from '../../../domain/privacy/subject/events';
import type { EventStore } from '../../../infra/ports/event-store';
import type { AuthEventIndex, AuthEventStream } from '../../../infra/ports/identity/auth-events';
import { orThrow } from './index-auth-events';

/** Clocks of gateways may be ahead of the one that dated the erasure. */
const maxSkewMilliseconds = 60_000;

export interface ForgettingPeople {
  readonly store: Pick<EventStore, 'subscribeAll'>;
  readonly stream: Pick<AuthEventStream, 'forget' | 'forgottenTo' | 'recordForgottenTo'>;
  readonly index: Pick<AuthEventIndex, 'forget'>;
  /** The log that positions are of. */
  readonly log: string;
  readonly signal: AbortSignal;
}

/** Until the signal aborts; throws where a store is away. */
export const forgetPeople = async (
  { store, stream, index, log, signal }: ForgettingPeople,
  progress: () => void,
): Promise<void> => {
  const after = orThrow(await stream.forgottenTo(log));
  for await (const seen of store.subscribeAll({ after, filter: { streams: [subjects.prefix] }, signal })) {
    progress();
    if (seen.kind !== 'event') continue;
    const { stream: name, type, data, metadata, position } = seen.event;
    const event = subjects.decode(type, data);
    const recorded = decodeStored(EventMetadata, metadata);
    if (isLeft(event) || isLeft(recorded)) throw new Error(`${name} cannot be decoded`);
    const until = Date.parse(recorded.right.at) + maxSkewMilliseconds;
    const forgotten = { subject: event.right.data.subject, until };
    orThrow(await stream.forget(forgotten));
    orThrow(await index.forget(forgotten));
    orThrow(await stream.recordForgottenTo(log, position));
  }
};
