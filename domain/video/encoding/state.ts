/** State of an encoding: which of its groups are there. */
import type { VideoId } from '../ids';
import type { Rendition } from '../video/events';
import { type EncodingEvent, encodings } from './events';

export interface PlannedEncoding {
  readonly kind: 'planned';
  readonly videoId: VideoId;
  readonly generation: number;
  readonly renditions: readonly Rendition[];
  readonly groupCount: number;
  /** By group: digests of the descriptions, in the order of the renditions. */
  readonly groups: ReadonlyMap<number, readonly string[]>;
  readonly isCompleted: boolean;
}

export type EncodingState = { readonly kind: 'none' } | PlannedEncoding;

export const missingGroups = ({ groupCount, groups }: PlannedEncoding): readonly number[] =>
  Array.from({ length: groupCount }, (_, group) => group).filter((group) => !groups.has(group));

const evolve = (state: EncodingState, { type, data }: EncodingEvent): EncodingState => {
  if (type === 'EncodingPlanned') {
    const { videoId, generation, renditions, groupCount } = data;
    const named = { kind: 'planned' as const, videoId, generation, renditions, groupCount };
    return { ...named, groups: new Map(), isCompleted: false };
  }
  if (state.kind === 'none') return state;
  switch (type) {
    case 'GroupEncoded':
      return { ...state, groups: new Map(state.groups).set(data.group, data.tracks) };
    case 'EncodingCompleted':
      return { ...state, isCompleted: true };
    case 'EncodingResumed':
      return state;
  }
};

export const encodingRules = { family: encodings, initial: { kind: 'none' } as EncodingState, evolve };
