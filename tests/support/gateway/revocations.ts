/** Revocations as tests make them. */

import type { SecurityChange } from '../../../infra/ports/identity/security-state';
import { revocableOf } from '../../../infra/server/http/identity/revocable-claims';
import { createRevocationWatch, type RevocationWatch } from '../../../infra/server/http/streaming/revocation-watch';
import { retainSince } from '../../../infra/server/security-state/retention';
import { createSecurityState } from '../../../packages/resource-server/src/revocation/security-state';

type RevocationFields = Partial<SecurityChange> & Pick<SecurityChange, 'kind' | 'subject'>;

export const revocation = (fields: RevocationFields): SecurityChange => {
  const at = fields.at ?? Date.now();
  return { tenantId: 'acme', minimum: 0, sequence: 1n, at, until: retainSince(at), ...fields };
};

/** The principal's tokens of an earlier epoch are dead. */
export const epochBump = (principalId: string, epoch: number, changes: Partial<SecurityChange> = {}): SecurityChange =>
  revocation({ kind: 'epoch', subject: principalId, minimum: epoch, ...changes });

/** As in the query API: the security state has a change before the watch notifies of it. */
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
