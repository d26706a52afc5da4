/**
 * Formats of device codes and user codes. Device code: `<tenantId>.<deviceId>.<secret>`; only the secret's hash is recorded. User code:
 * eight unambiguous consonants (RFC 8628 section 6.1).
 */
import { createHash } from 'node:crypto';
import { DeviceRequestId } from '../../../../domain/identity/ids';
import { TenantId } from '../../../../domain/kernel/ids';
import type { Random } from '../../../../infra/ports/runtime/random';

export interface DeviceCode {
  readonly tenantId: TenantId;
  readonly deviceId: DeviceRequestId;
  readonly secret: string;
}

const secretShape = /^[A-Za-z0-9_-]{43}$/;

export const deviceSecretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const formatDeviceCode = ({ tenantId, deviceId, secret }: DeviceCode): string =>
  `${tenantId}.${deviceId}.${secret}`;

export const parseDeviceCode = (written: string): DeviceCode | undefined => {
  const [tenantId, deviceId, secret = '', ...more] = written.length > 256 ? [] : written.split('.');
  if (!TenantId.is(tenantId) || !DeviceRequestId.is(deviceId) || more.length > 0) return undefined;
  return secretShape.test(secret) ? { tenantId, deviceId, secret } : undefined;
};

const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ';
const userCodeLength = 8;
/** Bytes below this map to every letter equally often. */
const unbiasedBytes = 240;
const userCodePattern = new RegExp(`^[${userCodeLetters}]{${userCodeLength}}$`);

const randomLetters = (random: Random): string =>
  [...Buffer.from(random.token(4 * userCodeLength), 'base64url')]
    .filter((byte) => byte < unbiasedBytes)
    .map((byte) => userCodeLetters.charAt(byte % userCodeLetters.length))
    .join('');

export const newUserCode = (random: Random): string => {
  let chosen = '';
  while (chosen.length < userCodeLength) chosen += randomLetters(random);
  return chosen.slice(0, userCodeLength);
};

/** Displayed in two groups. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Accepts any case and separators; undefined: not a user code. */
export const parseUserCode = (typed: string | undefined): string | undefined => {
  const code = (typed ?? '')
    .slice(0, 40)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '');
  return userCodePattern.test(code) ? code : undefined;
};

/** Derived per tenant: a code never finds a device of another tenant. */
export const deviceIdFrom = (tenantId: TenantId, code: string): DeviceRequestId => {
  const id = createHash('sha256').update(`${tenantId}.${code}`).digest('hex');
  if (!DeviceRequestId.is(id)) throw new Error('a device has no valid id');
  return id;
};
