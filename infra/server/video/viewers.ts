/** The viewer of a request to see or play a video, as routes know it. */
import { createHash } from 'node:crypto';
import type { Viewer } from '../../../domain/video/access/state';
import type { Identity } from '../http/routing/route';

/** Administrators see the videos of everyone in their tenant. */
export const isVideoAdministrator = ({ scopes }: Pick<Identity, 'scopes'>): boolean => scopes.includes('videos:admin');

export const viewerOf = (identity: Pick<Identity, 'principalId' | 'scopes'>, linkId: string | undefined): Viewer => ({
  principalId: identity.principalId,
  isAdministrator: isVideoAdministrator(identity),
  linkId,
});

/** Not signed in, or of another tenant. */
export const strangerWith = (linkId: string | undefined): Viewer => ({
  principalId: undefined,
  isAdministrator: false,
  linkId,
});

/** The sign-in on one device; programs have none, and are known by their client. */
export const deviceIdOf = ({ sessionId, clientId, principalId }: Identity): string =>
  createHash('sha256')
    .update(JSON.stringify([principalId, sessionId ?? null, sessionId === undefined ? (clientId ?? null) : null]))
    .digest('base64url');
