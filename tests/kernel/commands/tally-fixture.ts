/** Commands to a tally, handled: what the tests of `handle` share. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { handle } from '../../../commands/kernel/handle';
import type { HandleDeps, HandledCommand, HandleRequest } from '../../../commands/kernel/handle-request';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import { type TallyCommand, type TallyEvent, tally } from './tally';

export const noon = '2026-01-31T12:00:00.000Z' as Instant;
const clock = { now: () => noon };
export const stream = 'sample.tally-acme.t-1';

type Changes = Partial<HandleRequest<TallyCommand>>;

export const handleTally = (
  deps: Omit<HandleDeps, 'clock' | 'commandMetrics'>,
  commandId: string,
  changes: Changes & { command: TallyCommand },
) =>
  handle({ clock, commandMetrics: noCommandMetrics, ...deps }, tally, {
    stream,
    commandId,
    tenant: 'acme' as TenantId,
    actor: 'p-1',
    correlationId: 'r-1',
    ...changes,
  });

type Outcome = Awaited<ReturnType<typeof handleTally>>;

export const assertAccepted = (outcome: Outcome): HandledCommand<TallyEvent> => {
  assert.ok(isRight(outcome), isLeft(outcome) ? outcome.left.code : '');
  return outcome.right;
};

export const assertRefusedAs = (code: string, outcome: Outcome): void => {
  assert.ok(isLeft(outcome), `${code} expected`);
  assert.equal(outcome.left.code, code);
};

export const recorded = async (store: EventStore, name = stream): Promise<readonly StoredEvent[]> => {
  const events = await store.read(name);
  assert.ok(isRight(events));
  return events.right;
};

export const commandIds = (events: readonly StoredEvent[]): readonly string[] =>
  events.map(({ metadata }) => (metadata as { commandId: string }).commandId);
