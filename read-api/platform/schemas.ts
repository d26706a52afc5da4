/** Words that several answers of the platform share, as they stand on the wire. */
import * as t from 'io-ts';
import { described, Instant, integer, nullable, record, type TextRule, text } from '../../domain/kernel/codec';
import { integerParameter } from '../../infra/server/http/routing/integer-parameter';

export const Position = text('Position', { maxLength: 20, pattern: '[0-9]{1,20}', examples: ['41216'] });

export const StreamName = text('PlatformStreamName', {
  content: 'any',
  maxLength: 1024,
  examples: ['identity.principal-acme.p-1'],
  description: 'As recorded in the log; percent-encoded in paths.',
});

/** Postgres holds no NUL, so nothing is found by a text with one. */
export const searched = (name: string, rule: TextRule) =>
  text(name, { content: 'any', pattern: '[^\\u0000]*', ...rule });

const maxRevision = 999_999_999_999_999;
export const Revision = integerParameter('PlatformRevision', { maximum: maxRevision });

export const Direction = described(t.keyof({ forwards: null, backwards: null }, 'ReadDirection'), {
  type: 'string',
  enum: ['forwards', 'backwards'],
  default: 'forwards',
});

const anyJson = (description: string, example: unknown) =>
  described(new t.Type('unknown', (_): _ is unknown => true, t.success, t.identity), {
    description,
    examples: [example],
  });

/** What is personal is `{"sealed":true}` here, and `{"forgotten":true}` once its subject was forgotten. */
const EventData = anyJson(
  'As recorded. Personal fields are `{"sealed":true}`, and `{"forgotten":true}` once their subject was forgotten; hashes of secrets are `{"withheld":true}`; bytes that are not JSON are `{"base64":"…"}`.',
  { principalId: 'p-1', reason: 'Lost laptop.' },
);
export const State = anyJson('The state of the aggregate.', { kind: 'registered', status: 'ACTIVE' });

export const EventId = searched('PlatformEventId', {
  maxLength: 64,
  examples: ['0b7e3c1e-6c3f-5d0c-9d5c-3b1f2a4e5d6f'],
});
export const EventType = text('PlatformEventType', {
  content: 'any',
  maxLength: 1024,
  examples: ['identity.PrincipalSuspended.v1'],
});
export const WantedType = text('PlatformWantedType', {
  content: 'any',
  maxLength: 1024,
  examples: ['PrincipalSuspended'],
  description: 'A stored type, or its name with or without context and version.',
});
export const Context = text('PlatformContext', { content: 'any', maxLength: 1024, examples: ['identity'] });

export const PlatformEvent = record('PlatformEvent', {
  id: EventId,
  type: EventType,
  stream: StreamName,
  /** Null where the stream is not named as ours are. */
  context: nullable(Context),
  tenantId: nullable(text('PlatformTenantId', { examples: ['main'], maxLength: 63 })),
  revision: integer(0),
  position: Position,
  /** Null where the metadata lack it. */
  at: nullable(Instant),
  contentType: text('ContentType', { maxLength: 64, examples: ['application/json'] }),
  data: EventData,
  metadata: anyJson('Who, why and for which command.', { $correlationId: 'c-1', $causationId: 'c-1', actor: 'p-1' }),
});
export type PlatformEvent = t.TypeOf<typeof PlatformEvent>;

export const scopes = ['platform:read'];

export const instantOrNull = (value: unknown): Instant | null => (Instant.is(value) ? value : null);
