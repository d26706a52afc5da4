/** What a person reads off a device and types elsewhere: eight letters that spell nothing and look like no others (RFC 8628 section 6.1). */
import { createHash } from 'node:crypto';
import { DeviceRequestId } from '../../../domain/identity/ids';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Random } from '../../../infra/ports/random';

const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;
/** Of the numbers that a byte can be, those that fall on every letter equally often. */
const fairBytes = 240;
const shape = new RegExp(`^[${letters}]{${length}}$`);

const fairLetters = (random: Random): string =>
  [...Buffer.from(random.token(4 * length), 'base64url')]
    .filter((byte) => byte < fairBytes)
    .map((byte) => letters.charAt(byte % letters.length))
    .join('');

export const newUserCode = (random: Random): string => {
  let found = '';
  while (found.length < length) found += fairLetters(random);
  return found.slice(0, length);
};

/** As it is shown. */
export const writeUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** However it was typed; undefined when it cannot be one. */
export const readUserCode = (typed: string | undefined): string | undefined => {
  const code = (typed ?? '')
    .slice(0, 40)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '');
  return shape.test(code) ? code : undefined;
};

/** In its tenant only: nobody finds the device of another one, whatever they type. */
export const deviceIdOf = (tenantId: TenantId, code: string): DeviceRequestId => {
  const id = createHash('sha256').update(`${tenantId}.${code}`).digest('hex');
  if (!DeviceRequestId.is(id)) throw new Error('a device has no valid id');
  return id;
};
