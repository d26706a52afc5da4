/** Indexes authorization decisions for as long as its process runs. Any number of copies may run: each event is delivered to one of them. */
import { type Either, isLeft } from 'fp-ts/Either';
import { type AuthEvent, withoutPersonal } from '../../../domain/identity/protocol/auth-event';
import type {
  AuthEventFault,
  AuthEventIndex,
  AuthEventRetention,
  AuthEventStream,
  DetectionForwarder,
} from '../../../infra/ports/identity/auth-events';
import type { Log } from '../../../infra/ports/runtime/log';
import { backoffMilliseconds, pause, resumeUntilAborted } from '../../../infra/server/runtime/backoff';
import { logOutage } from '../../../infra/server/runtime/outage';

/** An event is found some two seconds after its decision. */
const pauseMilliseconds = 1_000;
const expireMilliseconds = 3_600_000;

export interface AuthEventIndexing {
  readonly stream: Pick<AuthEventStream, 'read' | 'acknowledge' | 'forgottenAmong'>;
  readonly index: Pick<AuthEventIndex, 'add' | 'forget'>;
  readonly detection: DetectionForwarder;
  /** The vault's hash of a principal. */
  readonly subjectOf: (tenantId: string, principalId: string) => string;
}

export const orThrow = <A>(answer: Either<AuthEventFault, A>): A => {
  if (isLeft(answer)) throw new Error(answer.left.detail);
  return answer.right;
};

const subjectsOf = (events: readonly AuthEvent[], subjectOf: AuthEventIndexing['subjectOf']): readonly string[] => [
  ...new Set(
    events.flatMap(({ tenantId, principalId }) =>
      tenantId === null || principalId === null ? [] : [subjectOf(tenantId, principalId)],
    ),
  ),
];

/**
 * One batch; throws where a store is away. An erasure that begins while a batch is added may have passed it, so what is forgotten by then is erased
 * once more before the batch is acknowledged.
 */
export const indexBatch = async ({ stream, index, detection, subjectOf }: AuthEventIndexing): Promise<number> => {
  const deliveries = orThrow(await stream.read());
  if (deliveries.length === 0) return 0;
  const subjects = subjectsOf(
    deliveries.map(({ event }) => event),
    subjectOf,
  );
  const before = orThrow(await stream.forgottenAmong(subjects));
  const isForgotten = ({ tenantId, principalId, timestamp }: AuthEvent): boolean =>
    tenantId !== null &&
    principalId !== null &&
    Date.parse(timestamp) <= (before.get(subjectOf(tenantId, principalId)) ?? Number.NEGATIVE_INFINITY);
  const events = deliveries.map(({ event }) => (isForgotten(event) ? withoutPersonal(event) : event));
  orThrow(await index.add(events));
  for (const [subject, until] of orThrow(await stream.forgottenAmong(subjects)))
    orThrow(await index.forget({ subject, until }));
  orThrow(await detection.forward(events));
  orThrow(await stream.acknowledge(deliveries.map(({ delivery }) => delivery)));
  return deliveries.length;
};

export interface AuthEventIndexingDeps extends Omit<AuthEventIndexing, 'index'> {
  readonly index: Pick<AuthEventIndex, 'add' | 'forget' | 'expire'>;
  readonly retention: AuthEventRetention;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export const runAuthEventIndexing = async (deps: AuthEventIndexingDeps): Promise<void> => {
  const { index, retention, log, signal } = deps;
  let expiredAt = Number.NEGATIVE_INFINITY;
  await resumeUntilAborted(
    async (progress) => {
      while (!signal.aborted) {
        const indexed = await indexBatch(deps);
        progress();
        if (Date.now() - expiredAt > expireMilliseconds) {
          orThrow(await index.expire(retention, Date.now()));
          expiredAt = Date.now();
        }
        if (indexed === 0) await pause(backoffMilliseconds(0, pauseMilliseconds), signal);
      }
    },
    {
      signal,
      ...logOutage(log, {
        failing: 'authorization decisions could not be indexed; it is tried again',
        recovered: 'authorization decisions are indexed again',
      }),
    },
  );
};
