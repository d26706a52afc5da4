/**
 * Registration tokens: signed, not stored. One names the id that its runner is to have; that a runner is registered only once makes the token
 * one of one use.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { TenantId } from '../../../domain/kernel/ids';
import { RunnerId } from '../../../domain/workflow/ids';

export const registrationSeconds = 3_600;

export interface Registration {
  readonly tenantId: TenantId;
  readonly runnerId: RunnerId;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

const prefix = 'septet-registration';

const signatureOf = (key: Uint8Array, signed: string): Buffer =>
  createHmac('sha256', key).update(`runner registration ${signed}`).digest();

/** `key` is that of job tokens; what is signed begins with other words. */
export const issueRegistrationToken = (key: Uint8Array, { tenantId, runnerId, expiresAt }: Registration): string => {
  const signed = `${prefix}.${tenantId}.${runnerId}.${expiresAt}`;
  return `${signed}.${signatureOf(key, signed).toString('base64url')}`;
};

/** Undefined: not one of ours, or too old. `now` in seconds since 1970. */
export const verifyRegistrationToken = (key: Uint8Array, token: string, now: number): Registration | undefined => {
  const [begins, tenantId, runnerId, digits = '', signature = '', ...rest] = token.split('.');
  if (begins !== prefix || rest.length > 0 || !TenantId.is(tenantId) || !RunnerId.is(runnerId)) return undefined;
  const expiresAt = Number(digits);
  const expected = signatureOf(key, `${prefix}.${tenantId}.${runnerId}.${digits}`);
  const presented = Buffer.from(signature, 'base64url');
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
  return expiresAt > now ? { tenantId, runnerId, expiresAt } : undefined;
};
