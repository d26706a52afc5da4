/** Session cookie: tenant, session and a secret, of which only the hash is recorded. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { SessionId } from '../../../domain/identity/ids';
import { TenantId } from '../../../domain/kernel/ids';

export interface SessionCookieValue {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  readonly secret: string;
}

const secretShape = /^[A-Za-z0-9_-]{43}$/;

export const sessionSecretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const formatSessionCookie = ({ tenantId, sessionId, secret }: SessionCookieValue): string =>
  `${tenantId}.${sessionId}.${secret}`;

export const parseSessionCookie = (value: string): SessionCookieValue | undefined => {
  const [tenantId, sessionId, secret = '', ...more] = value.split('.');
  if (!TenantId.is(tenantId) || !SessionId.is(sessionId) || more.length > 0) return undefined;
  return secretShape.test(secret) ? { tenantId, sessionId, secret } : undefined;
};

/** Constant-time comparison. */
export const isSessionSecret = (secretHash: string, secret: string): boolean => {
  const [stored, presented] = [Buffer.from(secretHash), Buffer.from(sessionSecretHash(secret))];
  return stored.length === presented.length && timingSafeEqual(stored, presented);
};
