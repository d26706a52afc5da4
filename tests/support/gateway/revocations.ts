/** Revocations as tests make them. */
import { revocableOf } from '../../../infra/http/identity/revocable-claims';
import { createRevocationWatch, type RevocationWatch } from '../../../infra/http/streaming/revocation-watch';
import type { SecurityChange } from '../../../infra/ports/identity/security-state';
import { retainSince } from '../../../infra/security-state/retention';
import { createSecurityState } from '../../../packages/resource-server/src/revocation/security-state';

type Said = Partial<SecurityChange> & Pick<SecurityChange, 'kind' | 'subject'>;

export const revocation = (said: Said): SecurityChange => {
  const at = said.at ?? Date.now();
  return { tenantId: 'acme', minimum: 0, sequence: 1n, at, until: retainSince(at), ...said };
};

/** The principal's tokens of an earlier epoch are dead. */
export const epochBump = (principalId: string, epoch: number, changes: Partial<SecurityChange> = {}): SecurityChange =>
  revocation({ kind: 'epoch', subject: principalId, minimum: epoch, ...changes });

/** Rights as the query API has them: what is heard is known before anybody is told. */
export const createTestRevocationWatch = (): RevocationWatch => {
  const state = createSecurityState();
  const rights = createRevocationWatch(
    (identity) => state.refusal(revocableOf(identity), identity.keyId ?? '') !== undefined,
  );
  return {
    ...rights,
    apply: (change) => {
      state.apply(change);
      rights.apply(change);
    },
  };
};
