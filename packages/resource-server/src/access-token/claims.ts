/** Access token claims: complete, of exact types, bounded. Unknown claims are ignored. */
import { isJsonObject, type JsonObject } from '../jose/encoding';

export interface Confirmation {
  /** Thumbprint of the DPoP key (RFC 9449). */
  readonly jkt?: string;
  /** Thumbprint of the client's certificate (RFC 8705). */
  readonly 'x5t#S256'?: string;
}

/** An actor, and the one before it (RFC 8693 section 4.1). Prior actors have the epoch and the grant by which they passed the task on. */
export interface ActorClaim {
  readonly sub: string;
  readonly security_epoch?: number;
  readonly gid?: string;
  readonly act?: ActorClaim;
}

export interface AccessTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf?: number;
  readonly jti: string;
  readonly tenant_id: string;
  readonly principal_type: string;
  readonly scopes: readonly string[];
  readonly security_epoch: number;
  readonly client_id?: string;
  /** Grant and session of the token. */
  readonly gid?: string;
  readonly sid?: string;
  /** Authentication time in seconds since 1970 (RFC 9470). */
  readonly auth_time?: number;
  /** `2`: several factors. */
  readonly acr?: string;
  /** Methods of the sign-in (RFC 8176). */
  readonly amr?: readonly string[];
  readonly cnf?: Confirmation;
  readonly actor_id?: string;
  readonly on_behalf_of?: string;
  /** Security epoch of `on_behalf_of`: a higher one ends the token, as with `security_epoch`. */
  readonly obo_epoch?: number;
  readonly act?: ActorClaim;
  readonly delegation_id?: string;
  readonly task_id?: string;
  readonly auth_context?: readonly string[];
  /** The workload whose credential was exchanged for the token, and its cluster, as its issuer attests them. */
  readonly workload_id?: string;
  readonly cluster_id?: string;
}

type ClaimGuard = (value: unknown) => boolean;

const maxNameLength = 256;
const maxEntries = 256;
const latestSecond = 10_000_000_000;

const isText =
  (longest: number): ClaimGuard =>
  (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= longest;
const isName = isText(maxNameLength);
const isWhole =
  (most: number): ClaimGuard =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
const isSecond = isWhole(latestSecond);
const isNames: ClaimGuard = (value) => Array.isArray(value) && value.length <= maxEntries && value.every(isName);

/** SHA-256 in base64url: 43 characters, the last with four bits. */
const isThumbprint = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(value);

/** Unknown confirmation members make the token unusable: they cannot be enforced. */
const isConfirmation: ClaimGuard = (value) => {
  if (!isJsonObject(value)) return false;
  const members = Object.entries(value);
  return (
    members.length > 0 &&
    members.every(([name, member]) => (name === 'jkt' || name === 'x5t#S256') && isThumbprint(member))
  );
};

const maxActors = 3;

/** Prior actors cannot be checked without their epoch and grant. */
const isActor = (value: unknown, depth = 1): boolean => {
  if (!isJsonObject(value) || !isName(value.sub)) return false;
  const { security_epoch: epoch, gid, act } = value;
  if (depth > 1 && !(isWhole(Number.MAX_SAFE_INTEGER)(epoch) && isName(gid))) return false;
  return act === undefined || (depth < maxActors && isActor(act, depth + 1));
};

/** The latest first. The first actor is the token's own subject. */
export const priorActorsOf = ({ act }: Pick<AccessTokenClaims, 'act'>): readonly ActorClaim[] => {
  const actors: ActorClaim[] = [];
  for (let actor = act?.act; actor !== undefined; actor = actor.act) actors.push(actor);
  return actors;
};

const required: readonly (readonly [string, ClaimGuard])[] = [
  ['iss', isText(2_048)],
  ['sub', isName],
  ['aud', isNames],
  ['exp', isSecond],
  ['iat', isSecond],
  ['jti', isName],
  ['tenant_id', isName],
  ['principal_type', isName],
  ['scopes', isNames],
  ['security_epoch', isWhole(Number.MAX_SAFE_INTEGER)],
];
const optional: readonly (readonly [string, ClaimGuard])[] = [
  ['nbf', isSecond],
  ['client_id', isText(2_048)],
  ['gid', isName],
  ['sid', isName],
  ['auth_time', isSecond],
  ['acr', isText(256)],
  ['amr', isNames],
  ['cnf', isConfirmation],
  ['actor_id', isName],
  ['on_behalf_of', isName],
  ['obo_epoch', isWhole(Number.MAX_SAFE_INTEGER)],
  ['act', (value) => isActor(value)],
  ['delegation_id', isName],
  ['task_id', isName],
  ['auth_context', isNames],
  ['workload_id', isName],
  ['cluster_id', isName],
];

/** RFC 9068 has scopes as one text, the specification as a list; both must agree. */
const agrees = ({ scope, scopes }: JsonObject): boolean =>
  scope === undefined || scope === (scopes as readonly string[]).join(' ');

export const parseClaims = (value: unknown): AccessTokenClaims | undefined => {
  if (!isJsonObject(value)) return undefined;
  for (const [name, holds] of required) if (!holds(value[name])) return undefined;
  for (const [name, holds] of optional) if (value[name] !== undefined && !holds(value[name])) return undefined;
  return agrees(value) ? (value as unknown as AccessTokenClaims) : undefined;
};

/** Clock tolerance in seconds. */
export const skewSeconds = 10;
/** Maximum token lifetime, and so how long revocations matter. */
export const maxTokenSeconds = 3_600;
/** Maximum age of DPoP proofs. */
export const maxProofSeconds = 60;
