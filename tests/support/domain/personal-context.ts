/** A context of its own with something personal in it, for tests of what is sealed and forgotten. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { integer, nullable, record, text } from '../../../domain/kernel/codec';
import { aggregate } from '../../../domain/kernel/family';
import { isForgotten, secret } from '../../../domain/kernel/secret';
import type { EventStore, NewEvent } from '../../../infra/ports/event-store';
import type { IndexView, KeysView, TableView } from '../../../infra/ports/views/view-store';
import { type Projection, projection, putRow, streamsOf } from '../../../projections/kernel/projection';
import type { RecordedEvent } from '../../../projections/kernel/recorded-event';

const MemberId = text('MemberId', { maxLength: 64 });
const MemberName = text('MemberName', { maxLength: 200 });

export const members = aggregate(
  { context: 'sample', name: 'member' },
  {
    MemberJoined: {
      v: 1,
      data: {
        memberId: MemberId,
        invitedBy: MemberId,
        name: secret(MemberName, 'memberId'),
        /** Encrypted under the inviter's key, so that an event has two subjects. */
        mail: secret(nullable(MemberName), 'invitedBy'),
      },
    },
    MemberRenamed: { v: 1, data: { memberId: MemberId, name: secret(MemberName, 'memberId') } },
    MemberLeft: { v: 1, data: { memberId: MemberId } },
  },
);
export type MemberEvent = typeof members.Event;

/** A fold: the newest name, and a dash for a forgotten member. */
export const nameOf = (before: string | null, event: MemberEvent): string | null => {
  if (event.type === 'MemberLeft') return before;
  return isForgotten(event.data.name) ? '-' : event.data.name;
};

export const joined = (
  memberId: string,
  name: string,
  mail: string | null = null,
  invitedBy = memberId,
): MemberEvent => ({
  type: 'MemberJoined',
  data: { memberId, invitedBy, name, mail },
});

export const memberStream = (id: string, tenant = 'acme'): string => `sample.member-${tenant}.${id}`;

export const memberEvent = (event: MemberEvent, tenant = 'acme'): NewEvent => ({
  id: randomUUID(),
  ...members.encode(event),
  metadata: {
    $correlationId: 'c',
    $causationId: 'c',
    commandId: 'command-1',
    commandHash: 'a-hash-of-what-was-asked-for',
    tenant,
    actor: 'system:test',
    at: '2026-01-31T12:00:00.000Z',
  },
});

/** Appends, and answers the stream. */
export const recordMember = async (store: EventStore, event: MemberEvent, tenant = 'acme'): Promise<string> => {
  const stream = memberStream(event.data.memberId, tenant);
  const appended = await store.append(stream, 'any', [memberEvent(event, tenant)]);
  if (isLeft(appended)) throw new Error(JSON.stringify(appended.left));
  return stream;
};

const MemberRow = record('MemberRow', {
  tenantId: text('TenantId', { maxLength: 63 }),
  memberId: MemberId,
  name: nullable(MemberName),
  revision: integer(0),
});
export type MemberRow = TypeOf<typeof MemberRow>;

const shared = { row: MemberRow, key: ['tenantId', 'memberId'] as const, version: 1 };
const keyword = { type: 'keyword' } as const;
type Personal = { readonly personal?: true };

export const memberTable = (name: string, personal: Personal = { personal: true }): TableView<MemberRow> => ({
  ...shared,
  ...personal,
  name,
  store: 'postgres',
  columns: { tenantId: 'text', memberId: 'text', name: 'text', revision: 'integer' },
});
export const memberKeys = (name: string): KeysView<MemberRow> => ({ ...shared, personal: true, name, store: 'redis' });
export const memberIndex = (name: string): IndexView<MemberRow> => ({
  ...shared,
  personal: true,
  name,
  store: 'elastic',
  mappings: { tenantId: keyword, memberId: keyword, name: keyword, revision: { type: 'long' } },
});

const row = ({ data, at }: RecordedEvent<MemberEvent>) =>
  putRow<MemberRow>({
    memberId: data.memberId,
    name: 'name' in data && !isForgotten(data.name) ? data.name : null,
    ...at,
  });

export const memberProjection = (view: TableView<MemberRow> | KeysView<MemberRow> | IndexView<MemberRow>): Projection =>
  projection(view as IndexView<MemberRow>, [
    streamsOf(members, { MemberJoined: row, MemberRenamed: row, MemberLeft: row }),
  ]);
