/** What a rebuild is asked for, carries along and answers. */
import { type Either, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../domain/kernel/rejection';
import type { EventStore } from '../../infra/ports/event-store';
import type { Generation, ViewDigest, ViewWriter } from '../../infra/ports/view-store';
import type { Projection } from './projection';
import { type Advanced, replay } from './replay';
import type { Replaying, Step } from './replaying';

export interface Rebuild {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly signal: AbortSignal;
  readonly projection: Projection;
  /** Switches over also where rows of the same version came out differently. */
  readonly acceptDifferences: boolean;
  /** Which code this is. Left out, nothing that was left unfinished is gone on with. */
  readonly code?: string | undefined;
  readonly progress: (fields: { readonly [field: string]: unknown }, message: string) => void;
}

export interface Rebuilt {
  readonly generation: number;
  readonly events: number;
  readonly position: bigint | null;
  /** Undefined when the versions differ: then rows are meant to. */
  readonly digests: { readonly before: ViewDigest; readonly after: ViewDigest } | undefined;
}

export type Failure = Fault<string>;

const failureOf = (advanced: Exclude<Advanced, { kind: 'written' }>): Failure => {
  switch (advanced.kind) {
    case 'moved':
      return fault('view-building', 'Another rebuild of this view took over.');
    case 'drained':
      return fault('drained', 'The rebuild was stopped before it was done.');
    case 'refused':
      return fault('view-refused', advanced.detail);
    case 'poisoned': {
      const { stream, revision, type, reason } = advanced.poison;
      return fault('poison-event', `${type} at ${stream} revision ${revision} cannot be taken: ${reason}`);
    }
  }
};

export interface Work extends Rebuild {
  readonly replaying: Replaying & { readonly counted: { events: number } };
}

export const workOf = (rebuild: Rebuild, fresh: Generation): Work => {
  const counted = { events: 0 };
  const { progress, ...around } = rebuild;
  const replaying = {
    ...around,
    counted,
    cursor: { generation: fresh.number, position: fresh.position },
    waiting: (detail: string) => progress({ detail }, 'waiting for the store'),
    applied: ({ gathered }: Step, position: bigint) => {
      counted.events += gathered.events;
      progress({ events: counted.events, position: String(position) }, 'replaying');
    },
  };
  return { ...rebuild, replaying };
};

export const replayTo = async ({ replaying }: Work, until: bigint | null): Promise<Either<Failure, void>> => {
  const { position } = replaying.cursor;
  if (until === null || (position !== null && position >= until)) return right(undefined);
  const advanced = await replay(replaying, until);
  return advanced.kind === 'written' ? right(undefined) : left(failureOf(advanced));
};
