/** A process's command sent, and its refusal recorded where the process keeps its notes. */
import { isLeft } from 'fp-ts/Either';
import type { CommandRefused } from '../../../domain/kernel/process-events';
import type { Timers } from '../../../infra/ports/timers';
import type { WorkQueue } from '../../../infra/ports/work-queue';
import { derivedId } from '../derive';
import { handle } from '../handle';
import type { HandleDeps } from '../request';
import type { Arrival, BoundProcess } from './bound';
import { dispatch, type Envelope, type Outcome } from './dispatch';

export interface PerformDeps extends HandleDeps {
  readonly timers: Timers;
  readonly work: WorkQueue;
  /** Told of each command once it is done, refused, or to be tried again. */
  readonly sent: (outcome: Outcome['kind']) => void;
  /** Told after a timer was set. */
  readonly scheduled: () => void;
}

/** What stays the same for all that one event leads to. */
export interface Owner {
  readonly tenant: Arrival['tenant'];
  readonly instance: string;
  readonly eventId: string;
  readonly correlationId: string;
  readonly depth: number;
}

export const ownerOf = ({ tenant, instance, happened, correlationId, depth }: Arrival): Owner => ({
  ...{ tenant, instance, eventId: happened.id, correlationId, depth: depth + 1 },
});

export type Answering = readonly [PerformDeps, BoundProcess];

export const requestFor = ({ actor }: BoundProcess, owner: Owner) => ({
  stream: owner.instance,
  tenant: owner.tenant,
  actor,
  correlationId: owner.correlationId,
  causationId: owner.eventId,
  depth: owner.depth,
});

const recordRefusal = async ([deps, process]: Answering, owner: Owner, refused: CommandRefused): Promise<Outcome> => {
  const handled = await handle(deps, process.instance, {
    ...requestFor(process, owner),
    command: { type: 'RecordRefusal', refused },
    commandId: derivedId('refusal', refused.commandId),
    fingerprint: refused.commandId,
  });
  return isLeft(handled) ? { kind: 'again', detail: handled.left.detail } : { kind: 'done' };
};

const longestDetail = 2_000;

export const settle = async ([deps, process]: Answering, owner: Owner, envelope: Envelope): Promise<Outcome> => {
  const outcome = await dispatch(deps, process.targets, envelope);
  deps.sent(outcome.kind);
  if (outcome.kind !== 'refused') return outcome;
  const { code } = outcome;
  const detail = outcome.detail.slice(0, longestDetail);
  deps.log?.warn({ process: process.name, instance: owner.instance, code }, 'the command of a process is refused');
  const { to, id } = envelope.send;
  const refused = { eventId: owner.eventId, commandId: envelope.commandId, to, id, code, detail };
  return recordRefusal([deps, process], owner, refused);
};
