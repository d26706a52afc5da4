/** Which issuers can be trusted, and which rules are narrow enough. Faults are sentences that name the field. */
import type { TrustCondition, TrustRule, WorkloadAttribute, WorkloadIssuer, WorkloadIssuerKind } from './events';
import { isWholePath } from './matching';

const trustDomain = /^[a-z0-9._-]{1,255}$/;

/** An address to fetch from, as OpenID Connect Discovery section 3 has it. */
const isIssuerUrl = (address: string, allowsPlainHttp: boolean): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, search, hash } = new URL(address);
  const isSecure = protocol === 'https:' || (allowsPlainHttp && protocol === 'http:');
  return isSecure && `${username}${password}${search}${hash}` === '' && !/[?#]/.test(address);
};

/** Undefined: it can be trusted. */
export const checkIssuer = (
  { kind, issuer, keysUri, keys, claims }: WorkloadIssuer,
  { allowsPlainHttp }: { readonly allowsPlainHttp: boolean },
): string | undefined => {
  if (kind === 'spiffe') {
    if (!trustDomain.test(issuer)) return 'issuer must be a SPIFFE trust domain, as example.org.';
    if (keysUri === null && keys === null) return 'A trust domain needs keys, or keysUri: the address of its bundle.';
  } else if (!isIssuerUrl(issuer, allowsPlainHttp))
    return 'issuer must be the https URL in the credentials, without query and fragment.';
  if (keysUri !== null && keys !== null) return 'keys and keysUri exclude each other.';
  if (keysUri !== null && !isIssuerUrl(keysUri, allowsPlainHttp))
    return 'keysUri must be an https URL without query and fragment.';
  return new Set(claims.map(({ attribute }) => attribute)).size < claims.length
    ? 'claims names an attribute twice.'
    : undefined;
};

const ofSourceCode: readonly WorkloadAttribute[] = ['subject', 'repository', 'repositoryId', 'owner', 'ownerId'];

/**
 * One of these has to be named: GitHub and GitLab attest the workloads of everyone who has an account there, and a cluster those of all its
 * tenants.
 */
const identifying: { readonly [kind in WorkloadIssuerKind]: readonly WorkloadAttribute[] } = {
  github: ofSourceCode,
  gitlab: ofSourceCode,
  kubernetes: ['subject', 'namespace'],
  spiffe: ['subject', 'namespace'],
  oidc: ['subject', ...ofSourceCode, 'namespace'],
};

interface RuleFault {
  readonly code: 'trust-rule-invalid' | 'trust-rule-too-wide';
  readonly detail: string;
}

const invalid = (detail: string): RuleFault => ({ code: 'trust-rule-invalid', detail });

const checkCondition = ({ attribute, comparison, value }: TrustCondition): string | undefined =>
  comparison === 'path' && !isWholePath(value)
    ? `The value of ${attribute} must be a path of whole segments, without a slash at its ends.`
    : undefined;

/** Undefined: the rule can be made. */
export const checkRule = ({ conditions }: TrustRule, { kind }: WorkloadIssuer): RuleFault | undefined => {
  const named = conditions.map(({ attribute }) => attribute);
  if (new Set(named).size < named.length) return invalid('conditions names an attribute twice.');
  for (const [index, condition] of conditions.entries()) {
    const fault = checkCondition(condition);
    if (fault !== undefined) return invalid(`conditions/${index} ${fault}`);
  }
  if (named.some((attribute) => identifying[kind].includes(attribute))) return undefined;
  return {
    code: 'trust-rule-too-wide',
    detail: `A rule of this kind of issuer needs a condition on one of these: ${identifying[kind].join(', ')}.`,
  };
};
