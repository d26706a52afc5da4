/** Writes AuthEvents to Elasticsearch, once each: the event's id is the document's. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { AuthEvent } from '../../../../domain/identity/protocol/auth-event';
import { fault } from '../../../../domain/kernel/rejection';
import type { AuthEventFault, AuthEventIndex, AuthEventRetention } from '../../../ports/identity/auth-events';
import { type Operation, sendBulk } from '../bulk';
import { openElastic, toViewFault, undefinedIfMissing } from '../client';
import { writeAlias } from '../index-names';
import { findDocuments } from '../scan-documents';
import { authEventsAlias, createDayIndex, dayIn, dayIndex, dayOf, documentOf } from './documents';

const dayMilliseconds = 86_400_000;

export interface AuthEventIndexOptions {
  readonly url: string;
  readonly prefix?: string | undefined;
  /** The vault's hash of a principal. */
  readonly subjectOf: (tenantId: string, principalId: string) => string;
}

const unavailable = (detail: string): Either<AuthEventFault, never> => left(fault('service-unavailable', detail));

export const attempt = async <A>(work: () => Promise<A>): Promise<Either<AuthEventFault, A>> => {
  const done = await toViewFault(work);
  return isLeft(done) ? unavailable(done.left.detail) : done;
};

type Send = (operations: readonly Operation[], refresh: boolean) => Promise<void>;

/** Throws, so that it can be used within `attempt`. */
const sendOrThrow =
  (client: Client): Send =>
  async (operations, refresh) => {
    const sent = await sendBulk(client, operations, refresh);
    if (isLeft(sent)) throw new Error(sent.left.detail);
  };

const forget = async (
  { client, prefix, send }: { readonly client: Client; readonly prefix: string | undefined; readonly send: Send },
  { subject, until }: { readonly subject: string; readonly until: number },
): Promise<void> => {
  const index = authEventsAlias(prefix);
  if ((await undefinedIfMissing(() => client.indices.refresh({ index }))) === undefined) return;
  const query: estypes.QueryDslQueryContainer = {
    bool: { filter: [{ term: { subject } }, { range: { timestamp: { lte: new Date(until).toISOString() } } }] },
  };
  for await (const documents of findDocuments(client, index, { query }))
    await send(
      documents.map(({ id, source: { sourceIp: _address, deviceId: _device, subject: _subject, ...rest } }) => {
        const day = dayOf(rest as unknown as AuthEvent);
        return [{ index: { _index: writeAlias(dayIndex(prefix, day)), _id: id } }, rest];
      }),
      true,
    );
};

/** What a day's index loses at that age. */
const expiredQueries = (
  { days, byTenant }: AuthEventRetention,
  age: number,
): readonly estypes.QueryDslQueryContainer[] => {
  const expired = [...byTenant].filter(([, own]) => age > own).map(([tenantId]) => tenantId);
  const others = { bool: { must_not: { terms: { tenantId: [...byTenant.keys()] } } } };
  return [...(expired.length === 0 ? [] : [{ terms: { tenantId: expired } }]), ...(age > days ? [others] : [])];
};

const expire = async (
  { client, prefix, send }: { readonly client: Client; readonly prefix: string | undefined; readonly send: Send },
  retention: AuthEventRetention,
  now: number,
): Promise<void> => {
  const longest = Math.max(retention.days, ...retention.byTenant.values());
  const known = await undefinedIfMissing(() => client.indices.getAlias({ name: authEventsAlias(prefix) }));
  for (const index of Object.keys(known ?? {})) {
    const day = dayIn(prefix, index);
    if (day === undefined) continue;
    // Of the youngest event in it.
    const age = Math.floor((now - Date.parse(day)) / dayMilliseconds) - 1;
    if (age > longest) await client.indices.delete({ index, ignore_unavailable: true });
    else
      for (const query of expiredQueries(retention, age))
        for await (const documents of findDocuments(client, index, { query }))
          await send(
            documents.map(({ id }) => [{ delete: { _index: writeAlias(index), _id: id } }]),
            false,
          );
  }
};

export const openAuthEventIndex = ({ url, prefix, subjectOf }: AuthEventIndexOptions): AuthEventIndex => {
  const client = openElastic(url);
  const send = sendOrThrow(client);
  const parts = { client, prefix, send };
  /** Days whose index this process has seen. */
  const days = new Set<string>();
  return {
    add: async (events) => {
      const added = await attempt(async () => {
        for (const day of new Set(events.map(dayOf))) {
          if (days.has(day)) continue;
          await createDayIndex(client, prefix, day);
          days.add(day);
        }
        const operations = events.map((event) => [
          { create: { _index: writeAlias(dayIndex(prefix, dayOf(event))), _id: event.eventId } },
          documentOf(event, subjectOf),
        ]);
        return sendBulk(client, operations, false);
      });
      if (isLeft(added)) return added;
      if (!isLeft(added.right)) return right(undefined);
      // The index of a day may be gone: it is made again at the next attempt.
      days.clear();
      return unavailable(added.right.left.detail);
    },
    forget: (forgotten) => attempt(() => forget(parts, forgotten)),
    expire: (retention, now) => attempt(() => expire(parts, retention, now)),
    close: () => client.close(),
  };
};
