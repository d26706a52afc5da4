/** An event of the log as it is shown to those who explore it: nothing that is secret, and nothing that was made of a secret. */
import { parseStreamName } from '../../domain/kernel/ids';
import type { SeenEvent } from '../../infra/ports/stream-pages';
import type { States } from './states';
import { instantIn, type PlatformEvent } from './wire';

type Fields = { readonly [field: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const forgotten = { forgotten: true };
export const sealed = { sealed: true };
export const withheld = { withheld: true };

/** Hashes of secrets are in the log, and texts that are encrypted; who can read it need not have them to try passwords on. */
export const isTelling = (field: string): boolean => /secret|password|passphrase|privatekey|^sealed$/i.test(field);

export interface Showing {
  readonly states: Pick<States, 'secretsOf'>;
  /** Whether the key of a sealed field is gone for good. */
  readonly isForgotten: (key: string) => boolean;
}

const shownField = (
  { isForgotten }: Showing,
  { sealedWith }: SeenEvent,
  [field, value]: [string, unknown],
): unknown => {
  const key = sealedWith[field];
  if (key !== undefined) return isForgotten(key) ? forgotten : sealed;
  return isTelling(field) && value !== null ? withheld : value;
};

const dataOf = (showing: Showing, seen: SeenEvent): unknown => {
  const { data, type } = seen;
  if (data instanceof Uint8Array) return { base64: Buffer.from(data).toString('base64') };
  if (!isObject(data)) return data;
  const shown = Object.entries(data).map((entry) => [entry[0], shownField(showing, seen, entry)] as const);
  const fields = Object.fromEntries(shown);
  // Recorded in plain before it was personal: it has no key to be forgotten with, so it counts as forgotten.
  const plain = showing.states
    .secretsOf(seen.stream, type)
    .filter((field) => field in fields && !(field in seen.sealedWith));
  return { ...fields, ...Object.fromEntries(plain.map((field) => [field, fields[field] === null ? null : forgotten])) };
};

const metadataOf = ({ metadata, sealedWith }: SeenEvent): unknown => {
  if (metadata instanceof Uint8Array) return { base64: Buffer.from(metadata).toString('base64') };
  if (!isObject(metadata) || Object.keys(sealedWith).length === 0) return metadata ?? null;
  return { ...metadata, commandHash: withheld };
};

export const shownEvent = (showing: Showing, seen: SeenEvent): PlatformEvent => {
  const { id, type, stream, revision, position, data, metadata } = seen;
  const { context = null, tenant: tenantId = null } = parseStreamName(stream) ?? {};
  return {
    ...{ id, type, stream, context, tenantId, revision, position: String(position) },
    at: isObject(metadata) ? instantIn(metadata.at) : null,
    contentType: data instanceof Uint8Array ? 'application/octet-stream' : 'application/json',
    data: dataOf(showing, seen),
    metadata: metadataOf(seen),
  };
};
