/** Tokens and proofs made beforehand. */
import { accessTokenHash } from '../../../../packages/resource-server/src/dpop/verify-proof';
import { issuerKey, now, tokenOf } from '../../../packages/resource-server/checks';
import { ownKey, ownThumbprint, proofClaimsAt, proofWith } from '../../../packages/resource-server/proofs';

export interface Item {
  readonly token: string;
  readonly proof: string | undefined;
}

export const keyOfIssuer = issuerKey;

const claims = (index: number, bound: boolean) => ({
  jti: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  client_id: 'acme.p-1',
  gid: 'a'.repeat(64),
  scope: 'things:read things:write',
  ...(bound ? { cnf: { jkt: ownThumbprint } } : {}),
});

const proofFor = (token: string): string =>
  proofWith(
    ownKey,
    proofClaimsAt(now, { htm: 'GET', htu: 'https://septet.test/v1/things', ath: accessTokenHash(token) }),
  );

export const stock = (count: number, { bound = false, oneToken = false } = {}): readonly Item[] => {
  const first = tokenOf(claims(0, bound));
  return Array.from({ length: count }, (_, index) => {
    const token = oneToken ? first : tokenOf(claims(index, bound));
    return { token, proof: bound ? proofFor(token) : undefined };
  });
};
