/** The form of every file that the master key wraps, and what each is bound to. */
import * as t from 'io-ts';

const wrapped = { version: t.literal(1), iv: t.string, ciphertext: t.string, tag: t.string };

/** Signing keys have a `kid`, the others an `id`. */
export const WrappedFile = t.intersection([t.type(wrapped), t.partial({ kid: t.string, id: t.string })], 'WrappedFile');
export type WrappedFile = t.TypeOf<typeof WrappedFile>;

export const wrappedFileName = /^(signing-key-[A-Za-z0-9_-]{1,64}|vault-key-\d{6}|derive-key)\.json$/;

export const wrappedName = (file: string, { kid, id }: WrappedFile): string =>
  file.startsWith('vault-key-') ? `vault-key:${id ?? ''}` : (kid ?? id ?? '');
