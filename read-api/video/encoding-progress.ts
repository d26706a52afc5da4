/** How far renditions are that are encoded in groups: what the log has, and what workers reported of the groups that they work on. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { TenantId } from '../../domain/kernel/ids';
import { encodeGroupsOnPlanned, groupsOf } from '../../domain/video/encode-groups-on-planned/process';
import { encodingIdOf, encodingStream, encodings } from '../../domain/video/encoding/events';
import { encodingRules, missingGroups } from '../../domain/video/encoding/state';
import { transcodingQueue } from '../../domain/video/run-steps-on-video/process';
import type { Rendition } from '../../domain/video/video/events';
import type { UploadedVideo } from '../../domain/video/video/state';
import type { EventStore, EventStoreFault, StoredEvent } from '../../infra/ports/event-store';
import type { JobLookup } from '../../infra/ports/processes/work-queue';
import { applyStoredEvents, emptyAggregate } from '../../infra/server/aggregates/loaded-aggregate';
import { jobKeyOf } from '../../infra/server/ids/derived-id';

/** Groups are begun in order, one by each worker: more than these are not looked at. */
const mostWorkedOn = 4;

/** Of the newest job for the group. */
const groupJobKey = (events: readonly StoredEvent[], group: number): string | undefined => {
  for (const { id, type, data } of events.toReversed()) {
    const event = encodings.decode(type, data);
    const ordinal = isLeft(event) ? -1 : groupsOf(event.right).indexOf(group);
    if (ordinal >= 0) return jobKeyOf(encodeGroupsOnPlanned.name, id, ordinal);
  }
  return undefined;
};

export interface EncodingSource {
  readonly store: Pick<EventStore, 'read'>;
  readonly jobs: Pick<JobLookup, 'findByKey'>;
}

interface NamedEncoding {
  readonly tenant: TenantId;
  readonly video: Pick<UploadedVideo, 'videoId' | 'generation'>;
  readonly renditions: readonly Rendition[];
}

/** Undefined: it is not divided into groups yet. */
export const encodingPercent = async (
  { store, jobs }: EncodingSource,
  { tenant, video: { videoId, generation }, renditions }: NamedEncoding,
): Promise<Either<EventStoreFault, number | undefined>> => {
  const stored = await store.read(encodingStream(tenant, encodingIdOf(videoId, generation, renditions)));
  if (isLeft(stored)) return stored;
  const { state } = applyStoredEvents(encodingRules, emptyAggregate(encodingRules), stored.right);
  if (state.kind === 'none') return right(undefined);
  const fractionOf = async (group: number): Promise<number> => {
    const key = groupJobKey(stored.right, group);
    if (key === undefined) return 0;
    const job = await jobs.findByKey({ queues: [transcodingQueue.name], key, tenant });
    // Without the queue's answer the percentage is that of whole groups.
    return isLeft(job) || job.right?.state !== 'running' ? 0 : (job.right.progress?.fraction ?? 0);
  };
  const begun = await Promise.all(missingGroups(state).slice(0, mostWorkedOn).map(fractionOf));
  const groups = begun.reduce((sum, fraction) => sum + fraction, state.groups.size);
  return right(Math.floor((100 * groups) / state.groupCount));
};
