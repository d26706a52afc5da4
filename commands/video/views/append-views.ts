/** Appends a batch of views to its video's stream, once: an append that is repeated finds the batch in the stream. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import { videoViewing } from '../../../domain/video/views/decider';
import { videoViewsStream } from '../../../domain/video/views/events';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { AppendedBatch, ViewBatch } from '../../../infra/ports/video/view-counts';
import { applyStoredEvents, emptyAggregate } from '../../../infra/server/aggregates/loaded-aggregate';
import { commandHash, derivedId } from '../../kernel/deterministic-ids';
import { encodeEvents } from '../../kernel/encode-events';
import { metadataOf } from '../../kernel/handle-request';

export interface AppendDeps {
  readonly store: Pick<EventStore, 'append' | 'read'>;
  readonly clock: Clock;
}

const attempts = 10;

/** From the batch's revision on: the event there has all sums before, and a batch that is in the log already stands behind it. */
const readEnd = async ({ store }: AppendDeps, stream: string, revision: number) => {
  let tail = await store.read(stream, revision);
  // The log was replaced by an older copy.
  if (!isLeft(tail) && tail.right.length === 0 && revision > 0) tail = await store.read(stream);
  if (isLeft(tail)) return tail;
  return right(applyStoredEvents(videoViewing, emptyAggregate(videoViewing), tail.right));
};

export const appendViews = async (deps: AppendDeps, batch: ViewBatch): Promise<Either<Fault, AppendedBatch>> => {
  const { batchId, tenant, videoId, minute, sums: added } = batch;
  const stream = videoViewsStream(tenant, videoId);
  const command = { type: 'AddViews', videoId, minute, added } as const;
  const commandId = derivedId('video-views', tenant, videoId, batchId);
  const context = { stream, command, commandId, tenant, actor: 'system:video-views', correlationId: batchId };
  let last: Fault = fault('event-store-unavailable', 'The views of the video keep changing.');
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const end = await readEnd(deps, stream, batch.revision);
    if (isLeft(end)) return end;
    const { state, revision, commands } = end.right;
    if (commands.has(commandId)) return right({ batchId, revision });
    const decided = videoViewing.decide(command, state);
    if (isLeft(decided) || decided.right.length === 0) return right({ batchId, revision: Math.max(0, revision) });
    const metadata = metadataOf(context, commandHash(command), deps.clock.now());
    const encoded = encodeEvents(videoViewing.family, stream, { decided: decided.right, metadata });
    if (isLeft(encoded)) return encoded;
    const appended = await deps.store.append(stream, revision < 0 ? 'no-stream' : revision, encoded.right.stored);
    if (!isLeft(appended)) return right({ batchId, revision: appended.right.revision });
    // Another consumer appended meanwhile, or the answer was lost: the stream shows which.
    if (appended.left.kind === 'fault') {
      if (appended.left.code !== 'event-store-ambiguous') return left(appended.left);
      last = appended.left;
    }
  }
  return left(last);
};
