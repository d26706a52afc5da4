/** GET /v1/platform/processes: position, owner and backlog of each process. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import type { ProcessStatusRecord } from '../../../infra/ports/processes/process-status';
import { problemOf } from '../../../infra/server/http/problem';
import { route } from '../../../infra/server/http/routing/route';
import { audienceOf, everyTenant } from '../explorer';
import { instantOrNull, Position, scopes } from '../schemas';
import { ledgerProblems, type Operations, ProcessName } from './operations';

export const PlatformProcess = record('PlatformProcess', {
  name: ProcessName,
  /** `running`: up to date or nearly. `gone`: no instance has reported for a while. */
  state: oneOf('ProcessState', ['running', 'catching-up', 'waiting', 'stopped', 'gone']),
  /** Why it is not running: a sentence. */
  why: nullable(text('ProcessWhy', { examples: ['Postgres does not answer.'], maxLength: 4_000 })),
  checkpoint: nullable(Position),
  lagEvents: nullable(integer(0)),
  lagSeconds: finite,
  /** The copy that runs it: its host and process id. */
  owner: nullable(text('ProcessOwner', { maxLength: 256, examples: ['processes-1:42'] })),
  seenAt: Instant,
  /** Of the tenant, or of all for operators. */
  timersWaiting: integer(0),
  timersOverdue: integer(0),
  nextTimerAt: nullable(Instant),
});
const PlatformProcesses = record('PlatformProcesses', { items: t.readonlyArray(PlatformProcess) });

const maxSilenceMilliseconds = 15_000;

const states = { live: 'running', 'catching-up': 'catching-up', stopped: 'stopped' } as const;
const isKnown = (phase: string): phase is keyof typeof states => Object.hasOwn(states, phase);

const isSilent = ({ seen }: ProcessStatusRecord, now: number): boolean =>
  now - Date.parse(seen) > maxSilenceMilliseconds;

/** The detail names a stream of one tenant, which other tenants must not see. */
const detailFor = ({ detail, phase }: ProcessStatusRecord, audience: string): string | null => {
  if (audience === everyTenant || detail === undefined) return detail?.slice(0, 4_000) ?? null;
  return phase === 'stopped'
    ? 'It stopped at an event that it cannot process; operators of the platform see which.'
    : null;
};

export const processFor = (audience: string, now: number) => (known: ProcessStatusRecord) => {
  const { process: name, phase, position: checkpoint, owner, seen: seenAt, leaseHeld } = known;
  const { lagEvents, lagSeconds, timersWaiting, timersOverdue, nextTimerAt } = known;
  const reported = isKnown(phase) ? states[phase] : 'waiting';
  const gone = isSilent(known, now);
  return {
    name,
    state: gone ? 'gone' : reported,
    checkpoint,
    lagEvents,
    lagSeconds,
    seenAt,
    timersWaiting,
    timersOverdue,
    why: gone ? 'No copy of it has reported for a while.' : detailFor(known, audience),
    owner: leaseHeld && !gone ? owner : null,
    nextTimerAt: instantOrNull(nextTimerAt),
  };
};

export const listProcesses = route<Operations>()({
  method: 'get',
  path: '/v1/platform/processes',
  operation: 'listPlatformProcesses',
  summary: 'List processes: position in the log, owner, timers',
  access: { scopes },
  answers: { 200: { description: 'All of them; there are few.', body: PlatformProcesses } },
  problems: ledgerProblems,
  handle: async (operations, { identity }) => {
    const audience = audienceOf(operations, identity);
    const found = await operations.processes.processes(audience);
    if (isLeft(found)) return problemOf(found.left, {});
    return { status: 200, body: { items: found.right.map(processFor(audience, Date.parse(operations.clock.now()))) } };
  },
});
