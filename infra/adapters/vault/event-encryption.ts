/** Encrypts, decrypts, redacts and masks events: secret fields, and everything derived from them. */

import { isLeft, right } from 'fp-ts/Either';
import { forgotten } from '../../../domain/kernel/secret';
import type { EventStore, NewEvent, StoredEvent } from '../../ports/event-store';
import type { ExplorerEvent, LogPages, StreamReader } from '../../ports/stream-pages';
import type { FoundKey, SubjectKey } from '../../ports/vault';
import { combineKeys, decryptField, encryptField, pseudonymousId } from './field-encryption';

type Fields = { readonly [field: string]: unknown };

/** An encrypted field in the log. */
interface Envelope {
  readonly key: string;
  readonly sealed: string;
}

/** Command hash of an erased event. */
const forgottenHash = 'forgotten';

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const envelopeOf = (value: unknown): Envelope | undefined => {
  const { key, sealed } = fieldsOf(value);
  return typeof key === 'string' && typeof sealed === 'string' ? { key, sealed } : undefined;
};

/** Names of encrypted fields, in the metadata. Empty for most events. */
const none: readonly string[] = [];
const sealedFieldsOf = ({ metadata }: Pick<StoredEvent, 'metadata'>): readonly string[] => {
  const named = (metadata as { readonly sealed?: unknown } | null | undefined)?.sealed;
  return Array.isArray(named) ? named.filter((field) => typeof field === 'string') : none;
};

type EventLocation = Pick<StoredEvent, 'stream' | 'type' | 'id'>;
const additionalDataOf = ({ stream, type, id }: EventLocation, field: string): string =>
  JSON.stringify([stream, type, id, field]);
const hashField = '$commandHash';

const distinct = <A>(values: readonly A[]): readonly A[] => [...new Set(values)];

/** `keyOf`: key of a field's subject. */
export const encryptEvent = (
  stream: string,
  { secrets = {}, ...event }: NewEvent,
  keyOf: (subject: string) => SubjectKey,
): NewEvent => {
  const fields = Object.keys(secrets).sort();
  if (fields.length === 0) return event;
  const keys = new Map(fields.map((field) => [field, keyOf(secrets[field] as string)]));
  const joint = combineKeys(distinct([...keys.values()]).map(({ bytes }) => bytes));
  const place = { stream, type: event.type, id: pseudonymousId(joint, event.id) };
  const data = { ...fieldsOf(event.data) };
  for (const [field, { id, bytes }] of keys) {
    const sealed = encryptField(bytes, additionalDataOf(place, field), JSON.stringify(data[field]));
    data[field] = { key: id, sealed } satisfies Envelope;
  }
  const metadata = fieldsOf(event.metadata);
  const { commandHash } = metadata;
  const hash =
    typeof commandHash === 'string'
      ? { commandHash: encryptField(joint, additionalDataOf(place, hashField), commandHash) }
      : {};
  return { ...event, id: place.id, data, metadata: { ...metadata, ...hash, sealed: fields } };
};

/** Ids of the keys that decrypt an event. */
export const keyIdsOf = (event: StoredEvent): readonly string[] => {
  const fields = sealedFieldsOf(event);
  if (fields === none) return none;
  const data = fieldsOf(event.data);
  return distinct(fields.flatMap((field) => envelopeOf(data[field])?.key ?? []));
};

/** Ids of the keys that fields of an event's data are encrypted with, also where its metadata is not at hand. */
export const sealedKeyIds = (data: unknown): readonly string[] =>
  distinct(Object.values(fieldsOf(data)).flatMap((value) => envelopeOf(value)?.key ?? []));

const commandHashOf = (event: StoredEvent, keys: readonly FoundKey[]): { readonly commandHash?: string } => {
  const { commandHash } = fieldsOf(event.metadata);
  if (typeof commandHash !== 'string') return {};
  const present = keys.flatMap(({ bytes }) => (bytes === null ? [] : [bytes]));
  if (present.length < keys.length || present.length === 0) return { commandHash: forgottenHash };
  return {
    commandHash: decryptField(combineKeys(present), additionalDataOf(event, hashField), commandHash) ?? forgottenHash,
  };
};

const decryptedField = (
  event: StoredEvent,
  field: string,
  keys: ReadonlyMap<string, FoundKey>,
): { value?: unknown } => {
  const envelope = envelopeOf(fieldsOf(event.data)[field]);
  const key = envelope === undefined ? undefined : keys.get(envelope.key);
  if (envelope === undefined || key === undefined) return {};
  if (key.bytes === null) return { value: forgotten };
  const plain = decryptField(key.bytes, additionalDataOf(event, field), envelope.sealed);
  return plain === undefined ? {} : { value: JSON.parse(plain) as unknown };
};

/**
 * `opened`: fields that were encrypted; `openedWith`: the key's id of each that is decrypted; `damaged`: fields that fail to decrypt and
 * stay as they are.
 */
export const decryptEvent = (event: StoredEvent, keys: ReadonlyMap<string, FoundKey>): StoredEvent => {
  const data = { ...fieldsOf(event.data) };
  const fields = sealedFieldsOf(event);
  const damaged: string[] = [];
  const openedWith: { [field: string]: string } = {};
  for (const field of fields) {
    const key = envelopeOf(data[field])?.key ?? '';
    const decrypted = decryptedField(event, field, keys);
    if (!('value' in decrypted)) {
      damaged.push(field);
      continue;
    }
    data[field] = decrypted.value;
    if (decrypted.value !== forgotten) openedWith[field] = key;
  }
  const { sealed: _, ...metadata } = fieldsOf(event.metadata);
  const needed = keyIdsOf(event).flatMap((id) => keys.get(id) ?? []);
  const marks = { opened: fields, openedWith, ...(damaged.length === 0 ? {} : { damaged }) };
  return { ...event, data, metadata: { ...metadata, ...commandHashOf(event, needed), ...marks } };
};

/** The event without keys: secrets read as erased. */
export const redactEvent = (event: StoredEvent): StoredEvent => {
  const keys = keyIdsOf(event);
  if (keys === none) return event;
  return decryptEvent(event, new Map(keys.map((id) => [id, { id, bytes: null }])));
};

const maskedField = { sealed: true };

/** The event for operators: lists encrypted fields and their key ids, without ciphertext. */
const maskEvent = (event: StoredEvent): ExplorerEvent => {
  const fields = sealedFieldsOf(event);
  if (fields === none) return { ...event, sealedWith: {} };
  const data = { ...fieldsOf(event.data) };
  const sealedWith: { [field: string]: string } = {};
  for (const field of fields) {
    // A damaged envelope is hidden, too.
    sealedWith[field] = envelopeOf(data[field])?.key ?? '';
    data[field] = maskedField;
  }
  return { ...event, data, sealedWith };
};

export interface RawLogPages {
  readonly stream: StreamReader;
  readonly readAll: EventStore['readAll'];
  readonly close: () => Promise<void>;
}

export const maskedPages = ({ stream, readAll, close }: RawLogPages): LogPages => ({
  stream: async (page) => {
    const read = await stream(page);
    if (isLeft(read)) return read;
    const { events, cut } = read.right;
    return right({ events: events.map(maskEvent), cut });
  },
  all: async function* (request) {
    for await (const event of readAll(request)) yield maskEvent(event);
  },
  close,
});
