/**
 * Personal fields. The log holds them as ciphertext under a key of the person they are of; once that key is deleted the field reads
 * as `Forgotten`, in every event ever written.
 */
import * as t from 'io-ts';
import { described, type JsonSchema } from './codec';

/** The value of a secret field after its subject was forgotten. */
export interface Forgotten {
  readonly forgotten: true;
}
export const forgotten: Forgotten = { forgotten: true };

export const isForgotten = (value: unknown): value is Forgotten =>
  typeof value === 'object' && value !== null && (value as { readonly forgotten?: unknown }).forgotten === true;

/** A field that is its plain value or `Forgotten`: the compiler makes every reader handle the second. */
export interface SecretCodec<A> extends t.Type<A | Forgotten, unknown> {
  /** The plain field of the same event that names the subject: an opaque id of a person, never a name or an address. */
  readonly secretOf: string;
  readonly plain: t.Type<A, unknown>;
  readonly schema: JsonSchema;
}

const schema = (codec: t.Mixed): JsonSchema => ({
  anyOf: [
    (codec as { readonly schema?: JsonSchema }).schema ?? {},
    { type: 'object', properties: { forgotten: { const: true } }, required: ['forgotten'] },
  ],
});

/** `secret(codec, 'userId')`: encrypted under the key of the subject in the event's field `userId`. */
export const secret = <A, O>(codec: t.Type<A, O>, subject: string): SecretCodec<A> => {
  const made = new t.Type<A | Forgotten, unknown>(
    `${codec.name}|Forgotten`,
    (value): value is A | Forgotten => isForgotten(value) || codec.is(value),
    (value, context) => (isForgotten(value) ? t.success(forgotten) : codec.validate(value, context)),
    (value) => (isForgotten(value) ? forgotten : codec.encode(value)),
  );
  return Object.assign(described(made, schema(codec)), { secretOf: subject, plain: codec as t.Type<A, unknown> });
};

export const isSecret = (codec: t.Mixed): codec is SecretCodec<unknown> => 'secretOf' in codec;
