/** A signed-in person with a grant for a client, written directly to the log, which saves the minute that a browser takes. */
import { randomUUID } from 'node:crypto';
import type { System } from '../../support/processes/running-system';

export interface Person {
  readonly principalId: string;
  readonly sessionId: string;
  readonly grantId: string;
  readonly familyId: string;
}

const hexOf = (): string => randomUUID().replaceAll('-', '').repeat(2);
const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString();

export const signedIn = async ({ record }: System, principalId: string): Promise<Person> => {
  const [sessionId, grantId, familyId] = [hexOf(), randomUUID(), randomUUID()];
  const proven = { authenticatedAt: hours(0), methods: ['pwd', 'otp'], expiresAt: hours(8) };
  const ids = { principalId, clientId: 'main~billing' };
  await record(`identity.session-main.${sessionId}`, 'identity.SessionOpened.v1', {
    sessionId,
    principalId,
    secretHash: hexOf(),
    securityEpoch: 1,
    upstreamIssuer: null,
    ...proven,
    device: null,
    sourceIp: null,
  });
  await record(`identity.grant-main.${grantId}`, 'identity.GrantOpened.v1', {
    ...ids,
    ...proven,
    grantId,
    sessionId,
    refreshFamilyId: familyId,
    createdAt: hours(0),
    principalType: 'HUMAN',
    scopes: ['principals:read'],
    audience: ['septet'],
  });
  await record(`identity.refreshFamily-main.${familyId}`, 'identity.FamilyOpened.v1', {
    ...ids,
    familyId,
    grantId,
    hash: hexOf(),
    jkt: null,
    x5t: null,
    securityEpoch: 1,
    openedAt: hours(0),
    idleSeconds: 3_600,
    expiresAt: hours(8),
  });
  return { principalId, sessionId, grantId, familyId };
};
