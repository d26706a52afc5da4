/** Reservation ids: unguessable (128 bits), and they carry the hash tag of the store's key. */
import { randomBytes } from 'node:crypto';
import { hashTagOf } from '../redis/hash-tags';

const reservationIdShape = /^([tv][\w-]{27})\.([\w-]{22})$/;

/** In the slot of this limit's key. */
export const newReservationId = (key: string): string => `${hashTagOf(key)}.${randomBytes(16).toString('base64url')}`;

/** Undefined if the id is malformed. */
export const reservationKey = (id: string): string | undefined => {
  const [, tag, name] = reservationIdShape.exec(id) ?? [];
  return tag === undefined || name === undefined ? undefined : `limit:{${tag}}:reserved:${name}`;
};

const ownPrefix = randomBytes(9).toString('base64url');
let count = 0;

/** Unique id of a request without a reservation. */
export const newRequestId = (): string => {
  count += 1;
  return `${ownPrefix}${count.toString(36)}`;
};
