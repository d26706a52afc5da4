/** An AuthEvent as an entry of a stream. */
import { isLeft } from 'fp-ts/Either';
import { AuthEvent } from '../../../../domain/identity/protocol/auth-event';
import { decodeStored } from '../../../../domain/kernel/codec';

export const encodeEntry = (event: AuthEvent): string => JSON.stringify(AuthEvent.encode(event));

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Undefined: no AuthEvent. */
export const decodeEntry = (text: string): AuthEvent | undefined => {
  const stored = decodeStored(AuthEvent, parsed(text));
  return isLeft(stored) ? undefined : stored.right;
};

/** Null: removed since it was delivered. */
export type StreamEntry = readonly [id: string, fields: readonly string[] | null];

export const eventIn = ([, fields]: StreamEntry): AuthEvent | undefined => decodeEntry(fields?.[1] ?? '');
