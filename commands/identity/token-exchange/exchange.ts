/** What both doors of the token exchange share: a request, its outcome, and the kinds of subjects, one entry each. */
import { type Either, isRight } from 'fp-ts/Either';
import {
  audiencesFor,
  type IssuerOfTokens,
  withoutRootSlash,
} from '../../../domain/identity/authorization/resource-indicators';
import type { RegisteredPrincipal } from '../../../domain/identity/principal/state';
import type { Scope } from '../../../domain/identity/scopes';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { RefusalNote } from '../../../infra/server/http/refusal-note';
import type { ClientCertificate, ReplayCache } from '../../../packages/resource-server/src/verification/index';
import type { OpenGrantDeps } from '../grants/open-grant';
import type { IssueDeps, IssuedTokens } from '../oauth/token/issue-tokens';
import type { BindingDeps, SenderConstraint } from '../oauth/token/sender-constraint';
import type { PrincipalSource } from '../principals/load-principal';
import type { IssuerKeyCache } from './workload/issuer-keys';

export interface WorkloadDeps {
  readonly workloads: {
    readonly keys: IssuerKeyCache;
    /** Credentials that were exchanged. */
    readonly credentials: ReplayCache;
    /** Whether issuers may be reached without TLS. */
    readonly allowsPlainHttp: boolean;
  };
}

export interface ExchangeDeps
  extends WorkloadDeps,
    BindingDeps,
    PrincipalSource,
    IssuerOfTokens,
    Omit<OpenGrantDeps, 'kms'>,
    Omit<IssueDeps, 'kms'> {
  readonly kms: IssueDeps['kms'] & OpenGrantDeps['kms'];
}

/**
 * The only audience that the resources stand for; by default the first one. Which APIs are registered is decided when the credential has proved
 * its tenant. Undefined: none or several.
 */
export const exchangeTarget = (home: IssuerOfTokens, resources: readonly string[]): string | undefined => {
  if (resources.length === 0) return home.audiences[0];
  const targets = audiencesFor(resources, home.audiences, home);
  const [target, ...others] = isRight(targets)
    ? targets.right
    : resources.filter((one) => URL.canParse(one)).map(withoutRootSlash);
  return others.length > 0 ? undefined : target;
};

export interface RedeemedDelegation {
  readonly delegationId: string;
  readonly taskId: string;
}

/** Both or neither are named. Undefined: one of them alone. */
export const redeemedDelegation = (
  delegationId: string | undefined,
  taskId: string | undefined,
): RedeemedDelegation | null | undefined => {
  if (delegationId === undefined && taskId === undefined) return null;
  return delegationId === undefined || taskId === undefined ? undefined : { delegationId, taskId };
};

export interface ExchangeRequest {
  readonly subjectToken: string;
  /** RFC 8693 section 3. Null: the JSON endpoint, where the token itself is examined. */
  readonly subjectTokenType: string | null;
  /** One of the installation's audiences, or what the tenant may have registered. */
  readonly audience: string;
  /** Tool of a registered API that the token is for; null: none is named. */
  readonly tool: string | null;
  /** None: all that can be given. */
  readonly requestedScopes: readonly Scope[];
  /** Of an agent that acts for another principal; null: in its own right. */
  readonly delegation: RedeemedDelegation | null;
  /** Proved by the request. */
  readonly binding: SenderConstraint | null;
  readonly certificate: ClientCertificate | undefined;
  readonly at: Instant;
  readonly requestId: string;
  readonly sourceIp: string | null;
  /** Recovers the principal from an incident before its token is issued. Left out: only an active one gets a token. */
  readonly recover?: (attested: AttestedPrincipal) => Promise<Either<ExchangeRefusal, RegisteredPrincipal>>;
}

/** The principal that a trust rule names, and when its platform attested it. */
export interface AttestedPrincipal {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly principal: RegisteredPrincipal;
  /** Null: the credential does not state it. */
  readonly attestedAt: Instant | null;
}

/**
 * `exchange-refused` has one answer for every reason, so that no caller learns which rule almost matched; the note is for operators.
 * `principal_not_active` is the specification's (section 7). `recovery-refused` answers recoveries alone.
 */
export type ExchangeRefusal =
  | { readonly code: 'exchange-refused' | 'principal_not_active' | 'recovery-refused'; readonly note: RefusalNote }
  | { readonly code: 'unavailable'; readonly detail: string };

export interface ExchangedToken extends Pick<IssuedTokens, 'accessToken' | 'expiresInSeconds' | 'scopes'> {
  readonly binding: SenderConstraint | null;
}

/** One kind of subject. */
export interface SubjectExchange {
  readonly subjectTokenTypes: readonly string[];
  /** Whether the token is of this kind, where no type names it. */
  readonly recognizes: (subjectToken: string) => boolean;
  readonly exchange: (deps: ExchangeDeps, request: ExchangeRequest) => Promise<Either<ExchangeRefusal, ExchangedToken>>;
}
