/** The tally's commands over HTTP: created under a derived id, added to under a given one. */
import { left, right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { type CommandDeps, commandRoute } from '../../../commands/kernel/command-route';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { integer, record, text } from '../../../domain/kernel/codec';
import { idOf, streamName, type TenantId } from '../../../domain/kernel/ids';
import type { EventStore } from '../../../infra/ports/event-store';
import { problem } from '../../../infra/server/http/problem';
import { type BoundRoute, bind } from '../../../infra/server/http/routing/route';
import { tally } from './tally';

const TallyId = idOf('TallyId');
const Tally = record('Tally', { tallyId: TallyId });
const Amount = record('Amount', { amount: integer(1, 1_000_000) });

export const tallyStream = (tenant: string, id: string): string =>
  streamName({ context: 'sample', aggregate: 'tally', tenant: tenant as TenantId, id });

const shared = {
  method: 'post',
  scopes: ['things:write'],
  answer: Tally,
  decider: tally,
  problems: { 'tally-closed': { status: 409, title: 'The tally is closed' } },
} as const;

const open = commandRoute<CommandDeps>()({
  ...shared,
  path: '/v1/tallies',
  operation: 'openTally',
  summary: 'Open a tally',
  created: true,
  body: Amount,
  prepare: ({ body, tenantId, derivedId }) => {
    const tallyId = derivedId('tally');
    const command = { type: 'Add', amount: body.amount } as const;
    const location = `/v1/tallies/${tallyId}`;
    return right({ stream: tallyStream(tenantId, tallyId), command, answer: { tallyId }, fresh: true, location });
  },
});

const addTo = commandRoute<CommandDeps>()({
  ...shared,
  path: '/v1/tallies/:tallyId/add',
  operation: 'addToTally',
  summary: 'Add to a tally',
  params: Tally,
  body: Amount,
  prepare: async ({ params: { tallyId }, body, tenantId }) => {
    if (tallyId === 'locked') return left(problem('signing-unavailable', 'Try again later.'));
    const command = { type: 'Add', amount: body.amount } as const;
    return right({ stream: tallyStream(tenantId, tallyId), command, answer: { tallyId } });
  },
});

const close = commandRoute<CommandDeps>()({
  ...shared,
  path: '/v1/tallies/:tallyId/close',
  operation: 'closeTally',
  summary: 'Close a tally',
  params: Tally,
  body: record('Reason', { why: text('Why', { maxLength: 600_000 }) }),
  prepare: ({ params: { tallyId }, body, tenantId }) => {
    const command = { type: 'Close', why: body.why } as const;
    return right({ stream: tallyStream(tenantId, tallyId), command, answer: { tallyId } });
  },
});

export const tallyRoutes = (store: EventStore): readonly BoundRoute[] => {
  let made = 0;
  const uuid = (): string => {
    made += 1;
    return `made-up-${made}`;
  };
  const random = { uuid, token: uuid };
  const clock = { now: () => '2026-01-31T12:00:00.000Z' as never };
  const deps: CommandDeps = {
    store,
    commandMetrics: noCommandMetrics,
    clock,
    random,
    warm: createExclusiveAggregates(),
  };
  return [bind(deps, open), bind(deps, addTo), bind(deps, close)];
};
