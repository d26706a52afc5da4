/** Gives, uses, rechecks and revokes consents. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ClientDescription } from '../../../domain/identity/client/events';
import {
  type AtClientEpoch,
  type Consent,
  type ConsentCommand,
  type ConsentScope,
  type ConsentState,
  consent,
  consentTo,
  covers,
} from '../../../domain/identity/consent/decider';
import { consentStream } from '../../../domain/identity/consent/events';
import type { ClientId } from '../../../domain/identity/ids';
import type { Scope } from '../../../domain/identity/scopes';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { Random } from '../../../infra/ports/runtime/random';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps, Refusal } from '../../kernel/handle-request';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { revokeGrant } from '../grants/revoke-grant';
import type { ApplicationClient } from '../oauth/client-authentication/authenticated-client';
import { oauthFailure } from '../oauth/token/oauth-error';
import type { TokenRequest } from '../oauth/token/token-request';

export interface ConsentOwner {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
}

export interface ConsentKey extends ConsentOwner {
  readonly clientId: ClientId;
}

export interface CommandContext {
  readonly at: Instant;
  readonly requestId: string;
  readonly commandId: string;
}

export const loadConsents = (
  source: StreamSource,
  { tenantId, principalId }: ConsentOwner,
): Promise<Either<EventStoreFault, ConsentState>> => loadStream(source, consent, consentStream(tenantId, principalId));

export const loadConsent = async (
  source: StreamSource,
  between: ConsentKey,
): Promise<Either<EventStoreFault, Consent>> => {
  const all = await loadConsents(source, between);
  return isLeft(all) ? all : right(consentTo(all.right, between.clientId));
};

const runConsentCommand = (
  deps: HandleDeps,
  { tenantId, principalId }: ConsentOwner,
  { command, context }: { readonly command: ConsentCommand; readonly context: CommandContext },
) =>
  handle(deps, consent, {
    stream: consentStream(tenantId, principalId),
    command,
    commandId: context.commandId,
    tenant: tenantId,
    actor: principalId,
    correlationId: context.requestId,
  });

/** What the person approved, and the client as they were shown it. */
interface Approved extends ConsentScope, AtClientEpoch {
  readonly client: ClientDescription;
}

export const grantConsent = (
  deps: HandleDeps,
  between: ConsentKey,
  { approved, context }: { readonly approved: Approved; readonly context: CommandContext },
) => {
  const { principalId, clientId } = between;
  return runConsentCommand(deps, between, {
    command: { type: 'GrantConsent', principalId, clientId, at: context.at, ...approved },
    context,
  });
};

/** Recorded before the grant is opened, so that revoking the consent finds every grant. */
const useConsent = (
  deps: HandleDeps,
  between: ConsentKey,
  {
    use,
    context,
  }: { readonly use: Consent['uses'][number] & ConsentScope & AtClientEpoch; readonly context: CommandContext },
) => {
  const { principalId, clientId } = between;
  return runConsentCommand(deps, between, {
    command: { type: 'UseConsent', principalId, clientId, at: context.at, ...use },
    context,
  });
};

type ConsentResult = Promise<Either<Refusal<string>, void>>;

const revokeConsentUses = async (deps: HandleDeps, between: ConsentKey, context: CommandContext): ConsentResult => {
  const { tenantId, principalId } = between;
  const current = await loadConsent(deps, between);
  if (isLeft(current)) return current;
  for (const { grantId, expiresAt } of current.right.uses) {
    if (expiresAt <= context.at) continue;
    const revocation = { tenantId, reason: 'Its owner took their consent back.', ownedBy: null, actor: principalId };
    const commandId = derivedId('withdraw-consent', grantId);
    const ended = await revokeGrant(deps, grantId, { ...revocation, requestId: context.requestId, commandId });
    if (isLeft(ended) && ended.left.code !== 'grant-unknown') return ended;
  }
  return right(undefined);
};

/** Revokes the grants first: after a crash the consent is still listed and can be revoked again. */
export const revokeConsent = async (deps: HandleDeps, between: ConsentKey, context: CommandContext): ConsentResult => {
  const { principalId, clientId } = between;
  const ended = await revokeConsentUses(deps, between, context);
  if (isLeft(ended)) return ended;
  const withdrawn = await runConsentCommand(deps, between, {
    command: { type: 'WithdrawConsent', principalId, clientId, at: context.at },
    context,
  });
  // Revokes grants that were opened in between; from now on none can be.
  return isLeft(withdrawn) ? withdrawn : revokeConsentUses(deps, between, context);
};

export interface ConsentUse {
  readonly client: ApplicationClient;
  readonly principalId: PrincipalId;
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
  readonly use: Consent['uses'][number];
}

type ConsentCheck = Promise<Either<JsonAnswer, void>>;
type RequestContext = Pick<TokenRequest, 'at' | 'requestId'>;

const consentKeyOf = ({ client: { tenantId, clientId }, principalId }: ConsentUse) => ({
  tenantId,
  clientId,
  principalId,
});

const consentOver = () => oauthFailure('invalid_grant', 'The person withdrew their consent.');

/** First-party applications are exempt: people sign out of them instead. */
export const recordConsentUse = async (
  deps: HandleDeps & { readonly random: Random },
  consentUse: ConsentUse,
  { at, requestId }: RequestContext,
): ConsentCheck => {
  const { client, use, scopes, audience } = consentUse;
  if (client.application.firstParty) return right(undefined);
  const context = { at, requestId, commandId: deps.random.uuid() };
  const clientEpoch = client.application.consentEpoch;
  const noted = await useConsent(deps, consentKeyOf(consentUse), {
    use: { ...use, scopes, audience, clientEpoch },
    context,
  });
  if (!isLeft(noted)) return right(undefined);
  return noted.left.code === 'consent-not-given'
    ? consentOver()
    : oauthFailure('temporarily_unavailable', noted.left.detail);
};

/** The consent may have been revoked while the grant was opened, before there was a grant to revoke. */
export const recheckConsent = async (
  deps: HandleDeps,
  consentUse: ConsentUse,
  { requestId }: RequestContext,
): ConsentCheck => {
  const { client, use, principalId } = consentUse;
  if (client.application.firstParty) return right(undefined);
  const found = await loadConsent(deps, consentKeyOf(consentUse));
  if (isLeft(found)) return oauthFailure('temporarily_unavailable', found.left.detail);
  const clientEpoch = client.application.consentEpoch;
  if (covers(found.right, { ...consentUse, clientEpoch })) return right(undefined);
  const reason = 'Its owner took their consent back.';
  const how = { tenantId: client.tenantId, reason, ownedBy: null, actor: principalId, requestId };
  const ended = await revokeGrant(deps, use.grantId, { ...how, commandId: derivedId('consent-over', use.grantId) });
  return isLeft(ended) ? oauthFailure('temporarily_unavailable', ended.left.detail) : consentOver();
};
