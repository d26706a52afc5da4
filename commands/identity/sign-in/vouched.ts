/** The person of an account elsewhere: whom it is linked to, never whoever has the same address. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Provider } from '../../../domain/identity/sign-in-policy/decider';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { PageAnswer } from '../../../infra/http/route';
import type { Vouched } from '../../../infra/ports/providers';
import { derivedId } from '../../kernel/derive';
import { failurePage } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import type { Arrived, PeopleDeps } from './deps';
import { claimIdentifier, normalLogin, ownerOf } from './identifiers';
import { makePerson } from './new-person';
import { changePerson, type Known, loadPerson, type PersonId } from './person';

export interface Vouching {
  readonly tenantId: TenantId;
  readonly provider: Provider;
  readonly vouched: Vouched;
  /** Who is signed in and asked for the link; null where somebody signs in. */
  readonly linkTo: PrincipalId | null;
}

const unknownHere = () =>
  failurePage(
    403,
    'You are not known here',
    'Your account there belongs to nobody here yet. Sign in another way and link it in your account, or ask an administrator.',
  );

const elsewhere = () =>
  failurePage(409, 'Linked already', 'Your account there leads to somebody else here. Remove the link there first.');

export const identifierOf = ({ tenantId, vouched: { issuer, subject } }: Vouching) =>
  ({ tenantId, kind: 'upstream', value: JSON.stringify([issuer, subject]) }) as const;

const link = async (deps: PeopleDeps, { requestId }: Arrived, [vouching, id]: readonly [Vouching, PersonId]) => {
  const { principalId } = id;
  const acting = { requestId, actor: principalId };
  const claiming = { type: 'ClaimIdentifier', principalId, ...acting } as const;
  const claimed = await claimIdentifier(deps, identifierOf(vouching), claiming);
  if (isLeft(claimed)) return claimed;
  const { issuer } = vouching.vouched;
  const about = { principalId, issuer, subjectHash: claimed.right, at: deps.clock.now() };
  return changePerson(deps, id, [{ type: 'LinkUpstream', ...about }, acting]);
};

const provisioned = ({ provider, vouched: { email } }: Vouching): string | undefined => {
  if (provider.provisioning === 'off' || email === null) return undefined;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return provider.domains.length === 0 || provider.domains.includes(domain) ? email : undefined;
};

const provisionedId = (tenantId: TenantId, hash: string): PrincipalId =>
  derivedId('provisioned', tenantId, hash) as PrincipalId;

/** Of an account that is taken though its owner has no link to it: that was removed, or made by half. */
const mayLink = (vouching: Vouching, [owner, hash]: readonly [PrincipalId, string]): boolean =>
  owner === vouching.linkTo ||
  (owner === provisionedId(vouching.tenantId, hash) && provisioned(vouching) !== undefined);

/** One person for an account, however often it comes at once: the id is made of both. A login that is taken stays whose it is. */
const provision = async (deps: PeopleDeps, arrived: Arrived, [vouching, hash]: readonly [Vouching, string]) => {
  const email = provisioned(vouching);
  if (email === undefined) return left(unknownHere());
  const { tenantId, vouched } = vouching;
  const id = { tenantId, principalId: provisionedId(tenantId, hash) };
  const person = { ...id, login: normalLogin(email), displayName: (vouched.name ?? email).slice(0, 120), email };
  const acting = { requestId: arrived.requestId, actor: 'system:provisioning' };
  const made = await makePerson(deps, person, [deps.random.uuid(), acting, []]);
  if (isLeft(made)) return left(made.left.problem.status === 409 ? unknownHere() : problemPageOf(made.left));
  return right(id);
};

export const personVouchedFor = async (
  deps: PeopleDeps,
  arrived: Arrived,
  vouching: Vouching,
): Promise<Either<PageAnswer, Known>> => {
  const claimed = await ownerOf(deps, identifierOf(vouching));
  if (isLeft(claimed)) return left(problemPageOf(claimed.left));
  const { hash, owner } = claimed.right;
  const { tenantId, linkTo } = vouching;
  if (owner !== null && linkTo !== null && owner !== linkTo) return left(elsewhere());
  const principalId = owner ?? linkTo;
  const id = principalId === null ? await provision(deps, arrived, [vouching, hash]) : right({ tenantId, principalId });
  if (isLeft(id)) return id;
  const known = await loadPerson(deps, id.right);
  if (isLeft(known)) return left(problemPageOf(known.left));
  const isLinked = known.right.person.upstreams.some(({ subjectHash }) => subjectHash === hash);
  if (owner !== null && isLinked) return known;
  if (owner !== null && !mayLink(vouching, [owner, hash])) return left(unknownHere());
  const linked = await link(deps, arrived, [vouching, id.right]);
  return isLeft(linked) ? left(problemPageOf(linked.left)) : known;
};
