/** What a person allowed applications, that they allow it now, and that they take it back. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import {
  type Allowing,
  type Consent,
  type ConsentCommand,
  type ConsentState,
  consent,
  consentTo,
} from '../../../domain/identity/consent/decider';
import type { ClientId } from '../../../domain/identity/ids';
import { consentStream } from '../../../domain/identity/streams';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { derivedId } from '../../kernel/derive';
import { handle } from '../../kernel/handle';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import type { HandleDeps, Refusal } from '../../kernel/request';
import { revokeGrant } from '../grants/revoke';

export interface Person {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
}

export interface Between extends Person {
  readonly clientId: ClientId;
}

export interface Word {
  readonly at: Instant;
  readonly requestId: string;
  readonly commandId: string;
}

export const loadConsents = (
  source: StreamSource,
  { tenantId, principalId }: Person,
): Promise<Either<EventStoreFault, ConsentState>> => loadStream(source, consent, consentStream(tenantId, principalId));

export const loadConsent = async (
  source: StreamSource,
  between: Between,
): Promise<Either<EventStoreFault, Consent>> => {
  const all = await loadConsents(source, between);
  return isLeft(all) ? all : right(consentTo(all.right, between.clientId));
};

const say = (deps: HandleDeps, { tenantId, principalId }: Person, [command, word]: readonly [ConsentCommand, Word]) =>
  handle(deps, consent, {
    stream: consentStream(tenantId, principalId),
    command,
    commandId: word.commandId,
    tenant: tenantId,
    actor: principalId,
    correlationId: word.requestId,
  });

export const giveConsent = (deps: HandleDeps, between: Between, { given, word }: { given: Allowing; word: Word }) => {
  const { principalId, clientId } = between;
  const { scopes, audience } = given;
  return say(deps, between, [{ type: 'GiveConsent', principalId, clientId, scopes, audience, at: word.at }, word]);
};

/** Before there is a grant, so that none can be missed when the consent is taken back. */
export const useConsent = (
  deps: HandleDeps,
  between: Between,
  { use, word }: { use: Consent['uses'][number] & Allowing; word: Word },
) => {
  const { principalId, clientId } = between;
  return say(deps, between, [{ type: 'UseConsent', principalId, clientId, at: word.at, ...use }, word]);
};

type Done = Promise<Either<Refusal<string>, void>>;

const endUses = async (deps: HandleDeps, between: Between, word: Word): Done => {
  const { tenantId, principalId } = between;
  const given = await loadConsent(deps, between);
  if (isLeft(given)) return given;
  for (const { grantId, expiresAt } of given.right.uses) {
    if (expiresAt <= word.at) continue;
    const revocation = { tenantId, reason: 'Its owner took their consent back.', ownedBy: null, actor: principalId };
    const commandId = derivedId('withdraw-consent', grantId);
    const ended = await revokeGrant(deps, grantId, { ...revocation, requestId: word.requestId, commandId });
    if (isLeft(ended) && ended.left.code !== 'grant-unknown') return ended;
  }
  return right(undefined);
};

/** What came of it ends first: cut short, it is still in the person's list, and can be taken back again. */
export const withdrawConsent = async (deps: HandleDeps, between: Between, word: Word): Done => {
  const { principalId, clientId } = between;
  const ended = await endUses(deps, between, word);
  if (isLeft(ended)) return ended;
  const withdrawn = await say(deps, between, [{ type: 'WithdrawConsent', principalId, clientId, at: word.at }, word]);
  // What was opened meanwhile; from now on nothing is.
  return isLeft(withdrawn) ? withdrawn : endUses(deps, between, word);
};
