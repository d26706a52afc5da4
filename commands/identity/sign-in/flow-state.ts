/** Flow state of one browser: encrypted under a key of its pre-session, deleted when consumed. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { decodeStored } from '../../../domain/kernel/codec';
import type { ExpiringStore } from '../../../infra/ports/identity/expiring-store';
import type { Kms } from '../../../infra/ports/kms';
import { type Problem, problemOf } from '../../../infra/server/http/problem';

export interface FlowStateDeps {
  readonly kms: Kms;
  readonly people: { readonly flowStates: ExpiringStore };
}

const lifeMilliseconds = 10 * 60_000;
const algorithm = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

const keyFor = async ({ kms }: FlowStateDeps, name: string): Promise<Either<Problem, Buffer>> => {
  const derived = await kms.derive(JSON.stringify(['under-way', name]));
  return isLeft(derived) ? left(problemOf(derived.left, {})) : right(Buffer.from(derived.right, 'base64url'));
};

const encryptState = (key: Buffer, name: string, value: unknown): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(name));
  const bytes = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url');
};

const decryptState = (key: Buffer, name: string, value: string): unknown => {
  const bytes = Buffer.from(value, 'base64url');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return JSON.parse(plain.toString('utf8'));
};

export const saveFlowState = async (
  deps: FlowStateDeps,
  name: string,
  value: unknown,
): Promise<Either<Problem, void>> => {
  const key = await keyFor(deps, name);
  if (isLeft(key)) return key;
  const put = await deps.people.flowStates.put(name, encryptState(key.right, name, value), lifeMilliseconds);
  return isLeft(put) ? left(problemOf(put.left, {})) : put;
};

/** Undefined: none, or expired. */
export const loadFlowState = async <A>(
  deps: FlowStateDeps,
  name: string,
  codec: t.Decoder<unknown, A>,
): Promise<Either<Problem, A | undefined>> => {
  const stored = await deps.people.flowStates.find(name);
  if (isLeft(stored)) return left(problemOf(stored.left, {}));
  if (stored.right === undefined) return right(undefined);
  const key = await keyFor(deps, name);
  if (isLeft(key)) return key;
  try {
    const value = decodeStored(codec, decryptState(key.right, name, stored.right));
    return right(isLeft(value) ? undefined : value.right);
  } catch {
    return right(undefined);
  }
};

export const deleteFlowState = async ({ people: { flowStates } }: FlowStateDeps, name: string): Promise<void> => {
  await flowStates.remove(name);
};
