/** Incident: opened once, contained step by step in the specified order, recovered or closed. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { type IncidentEvent, incidents, type RecoveryMethod } from './events';
import { type ContainmentStep, containmentSteps, type StepResult } from './steps';

type Opened = Extract<IncidentEvent, { type: 'IncidentOpened' }>['data'];

/** `OPEN`: being contained. `CONTAINED`: the eight steps are taken. */
export type IncidentStatus = 'OPEN' | 'CONTAINED' | 'RECOVERED' | 'CLOSED';

export interface Incident extends Opened {
  readonly kind: 'incident';
  readonly status: IncidentStatus;
  /** Steps taken so far, which are the first ones. */
  readonly taken: number;
  /** Position of the last measure. */
  readonly sequence: string | null;
  /** When the last step was taken, or the incident opened. */
  readonly steppedAt: Instant;
}

export type IncidentState = { readonly kind: 'none' } | Incident;

export interface OpenIncident {
  readonly type: 'OpenIncident';
  readonly data: Opened;
}

export interface TakeContainmentStep {
  readonly type: 'TakeContainmentStep';
  readonly step: ContainmentStep;
  readonly result: StepResult;
  readonly detail: string;
  readonly sequence: string | null;
  readonly at: Instant;
}

export interface RecoverIncident {
  readonly type: 'RecoverIncident';
  readonly principalId: PrincipalId;
  readonly method: RecoveryMethod;
  readonly authenticatedAt: Instant;
  readonly securityEpoch: number;
  readonly at: Instant;
}

export interface CloseIncident {
  readonly type: 'CloseIncident';
  readonly reason: string;
  readonly at: Instant;
}

export type IncidentCommand = OpenIncident | TakeContainmentStep | RecoverIncident | CloseIncident;
export type IncidentRejection =
  | 'authentication-not-fresh'
  | 'incident-differs'
  | 'incident-not-contained'
  | 'incident-of-another'
  | 'incident-unknown'
  | 'step-out-of-order';

type Decision = Either<Rejection<IncidentRejection>, readonly IncidentEvent[]>;

/** Fresh: of the last five minutes (section 8). */
const freshMilliseconds = 300_000;

/** The next step of containment; undefined: all are taken, or there is nothing to contain. */
export const nextStepOf = ({ reach, taken }: Incident): ContainmentStep | undefined =>
  reach === 'nothing' ? undefined : containmentSteps[taken];

const open = ({ data }: OpenIncident, state: IncidentState): Decision => {
  if (state.kind === 'none') return right([{ type: 'IncidentOpened', data }]);
  // The mark that containment leaves on a principal opens it again.
  return state.principalId === data.principalId
    ? right([])
    : reject('incident-differs', 'Another incident has this id.');
};

const takeStep = (command: TakeContainmentStep, state: Incident): Decision => {
  const { incidentId, principalId, taken } = state;
  const { step, result, detail, sequence, at: takenAt } = command;
  if (containmentSteps.indexOf(step) < taken) return right([]);
  if (nextStepOf(state) !== step) return reject('step-out-of-order', 'Another step comes first.');
  return right([
    {
      type: 'ContainmentStepTaken',
      data: { incidentId, principalId, step, result, detail, sequence: sequence ?? state.sequence, takenAt },
    },
  ]);
};

const notContained = () =>
  reject('incident-not-contained', 'The incident is being contained: wait until its eight steps are taken.');

/** Whether an authentication began after the incident, and is of the last five minutes. */
const isFreshAfter = ({ openedAt }: Opened, authenticatedAt: Instant, at: Instant): boolean =>
  authenticatedAt > openedAt && Date.parse(at) - Date.parse(authenticatedAt) <= freshMilliseconds;

/** A closed incident can still be recovered from: its principal has no other way back. */
const recover = (command: RecoverIncident, state: Incident): Decision => {
  const { principalId, method, authenticatedAt, securityEpoch, at: recoveredAt } = command;
  if (state.principalId !== principalId) return reject('incident-of-another', 'The incident is of another principal.');
  if (state.status === 'RECOVERED') return right([]);
  if (state.status === 'OPEN') return notContained();
  if (!isFreshAfter(state, authenticatedAt, recoveredAt))
    return reject(
      'authentication-not-fresh',
      'Recovery needs an authentication after the incident, of the last five minutes.',
    );
  const { incidentId } = state;
  return right([
    {
      type: 'IncidentRecovered',
      data: { incidentId, principalId, method, authenticatedAt, securityEpoch, recoveredAt },
    },
  ]);
};

const close = ({ reason, at: closedAt }: CloseIncident, state: Incident): Decision => {
  if (state.status === 'RECOVERED' || state.status === 'CLOSED') return right([]);
  if (nextStepOf(state) !== undefined) return notContained();
  const { incidentId, principalId } = state;
  return right([{ type: 'IncidentClosed', data: { incidentId, principalId, reason, closedAt } }]);
};

const decide = (command: IncidentCommand, state: IncidentState): Decision => {
  if (command.type === 'OpenIncident') return open(command, state);
  if (state.kind === 'none') return reject('incident-unknown', 'There is no such incident.');
  switch (command.type) {
    case 'TakeContainmentStep':
      return takeStep(command, state);
    case 'RecoverIncident':
      return recover(command, state);
    case 'CloseIncident':
      return close(command, state);
  }
};

const withStep = (
  state: Incident,
  { sequence, takenAt: steppedAt }: Pick<Incident, 'sequence'> & { readonly takenAt: Instant },
): Incident => {
  const taken = state.taken + 1;
  const status = state.status === 'OPEN' && taken >= containmentSteps.length ? 'CONTAINED' : state.status;
  return { ...state, taken, sequence, steppedAt, status };
};

const evolve = (state: IncidentState, event: IncidentEvent): IncidentState => {
  if (event.type === 'IncidentOpened')
    return state.kind === 'none'
      ? { kind: 'incident', status: 'OPEN', taken: 0, sequence: null, steppedAt: event.data.openedAt, ...event.data }
      : state;
  if (state.kind === 'none') return state;
  switch (event.type) {
    case 'ContainmentStepTaken':
      return withStep(state, event.data);
    case 'IncidentRecovered':
      return { ...state, status: 'RECOVERED' };
    case 'IncidentClosed':
      return { ...state, status: 'CLOSED' };
  }
};

export const incident: Decider<IncidentCommand, IncidentState, IncidentEvent, IncidentRejection> = {
  family: incidents,
  initial: { kind: 'none' },
  evolve,
  decide,
};
