/** Names of reservations: nobody guesses one (128 bits), and each says where in the store it lies. */
import { randomBytes } from 'node:crypto';
import { hashTagOf } from '../redis/hash-tags';

const reservationIdShape = /^([tv][\w-]{27})\.([\w-]{22})$/;

/** Lies with the limit of that key. */
export const newReservationId = (key: string): string => `${hashTagOf(key)}.${randomBytes(16).toString('base64url')}`;

/** Undefined: no such name was ever given. */
export const reservationKey = (id: string): string | undefined => {
  const [, tag, name] = reservationIdShape.exec(id) ?? [];
  return tag === undefined || name === undefined ? undefined : `limit:{${tag}}:reserved:${name}`;
};

const ownPrefix = randomBytes(9).toString('base64url');
let count = 0;

/** Of a request that nobody settles: like no other, and of use to nobody. */
export const newRequestId = (): string => {
  count += 1;
  return `${ownPrefix}${count.toString(36)}`;
};
