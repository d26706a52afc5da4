/** The `claims` parameter (OpenID Connect Core section 5.5). */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { AuthorizationError } from '../../../../domain/identity/authorization/authorization-request';
import { PersonClaim } from '../../../../domain/identity/authorization/requested-claims';
import { PrincipalId } from '../../../../domain/kernel/ids';

export interface RequestedClaims {
  readonly userinfo: readonly PersonClaim[];
  readonly idToken: readonly PersonClaim[];
  /** Only this person may complete the request; undefined: any. */
  readonly subject: PrincipalId | undefined;
  readonly twoFactors: boolean;
}

type Members = Readonly<Record<string, unknown>>;
type Parsed<A> = Either<AuthorizationError, A>;

const maxClaimsLength = 4_096;

const none: RequestedClaims = { userinfo: [], idToken: [], subject: undefined, twoFactors: false };

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Unknown classes are ignored: a person may always be authenticated more strongly than requested. */
export const needsTwoFactors = (classes: readonly unknown[]): boolean =>
  classes.includes('2') && !classes.includes('1');

const refused = (error: AuthorizationError['error'], description: string): Either<AuthorizationError, never> =>
  left({ error, description });

/** Each claim is requested by null, or by an object with conditions. */
const parseMember = (value: unknown): Members | undefined => {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) return undefined;
  return Object.values(value).every((claim) => claim === null || isObject(claim)) ? value : undefined;
};

const parseJson = (written: string): unknown => {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
};

const valuesOf = (claim: unknown): readonly unknown[] => {
  if (!isObject(claim)) return [];
  const { value, values } = claim;
  return Array.isArray(values) ? values : value === undefined ? [] : [value];
};

const isEssential = (claim: unknown): boolean => isObject(claim) && claim.essential === true;

/** An essential class that cannot be reached is a failed authentication (section 5.5.1.1). */
const parseClass = (claim: unknown): Parsed<boolean> => {
  const values = valuesOf(claim);
  const known = values.filter((value) => value === '1' || value === '2');
  return isEssential(claim) && values.length > 0 && known.length === 0
    ? refused('unmet_authentication_requirements', 'The claim acr is requested without a supported value: 1 or 2.')
    : right(needsTwoFactors(known));
};

const parseSubject = (members: readonly Members[]): Parsed<PrincipalId | undefined> => {
  const [first, ...others] = new Set(members.flatMap(({ sub }) => valuesOf(sub)));
  if (first === undefined) return right(undefined);
  return others.length === 0 && PrincipalId.is(first)
    ? right(first)
    : refused('login_required', 'No person has the sub that claims requests.');
};

/** Claims that are not known are ignored. */
export const parseRequestedClaims = (written: string | undefined): Parsed<RequestedClaims> => {
  if (written === undefined) return right(none);
  if (written.length > maxClaimsLength)
    return refused('invalid_request', `The parameter claims is longer than ${maxClaimsLength} characters.`);
  const whole = parseJson(written);
  const [userinfo, idToken] = isObject(whole) ? [whole.userinfo, whole.id_token].map(parseMember) : [];
  if (userinfo === undefined || idToken === undefined)
    return refused(
      'invalid_request',
      'The parameter claims must be a JSON object with claims for userinfo and id_token.',
    );
  const twoFactors = parseClass(idToken.acr);
  if (isLeft(twoFactors)) return twoFactors;
  const subject = parseSubject([userinfo, idToken]);
  if (isLeft(subject)) return subject;
  const namesIn = (member: Members): readonly PersonClaim[] => Object.keys(member).filter(PersonClaim.is);
  return right({
    userinfo: namesIn(userinfo),
    idToken: namesIn(idToken),
    subject: subject.right,
    twoFactors: twoFactors.right,
  });
};
