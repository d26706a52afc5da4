/** A caller as revocations name it. */
import type { ActorClaim, RevocableClaims } from '../../../../packages/resource-server/src/verification/index';
import type { DelegatedAccess, Identity } from '../routing/route';

const secondsOf = (milliseconds: number | undefined): number => Math.floor((milliseconds ?? 0) / 1000);

export const optional = <Name extends string>(name: Name, value: string | undefined) =>
  value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]: string });

/** `act` of a token: the agent, and before it the agents that passed its task on, the latest first. */
export const actorsClaim = (sub: string, priorActors: DelegatedAccess['priorActors']): ActorClaim => {
  const act = priorActors.reduceRight<ActorClaim | undefined>(
    (before, { principalId, securityEpoch, grantId }) => ({
      ...{ sub: principalId, security_epoch: securityEpoch, gid: grantId },
      ...(before === undefined ? {} : { act: before }),
    }),
    undefined,
  );
  return act === undefined ? { sub } : { sub, act };
};

const delegationClaims = ({ principalId, delegation }: Identity) =>
  delegation === undefined
    ? {}
    : {
        on_behalf_of: delegation.onBehalfOf,
        obo_epoch: delegation.onBehalfOfEpoch,
        act: actorsClaim(principalId, delegation.priorActors),
      };

/** Of unknown age means of any age: what revokes the old revokes it, too. */
export const revocableOf = (identity: Identity): RevocableClaims => ({
  tenant_id: identity.tenantId,
  sub: identity.principalId,
  jti: identity.tokenId,
  iat: secondsOf(identity.issuedAt),
  security_epoch: identity.securityEpoch ?? 0,
  ...optional('client_id', identity.clientId),
  ...optional('gid', identity.grantId),
  ...optional('sid', identity.sessionId),
  ...delegationClaims(identity),
});
