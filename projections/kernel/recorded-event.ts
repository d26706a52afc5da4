/** Recorded events as projections see them, and poison events, which cannot be read. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decodeStored, type InputFault, type Instant } from '../../domain/kernel/codec';
import type { DomainEvent, Family } from '../../domain/kernel/family';
import { parseStreamName, type TenantId } from '../../domain/kernel/ids';
import { EventMetadata } from '../../domain/kernel/metadata';
import { forgotten } from '../../domain/kernel/secret';
import type { StoredEvent } from '../../infra/ports/event-store';

export interface EventInfo {
  readonly id: string;
  readonly stream: string;
  /** Decimal: the log's position does not fit a JSON number. */
  readonly position: string;
  readonly type: string;
  readonly actor: string;
  /** By which the actor acted for another principal; empty: in its own right. */
  readonly delegation: Partial<Pick<EventMetadata, 'onBehalfOf' | 'delegationId' | 'taskId'>>;
  readonly correlationId: string;
  readonly causationId: string;
  readonly commandId: string;
  readonly occurredAt: Instant;
}

export interface RecordedEvent<Event extends DomainEvent> {
  readonly data: Event['data'];
  /** What every row carries: spread it into the row. */
  readonly at: { readonly tenantId: TenantId; readonly revision: number };
  readonly event: EventInfo;
}

/** An event that a view cannot take. Names what was expected, never the data. */
export interface PoisonEvent {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly type: string;
  readonly reason: string;
}

const delegationIn = ({ onBehalfOf, delegationId, taskId }: EventMetadata): EventInfo['delegation'] =>
  onBehalfOf === undefined || delegationId === undefined || taskId === undefined
    ? {}
    : { onBehalfOf, delegationId, taskId };

/** What names an event. */
export type EventIdentity = Pick<StoredEvent, 'id' | 'stream' | 'revision' | 'position' | 'type'>;

export const poisonEvent = (
  { id, stream, revision, position, type }: EventIdentity,
  reason: string,
): Either<PoisonEvent, never> => left({ eventId: id, stream, revision, position, type, reason });

/** What a decrypting store reports about sealed fields. */
const marked = ({ metadata }: StoredEvent, mark: 'opened' | 'damaged'): readonly string[] | undefined => {
  const fields = (metadata as { readonly [name: string]: unknown } | null | undefined)?.[mark];
  return Array.isArray(fields) ? fields.map(String) : undefined;
};

/** The event as it reads when the subjects of these fields are forgotten; all of them, if left out. */
export const forgetSecrets = (stored: StoredEvent, opened = marked(stored, 'opened')): StoredEvent => {
  if (opened === undefined) return stored;
  const fields = Object.fromEntries(opened.map((field) => [field, forgotten]));
  return { ...stored, data: { ...(stored.data as object), ...fields } };
};

const none: ReadonlyMap<string, readonly string[]> = new Map();

/** Fields that a decrypting store opened, by the id of the key. */
export const openedWith = ({ metadata }: StoredEvent): ReadonlyMap<string, readonly string[]> => {
  const found = (metadata as { readonly openedWith?: unknown } | null | undefined)?.openedWith;
  if (typeof found !== 'object' || found === null) return none;
  const fields = new Map<string, string[]>();
  for (const [field, key] of Object.entries(found).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    fields.set(String(key), [...(fields.get(String(key)) ?? []), field]);
  return fields;
};

export const sentenceOf = (faults: readonly InputFault[]): string =>
  faults.map(({ pointer, expected }) => `${pointer || '/'} is not ${expected}`).join('; ');

/** The check is twice as fast as decoding, and nearly always enough; unknown fields are not looked at. */
const metadataOf = ({ metadata }: StoredEvent): Either<readonly InputFault[], EventMetadata> =>
  EventMetadata.is(metadata) ? right(metadata) : decodeStored(EventMetadata, metadata);

export const decodeRecordedEvent = <Event extends DomainEvent>(
  family: Pick<Family<Event>, 'decode'>,
  stored: StoredEvent,
): Either<PoisonEvent, { readonly type: Event['type']; readonly recorded: RecordedEvent<Event> }> => {
  const damaged = marked(stored, 'damaged');
  if (damaged !== undefined)
    return poisonEvent(stored, `Sealed and cannot be opened, because it was changed or moved: ${damaged.join(', ')}.`);
  const tenantId = parseStreamName(stored.stream)?.tenant;
  if (tenantId === undefined) return poisonEvent(stored, 'The name of the stream has no tenant.');
  const metadata = metadataOf(stored);
  if (isLeft(metadata)) return poisonEvent(stored, `Metadata: ${sentenceOf(metadata.left)}.`);
  const event = family.decode(stored.type, stored.data);
  if (isLeft(event)) return poisonEvent(stored, `Data: ${sentenceOf(event.left.faults)}.`);
  const { $correlationId: correlationId, $causationId: causationId, commandId, actor, at, tenant } = metadata.right;
  if (tenant !== tenantId) return poisonEvent(stored, 'The stream and the metadata name different tenants.');
  const facts = {
    actor,
    delegation: delegationIn(metadata.right),
    correlationId,
    causationId,
    commandId,
    occurredAt: at,
  };
  const { id, stream, revision, position } = stored;
  const { type, data } = event.right;
  return right({
    type,
    recorded: {
      data,
      at: { tenantId, revision },
      event: { id, stream, position: String(position), type, ...facts },
    },
  });
};
