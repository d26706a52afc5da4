/**
 * Ids of clients. One that is issued is proof of whom it was issued to (a truncated HMAC, under a key that all copies of the editor share),
 * so nothing has to be kept of a client before it commits, and no other principal can use its id.
 */
import { createHmac } from 'node:crypto';
import { ClientId } from '../../../domain/editor/ids';
import type { DocumentKey } from '../../../domain/editor/streams';
import type { Clock } from '../../../infra/ports/clock';
import type { Random } from '../../../infra/ports/random';

export interface ClientHolder {
  readonly documentKey: DocumentKey;
  readonly principalId: string;
}

export interface ClientIds {
  /** Another one each time. */
  readonly issue: (holder: ClientHolder) => ClientId;
  /** The day on which it was issued to this principal, counted from 1970; undefined where it was not. */
  readonly issuedOn: (holder: ClientHolder, clientId: ClientId) => number | undefined;
  /** Of a principal's batches by HTTP that name no client: always the same. */
  readonly ofRequests: (holder: ClientHolder) => ClientId;
  /** Of one command: a client of its own, the same when the command is sent again. */
  readonly ofCommand: (holder: ClientHolder, commandId: string) => ClientId;
  /** Shown to other members in place of the client's id; the same for the same client. */
  readonly connectionOf: (documentKey: DocumentKey, clientId: ClientId) => string;
}

export interface ClientIdsOptions {
  /** The same in all copies of the editor, for good. */
  readonly key: string;
  readonly clock: Clock;
  readonly random: Random;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
/** An issued id is its day, three digits by chance, and the proof. */
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

export const openClientIds = ({ key, clock, random }: ClientIdsOptions): ClientIds => {
  const derive = (
    { tenant, documentId }: DocumentKey,
    [purpose, ...parts]: readonly string[],
    length: number,
  ): string => {
    const label = JSON.stringify([purpose, tenant, documentId, ...parts]);
    return encodeBytes(createHmac('sha256', key).update(label).digest(), length);
  };
  const proofOf = ({ documentKey, principalId }: ClientHolder, name: string): string =>
    derive(documentKey, ['issued', principalId, name], proofLength);
  const own = ({ documentKey, principalId }: ClientHolder, ...parts: readonly string[]): ClientId =>
    derive(documentKey, ['own', principalId, ...parts], dayLength + randomLength + proofLength) as ClientId;
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
    connectionOf: (documentKey, clientId) => derive(documentKey, ['connection', clientId], 10),
  };
};
