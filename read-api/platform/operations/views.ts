/** GET /v1/platform/views: position and last rebuild of every view, for operators. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import type { RebuildRecord, ViewStatusReader, ViewStatusRecord } from '../../../infra/ports/views/view-status';
import { commonProblems, problemOf } from '../../../infra/server/http/problem';
import { route } from '../../../infra/server/http/routing/route';
import { audienceOf, type Explorer, everyTenant } from '../explorer';

const Position = text('Position', { maxLength: 20, pattern: '[0-9]{1,20}', examples: ['41216'] });
const Rows = nullable(integer(0));

const PlatformRebuild = record('PlatformRebuild', {
  outcome: oneOf('RebuildOutcome', ['running', 'switched', 'failed', 'cut-off']),
  by: text('Actor', { examples: ['admin'], maxLength: 256 }),
  began: Instant,
  ended: nullable(Instant),
  generation: nullable(integer(0)),
  /** How far it is. */
  position: nullable(Position),
  /** How far one before it had come, whose copy this one goes on with. */
  resumedFrom: nullable(Position),
  events: integer(0),
  eventsPerSecond: integer(0),
  secondsLeft: nullable(integer(0)),
  rowsBefore: Rows,
  rowsAfter: Rows,
  /** Null where nothing was compared. */
  differs: nullable(t.boolean),
  reason: nullable(text('FaultCode', { examples: ['service-unavailable'], maxLength: 64 })),
});

export const PlatformView = record('PlatformView', {
  name: text('ViewName', { examples: ['identity_principals'], maxLength: 128 }),
  version: integer(1),
  store: oneOf('ViewStore', ['postgres', 'elastic', 'redis']),
  phase: text('ViewPhase', { examples: ['live'], maxLength: 32 }),
  /** Why it stopped, or what it waits for: a sentence, and null while it goes on. */
  why: nullable(text('ViewWhy', { examples: ['An event cannot be decoded.'], maxLength: 4_000 })),
  /** The copy that serves; null where there is none yet, and where its store keeps count by itself. */
  generation: nullable(integer(0)),
  checkpoint: nullable(Position),
  lagSeconds: finite,
  lagEvents: nullable(integer(0)),
  skippedEvents: integer(0),
  /** Last report of a projector; if it is old, none runs. */
  seenAt: Instant,
  lastRebuild: nullable(PlatformRebuild),
});
const PlatformViews = record('PlatformViews', { items: t.readonlyArray(PlatformView) });

const differs = ({ before, after }: RebuildRecord): boolean | null =>
  before === undefined || after === undefined ? null : before.rows !== after.rows || before.hash !== after.hash;

const rebuildFor = (rebuild: RebuildRecord) => {
  const { outcome, by, began, ended, generation, events, perSecond, secondsLeft, before, after, reason } = rebuild;
  const { position = null, resumedFrom = null } = rebuild;
  return {
    outcome,
    by,
    began,
    ended: ended ?? null,
    generation: generation ?? null,
    position,
    resumedFrom,
    events,
    eventsPerSecond: perSecond,
    secondsLeft: outcome === 'running' ? (secondsLeft ?? null) : null,
    rowsBefore: before?.rows ?? null,
    rowsAfter: after?.rows ?? null,
    differs: differs(rebuild),
    reason: reason ?? null,
  };
};

/** The detail names a stream of one tenant, which other tenants must not see. */
const detailFor = ({ detail, phase }: ViewStatusRecord, audience: string): string | null => {
  if (detail === undefined) return null;
  if (audience === everyTenant) return detail.slice(0, 4_000);
  return phase === 'stopped'
    ? 'It stopped at an event that it cannot apply; operators of the platform see which.'
    : null;
};

export const viewFor = (audience: string) => (known: ViewStatusRecord) => {
  const { view: name, position: checkpoint, seen: seenAt, rebuild, generation = null } = known;
  const { version, store, phase, lagSeconds, lagEvents, skippedEvents } = known;
  const lastRebuild = rebuild === undefined ? null : rebuildFor(rebuild);
  const lag = { checkpoint, lagSeconds, lagEvents, skippedEvents, seenAt };
  return { name, version, store, phase, why: detailFor(known, audience), generation, ...lag, lastRebuild };
};

export interface Views extends Pick<Explorer, 'operators'> {
  readonly ledger: ViewStatusReader;
}

export const listViews = route<Views>()({
  method: 'get',
  path: '/v1/platform/views',
  operation: 'listPlatformViews',
  summary: 'List read models: position, lag, last rebuild',
  access: { scopes: ['platform:read'] },
  answers: { 200: { description: 'All of them; there are few.', body: PlatformViews } },
  problems: { 'view-store-unavailable': commonProblems['view-store-unavailable'] },
  handle: async ({ ledger, operators }, { identity }) => {
    const views = await ledger.views();
    if (isLeft(views)) return problemOf(views.left, {});
    return { status: 200, body: { items: views.right.map(viewFor(audienceOf({ operators }, identity))) } };
  },
});
