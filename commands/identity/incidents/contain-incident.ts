/** Takes the steps of containment in order. Each is recorded when it is done, so the next attempt begins with the first that is not. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type IncidentId, platformTenant } from '../../../domain/identity/ids';
import { type Incident, incident, nextStepOf } from '../../../domain/identity/incident/decider';
import { incidentStream } from '../../../domain/identity/incident/events';
import { reasonOf } from '../../../domain/identity/incident/new-incident';
import type { ContainmentStep } from '../../../domain/identity/incident/steps';
import type { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { ContainmentOrder } from './containment-order';
import { type ContainmentDeps, type StepOutcome, stepPerformers } from './containment-steps';

export interface ContainmentRequest {
  readonly tenantId: TenantId;
  readonly incidentId: IncidentId;
  readonly requestId: string;
  /** Stops before this step; left out: takes all. */
  readonly before?: ContainmentStep;
}

export interface ContainmentFailure {
  readonly code: string;
  readonly detail: string;
}

const actor = 'system:containment';

const orderOf = ({ tenantId, incidentId, requestId }: ContainmentRequest, state: Incident): ContainmentOrder => ({
  // What a drill ends belongs to no tenant.
  ...{ tenantId: state.drill ? platformTenant : tenantId, incidentId, requestId, actor, reason: reasonOf(state) },
  commandId: (stream) => derivedId('contain', stream, incidentId),
});

/** Commands answer 0 where there is no stream. */
const laterOf = (sequence: string | null, { position = 0n }: StepOutcome): string | null => {
  const before = sequence === null ? 0n : BigInt(sequence);
  const latest = position > before ? position : before;
  return latest === 0n ? null : String(latest);
};

const load = async (deps: ContainmentDeps, { tenantId, incidentId }: ContainmentRequest) => {
  const stream = incidentStream(tenantId, incidentId);
  const loaded = await loadStream(deps, incident, stream);
  if (isLeft(loaded)) return loaded;
  return loaded.right.kind === 'none'
    ? left({ code: 'incident-unknown', detail: 'There is no such incident.' })
    : right(loaded.right);
};

const recordStep = (
  deps: ContainmentDeps,
  { tenantId, incidentId, requestId }: ContainmentRequest,
  { state, step, outcome }: { readonly state: Incident; readonly step: ContainmentStep; readonly outcome: StepOutcome },
) => {
  const stream = incidentStream(tenantId, incidentId);
  const { result, detail } = outcome;
  const sequence = laterOf(state.sequence, outcome);
  return handle(deps, incident, {
    ...{ stream, actor, tenant: tenantId, correlationId: requestId, fingerprint: [incidentId, step] },
    commandId: derivedId('containment-step', stream, step),
    command: { type: 'TakeContainmentStep', step, result, detail, sequence, at: deps.clock.now() },
  });
};

const endDrill = async (
  deps: ContainmentDeps,
  { tenantId, incidentId, requestId }: ContainmentRequest,
  state: Incident,
): Promise<Either<ContainmentFailure, Incident>> => {
  const stream = incidentStream(tenantId, incidentId);
  const closed = await handle(deps, incident, {
    ...{ stream, actor, tenant: tenantId, correlationId: requestId, fingerprint: incidentId },
    commandId: derivedId('end-drill', stream),
    command: { type: 'CloseIncident', reason: 'The drill has ended.', at: deps.clock.now() },
  });
  return isLeft(closed) ? left(closed.left) : right({ ...state, status: 'CLOSED' });
};

export const containIncident = async (
  deps: ContainmentDeps,
  request: ContainmentRequest,
): Promise<Either<ContainmentFailure, Incident>> => {
  for (;;) {
    const loaded = await load(deps, request);
    if (isLeft(loaded)) return loaded;
    const state = loaded.right;
    const step = nextStepOf(state);
    if (step === undefined) return state.drill ? endDrill(deps, request, state) : right(state);
    if (step === request.before) return right(state);
    const outcome = await stepPerformers[step](deps, state, orderOf(request, state));
    if (isLeft(outcome)) return left(outcome.left);
    const recorded = await recordStep(deps, request, { state, step, outcome: outcome.right });
    if (isLeft(recorded)) return left(recorded.left);
  }
};
