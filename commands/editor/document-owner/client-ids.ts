/**
 * Issues and verifies client ids. An id contains a truncated HMAC of its principal, under a key that all editor
 * processes share. So the server stores nothing about a client before its first commit, and no other principal can
 * use the id.
 */
import { createHmac } from 'node:crypto';
import { ClientId } from '../../../domain/editor/ids';
import type { DocumentKey } from '../../../domain/editor/streams';
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
  /** The id for a principal's HTTP batches that name no client. Always the same. */
  readonly ofRequests: (holder: ClientHolder) => ClientId;
  /** An id per command, the same when the command is retried. */
  readonly ofCommand: (holder: ClientHolder, commandId: string) => ClientId;
  /** The id that other members see instead of the client id. The same for the same client. */
  readonly connectionOf: (documentKey: DocumentKey, clientId: ClientId) => string;
}

export interface ClientIdsOptions {
  /** Shared by all editor processes; it must never change. */
  readonly key: string;
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
  readonly purpose: 'issued' | 'own' | 'connection';
  readonly documentKey: DocumentKey;
  readonly parts: readonly string[];
  readonly length: number;
}

export const openClientIds = ({ key, clock, random }: ClientIdsOptions): ClientIds => {
  const derive = ({ purpose, documentKey: { tenant, documentId }, parts, length }: Derivation): string => {
    const label = JSON.stringify([purpose, tenant, documentId, ...parts]);
    return encodeBytes(createHmac('sha256', key).update(label).digest(), length);
  };
  const proofOf = ({ documentKey, principalId }: ClientHolder, name: string): string =>
    derive({ purpose: 'issued', documentKey, parts: [principalId, name], length: proofLength });
  const own = ({ documentKey, principalId }: ClientHolder, ...parts: readonly string[]): ClientId =>
    derive({
      purpose: 'own',
      documentKey,
      parts: [principalId, ...parts],
      length: dayLength + randomLength + proofLength,
    }) as ClientId;
  return {
    issue: (holder) => {
      const day = Math.floor(Date.parse(clock.now()) / dayMilliseconds);
      const chance = encodeBytes(Buffer.from(random.token(8), 'base64url'), randomLength);
      const name = `${encode(BigInt(day), dayLength)}${chance}`;
      return `${name}${proofOf(holder, name)}` as ClientId;
    },
    issuedOn: (holder, clientId) => {
      const name = clientId.slice(0, dayLength + randomLength);
      return ClientId.is(clientId) && clientId === `${name}${proofOf(holder, name)}`
        ? decode(name.slice(0, dayLength))
        : undefined;
    },
    ofRequests: (holder) => own(holder, 'batch'),
    ofCommand: (holder, commandId) => own(holder, 'command', commandId),
    connectionOf: (documentKey, clientId) =>
      derive({ purpose: 'connection', documentKey, parts: [clientId], length: 10 }),
  };
};
