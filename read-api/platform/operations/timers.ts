/** GET /v1/platform/timers: what is to happen later, the earliest first. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, record, text } from '../../../domain/kernel/codec';
import type { TimerRecord } from '../../../infra/ports/processes/process-status';
import { invalidInput, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { definedFields } from '../../kernel/defined-fields';
import { defaultLimit, PageLimit } from '../../kernel/pagination';
import { audienceOf } from '../explorer';
import { scopes, searched } from '../schemas';
import { ledgerProblems, type Operations, ProcessName } from './operations';

const TimerId = searched('TimerId', { examples: ['expire-grant'], maxLength: 256 });
const TimerCursor = text('TimerCursor', {
  examples: ['eyJhdCI6IjIwMjYifQ.c2lnbmVk'],
  maxLength: 512,
  description: 'The `next` of the page before.',
});

const PlatformTimer = record('PlatformTimer', {
  id: TimerId,
  process: ProcessName,
  /** The stream of the process's instance. */
  instance: text('TimerInstance', { examples: ['main.7d9f1c9e'], maxLength: 1024 }),
  key: text('TimerKey', { examples: ['expiry'], maxLength: 256 }),
  at: Instant,
  overdue: t.boolean,
});
const PlatformTimers = record('PlatformTimers', { items: t.readonlyArray(PlatformTimer) }, { next: TimerCursor });

const Query = record('PlatformTimersQuery', {}, { process: ProcessName, cursor: TimerCursor, limit: PageLimit });
type Query = t.TypeOf<typeof Query>;

/** The end of a page; it is not confidential. */
const cursorOf = ({ at, id }: TimerRecord): string => Buffer.from(JSON.stringify([at, id])).toString('base64url');

const TimerPosition = t.tuple([Instant, TimerId]);

const parseCursor = (cursor: string): readonly [string, string] | undefined => {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return TimerPosition.is(place) ? place : undefined;
  } catch {
    return undefined;
  }
};

const list = async (operations: Operations, request: RouteRequest<unknown, Query, unknown>): Promise<Answer> => {
  const { process, cursor, limit = defaultLimit } = request.query;
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && after === undefined)
    return invalidInput([{ pointer: '/query/cursor', expected: 'the next of the page before' }]);
  const query = { limit: limit + 1, ...definedFields({ process, after }) };
  const found = await operations.processes.timers(audienceOf(operations, request.identity), query);
  if (isLeft(found)) return problemOf(found.left, {});
  const items = found.right.slice(0, limit);
  const last = found.right.length > limit ? items.at(-1) : undefined;
  return { status: 200, body: { items, ...(last === undefined ? {} : { next: cursorOf(last) }) } };
};

export const listTimers = route<Operations>()({
  method: 'get',
  path: '/v1/platform/timers',
  operation: 'listPlatformTimers',
  summary: 'List timers that have not fired, earliest first: those of the tenant, or all for operators',
  access: { scopes },
  query: Query,
  answers: { 200: { description: 'A page; the last has no `next`.', body: PlatformTimers } },
  problems: ledgerProblems,
  handle: list,
});
