// Made by `npm run generate:client` of the routes; never edited by hand.
import type { Nothing, Operation } from '../operation';

export type AccessToken = string;
export type Actor = string;
export type AuthorizationServerMetadata = {
  readonly issuer: Url;
  readonly token_endpoint: Url;
  readonly jwks_uri: Url;
  readonly scopes_supported: Words;
  readonly response_types_supported: Words;
  readonly grant_types_supported: Words;
  readonly token_endpoint_auth_methods_supported: Words;
  readonly service_documentation: Url;
};
export type BegunSession = {
  readonly tenantId: TenantId4;
  readonly principalId: PrincipalId4;
  readonly principalType: PrincipalType4;
  readonly scopes: ReadonlyArray<string>;
  readonly clientId: ClientId4;
  readonly endsAt: Instant;
  readonly clientSecret?: ClientSecret4;
};
export type CausationId = string;
export type ChangedJob = { readonly jobId: JobId };
export type ClientId = string;
export type ClientId4 = string;
export type ClientSecret = string;
export type ClientSecret4 = string;
export type ContentType = string;
export type Coordinate = string;
export type CorrelationId = string;
export type CredentialAnswer = {
  readonly credentialId: CredentialId;
  readonly clientId: ClientId;
  readonly clientSecret: ClientSecret;
};
export type CredentialId = string;
export type Cursor = string;
export type DeadLetter = {
  readonly jobId: JobId;
  readonly queue: Queue;
  readonly key: JobKey;
  readonly tenantId: JobTenant;
  readonly correlationId: JobCorrelationId;
  readonly attempts: number;
  readonly reason: Reason3;
  readonly diedAt: Instant;
  readonly failures: ReadonlyArray<FailedAttempt>;
};
export type DeadLetters = { readonly items: ReadonlyArray<DeadLetter>; readonly next_cursor: JobId | null };
export type EventId = string;
export type FailedAttempt = { readonly attempt: number; readonly at: Instant; readonly reason: Reason3 };
export type FaultCode = string;
export type FirstAdmin = {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly clientId: ClientId;
  readonly clientSecret: ClientSecret;
};
export type FirstSignIn = { readonly code: SignInCode };
export type Forget = { readonly subject: SubjectId; readonly reason: ForgetReason };
export type ForgetReason = 'asked-for' | 'contract-ended' | 'court-order' | 'retention-ended';
export type ForgottenSubject = { readonly subject: SubjectHash };
export type GetPrincipalHistoryPage = {
  readonly items: ReadonlyArray<PrincipalHistoryItem>;
  readonly next_cursor: NextCursor | null;
};
export type HealthStatus = 'ok' | 'degraded' | 'down';
export type HealthWhy = string;
export type Instant = string;
export type JobCorrelationId = string;
export type JobId = string;
export type JobKey = string;
export type JobTenant = string;
export type JsonPointer = string;
export type Jwk = {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: Coordinate;
  readonly y: Coordinate;
  readonly kid: KeyId;
  readonly alg: 'ES256';
  readonly use: 'sig';
};
export type Jwks = { readonly keys: ReadonlyArray<Jwk> };
export type KeyId = string;
export type ListPrincipalsPage = { readonly items: ReadonlyArray<Principal>; readonly next_cursor: NextCursor | null };
export type ListSecurityEventsPage = {
  readonly items: ReadonlyArray<SecurityEvent>;
  readonly next_cursor: NextCursor | null;
};
export type NewCredential = { readonly scopes: Scopes; readonly expiresInSeconds?: number };
export type NewPrincipal = { readonly principalType: PrincipalType };
export type NextCursor = string;
export type OAuthError = { readonly error: OAuthErrorCode; readonly error_description: OAuthErrorDescription };
export type OAuthErrorCode = string;
export type OAuthErrorDescription = string;
export type PageLimit = string;
export type PartName = string;
export type PlatformCause = {
  readonly id: PlatformEventId;
  readonly causationId: CausationId | null;
  readonly stream: PlatformStreamName;
  readonly revision: number;
  readonly position: Position;
  readonly type: PlatformEventType;
  readonly at: Instant | null;
  readonly depth: number;
};
export type PlatformCauses = { readonly items: ReadonlyArray<PlatformCause>; readonly truncated: boolean };
export type PlatformCausesLimit = number;
export type PlatformContext = string;
export type PlatformCursor = string;
export type PlatformEvent = {
  readonly id: PlatformEventId;
  readonly type: PlatformEventType;
  readonly stream: PlatformStreamName;
  readonly context: PlatformContext | null;
  readonly tenantId: PlatformTenantId | null;
  readonly revision: number;
  readonly position: Position;
  readonly at: Instant | null;
  readonly contentType: ContentType;
  readonly data: unknown;
  readonly metadata: unknown;
};
export type PlatformEventId = string;
export type PlatformEventPlace = {
  readonly stream: PlatformStreamName;
  readonly revision: number;
  readonly position: Position;
};
export type PlatformEventType = string;
export type PlatformEventWithState = {
  readonly event: PlatformEvent;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly changes?: ReadonlyArray<PlatformStateChange>;
  readonly stateOmitted?: StateOmitted;
};
export type PlatformHealth = {
  readonly status: HealthStatus;
  readonly at: Instant;
  readonly items: ReadonlyArray<PlatformHealthItem>;
};
export type PlatformHealthItem = {
  readonly name: ProcessTitle;
  readonly status: HealthStatus;
  readonly why: HealthWhy | null;
  readonly version: Version | null;
  readonly uptimeSeconds: number | null;
  readonly answeredInMilliseconds: number | null;
  readonly parts: ReadonlyArray<PlatformHealthPart>;
};
export type PlatformHealthPart = {
  readonly name: PartName;
  readonly status: HealthStatus;
  readonly why: HealthWhy | null;
};
export type PlatformLog = { readonly items: ReadonlyArray<PlatformEvent>; readonly next?: Position };
export type PlatformNamePart = string;
export type PlatformPrefix = string;
export type PlatformProcess = {
  readonly name: ProcessName;
  readonly state: ProcessState;
  readonly why: ProcessWhy | null;
  readonly checkpoint: Position | null;
  readonly lagEvents: number | null;
  readonly lagSeconds: number;
  readonly owner: ProcessOwner | null;
  readonly seenAt: Instant;
  readonly timersWaiting: number;
  readonly timersOverdue: number;
  readonly nextTimerAt: Instant | null;
};
export type PlatformProcesses = { readonly items: ReadonlyArray<PlatformProcess> };
export type PlatformQueue = {
  readonly queue: Queue;
  readonly waiting: number;
  readonly delayed: number;
  readonly running: number;
  readonly dead: number;
  readonly oldestWaitingAt: Instant | null;
  readonly oldestDeadAt: Instant | null;
};
export type PlatformQueues = { readonly items: ReadonlyArray<PlatformQueue> };
export type PlatformRebuild = {
  readonly outcome: RebuildOutcome;
  readonly by: Actor;
  readonly began: Instant;
  readonly ended: Instant | null;
  readonly generation: number | null;
  readonly position: Position | null;
  readonly resumedFrom: Position | null;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly secondsLeft: number | null;
  readonly rowsBefore: number | null;
  readonly rowsAfter: number | null;
  readonly differs: boolean | null;
  readonly reason: FaultCode | null;
};
export type PlatformRevision = number;
export type PlatformSearch = string;
export type PlatformStateChange = {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: JsonPointer;
  readonly value?: unknown;
  readonly was?: unknown;
};
export type PlatformStream = {
  readonly stream: PlatformStreamName;
  readonly context: PlatformNamePart | null;
  readonly aggregate: PlatformNamePart | null;
  readonly tenantId: PlatformNamePart | null;
  readonly id: PlatformNamePart | null;
  readonly events: number;
  readonly firstRevision: number;
  readonly lastRevision: number;
  readonly firstAt: Instant | null;
  readonly lastAt: Instant | null;
  readonly lastType: PlatformEventType;
};
export type PlatformStreamEvents = { readonly items: ReadonlyArray<PlatformEvent>; readonly next?: PlatformRevision };
export type PlatformStreamName = string;
export type PlatformStreams = { readonly items: ReadonlyArray<PlatformStream>; readonly next?: PlatformCursor };
export type PlatformTenantId = string;
export type PlatformTimer = {
  readonly id: TimerId;
  readonly process: ProcessName;
  readonly instance: TimerInstance;
  readonly key: TimerKey;
  readonly at: Instant;
  readonly overdue: boolean;
};
export type PlatformTimers = { readonly items: ReadonlyArray<PlatformTimer>; readonly next?: TimerCursor };
export type PlatformView = {
  readonly name: ViewName;
  readonly version: number;
  readonly store: ViewStore;
  readonly phase: ViewPhase;
  readonly why: ViewWhy | null;
  readonly generation: number | null;
  readonly checkpoint: Position | null;
  readonly lagSeconds: number;
  readonly lagEvents: number | null;
  readonly skippedEvents: number;
  readonly seenAt: Instant;
  readonly lastRebuild: PlatformRebuild | null;
};
export type PlatformViews = { readonly items: ReadonlyArray<PlatformView> };
export type Position = string;
export type Principal = {
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  readonly tenantId: TenantId;
  readonly status: PrincipalStatus;
  readonly securityEpoch: number;
  readonly createdAt: Instant;
};
export type PrincipalAnswer = { readonly principalId: PrincipalId };
export type PrincipalHistoryItem = {
  readonly eventId: EventId;
  readonly principalId: PrincipalId;
  readonly revision: number;
  readonly type: SecurityEventType;
  readonly at: Instant;
  readonly actor: Actor;
  readonly reason: Reason2 | null;
  readonly details: UnknownRecord;
};
export type PrincipalId = string;
export type PrincipalId4 = string;
export type PrincipalStatus = 'ACTIVE' | 'SUSPENDED' | 'COMPROMISED';
export type PrincipalType = 'HUMAN' | 'PIPELINE' | 'AI_AGENT';
export type PrincipalType4 = string;
export type ProcessName = string;
export type ProcessOwner = string;
export type ProcessState = 'running' | 'catching-up' | 'waiting' | 'stopped' | 'gone';
export type ProcessTitle = string;
export type ProcessWhy = string;
export type Queue = string;
export type ReadDirection = 'forwards' | 'backwards';
export type Reason = string;
export type Reason2 = string;
export type Reason3 = string;
export type RebuildOutcome = 'running' | 'switched' | 'failed' | 'cut-off';
export type RevokedCredential = { readonly credentialId: CredentialId };
export type Scope = string;
export type ScopeList = string;
export type Scopes = ReadonlyArray<Scope>;
export type SearchWords = string;
export type SecurityEvent = {
  readonly eventId: EventId;
  readonly position: Position;
  readonly timestamp: Instant;
  readonly type: SecurityEventType;
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType | null;
  readonly actor: Actor;
  readonly severity: Severity | null;
  readonly summary: Summary;
  readonly details: UnknownRecord;
};
export type SecurityEventType = string;
export type Severity = 'SEV-1' | 'SEV-2' | 'SEV-3';
export type SignIn = SignInWithClient | SignInWithCode;
export type SignInCode = string;
export type SignInWithClient = { readonly clientId: ClientId4; readonly clientSecret: ClientSecret4 };
export type SignInWithCode = { readonly code: SignInCode };
export type SignedInSession = {
  readonly tenantId: TenantId4;
  readonly principalId: PrincipalId4;
  readonly principalType: PrincipalType4;
  readonly scopes: ReadonlyArray<string>;
  readonly clientId: ClientId4;
  readonly endsAt: Instant;
};
export type StateOmitted = string;
export type StreamId = string;
export type StreamTicket = { readonly ticket: StreamTicketText; readonly expires_at: Instant };
export type StreamTicketText = string;
export type SubjectHash = string;
export type SubjectId = string;
export type Summary = string;
export type TenantId = string;
export type TenantId4 = string;
export type TimerCursor = string;
export type TimerId = string;
export type TimerInstance = string;
export type TimerKey = string;
export type TokenAnswer = {
  readonly access_token: AccessToken;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: ScopeList;
};
export type TokenForm = {
  readonly grant_type: 'client_credentials';
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly scope?: string;
  readonly resource?: string;
  readonly audience?: string;
};
export type UnknownRecord = { readonly [name: string]: unknown };
export type Url = string;
export type Version = string;
export type ViewName = string;
export type ViewPhase = string;
export type ViewStore = 'postgres' | 'elastic' | 'redis';
export type ViewWhy = string;
export type WithReason = { readonly reason: Reason };
export type Word = string;
export type Words = ReadonlyArray<Word>;

/** What any request may be refused with before it comes to an operation. */
export type GatewayCode =
  | 'headers-too-many'
  | 'malformed-request'
  | 'revocation-state-stale'
  | 'revoked'
  | 'target-too-long'
  | 'token_revoked';

export interface Operations {
  /** Give a dead letter up for good. */
  readonly dropDeadLetter: Operation<
    'write',
    { readonly jobId: JobId },
    ChangedJob,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Where an event is, by its id. */
  readonly findPlatformEvent: Operation<
    'query',
    { readonly eventId: PlatformEventId },
    PlatformEventPlace,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** The log as it is written: the tenant’s events, or all for operators of the platform. */
  readonly followPlatformLog: Operation<
    'stream',
    { readonly context?: PlatformContext | undefined; readonly type?: PlatformEventType | undefined },
    PlatformEvent,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-streams'
    | 'unauthenticated'
  >;
  /** Security events of the tenant as they are recorded. */
  readonly followSecurityEvents: Operation<
    'stream',
    {
      readonly principalId?: PrincipalId | undefined;
      readonly type?: SecurityEventType | undefined;
      readonly severity?: Severity | undefined;
    },
    SecurityEvent,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-streams'
    | 'unauthenticated'
  >;
  /** Forget a person */
  readonly forgetSubject: Operation<
    'command',
    { readonly body: Forget },
    ForgottenSubject,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** The authorization server, described (RFC 8414) */
  readonly getAuthorizationServerMetadata: Operation<
    'query',
    Nothing,
    AuthorizationServerMetadata,
    'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout'
  >;
  /** Every process and what it depends on, asked just now. */
  readonly getPlatformHealth: Operation<
    'query',
    Nothing,
    PlatformHealth,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** One event, and what its aggregate was before it and is after it. */
  readonly getPlatformStreamEvent: Operation<
    'query',
    { readonly stream: PlatformStreamName; readonly revision: PlatformRevision },
    PlatformEventWithState,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** One principal. */
  readonly getPrincipal: Operation<
    'query',
    { readonly principalId: PrincipalId },
    Principal,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** What happened to a principal, the newest first; empty when no such principal is known. */
  readonly getPrincipalHistory: Operation<
    'page',
    { readonly principalId: PrincipalId; readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    GetPrincipalHistoryPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Who is signed in */
  readonly getSession: Operation<
    'query',
    Nothing,
    SignedInSession | undefined,
    'foreign-page' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'session-ended' | 'timeout'
  >;
  /** The public signing keys (RFC 7517) */
  readonly getSigningKeys: Operation<
    'query',
    Nothing,
    Jwks,
    'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout'
  >;
  /** Give a principal a credential */
  readonly issueCredential: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: NewCredential },
    CredentialAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** A ticket for a WebSocket, in place of the token that this is asked with. */
  readonly issueStreamTicket: Operation<
    'write',
    Nothing,
    StreamTicket,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Get an access token */
  readonly issueToken: Operation<
    'write',
    { readonly body: TokenForm },
    TokenAnswer,
    | 'body-too-large'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
  >;
  /** Jobs that never succeeded, the newest first: the tenant’s, or all for operators of the platform. */
  readonly listDeadLetters: Operation<
    'page',
    { readonly cursor?: JobId | undefined; readonly limit?: PageLimit | undefined },
    DeadLetters,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Every event of one conversation, as a tree: what began it first, each followed by what it led to. */
  readonly listPlatformCauses: Operation<
    'query',
    { readonly correlationId: CorrelationId; readonly limit?: PlatformCausesLimit | undefined },
    PlatformCauses,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** The log, from its beginning on or from its end back: the tenant’s events, or all for operators. */
  readonly listPlatformLog: Operation<
    'page',
    {
      readonly from?: Position | undefined;
      readonly direction?: ReadDirection | undefined;
      readonly limit?: number | undefined;
      readonly context?: PlatformContext | undefined;
      readonly type?: PlatformEventType | undefined;
    },
    PlatformLog,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Every process: how far it has answered the log, who runs it, and its timers. */
  readonly listPlatformProcesses: Operation<
    'query',
    Nothing,
    PlatformProcesses,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Queues of slow jobs by state: the tenant’s jobs, or all for operators. Dead ones are listed under `dead-letters`. */
  readonly listPlatformQueues: Operation<
    'query',
    Nothing,
    PlatformQueues,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** The events of one stream, from a revision on or from its end back. */
  readonly listPlatformStreamEvents: Operation<
    'page',
    {
      readonly stream: PlatformStreamName;
      readonly from?: PlatformRevision | undefined;
      readonly direction?: ReadDirection | undefined;
      readonly limit?: number | undefined;
    },
    PlatformStreamEvents,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Which streams there are, by name: those of the tenant, or all for operators of the platform. */
  readonly listPlatformStreams: Operation<
    'page',
    {
      readonly prefix?: PlatformPrefix | undefined;
      readonly context?: PlatformSearch | undefined;
      readonly search?: PlatformSearch | undefined;
      readonly cursor?: PlatformCursor | undefined;
      readonly limit?: number | undefined;
    },
    PlatformStreams,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Timers that have not fired yet, the earliest first: those of the tenant, or all for operators. */
  readonly listPlatformTimers: Operation<
    'page',
    {
      readonly process?: ProcessName | undefined;
      readonly cursor?: TimerCursor | undefined;
      readonly limit?: number | undefined;
    },
    PlatformTimers,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Every read model: where it stands, how far behind it is, and its last rebuild. */
  readonly listPlatformViews: Operation<
    'query',
    Nothing,
    PlatformViews,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** The principals of the tenant, the newest first. */
  readonly listPrincipals: Operation<
    'page',
    {
      readonly principalType?: PrincipalType | undefined;
      readonly status?: PrincipalStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListPrincipalsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Security events of the tenant, the newest first. */
  readonly listSecurityEvents: Operation<
    'page',
    {
      readonly principalId?: PrincipalId | undefined;
      readonly type?: SecurityEventType | undefined;
      readonly severity?: Severity | undefined;
      readonly from?: Instant | undefined;
      readonly to?: Instant | undefined;
      readonly q?: SearchWords | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListSecurityEventsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Reactivate a suspended principal */
  readonly reactivatePrincipal: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithReason },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Register a principal */
  readonly registerPrincipal: Operation<
    'command',
    { readonly body: NewPrincipal },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Let a dead letter be tried again, with all its attempts. */
  readonly replayDeadLetter: Operation<
    'write',
    { readonly jobId: JobId },
    ChangedJob,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Revoke a credential */
  readonly revokeCredential: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly credentialId: CredentialId; readonly body: WithReason },
    RevokedCredential,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Sign a browser in */
  readonly signIn: Operation<
    'write',
    { readonly body: SignIn },
    BegunSession,
    | 'body-too-large'
    | 'foreign-page'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'sign-in-refused'
    | 'timeout'
    | 'unsupported-media-type'
  >;
  /** Sign in as the first admin, once */
  readonly signInFirstAdmin: Operation<
    'command',
    { readonly body: FirstSignIn },
    FirstAdmin,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'bootstrap-code-wrong'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
  >;
  /** Sign out */
  readonly signOut: Operation<
    'write',
    Nothing,
    undefined,
    'foreign-page' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout'
  >;
  /** Suspend a principal: every token it holds is dead at once */
  readonly suspendPrincipal: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithReason },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
}
