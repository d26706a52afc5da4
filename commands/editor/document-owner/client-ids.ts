/**
 * Issues and verifies client ids. An id contains a truncated HMAC of its principal, under keys that all editor
 * processes share. So the server stores nothing about a client before its first commit, and no other principal can
 * use the id (decision 0061).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ClientId, type DocumentKey } from '../../../domain/editor/ids';
import type { Rejection } from '../../../domain/kernel/rejection';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { Random } from '../../../infra/ports/runtime/random';

export interface ClientHolder {
  readonly documentKey: DocumentKey;
  readonly principalId: string;
}

/** `client-id-taken`: another client uses the id, or the table evicted it. */
export type ClientIdRejection = Rejection<'client-id-taken' | 'client-id-not-issued'>;

export interface ClientIds {
  /** A new id on each call. */
  readonly issue: (holder: ClientHolder) => ClientId;
  /** Day since 1970 on which the id was issued to this principal; undefined if it was not. */
  readonly issuedOn: (holder: ClientHolder, clientId: ClientId) => number | undefined;
  /** For a principal's HTTP batches that name no client: an id for each key, the one in use first. Always the same. */
  readonly ofRequests: (holder: ClientHolder) => readonly ClientId[];
  /** Ids of a command, likewise. The same when the command is retried. */
  readonly ofCommand: (holder: ClientHolder, commandId: string) => readonly ClientId[];
  /** The id that other members see instead of the client id. The same for the same client. */
  readonly connectionOf: (documentKey: DocumentKey, clientId: ClientId) => string;
}

export interface ClientIdsOptions {
  /** Shared by all editor processes. The first issues ids; what any of them issued is good. */
  readonly keys: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
/** An issued id consists of its day, three random digits and the HMAC. */
const dayLength = 3;
const randomLength = 3;
const proofLength = 4;
const dayMilliseconds = 86_400_000;

const encode = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest /= base) text = digits.charAt(Number(rest % base)) + text;
  return text;
};

const decode = (text: string): number =>
  [...text].reduce((value, digit) => value * digits.length + digits.indexOf(digit), 0);

const encodeBytes = (bytes: Buffer, length: number): string => encode(bytes.readBigUInt64BE(), length);

interface Derivation {
  readonly key: string;
  readonly purpose: 'issued' | 'own' | 'connection';
  readonly documentKey: DocumentKey;
  readonly parts: readonly string[];
  readonly length: number;
}

const derive = ({ key, purpose, documentKey: { tenant, documentId }, parts, length }: Derivation): string => {
  const label = JSON.stringify([purpose, tenant, documentId, ...parts]);
  return encodeBytes(createHmac('sha256', key).update(label).digest(), length);
};

const proofOf = (key: string, { documentKey, principalId }: ClientHolder, name: string): string =>
  derive({ key, purpose: 'issued', documentKey, parts: [principalId, name], length: proofLength });

interface PresentedId {
  readonly name: string;
  readonly proof: string;
}

const isProven = (key: string, holder: ClientHolder, { name, proof }: PresentedId): boolean =>
  timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(key, holder, name)));

export const openClientIds = ({ keys, clock, random }: ClientIdsOptions): ClientIds => {
  const [currentKey] = keys;
  if (currentKey === undefined) throw new Error('client ids need a key');
  const own = ({ documentKey, principalId }: ClientHolder, ...parts: readonly string[]): readonly ClientId[] =>
    keys.map(
      (key) =>
        derive({
          key,
          purpose: 'own',
          documentKey,
          parts: [principalId, ...parts],
          length: dayLength + randomLength + proofLength,
        }) as ClientId,
    );
  return {
    issue: (holder) => {
      const day = Math.floor(Date.parse(clock.now()) / dayMilliseconds);
      const chance = encodeBytes(Buffer.from(random.token(8), 'base64url'), randomLength);
      const name = `${encode(BigInt(day), dayLength)}${chance}`;
      return `${name}${proofOf(currentKey, holder, name)}` as ClientId;
    },
    issuedOn: (holder, clientId) => {
      if (!ClientId.is(clientId)) return undefined;
      const nameLength = dayLength + randomLength;
      const presented = { name: clientId.slice(0, nameLength), proof: clientId.slice(nameLength) };
      return keys.some((key) => isProven(key, holder, presented)) ? decode(clientId.slice(0, dayLength)) : undefined;
    },
    ofRequests: (holder) => own(holder, 'batch'),
    ofCommand: (holder, commandId) => own(holder, 'command', commandId),
    connectionOf: (documentKey, clientId) =>
      derive({ key: currentKey, purpose: 'connection', documentKey, parts: [clientId], length: 10 }),
  };
};
