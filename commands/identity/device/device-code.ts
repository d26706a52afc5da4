/** What the device asks with: `<tenantId>.<deviceId>.<secret>`, of which only the secret's hash is recorded. */
import { createHash } from 'node:crypto';
import { DeviceRequestId } from '../../../domain/identity/ids';
import { TenantId } from '../../../domain/kernel/ids';

export interface DeviceCode {
  readonly tenantId: TenantId;
  readonly deviceId: DeviceRequestId;
  readonly secret: string;
}

const secretShape = /^[A-Za-z0-9_-]{43}$/;

export const secretHashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const writeDeviceCode = ({ tenantId, deviceId, secret }: DeviceCode): string =>
  `${tenantId}.${deviceId}.${secret}`;

export const readDeviceCode = (written: string): DeviceCode | undefined => {
  const [tenantId, deviceId, secret = '', ...more] = written.length > 256 ? [] : written.split('.');
  if (!TenantId.is(tenantId) || !DeviceRequestId.is(deviceId) || more.length > 0) return undefined;
  return secretShape.test(secret) ? { tenantId, deviceId, secret } : undefined;
};
