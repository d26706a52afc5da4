/** Account linking and just-in-time provisioning. A person is found by issuer and subject, never by e-mail address. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { DisplayName, LoginName } from '../../../../domain/identity/authenticators/events';
import type { Provider } from '../../../../domain/identity/sign-in-policy/decider';
import { decode } from '../../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { ProviderIdentity } from '../../../../infra/ports/identity/identity-providers';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { derivedId } from '../../../kernel/deterministic-ids';
import { failurePage, problemPageOf, redirect } from '../../pages/page';
import { createPerson } from '../../people/create-person';
import { claimIdentifier, findIdentifierOwner, normalizeLogin } from '../../people/identifier-claims';
import { type LoadedPerson, loadPerson, type PersonId, updateAuthenticators } from '../../people/load-person';
import { currentSession, isFresh } from '../../sessions/current-session';
import type { PageRequest, SignInDeps } from '../dependencies';

/** Requires recent authentication: a link adds an authenticator. */
export const requireLinkingPerson = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  tenantId: TenantId,
): Promise<Either<PageAnswer, PrincipalId>> => {
  const current = await currentSession(deps, pageRequest.headers);
  if (isLeft(current)) return left(problemPageOf(current.left));
  const { right: session } = current;
  const may = session !== null && session.tenantId === tenantId && isFresh(session, deps.clock.now());
  return may ? right(session.principalId) : left(redirect('/sign-in?continue=/account&max_age=300'));
};

export interface FederatedSignIn {
  readonly tenantId: TenantId;
  readonly provider: Provider;
  readonly vouched: ProviderIdentity;
  /** Signed-in person who requested the link; null: sign-in. */
  readonly linkTo: PrincipalId | null;
}

const notLinkedHere = () =>
  failurePage(
    403,
    'Your account is not linked',
    'Your account at the provider is not linked to an account here. Sign in another way and link it in your account, or ask an administrator.',
  );

const linkedElsewhere = () =>
  failurePage(
    409,
    'Linked already',
    'Your account at the provider is linked to another person here. Remove that link first.',
  );

export const federatedIdentifierOf = ({ tenantId, vouched: { issuer, subject } }: FederatedSignIn) =>
  ({ tenantId, kind: 'upstream', value: JSON.stringify([issuer, subject]) }) as const;

const linkAccount = async (
  deps: SignInDeps,
  { requestId }: PageRequest,
  { vouching, id }: { readonly vouching: FederatedSignIn; readonly id: PersonId },
) => {
  const { principalId } = id;
  const context = { requestId, actor: principalId };
  const claiming = { type: 'ClaimIdentifier', principalId, ...context } as const;
  const claimed = await claimIdentifier(deps, federatedIdentifierOf(vouching), claiming);
  if (isLeft(claimed)) return claimed;
  const { issuer } = vouching.vouched;
  const about = { principalId, issuer, subjectHash: claimed.right, at: deps.clock.now() };
  return updateAuthenticators(deps, id, { command: { type: 'LinkUpstream', ...about }, context });
};

const provisionedLogin = ({ provider, vouched: { email } }: FederatedSignIn): string | undefined => {
  if (provider.provisioning === 'off' || email === null || isLeft(decode(LoginName, email))) return undefined;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return provider.domains.length === 0 || provider.domains.includes(domain) ? email : undefined;
};

const provisionedId = (tenantId: TenantId, hash: string): PrincipalId =>
  derivedId('provisioned', tenantId, hash) as PrincipalId;

/** The claimed account has no link at its owner: it was removed or only half created. */
const mayLink = (
  vouching: FederatedSignIn,
  { owner, hash }: { readonly owner: PrincipalId; readonly hash: string },
): boolean =>
  owner === vouching.linkTo ||
  (owner === provisionedId(vouching.tenantId, hash) && provisionedLogin(vouching) !== undefined);

/** The provider's word for the person, where it is one that people can read. */
const displayNameOf = (name: string | null, email: string): string => {
  const read = decode(
    DisplayName,
    Array.from(name ?? '')
      .slice(0, 60)
      .join(''),
  );
  return isLeft(read) ? email.slice(0, 120) : read.right;
};

/** The id derives from issuer and subject, so concurrent sign-ins provision one person. An existing login keeps its owner. */
const provisionPerson = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { vouching, hash }: { readonly vouching: FederatedSignIn; readonly hash: string },
) => {
  const email = provisionedLogin(vouching);
  if (email === undefined) return left(notLinkedHere());
  const { tenantId, vouched } = vouching;
  const id = { tenantId, principalId: provisionedId(tenantId, hash) };
  const person = { ...id, login: normalizeLogin(email), displayName: displayNameOf(vouched.name, email), email };
  const context = { requestId: pageRequest.requestId, actor: 'system:provisioning' };
  const made = await createPerson(deps, person, { commandId: deps.random.uuid(), context, more: [] });
  if (isLeft(made)) return left(made.left.problem.status === 409 ? notLinkedHere() : problemPageOf(made.left));
  return right(id);
};

export const findOrProvisionPerson = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  vouching: FederatedSignIn,
): Promise<Either<PageAnswer, LoadedPerson>> => {
  const claimed = await findIdentifierOwner(deps, federatedIdentifierOf(vouching));
  if (isLeft(claimed)) return left(problemPageOf(claimed.left));
  const { hash, owner } = claimed.right;
  const { tenantId, linkTo } = vouching;
  if (owner !== null && linkTo !== null && owner !== linkTo) return left(linkedElsewhere());
  const principalId = owner ?? linkTo;
  const id =
    principalId === null
      ? await provisionPerson(deps, pageRequest, { vouching, hash })
      : right({ tenantId, principalId });
  if (isLeft(id)) return id;
  const loaded = await loadPerson(deps, id.right);
  if (isLeft(loaded)) return left(problemPageOf(loaded.left));
  const isLinked = loaded.right.person.upstreams.some(({ subjectHash }) => subjectHash === hash);
  if (owner !== null && isLinked) return loaded;
  if (owner !== null && !mayLink(vouching, { owner, hash })) return left(notLinkedHere());
  const linked = await linkAccount(deps, pageRequest, { vouching, id: id.right });
  return isLeft(linked) ? left(problemPageOf(linked.left)) : loaded;
};
