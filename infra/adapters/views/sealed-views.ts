/**
 * Keeps sealed columns of views out of their store in plain: texts are encrypted, values of lists become keyed digests. Keys derive from
 * `VIEW_KEY` per view and tenant. Encryption is deterministic for one field of one row, so that rebuilt copies compare as equal.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { isLeft, right } from 'fp-ts/Either';
import type { ErasedValues, WhenErased } from '../../ports/views/erasure';
import type { Batch, Change, PageRequest, View, ViewReader, ViewRow, ViewWriter } from '../../ports/views/view-store';

type Fields = { readonly [field: string]: unknown };

const nonceBytes = 12;
const tagBytes = 16;
/** 72 bits: two of a million different words agree by chance once in a billion tenants. */
const digestBytes = 9;

const digestOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

interface ColumnKeys {
  readonly encryption: Buffer;
  readonly nonces: Buffer;
  readonly digests: Buffer;
}

const keysOf = (key: KeyObject, view: string, tenantId: string): ColumnKeys => {
  const derived = Buffer.from(hkdfSync('sha256', key, '', `septet sealed view ${view} ${tenantId}`, 96));
  return { encryption: derived.subarray(0, 32), nonces: derived.subarray(32, 64), digests: derived.subarray(64) };
};

/** What ciphertext is bound to: moved to another row or column it does not open. */
const locationOf = (view: View, row: Fields, field: string): string =>
  JSON.stringify([field, ...view.key.map((name) => row[name])]);

const encrypt = ({ encryption, nonces }: ColumnKeys, plain: string, location: string): string => {
  const nonce = digestOf(nonces, JSON.stringify([location, plain])).subarray(0, nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', encryption, nonce).setAAD(Buffer.from(location));
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
};

/** Null where the text was sealed with another key. */
const decrypt = ({ encryption }: ColumnKeys, sealed: string, location: string): string | null => {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) return null;
  const opening = createDecipheriv('aes-256-gcm', encryption, bytes.subarray(0, nonceBytes));
  opening.setAAD(Buffer.from(location)).setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([opening.update(bytes.subarray(nonceBytes, -tagBytes)), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
};

const digested = ({ digests }: ColumnKeys, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => digested({ digests } as ColumnKeys, one));
  return typeof value === 'string' ? digestOf(digests, value).subarray(0, digestBytes).toString('base64url') : value;
};

interface Cipher {
  readonly seal: (fields: Fields, key: Fields) => Fields;
  readonly open: (row: Fields) => Fields;
  readonly digest: (field: string, value: unknown) => unknown;
}

const cipherOf = (view: View, tenantId: string, key: KeyObject): Cipher | undefined => {
  const { sealed } = view;
  if (sealed === undefined) return undefined;
  const keys = keysOf(key, view.name, tenantId);
  const isEncrypted = (field: string): boolean => (sealed.encrypted as readonly string[]).includes(field);
  const digest = (field: string, value: unknown): unknown =>
    (sealed.digests as readonly string[]).includes(field) ? digested(keys, value) : value;
  const sealField = (field: string, value: unknown, row: Fields): unknown =>
    isEncrypted(field) && typeof value === 'string'
      ? encrypt(keys, value, locationOf(view, row, field))
      : digest(field, value);
  return {
    digest,
    seal: (fields, row) =>
      Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, sealField(field, value, row)])),
    open: (row) =>
      Object.fromEntries(
        Object.entries(row).map(([field, value]) => [
          field,
          isEncrypted(field) && typeof value === 'string' ? decrypt(keys, value, locationOf(view, row, field)) : value,
        ]),
      ),
  };
};

/** With what the fields become once keys are erased. */
const sealErased = (values: ErasedValues, seal: (value: unknown) => unknown): ErasedValues =>
  Object.fromEntries(
    Object.entries(values).map(([key, { value, next }]) => [
      key,
      { value: seal(value), ...(next === undefined ? {} : { next: sealErased(next, seal) }) },
    ]),
  );

const sealWhenErased = ({ seal }: Cipher, whenErased: WhenErased, row: Fields): WhenErased =>
  Object.fromEntries(
    Object.entries(whenErased).map(([field, values]) => [
      field,
      sealErased(values, (value) => seal({ [field]: value }, row)[field]),
    ]),
  );

const keyFieldsOf = (change: Exclude<Change, { kind: 'erase' }>): Partial<ViewRow> => {
  if (change.kind === 'put' || change.kind === 'merge') return change.row;
  return change.kind === 'patch-where' ? change.where : change.key;
};

const sealChange = (view: View, change: Change, key: KeyObject): Change => {
  if (change.kind === 'remove' || change.kind === 'erase') return change;
  const row = keyFieldsOf(change) as Fields;
  const cipher = cipherOf(view, String(row.tenantId), key);
  if (cipher === undefined) return change;
  if (change.kind === 'patch-where') {
    if (view.sealed?.encrypted.some((field) => field in change.fields) === true)
      throw new Error(`${view.name}: sealed text is bound to its row`);
    return { ...change, fields: cipher.seal(change.fields as Fields, row) };
  }
  if (change.kind === 'merge') return { ...change, row: cipher.seal(change.row as never, row) as unknown as ViewRow };
  const { whenErased } = change;
  const erasure = whenErased === undefined ? {} : { whenErased: sealWhenErased(cipher, whenErased, row) };
  return change.kind === 'put'
    ? { ...change, ...erasure, row: cipher.seal(change.row as never, row) as unknown as ViewRow }
    : { ...change, ...erasure, fields: cipher.seal(change.fields as Fields, row) };
};

const sealBatch = (view: View, batch: Batch, key: KeyObject): Batch => ({
  ...batch,
  changes: batch.changes.map(({ position, change }) => ({ position, change: sealChange(view, change, key) })),
});

export const sealingWriter = (writer: ViewWriter, key: KeyObject): ViewWriter => ({
  ...writer,
  apply: (view, batch) => writer.apply(view, view.sealed === undefined ? batch : sealBatch(view, batch, key)),
});

const sealRequest = <Row extends ViewRow>(request: PageRequest<Row>, { digest }: Cipher): PageRequest<Row> => {
  const where = Object.fromEntries(
    Object.entries(request.where).map(([field, value]) => [field, digest(field, value)]),
  ) as PageRequest<Row>['where'];
  const { all } = request;
  if (all === undefined) return { ...request, where };
  return { ...request, where, all: { field: all.field, values: digest(all.field, all.values) as readonly string[] } };
};

export const unsealingReader = (reader: ViewReader, key: KeyObject): ViewReader => {
  const cipherFor = <Row extends ViewRow>(view: View<Row>, tenantId: string): Cipher | undefined =>
    cipherOf(view as unknown as View, tenantId, key);
  const opened = <Row extends ViewRow, Found extends Row | undefined>(cipher: Cipher, row: Found): Found =>
    row === undefined ? row : (cipher.open(row as unknown as Fields) as unknown as Found);
  return {
    ...reader,
    find: async (view, tenantId, keyFields) => {
      const cipher = cipherFor(view, tenantId);
      const found = await reader.find(view, tenantId, keyFields);
      return cipher === undefined || isLeft(found) ? found : right(opened(cipher, found.right));
    },
    findMany: async (view, tenantId, keys) => {
      const cipher = cipherFor(view, tenantId);
      const found = await reader.findMany(view, tenantId, keys);
      return cipher === undefined || isLeft(found) ? found : right(found.right.map((row) => opened(cipher, row)));
    },
    page: async (view, tenantId, request) => {
      const cipher = cipherFor(view, tenantId);
      if (cipher === undefined) return reader.page(view, tenantId, request);
      const found = await reader.page(view, tenantId, sealRequest(request, cipher));
      return isLeft(found) ? found : right(found.right.map((row) => opened(cipher, row)));
    },
  };
};
