/** An encoding is done when each of its groups is, in whichever order; a group that two workers encoded counts once. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { VideoId } from '../ids';
import type { Rendition } from '../video/events';
import type { EncodingEvent } from './events';
import { type EncodingState, encodingRules, missingGroups, type PlannedEncoding } from './state';

interface NamedEncoding {
  readonly videoId: VideoId;
  readonly generation: number;
}

export type EncodingCommand =
  | ({
      readonly type: 'PlanEncoding';
      readonly renditions: readonly Rendition[];
      readonly groupCount: number;
    } & NamedEncoding)
  | ({ readonly type: 'RecordGroup'; readonly group: number; readonly tracks: readonly string[] } & NamedEncoding);

type Decision = Either<Rejection<'encoding-unknown'>, readonly EncodingEvent[]>;

const completion = ({ videoId, generation, renditions }: PlannedEncoding): EncodingEvent => ({
  type: 'EncodingCompleted',
  data: { videoId, generation, renditions },
});

/** Planned again, it goes on: the groups that are missing, or their joining. */
const plan = (
  { type: _, ...data }: Extract<EncodingCommand, { type: 'PlanEncoding' }>,
  state: EncodingState,
): readonly EncodingEvent[] => {
  if (state.kind === 'none') return [{ type: 'EncodingPlanned', data }];
  const { videoId, generation, renditions } = state;
  const groups = missingGroups(state);
  return [
    groups.length === 0
      ? completion(state)
      : { type: 'EncodingResumed', data: { videoId, generation, renditions, groups } },
  ];
};

const decide = (command: EncodingCommand, state: EncodingState): Decision => {
  if (command.type === 'PlanEncoding') return right(plan(command, state));
  if (state.kind === 'none') return reject('encoding-unknown', 'The encoding is not planned.');
  const { type: _, ...data } = command;
  const isLate = state.groups.has(data.group) || data.group >= state.groupCount;
  if (isLate || data.tracks.length !== state.renditions.length) return right([]);
  const encoded: EncodingEvent = { type: 'GroupEncoded', data };
  const isLast = missingGroups(state).length === 1;
  return right(isLast ? [encoded, completion(state)] : [encoded]);
};

export const encoding: Decider<EncodingCommand, EncodingState, EncodingEvent, 'encoding-unknown'> = {
  ...encodingRules,
  decide,
};
