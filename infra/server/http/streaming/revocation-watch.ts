/** Ends the streams of a token when a revocation matches one of its claims. */

import type { SecurityChange } from '../../../ports/identity/security-state';
import type { Identity } from '../routing/route';

export interface RevocationWatch {
  /** Calls back once the token is revoked, at once when it is already; answers how to stop watching. */
  readonly watch: (identity: Identity, revoked: () => void) => () => void;
  readonly apply: (change: SecurityChange) => void;
}

interface Watched {
  readonly identity: Identity;
  readonly revoked: () => void;
}

const keyOf = ({ kind, tenantId, subject }: Pick<SecurityChange, 'kind' | 'tenantId' | 'subject'>): string =>
  `${kind} ${tenantId} ${subject}`;

/** Everything that a revocation of this token can be found under. */
const keysOf = (identity: Identity): readonly string[] => {
  const { tenantId, principalId, tokenId, grantId, sessionId, clientId, keyId } = identity;
  const { onBehalfOf, priorActors = [] } = identity.delegation ?? {};
  const others = [
    ...(onBehalfOf === undefined ? [] : [keyOf({ kind: 'epoch', tenantId, subject: onBehalfOf })]),
    ...priorActors.flatMap((actor) => [
      keyOf({ kind: 'epoch', tenantId, subject: actor.principalId }),
      keyOf({ kind: 'grant', tenantId, subject: actor.grantId }),
    ]),
  ];
  const named = { epoch: principalId, jti: tokenId, grant: grantId, session: sessionId, client: clientId } as const;
  const own = Object.entries({ ...named, tenantEpoch: '' }).flatMap(([kind, subject]) =>
    subject === undefined ? [] : [keyOf({ kind: kind as SecurityChange['kind'], tenantId, subject })],
  );
  const ofAll = [keyOf({ kind: 'globalEpoch', tenantId: '', subject: '' })];
  return [
    ...own,
    ...others,
    ...ofAll,
    ...(keyId === undefined ? [] : [keyOf({ kind: 'key', tenantId: '', subject: keyId })]),
  ];
};

const leave = (watched: Map<string, Set<Watched>>, key: string, one: Watched): void => {
  const left = watched.get(key);
  left?.delete(one);
  if (left?.size === 0) watched.delete(key);
};

/** `isRevoked` covers all known revocations, also ones older than the stream. */
export const createRevocationWatch = (isRevoked: (identity: Identity) => boolean) => {
  const watched = new Map<string, Set<Watched>>();
  const watch: RevocationWatch['watch'] = (identity, revoked) => {
    const one = { identity, revoked };
    const keys = keysOf(identity);
    for (const key of keys) {
      const others = watched.get(key);
      if (others === undefined) watched.set(key, new Set([one]));
      else others.add(one);
    }
    if (isRevoked(identity)) revoked();
    return () => {
      for (const key of keys) leave(watched, key, one);
    };
  };
  const apply: RevocationWatch['apply'] = (change) => {
    for (const one of [...(watched.get(keyOf(change)) ?? [])]) if (isRevoked(one.identity)) one.revoked();
  };
  return { watch, apply, isWatching: (): boolean => watched.size > 0 };
};
