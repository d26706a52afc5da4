/** Encodes replies of Read around stored bytes. Field numbers: EventStoreDB's streams.proto. */
import { UUID } from '@eventstore/db-client/generated/shared_pb';
import {
  fieldLength,
  varintLength,
  writeField,
  writeFieldHeader,
  writeVarintField,
} from '../../storage/records/binary-encoding';
import { idOf, messageOf, messageWithoutId, type StoredRecord } from '../../storage/records/record-format';
import type { ResolvedEvent } from '../../storage/streams/resolve-links';

export const structuredUuid = (id: string): UUID => {
  const hex = id.replaceAll('-', '');
  const structured = new UUID.Structured();
  structured.setMostSignificantBits(BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`)).toString());
  structured.setLeastSignificantBits(BigInt.asIntN(64, BigInt(`0x${hex.slice(16)}`)).toString());
  const uuid = new UUID();
  uuid.setStructured(structured);
  return uuid;
};

const structuredId = (id: string): Buffer => {
  const bytes = structuredUuid(id).serializeBinary();
  const field = Buffer.allocUnsafe(fieldLength(bytes.length));
  writeField(field, 0, 0x0a, bytes);
  return field;
};

export type IdForm = 'text' | 'structured';

const recordedEvent = ({ bytes }: StoredRecord, form: IdForm): Buffer =>
  form === 'text' ? messageOf(bytes) : Buffer.concat([structuredId(idOf(bytes)), messageWithoutId(bytes)]);

/** Includes the retry count for persistent subscriptions. */
const readEvent = ({ event, link }: ResolvedEvent, form: IdForm, retries?: number): Buffer => {
  const eventBytes = event === undefined ? undefined : recordedEvent(event, form);
  const linkBytes = link === undefined ? undefined : recordedEvent(link, form);
  const position = (link ?? event)?.position ?? 0;
  const size =
    (eventBytes === undefined ? 0 : fieldLength(eventBytes.length)) +
    (linkBytes === undefined ? 0 : fieldLength(linkBytes.length)) +
    1 +
    varintLength(position) +
    (retries === undefined ? 0 : 1 + varintLength(retries));
  const reply = Buffer.allocUnsafe(fieldLength(size));
  let at = writeFieldHeader(reply, 0, 0x0a, size);
  if (eventBytes !== undefined) at = writeField(reply, at, 0x0a, eventBytes);
  if (linkBytes !== undefined) at = writeField(reply, at, 0x12, linkBytes);
  at = writeVarintField(reply, at, 0x18, position);
  if (retries !== undefined) writeVarintField(reply, at, 0x28, retries);
  return reply;
};

/** Encoded once for all readers of the same record. */
export const eventReply = (resolved: ResolvedEvent, form: IdForm, retries?: number): Buffer => {
  const { event, link } = resolved;
  if (event?.shared === undefined || link !== undefined || form !== 'text' || retries !== undefined)
    return readEvent(resolved, form, retries);
  event.shared.reply ??= readEvent(resolved, form);
  return event.shared.reply;
};

const messageField = (tag: number, inner: Buffer): Buffer => {
  const reply = Buffer.allocUnsafe(fieldLength(inner.length));
  writeField(reply, 0, tag, inner);
  return reply;
};

const numberField = (tag: number, value: number): Buffer => {
  const reply = Buffer.allocUnsafe(1 + varintLength(value));
  writeVarintField(reply, 0, tag, value);
  return reply;
};

export const confirmationReply = (id: string): Buffer => messageField(0x12, messageField(0x0a, Buffer.from(id)));

export const checkpointReply = (commit: number, prepare: number): Buffer =>
  messageField(0x1a, Buffer.concat([numberField(0x08, commit), numberField(0x10, prepare)]));

export const streamNotFoundReply = (stream: Buffer): Buffer =>
  messageField(0x22, messageField(0x0a, messageField(0x1a, stream)));
export const firstPositionReply = (revision: number): Buffer => numberField(0x28, revision);
export const lastPositionReply = (revision: number): Buffer => numberField(0x30, revision);
export const caughtUpReply = (): Buffer => messageField(0x42, Buffer.alloc(0));
