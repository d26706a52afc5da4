/** Redacts events and states for explorers: no secrets, and nothing derived from a secret. Erased keys are looked up first. */

import { type Either, isLeft, right } from 'fp-ts/Either';
import { parseStreamName } from '../../../domain/kernel/ids';
import type { ExplorerEvent } from '../../../infra/ports/stream-pages';
import type { ViewFault } from '../../../infra/ports/views/view-store';
import { forgottenKeysView } from '../../../projections/platform/forgotten-keys/view';
import type { AggregateStates, Explorer } from '../explorer';
import { instantOrNull, type PlatformEvent } from '../schemas';

type Fields = { readonly [field: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const forgotten = { forgotten: true };
export const sealed = { sealed: true };
const withheld = { withheld: true };

/** The log contains hashes of secrets and ciphertexts; readers must not get them for offline attacks. */
const isSensitiveField = (field: string): boolean => /secret|password|passphrase|privatekey|^sealed$/i.test(field);

export interface RedactionContext {
  readonly states: Pick<AggregateStates, 'secretsOf'>;
  /** Whether the key of a sealed field is gone for good. */
  readonly isForgotten: (key: string) => boolean;
}

interface EventField {
  readonly name: string;
  readonly value: unknown;
  /** The key that seals the field; undefined if it is not sealed. */
  readonly key: string | undefined;
}

const redactField = ({ isForgotten }: RedactionContext, { name, value, key }: EventField): unknown => {
  if (key !== undefined) return isForgotten(key) ? forgotten : sealed;
  return isSensitiveField(name) && value !== null ? withheld : value;
};

const dataOf = (showing: RedactionContext, seen: ExplorerEvent): unknown => {
  const { data, type } = seen;
  if (data instanceof Uint8Array) return { base64: Buffer.from(data).toString('base64') };
  if (!isObject(data)) return data;
  const redact = (name: string, value: unknown): unknown =>
    redactField(showing, { name, value, key: seen.sealedWith[name] });
  const fields = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, redact(name, value)]));
  // Recorded in plain text before the field was declared personal: no key can be erased, so it is shown as forgotten.
  const plain = showing.states
    .secretsOf(seen.stream, type)
    .filter((field) => field in fields && !(field in seen.sealedWith));
  return { ...fields, ...Object.fromEntries(plain.map((field) => [field, fields[field] === null ? null : forgotten])) };
};

const metadataOf = ({ metadata, sealedWith }: ExplorerEvent): unknown => {
  if (metadata instanceof Uint8Array) return { base64: Buffer.from(metadata).toString('base64') };
  if (!isObject(metadata) || Object.keys(sealedWith).length === 0) return metadata ?? null;
  return { ...metadata, commandHash: withheld };
};

export const redactEvent = (showing: RedactionContext, seen: ExplorerEvent): PlatformEvent => {
  const { id, type, stream, revision, position, data, metadata } = seen;
  const { context = null, tenant: tenantId = null } = parseStreamName(stream) ?? {};
  return {
    id,
    type,
    stream,
    context,
    tenantId,
    revision,
    position: String(position),
    at: isObject(metadata) ? instantOrNull(metadata.at) : null,
    contentType: data instanceof Uint8Array ? 'application/octet-stream' : 'application/json',
    data: dataOf(showing, seen),
    metadata: metadataOf(seen),
  };
};

/** One question for all of them, and none where nothing is sealed. */
export const loadRedactionContext = async (
  { reading, states }: Explorer,
  audience: string,
  events: readonly ExplorerEvent[],
): Promise<Either<ViewFault, RedactionContext>> => {
  const keys = [...new Set(events.flatMap(({ sealedWith }) => Object.values(sealedWith)))];
  if (keys.length === 0) return right({ states, isForgotten: () => false });
  const order = [
    { field: 'keyId', direction: 'asc' },
    { field: 'tenantId', direction: 'asc' },
  ] as const;
  const request = { where: { keyId: keys }, order, limit: keys.length };
  const found = await reading.views.page(forgottenKeysView, audience, request);
  if (isLeft(found)) return found;
  const gone = new Set(found.right.map(({ keyId }) => keyId));
  return right({ states, isForgotten: (key) => gone.has(key) });
};

const isErasedValue = (value: object): boolean => (value as { readonly forgotten?: unknown }).forgotten === true;

type Entry = readonly [string, unknown];

const entriesOf = (value: object): readonly Entry[] =>
  value instanceof Map ? [...value].map(([key, inner]): Entry => [String(key), inner]) : Object.entries(value);

/** `secret`: replacement of values that the events hold sealed. */
export const redactState = (value: unknown, secret: object): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (isErasedValue(value)) return secret;
  if (Array.isArray(value) || value instanceof Set) return [...value].map((inner) => redactState(inner, secret));
  const fields = entriesOf(value).map(([field, inner]): Entry => {
    const isHidden = isSensitiveField(field) && inner !== null && inner !== undefined;
    return [field, isHidden ? withheld : redactState(inner, secret)];
  });
  return Object.fromEntries(fields);
};
