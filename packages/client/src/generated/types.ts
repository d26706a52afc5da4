// Made by `npm run generate:client` of the routes; never edited by hand.
import type { Nothing, Operation } from '../operation';

export type AbortedVideoUpload = { readonly videoId: VideoId; readonly uploadId: VideoUploadId };
export type AcceptedInvitation = { readonly secret?: SharingSecret };
export type AccessOriginId = string;
export type AccessPolicyVersion = {
  readonly version: number;
  readonly note: PolicyNote | null;
  readonly rules: number;
  readonly draftedAt: Instant;
  readonly draftedBy: PolicyDrafter;
  readonly isEnforced: boolean;
  readonly isShadow: boolean;
  readonly enforcedAt: Instant | null;
};
export type AccessPolicyVersionDocument = { readonly version: number; readonly document: PolicyDocument2 };
export type AccessToken = string;
export type ActedResource = string;
export type ActionHash = string;
export type ActionMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type ActionOperation = string;
export type ActionPath = string;
export type ActionResult = 'SUCCEEDED' | 'FAILED';
export type ActionSummary = string;
export type ActionTarget = string;
export type ActiveNode = string;
export type Actor = string;
export type ActorId = string;
export type AddedCaptionLanguage = string;
export type AddressText = string;
export type AdministratorRecovery = {
  readonly incidentId: IncidentId;
  readonly scopes: Scopes;
  readonly expiresInSeconds?: number;
};
export type AfterVersion = number;
export type AgentAction = {
  readonly initiatorId: PrincipalId | null;
  readonly agentId: PrincipalId;
  readonly delegationId: DelegationId | null;
  readonly taskId: TaskId | null;
  readonly requestId: RequestReference | null;
  readonly tool: Audience;
  readonly resource: ActedResource;
  readonly operation: ActionOperation;
  readonly scopes: ScopeNames;
  readonly policyDecision: AgentActionDecision;
  readonly policyVersion: number | null;
  readonly approvalId: ApprovalId;
  readonly approverId: PrincipalId | null;
  readonly actionHash: ActionHash;
  readonly jti: TokenId | null;
  readonly result: ActionResult | null | null;
  readonly httpStatus: number | null;
  readonly timestamp: Instant | null;
};
export type AgentActionDecision = 'STEP_UP_REQUIRED';
export type AgentToolScopes = ReadonlyArray<Scope>;
export type AlertAudience = string;
export type AlertCluster = string;
export type AlertId = string;
export type AlertRule =
  | 'sender-binding-mismatch'
  | 'token-replay'
  | 'large-scale-replay'
  | 'rate-anomaly'
  | 'new-address'
  | 'impossible-travel'
  | 'unexpected-runtime'
  | 'tool-outside-allowlist'
  | 'approval-bypass'
  | 'scope-escalation'
  | 'call-after-task-end'
  | 'repeated-denial'
  | 'cross-tenant'
  | 'refresh-token-reuse'
  | 'code-replay';
export type AlertWorkload = string;
export type AlternativeName = { readonly name: PlaceName; readonly language: LanguageTag };
export type Ancestors = ReadonlyArray<NodeId>;
export type Annotation = {
  readonly level: AnnotationLevel;
  readonly message: AnnotationMessage;
  readonly title: AnnotationTitle | null;
  readonly file: AnnotationFile | null;
  readonly line: number | null;
};
export type AnnotationFile = string;
export type AnnotationLevel = 'notice' | 'warning' | 'error';
export type AnnotationMessage = string;
export type AnnotationTitle = string;
export type AnswerCitation = {
  readonly fileId: FileId;
  readonly filename: AnswerFilename | null;
  readonly versionId: FileVersionId;
  readonly chunkId: ChunkId;
  readonly pageNumber: number | null;
  readonly quote: AnswerQuote;
  readonly citation: Citation;
};
export type AnswerCitations = ReadonlyArray<AnswerCitation>;
export type AnswerFilename = string;
export type AnswerGenerator = string;
export type AnswerQuery = {
  readonly question: QuestionText;
  readonly scope?: AnswerScope;
  readonly topK?: number;
  readonly requireCitations?: boolean;
};
export type AnswerQuote = string;
export type AnswerScope = {
  readonly workspaceId?: TenantId;
  readonly fileIds?: ScopeFiles;
  readonly folderIds?: ScopeFolders;
};
export type AnswerSentence = { readonly text: AnswerSentenceText; readonly citations: SentenceCitations };
export type AnswerSentenceText = string;
export type AnswerSentences = ReadonlyArray<AnswerSentence>;
export type AnswerText = string;
export type AnyPlaceChange = PlaceChange;
export type ApiAnswer = { readonly apiId: ApiId };
export type ApiDescription = string;
export type ApiId = string;
export type ApiName = string;
export type ApiScope = { readonly name: Scope; readonly description: ApiDescription };
export type ApiScopes = ReadonlyArray<ApiScope>;
export type ApiStatus = 'ACTIVE' | 'REMOVED';
export type ApiToolAnswer = { readonly apiId: ApiId; readonly tool: ToolName };
export type ApplicationId = string;
export type Approval = {
  readonly approvalId: ApprovalId;
  readonly status: ApprovalStatus;
  readonly actionHash: ActionHash;
  readonly method: ActionMethod;
  readonly path: ActionPath;
  readonly query: SealedActionQuery | null;
  readonly body: SealedActionBody | null;
  readonly audience: Audience;
  readonly operation: ActionOperation;
  readonly summary: ActionSummary;
  readonly scopes: ScopeNames;
  readonly agentId: PrincipalId;
  readonly delegationId: DelegationId | null;
  readonly taskId: TaskId | null;
  readonly onBehalfOf: PrincipalId | null;
  readonly priorActors: ApprovalPriorActors;
  readonly reason: SealedActionReason | null;
  readonly requestedAt: Instant;
  readonly expiresAt: Instant;
  readonly approverId: PrincipalId | null;
  readonly authTime: Instant | null;
  readonly amr: ApprovalMethods | null;
  readonly decidedAt: Instant | null;
  readonly usableUntil: Instant | null;
  readonly endReason: EndReason | null;
  readonly jti: TokenId | null;
  readonly requestId: RequestReference | null;
  readonly policyVersion: number | null;
  readonly consumedAt: Instant | null;
  readonly result: ActionResult | null;
  readonly httpStatus: number | null;
  readonly answeredAt: Instant | null;
};
export type ApprovalAnswer = {
  readonly approvalId: ApprovalId;
  readonly actionHash: ActionHash;
  readonly operation: ActionOperation;
  readonly summary: ActionSummary;
  readonly scopes: Scopes;
  readonly expiresAt: Instant;
};
export type ApprovalId = string;
export type ApprovalMethods = ReadonlyArray<AuthenticationMethod>;
export type ApprovalPriorActors = ReadonlyArray<PrincipalId>;
export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'DENIED' | 'WITHDRAWN' | 'CONSUMED';
export type ApproveAction = { readonly actionHash: ActionHash };
export type ArrivedFilePart = { readonly part: number; readonly size: number };
export type ArrivedFileParts = ReadonlyArray<ArrivedFilePart>;
export type ArrivedPart = { readonly part: number; readonly size: number };
export type ArrivedParts = ReadonlyArray<ArrivedPart>;
export type ArtifactAddress = { readonly url: string };
export type ArtifactDownloads = { readonly artifacts: DownloadableArtifacts };
export type ArtifactId = string;
export type ArtifactName = string;
export type ArtifactPath = string;
export type ArtifactUpload = {
  readonly artifactId: ArtifactId;
  readonly partBytes: number | null;
  readonly requests: SignedUploads;
};
export type AssetKeys = ReadonlyArray<StorageKey>;
export type AssetRef = string;
export type AssetRefs = ReadonlyArray<AssetRef>;
export type AtTheTop = 'true';
export type AtomicGroup = string;
export type AttributeRead = { readonly attribute: WorkloadAttribute; readonly value: AttributeReadValue };
export type AttributeReadValue = string;
export type AttributeText = string;
export type AttributeValue = AttributeText | number | boolean;
export type Attributes = { readonly [name: string]: AttributeValue };
export type AttributesRead = ReadonlyArray<AttributeRead>;
export type Attribution = string;
export type Audience = string;
export type AudienceName = string;
export type AudienceNames = ReadonlyArray<AudienceName>;
export type Audiences = ReadonlyArray<Audience>;
export type AuthEvent = {
  readonly eventId: AuthEventId;
  readonly timestamp: Instant;
  readonly jti: AuthEventTokenId | null;
  readonly principalId: AuthEventPrincipal | null;
  readonly principalType: AuthEventPrincipalType | null;
  readonly tenantId: AuthEventTenant | null;
  readonly audience: AuthEventAudience;
  readonly scopes: ReadonlyArray<AuthEventScope>;
  readonly result: AuthResult;
  readonly sourceIp?: AuthEventSourceIp;
  readonly deviceId?: AuthEventDevice;
  readonly workloadId?: AuthEventWorkload;
  readonly clusterId?: AuthEventCluster;
  readonly dpopThumbprint?: AuthEventDpopThumbprint;
  readonly certThumbprint?: AuthEventCertThumbprint;
  readonly reason?: AuthReason;
};
export type AuthEventAudience = string;
export type AuthEventCertThumbprint = string;
export type AuthEventCluster = string;
export type AuthEventDevice = string;
export type AuthEventDpopThumbprint = string;
export type AuthEventId = string;
export type AuthEventPrincipal = string;
export type AuthEventPrincipalType = string;
export type AuthEventScope = string;
export type AuthEventSourceIp = string;
export type AuthEventTenant = string;
export type AuthEventTokenId = string;
export type AuthEventWorkload = string;
export type AuthEventsAbout = 'strangers';
export type AuthReason = string;
export type AuthResult = 'ALLOW' | 'DENY';
export type AuthenticationContext = string;
export type AuthenticationContexts = ReadonlyArray<AuthenticationContext>;
export type AuthenticationMethod = string;
export type Authenticator = {
  readonly kind: AuthenticatorKind;
  readonly authenticatorId: AuthenticatorId;
  readonly addedAt: Instant;
};
export type AuthenticatorId = string;
export type AuthenticatorKind = 'passkey' | 'password' | 'totp';
export type Authority = { readonly kind: AuthorityKind; readonly name: AuthorityName; readonly grantedAt: Instant };
export type AuthorityKind = 'role' | 'scope';
export type AuthorityName = string;
export type AuthorizationServerMetadata = {
  readonly issuer: MetadataUrl;
  readonly token_endpoint: MetadataUrl;
  readonly jwks_uri: MetadataUrl;
  readonly scopes_supported: MetadataWords;
  readonly response_types_supported: MetadataWords;
  readonly grant_types_supported: MetadataWords;
  readonly token_endpoint_auth_methods_supported: MetadataWords;
  readonly token_endpoint_auth_signing_alg_values_supported: MetadataWords;
  readonly service_documentation: MetadataUrl;
  readonly dpop_signing_alg_values_supported: MetadataWords;
  readonly tls_client_certificate_bound_access_tokens: boolean;
  readonly authorization_endpoint?: MetadataUrl;
  readonly userinfo_endpoint?: MetadataUrl;
  readonly revocation_endpoint?: MetadataUrl;
  readonly introspection_endpoint?: MetadataUrl;
  readonly pushed_authorization_request_endpoint?: MetadataUrl;
  readonly device_authorization_endpoint?: MetadataUrl;
  readonly end_session_endpoint?: MetadataUrl;
  readonly registration_endpoint?: MetadataUrl;
  readonly revocation_endpoint_auth_methods_supported?: MetadataWords;
  readonly revocation_endpoint_auth_signing_alg_values_supported?: MetadataWords;
  readonly introspection_endpoint_auth_methods_supported?: MetadataWords;
  readonly introspection_endpoint_auth_signing_alg_values_supported?: MetadataWords;
  readonly response_modes_supported?: MetadataWords;
  readonly code_challenge_methods_supported?: MetadataWords;
  readonly prompt_values_supported?: MetadataWords;
  readonly authorization_response_iss_parameter_supported?: boolean;
  readonly require_pushed_authorization_requests?: boolean;
  readonly request_parameter_supported?: boolean;
  readonly request_uri_parameter_supported?: boolean;
  readonly claims_parameter_supported?: boolean;
  readonly backchannel_logout_supported?: boolean;
  readonly backchannel_logout_session_supported?: boolean;
  readonly subject_types_supported?: SubjectTypes;
  readonly id_token_signing_alg_values_supported?: MetadataWords;
  readonly acr_values_supported?: MetadataWords;
  readonly claims_supported?: MetadataWords;
  readonly claim_types_supported?: MetadataWords;
  readonly client_id_metadata_document_supported?: boolean;
};
export type BackTestAlert = { readonly severity: Severity; readonly count: number; readonly decision: AuthEvent };
export type BackTestAlerts = ReadonlyArray<BackTestAlert>;
export type BackTestAnswer = {
  readonly decisions: number;
  readonly isComplete: boolean;
  readonly alerts: number;
  readonly items: BackTestAlerts;
};
export type BackTestRuntime = {
  readonly principalId: PrincipalId;
  readonly workloads: ExpectedWorkloads;
  readonly clusters: ExpectedClusters;
};
export type BackTestRuntimes = ReadonlyArray<BackTestRuntime>;
export type BackTestSettings = {
  readonly isOn: boolean;
  readonly threshold: number;
  readonly windowSeconds: number;
  readonly opensIncident: boolean;
};
export type BegunRebuild = { readonly view: RebuiltView };
export type BlockedRecording = {
  readonly recordingId: BlockedRecordingId;
  readonly name: BlockedRecordingName;
  readonly videoId: VideoId;
};
export type BlockedRecordingAnswer = { readonly recordingId: BlockedRecordingId };
export type BlockedRecordingId = string;
export type BlockedRecordingList = ReadonlyArray<BlockedRecording>;
export type BlockedRecordingName = string;
export type BlockedRecordings = { readonly items: BlockedRecordingList };
export type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
export type BranchFilter = string;
export type BranchName = string;
export type BuiltInApplicationId = string;
export type BuiltInClient = {
  readonly applicationId: BuiltInApplicationId;
  readonly clientId: ClientId;
  readonly name: BuiltInClientName;
  readonly purpose: BuiltInClientPurpose;
};
export type BuiltInClientName = string;
export type BuiltInClientPurpose = string;
export type BuiltInClients = { readonly items: ReadonlyArray<BuiltInClient> };
export type CancelKind = 'graceful' | 'forced';
export type CancelledJob = { readonly jobId: QueuedJobId; readonly state: CancelledJobState };
export type CancelledJobState = 'cancelled' | 'cancelling';
export type Capability = string;
export type CapabilityAnswer = { readonly capability: Capability; readonly notAfter: Instant };
export type CaptionContent = string;
export type CaptionLabel = string;
export type CaptionOrigin = 'source' | 'added' | 'recognized';
export type Category = string;
export type CausationId = string;
export type CertificateThumbprint = string;
export type ChangedApi = { readonly name: ApiName; readonly scopes: ApiScopes };
export type ChangedJob = { readonly jobId: QueuedJobId };
export type ChangedRepository = { readonly id: RepositoryId; readonly default_branch: BranchName };
export type ChangedVideo = { readonly videoId: VideoId };
export type ChangedVideoCaptions = { readonly videoId: VideoId; readonly language: AddedCaptionLanguage };
export type ChangedVideoEntitlement = { readonly entitlementId: VideoEntitlementId };
export type ChangedVideoSeries = { readonly seriesId: VideoSeriesId };
export type Checksum = string;
export type ChunkId = string;
export type ChunkSegment = {
  readonly start: number;
  readonly length: number;
  readonly region?: Box;
  readonly timestampStartMs?: number;
  readonly timestampEndMs?: number;
};
export type ChunkSegments = ReadonlyArray<ChunkSegment>;
export type Citation = {
  readonly type: CitationType;
  readonly headings: CitationHeadings;
  readonly pageNumber?: number;
  readonly pageLabel?: CitationPageLabel;
  readonly boundingBox?: Box;
  readonly boxes?: CitationPageBoxes;
  readonly regions?: CitationRegions;
  readonly slideNumber?: number;
  readonly slidePart?: CitationSlidePart;
  readonly timestampStartMs?: number;
  readonly timestampEndMs?: number;
  readonly frame?: number;
  readonly lineStart?: number;
  readonly lineEnd?: number;
  readonly sheet?: CitationSheet | null;
  readonly rowStart?: number;
  readonly rowEnd?: number;
  readonly section?: CitationSection | null;
  readonly sectionNumber?: number;
  readonly documentPart?: DocumentPart;
  readonly paragraphStart?: number;
  readonly paragraphEnd?: number;
};
export type CitationHeading = string;
export type CitationHeadings = ReadonlyArray<CitationHeading>;
export type CitationPageBoxes = ReadonlyArray<PageBox>;
export type CitationPageLabel = string;
export type CitationRegions = ReadonlyArray<Box>;
export type CitationSection = string;
export type CitationSheet = string;
export type CitationSlidePart = 'slide' | 'notes';
export type CitationType = 'page' | 'paragraph' | 'slide' | 'timestamp' | 'image_region' | 'row' | 'line_range';
export type ClaimMapping = { readonly attribute: WorkloadAttribute; readonly claim: ClaimPointer };
export type ClaimMappings = ReadonlyArray<ClaimMapping>;
export type ClaimPointer = string;
export type ClearKey = { readonly kty: ClearKeyType; readonly kid: ClearKeyOfId; readonly k: ClearKeyValue };
export type ClearKeyId = string;
export type ClearKeyIds = ReadonlyArray<ClearKeyId>;
export type ClearKeyLicense = { readonly keys: ReadonlyArray<ClearKey>; readonly type: ClearKeyLicenseType };
export type ClearKeyLicenseType = 'temporary';
export type ClearKeyOfId = string;
export type ClearKeyRequest = {
  readonly kids: ClearKeyIds;
  readonly type?: ClearKeySessionType;
  readonly system?: LicenseSystem;
};
export type ClearKeySessionType = 'temporary' | 'persistent-license';
export type ClearKeyType = 'oct';
export type ClearKeyValue = string;
export type Client = {
  readonly applicationId: ApplicationId;
  readonly clientId: FullClientId;
  readonly status: ClientStatus;
  readonly createdAt: Instant;
  readonly name: ClientName;
  readonly redirectUris: RedirectUris;
  readonly postLogoutRedirectUris: RedirectUris;
  readonly backchannelLogoutUri: LogoutUri | null;
  readonly backchannelLogoutSessionRequired: boolean;
  readonly grantTypes: GrantTypes;
  readonly authentication: ClientAuthentication;
  readonly exactAuthentication: boolean;
  readonly jwks: JwkSet | null;
  readonly jwksUri: JwksUri | null;
  readonly tlsSubject: TlsSubject | null;
  readonly scopes: Scopes;
  readonly audiences: Audiences;
  readonly dpopBound: boolean;
  readonly certificateBound: boolean;
  readonly requirePushed: boolean;
  readonly idTokenAlgorithm: IdTokenAlgorithm | null;
  readonly personClaimsInIdToken: boolean;
  readonly fapi: boolean;
  readonly pkce: PkceRequirement;
  readonly firstParty: boolean;
  readonly servicePrincipalId: PrincipalId | null;
  readonly refreshIdleSeconds: number;
  readonly refreshAbsoluteSeconds: number;
};
export type ClientAnswer = { readonly applicationId: ApplicationId; readonly clientId: ClientId };
export type ClientAuthentication =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt'
  | 'tls_client_auth'
  | 'self_signed_tls_client_auth'
  | 'none';
export type ClientCredential = { readonly clientId: ClientId10; readonly clientSecret: ClientSecret10 };
export type ClientId = string;
export type ClientId10 = string;
export type ClientKeys = { readonly keys: Keys };
export type ClientName = string;
export type ClientRegistration = {
  readonly name: ClientName;
  readonly scopes: Scopes;
  readonly grantTypes: GrantTypes;
  readonly redirectUris?: RedirectUris;
  readonly postLogoutRedirectUris?: RedirectUris;
  readonly backchannelLogoutUri?: LogoutUri | null;
  readonly backchannelLogoutSessionRequired?: boolean;
  readonly authentication?: ClientAuthentication;
  readonly exactAuthentication?: boolean;
  readonly jwks?: ClientKeys;
  readonly jwksUri?: JwksUri | null;
  readonly tlsSubject?: TlsSubject | null;
  readonly audiences?: Audiences;
  readonly dpopBound?: boolean;
  readonly certificateBound?: boolean;
  readonly requirePushed?: boolean;
  readonly idTokenAlgorithm?: IdTokenAlgorithm | null;
  readonly personClaimsInIdToken?: boolean;
  readonly fapi?: boolean;
  readonly pkce?: PkceRequirement;
  readonly firstParty?: boolean;
  readonly servicePrincipalId?: PrincipalId | null;
  readonly refreshIdleSeconds?: number;
  readonly refreshAbsoluteSeconds?: number;
};
export type ClientSecret = string;
export type ClientSecret10 = string;
export type ClientSecretAnswer = {
  readonly credentialId: CredentialId;
  readonly clientId: ClientId;
  readonly clientSecret: ClientSecret;
};
export type ClientStatus = 'ACTIVE' | 'DISABLED';
export type ClientsSearch = string;
export type ClonePath = string;
export type ClosesAt = string;
export type ColumnName = string;
export type CommitArtifact = { readonly epoch: number };
export type CommitSha = string;
export type CommittedOperationsAnswer = {
  readonly committedVersion: number;
  readonly clientId: EditorClientId;
  readonly results: Outcomes;
};
export type Comparison = 'exact' | 'path';
export type CompletedStatus = 'PROCESSING';
export type CompletedUpload = { readonly checksumSha256: ContentSha256 };
export type CompletedVersion = {
  readonly fileId: FileId;
  readonly versionId: FileVersionId;
  readonly status: CompletedStatus;
};
export type CompletedVideoPart = { readonly partNumber: number; readonly ETag: PartEtag };
export type CompletedVideoPartList = ReadonlyArray<CompletedVideoPart>;
export type CompletedVideoParts = {
  readonly videoId: VideoId;
  readonly uploadId: VideoUploadId;
  readonly parts: CompletedVideoPartList;
};
export type CompletedVideoStatus = 'processing';
export type CompletedVideoUpload = { readonly videoId: VideoId; readonly status: CompletedVideoStatus };
export type CompressedSceneKey = string;
export type ContentSha256 = string;
export type ContentType = string;
export type Coordinate = string;
export type Coordinate2 = string;
export type CorrelationId = string;
export type CountryCode = string;
export type CreateArtifact = {
  readonly epoch: number;
  readonly name: ArtifactName;
  readonly sizeBytes: number;
  readonly checksum: WorkflowChecksum;
  readonly retentionDays: number;
  readonly overwrites?: boolean;
};
export type CreateNode = { readonly nodes: NewNodes; readonly reordered?: Reordered };
export type CreateNodeDocumentOperation = {
  readonly opId: OperationId;
  readonly documentId: DocumentId;
  readonly actorId: ActorId;
  readonly clientSeq: number;
  readonly baseVersion: number;
  readonly type: 'createNode';
  readonly targetIds: TargetIds;
  readonly payload: CreateNode;
  readonly createdAt: Instant;
  readonly undoGroupId?: UndoGroupId;
  readonly inverseOf?: OperationId;
  readonly atomicGroup?: AtomicGroup;
};
export type Credential = {
  readonly credentialId: CredentialId;
  readonly principalId: PrincipalId;
  readonly label: KnownCredentialLabel | null;
  readonly scopes: ScopeNames;
  readonly createdAt: Instant;
  readonly createdBy: CredentialActor;
  readonly expiresAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly reason: EndReason | null;
};
export type CredentialActor = string;
export type CredentialAnswer = {
  readonly credentialId: CredentialId;
  readonly clientId: OwnClientId;
  readonly clientSecret: ClientSecret;
};
export type CredentialFault = string;
export type CredentialId = string;
export type CredentialLabel = string;
export type CredentialPolicy = { readonly maximumSeconds: number; readonly forbiddenFor: ForbiddenPrincipalTypes };
export type CredentialPolicyAnswer = object;
export type CurrentStep = string;
export type CurrentStepName = string;
export type Cursor = string;
export type Curve = 'P-256' | 'P-384' | 'P-521' | 'Ed25519';
export type DeadLetter = {
  readonly jobId: QueuedJobId;
  readonly queue: Queue;
  readonly key: JobKey;
  readonly tenantId: JobTenant;
  readonly correlationId: JobCorrelationId;
  readonly attempts: number;
  readonly reason: FailureReason;
  readonly diedAt: Instant;
  readonly failures: ReadonlyArray<FailedAttempt>;
};
export type DeadLetters = { readonly items: ReadonlyArray<DeadLetter>; readonly next_cursor: QueuedJobId | null };
export type DecidedApproval = { readonly approvalId: ApprovalId };
export type DeclaredInput = {
  readonly name: DeclaredInputText;
  readonly description: DeclaredInputText | null;
  readonly type: DeclaredInputType;
  readonly required: boolean;
  readonly default: DeclaredInputText | null;
  readonly options: DeclaredInputOptions;
};
export type DeclaredInputOptions = ReadonlyArray<DeclaredInputText>;
export type DeclaredInputText = string;
export type DeclaredInputType = 'string' | 'boolean' | 'number' | 'choice' | 'environment';
export type DeclaredInputs = ReadonlyArray<DeclaredInput>;
export type DefinitionId = string;
export type DefinitionPath = string;
export type DefinitionProblem = {
  readonly message: DefinitionProblemMessage;
  readonly line: number | null;
  readonly column: number | null;
};
export type DefinitionProblemMessage = string;
export type DegradedAnswer = ReadonlyArray<DegradedPart>;
export type DegradedPart = 'semantic' | 'model';
export type DegradedSearch = 'semantic';
export type DegradedSearches = ReadonlyArray<DegradedSearch>;
export type Delegation = {
  readonly delegationId: DelegationId;
  readonly grantId: GrantId;
  readonly delegatorId: PrincipalId;
  readonly delegatorType: PrincipalType;
  readonly agentId: PrincipalId;
  readonly taskId: TaskId;
  readonly audience: Audience;
  readonly scopes: ScopeNames;
  readonly sessionId: SessionId | null;
  readonly parentId: DelegationId | null;
  readonly depth: number;
  readonly status: DelegationStatus;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly endedAt: Instant | null;
  readonly reason: EndReason | null;
};
export type DelegationAnswer = {
  readonly delegationId: DelegationId;
  readonly grantId: GrantId;
  readonly agentId: PrincipalId;
  readonly taskId: TaskId;
  readonly audience: Audience;
  readonly scopes: Scopes;
  readonly expiresAt: Instant;
};
export type DelegationId = string;
export type DelegationStatus = 'ACTIVE' | 'REVOKED';
export type DeleteNode = {
  readonly deleted?: Deleted;
  readonly onlyNamed?: OnlyNamed;
  readonly moves?: Moves;
  readonly reordered?: Reordered;
};
export type DeleteNodeDocumentOperation = {
  readonly opId: OperationId;
  readonly documentId: DocumentId;
  readonly actorId: ActorId;
  readonly clientSeq: number;
  readonly baseVersion: number;
  readonly type: 'deleteNode';
  readonly targetIds: TargetIds;
  readonly payload: DeleteNode;
  readonly createdAt: Instant;
  readonly undoGroupId?: UndoGroupId;
  readonly inverseOf?: OperationId;
  readonly atomicGroup?: AtomicGroup;
};
export type DeleteOperation = 'delete';
export type Deleted = ReadonlyArray<NodeId>;
export type DeletedArtifact = { readonly artifactId: ArtifactId };
export type DeletedFile = { readonly fileId: FileId; readonly status: DeletedFileStatus };
export type DeletedFileStatus = 'DELETING' | 'DELETED';
export type DeletedRepository = { readonly id: RepositoryId };
export type DeliveredEventType = 'video.uploaded' | 'video.ready' | 'video.failed' | 'security.alert' | 'webhook.test';
export type DescribedAddress = string;
export type DescribedAuthContext = ReadonlyArray<DescribedContext>;
export type DescribedAuthenticationMethod = string;
export type DescribedContext = string;
export type DescribedDelegation = {
  readonly delegationId: DelegationId;
  readonly taskId: TaskId;
  readonly onBehalfOf: PrincipalId;
};
export type DescribedMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
export type DescribedMethods = ReadonlyArray<DescribedAuthenticationMethod>;
export type DescribedOperation = string;
export type DescribedPath = string;
export type DescribedRequest = {
  readonly method: DescribedMethod;
  readonly path: DescribedPath;
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  readonly routeGroup?: DescribedRouteGroup;
  readonly operation?: DescribedOperation;
  readonly scopes?: DescribedScopes;
  readonly audience?: Audience;
  readonly at?: Instant;
  readonly address?: DescribedAddress;
  readonly binding?: PolicyBinding;
  readonly authContext?: DescribedAuthContext;
  readonly authenticationMethods?: DescribedMethods;
  readonly authenticatedAt?: Instant;
  readonly multiFactor?: boolean;
  readonly clientId?: ClientId;
  readonly delegation?: DescribedDelegation;
  readonly isForeign?: boolean;
};
export type DescribedRouteGroup = string;
export type DescribedScopes = ReadonlyArray<Scope>;
export type DetectedFormat =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'csv'
  | 'markdown'
  | 'html'
  | 'text'
  | 'code'
  | 'image'
  | 'audio'
  | 'video';
export type DetectionBackTest = {
  readonly rule: DetectionRuleName;
  readonly settings: BackTestSettings;
  readonly from: Instant;
  readonly to: Instant;
  readonly runtimes?: BackTestRuntimes;
};
export type DetectionRuleAnswer = { readonly rule: DetectionRuleName };
export type DetectionRuleName =
  | 'sender-binding-mismatch'
  | 'token-replay'
  | 'large-scale-replay'
  | 'rate-anomaly'
  | 'new-address'
  | 'impossible-travel'
  | 'unexpected-runtime'
  | 'tool-outside-allowlist'
  | 'approval-bypass'
  | 'scope-escalation'
  | 'call-after-task-end'
  | 'repeated-denial'
  | 'cross-tenant';
export type DetectionRuleSettings = {
  readonly isOn: boolean;
  readonly threshold: number;
  readonly windowSeconds: number;
  readonly opensIncident: boolean;
};
export type DetectionRules = { readonly items: KnownDetectionRules };
export type DeviceAuthorization = {
  readonly device_code: DeviceCode;
  readonly user_code: UserCode;
  readonly verification_uri: VerificationUri;
  readonly verification_uri_complete: VerificationUri;
  readonly expires_in: number;
  readonly interval: number;
};
export type DeviceAuthorizationForm = { readonly [name: string]: unknown };
export type DeviceCode = string;
export type DiffSide = 'before' | 'after';
export type DiffSides = ReadonlyArray<DiffSide>;
export type DiffText = string;
export type DimensionValue = string;
export type DispatchInputs = { readonly [name: string]: InputValue };
export type DispatchableBranches = ReadonlyArray<BranchName>;
export type DispatchableWorkflow = {
  readonly path: DefinitionPath;
  readonly name: DeclaredInputText;
  readonly inputs: DeclaredInputs;
};
export type DispatchableWorkflowList = ReadonlyArray<DispatchableWorkflow>;
export type DispatchableWorkflows = {
  readonly branch: BranchName;
  readonly commitSha: CommitSha;
  readonly branches: DispatchableBranches;
  readonly workflows: DispatchableWorkflowList;
};
export type DisplayName = string;
export type Document = {
  readonly id: DocumentId;
  readonly tenantId: TenantId;
  readonly title: Title;
  readonly headVersion: number;
  readonly homeRegion: HomeRegion;
  readonly createdBy: PrincipalId;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly role: DocumentRole;
  readonly status: DocumentStatus;
  readonly trashedAt: Instant | null;
  readonly linkRole: LinkRole | null;
  readonly copiedFrom: DocumentCopiedFrom | null;
};
export type DocumentAnswer = { readonly documentId: DocumentId };
export type DocumentCopiedFrom = { readonly documentId: DocumentId; readonly version: number };
export type DocumentId = string;
export type DocumentInvitation = {
  readonly documentId: DocumentId;
  readonly invitationId: InvitationId;
  readonly title: Title;
  readonly role: DocumentRole;
  readonly principalId: PrincipalId | null;
  readonly invitedBy: PrincipalId;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly status: InvitationStatus;
  readonly acceptedBy: PrincipalId | null;
  readonly endedAt: Instant | null;
};
export type DocumentMember = {
  readonly principalId: PrincipalId;
  readonly role: DocumentRole;
  readonly byLink: boolean;
  readonly joinedAt: Instant;
  readonly appointedBy: PrincipalId | null;
  readonly appointedAt: Instant | null;
};
export type DocumentOperation =
  | CreateNodeDocumentOperation
  | DeleteNodeDocumentOperation
  | SetPropertiesDocumentOperation
  | TransformNodesDocumentOperation
  | MoveChildDocumentOperation
  | TextOperationDocumentOperation
  | RestoreVersionDocumentOperation;
export type DocumentOperationList = ReadonlyArray<DocumentOperation>;
export type DocumentOperations = {
  readonly operations: DocumentOperationList;
  readonly toVersion: number;
  readonly headVersion: number;
  readonly nextAfterVersion: number | null;
};
export type DocumentOwners = ReadonlyArray<PrincipalId>;
export type DocumentPart = 'body' | 'footnote' | 'endnote' | 'header' | 'footer' | 'text_box';
export type DocumentPeople = { readonly items: ReadonlyArray<DocumentPerson> };
export type DocumentPerson = {
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  readonly name: DocumentPersonName | null;
};
export type DocumentPersonName = string;
export type DocumentPresence = { readonly items: ReadonlyArray<PresentPrincipal> };
export type DocumentRole = 'owner' | 'editor' | 'commenter' | 'viewer';
export type DocumentSnapshotPiece = { readonly key: PieceKey; readonly url?: SignedUrl; readonly base64?: PieceBytes };
export type DocumentSnapshotShown = {
  readonly documentId: DocumentId;
  readonly version: number;
  readonly schemaVersion: number;
  readonly compressedSceneKey: StorageKey;
  readonly checksum: SnapshotChecksum;
  readonly assetRefs: AssetKeys;
  readonly pieces?: ReadonlyArray<DocumentSnapshotPiece>;
};
export type DocumentStatus = 'active' | 'trashed';
export type DocumentVersion = {
  readonly kind: VersionKind;
  readonly version: number;
  readonly fromVersion: number;
  readonly author: VersionAuthor;
  readonly startedAt: Instant;
  readonly at: Instant;
  readonly name: VersionName | null;
  readonly restoredVersion: number | null;
};
export type DocumentsOrder = 'updated' | 'created' | 'title';
export type DocumentsPage = { readonly items: ReadonlyArray<Document>; readonly next_cursor: NextCursor | null };
export type DocumentsSearch = string;
export type Domain = string;
export type Domains = ReadonlyArray<Domain>;
export type DownloadableArtifact = {
  readonly artifactId: ArtifactId;
  readonly name: ArtifactName;
  readonly sizeBytes: number;
  readonly checksum: WorkflowChecksum;
  readonly request: SignedDownload;
};
export type DownloadableArtifacts = ReadonlyArray<DownloadableArtifact>;
export type DrillAnswer = { readonly incidentId: IncidentId };
export type DroppedAuthEvents = { readonly ALLOW: number; readonly DENY: number };
export type Duplicate = { readonly title?: Title };
export type EarlierPlaybackProof = string;
export type EcJwk = {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: Coordinate;
  readonly y: Coordinate;
  readonly alg: 'ES256';
  readonly kid: KeyId;
  readonly use: 'sig';
};
export type EdgeLatencies = string;
export type EditorClientId = string;
export type Email = string;
export type EndReason = string;
export type EndedBy = 'itself' | 'security-epoch' | 'client-change';
export type EndedSession = { readonly sessionId: SessionId };
export type EndedSessions = { readonly ended: number };
export type EndpointDisabledReason = 'by-administrator' | 'failing' | 'gone';
export type EnrolledPerson = {
  readonly principalId: PrincipalId;
  readonly enrolmentUrl: EnrolmentUrl;
  readonly expiresAt: Instant;
};
export type EnrolmentUrl = string;
export type Entity = {
  readonly entity_id: EntityId;
  readonly name: PlaceName;
  readonly alternative_names: EntityNames;
  readonly category: Category;
  readonly lat: number;
  readonly lng: number;
  readonly address: EntityAddress | null;
  readonly hours: OpeningHours | null;
  readonly rating: number | null;
  readonly rating_count: number;
  readonly popularity: number;
  readonly attributes: Attributes;
  readonly status: PlaceStatus;
  readonly source: SourceName;
  readonly version: number;
  readonly occurred_at: Instant | null;
  readonly synthetic: boolean;
  readonly attribution: Attribution | null;
  readonly owner: SourceName;
};
export type EntityAddress = {
  readonly street: AddressText | null;
  readonly locality: AddressText | null;
  readonly region: AddressText | null;
  readonly postal_code: PostalCode | null;
  readonly country: CountryCode | null;
};
export type EntityId = string;
export type EntityNames = ReadonlyArray<AlternativeName>;
export type EventActivity = string;
export type EventId = string;
export type EventRef = string;
export type ExceptionalDay = { readonly date: LocalDate; readonly intervals: OpeningIntervals };
export type ExceptionalDays = ReadonlyArray<ExceptionalDay>;
export type ExchangedAccessToken = string;
export type ExchangedScopes = string;
export type ExchangedToken = {
  readonly access_token: ExchangedAccessToken;
  readonly issued_token_type: IssuedTokenType;
  readonly token_type: ExchangedTokenType;
  readonly expires_in: number;
  readonly scope: ExchangedScopes;
};
export type ExchangedTokenType = 'Bearer' | 'DPoP';
export type ExpectedAudience = string;
export type ExpectedClusters = ReadonlyArray<RuntimeName>;
export type ExpectedContent = string;
export type ExpectedRuntimeAnswer = { readonly principalId: PrincipalId };
export type ExpectedRuntimeSettings = { readonly workloads: ExpectedWorkloads; readonly clusters: ExpectedClusters };
export type ExpectedWorkloads = ReadonlyArray<RuntimeName>;
export type Exponent = string;
export type Exponent2 = string;
export type FailedAttempt = { readonly attempt: number; readonly at: Instant; readonly reason: FailureReason };
export type FailedVideoCode = string;
export type FailedVideoDetail = string;
export type FailureReason = string;
export type FamilyId = string;
export type FamilyStatus = 'ACTIVE' | 'REVOKED' | 'COMPROMISED';
export type FaultCode = string;
export type FieldMapping = { readonly fields: MappedFields; readonly entityIdFrom: IdentifyingColumns | null };
export type FileAccess = {
  readonly ownerId: PrincipalId;
  readonly ownerName: FileAccessName | null;
  readonly role: FileRole;
  readonly grants: FileAccessGrants;
  readonly principals: FileAccessPrincipals;
  readonly everyone: FileAccessOfEveryone | null;
  readonly isComplete: boolean;
};
export type FileAccessBy = 'owner' | 'user' | 'group' | 'tenant';
export type FileAccessExplanation = {
  readonly fileId: FileId;
  readonly principalId: PrincipalId;
  readonly isVisible: boolean;
  readonly reason: FileVisibilityReason;
  readonly role: FileRole | null;
  readonly paths: FileAccessPaths;
  readonly folders: FileFolderChain;
  readonly hidden: FileHiddenReasons;
  readonly heldBy: PrincipalId | null;
  readonly search: FileSearchState;
};
export type FileAccessGrant = {
  readonly grantId: FileGrantId;
  readonly principalType: GrantPrincipalType;
  readonly principalId: FileGranteeId;
  readonly name: FileAccessName | null;
  readonly role: GrantedRole;
  readonly from: FileAccessOrigin;
};
export type FileAccessGrants = ReadonlyArray<FileAccessGrant>;
export type FileAccessName = string;
export type FileAccessOfEveryone = { readonly role: FileRole; readonly reasons: FileAccessReasons };
export type FileAccessOrigin = {
  readonly type: FileResourceType;
  readonly id: AccessOriginId | null;
  readonly name: FileAccessOriginName | null;
  readonly isInherited: boolean;
};
export type FileAccessOriginName = string;
export type FileAccessPath = {
  readonly resourceType: FileResourceType;
  readonly resourceId: FileAccessResource;
  readonly by: FileAccessBy;
  readonly grantId: FileGrantId | null;
  readonly groupId: GroupId | null;
  readonly role: FileRole;
};
export type FileAccessPaths = ReadonlyArray<FileAccessPath>;
export type FileAccessPrincipal = {
  readonly principalId: PrincipalId;
  readonly name: FileAccessName | null;
  readonly role: FileRole;
  readonly reasons: FileAccessReasons;
};
export type FileAccessPrincipals = ReadonlyArray<FileAccessPrincipal>;
export type FileAccessReason = {
  readonly kind: FileAccessReasonKind;
  readonly role: FileRole;
  readonly groupId: GroupId | null;
  readonly groupName: FileAccessName | null;
  readonly from: FileAccessOrigin;
};
export type FileAccessReasonKind = 'owner' | 'grant';
export type FileAccessReasons = ReadonlyArray<FileAccessReason>;
export type FileAccessResource = string;
export type FileAddress = {
  readonly fileId: FileId;
  readonly versionId: FileVersionId;
  readonly url: string;
  readonly expiresAt: Instant;
  readonly sizeBytes: number;
};
export type FileAnswer = { readonly fileId: FileId };
export type FileChunk = {
  readonly chunkId: ChunkId;
  readonly fileId: FileId;
  readonly versionId: FileVersionId;
  readonly modality: Modality;
  readonly content: FileChunkContent;
  readonly citation: Citation;
  readonly ordinal: number;
  readonly words: FileChunkWords;
  readonly segments: ChunkSegments;
};
export type FileChunkContent = string;
export type FileChunkWords = ReadonlyArray<WordBox>;
export type FileDeletion = {
  readonly fileId: FileId;
  readonly status: FileDeletionStatus;
  readonly cause: FileDeletionCause | null;
  readonly begunAt: Instant | null;
  readonly deletedAt: Instant | null;
  readonly steps: FileDeletionSteps;
  readonly attempt: number;
  readonly failure: FileDeletionFailure | null;
};
export type FileDeletionCause = 'person' | 'retention' | 'abandoned';
export type FileDeletionFailure = string;
export type FileDeletionStatus = 'DELETING' | 'DELETED';
export type FileDeletionStep = 'processing' | 'index' | 'objects' | 'key' | 'proof';
export type FileDeletionStepProgress = {
  readonly name: FileDeletionStep;
  readonly status: FileDeletionStepStatus;
  readonly removed: number;
  readonly left: number | null;
};
export type FileDeletionStepStatus = 'DONE' | 'NEXT' | 'PENDING';
export type FileDeletionSteps = ReadonlyArray<FileDeletionStepProgress>;
export type FileErrorCode =
  | 'UNSUPPORTED_TYPE'
  | 'TYPE_MISMATCH'
  | 'ENCRYPTED'
  | 'CORRUPT'
  | 'CHECKSUM_MISMATCH'
  | 'TOO_LARGE'
  | 'TOO_MANY_PAGES'
  | 'ARCHIVE_BOMB'
  | 'MALWARE'
  | 'EXTRACT_TIMEOUT'
  | 'EXTRACT_CRASH'
  | 'INTERNAL';
export type FileExplainedFolder = { readonly folderId: FolderId; readonly isTrashed: boolean };
export type FileFolder = {
  readonly folderId: FolderId;
  readonly name: FileAccessName | null;
  readonly parentFolderId: FolderId | null;
  readonly ownerId: PrincipalId;
  readonly role: FileRole;
  readonly createdAt: Instant | null;
  readonly trashedAt?: Instant | null;
};
export type FileFolderChain = ReadonlyArray<FileExplainedFolder>;
export type FileFolderPath = ReadonlyArray<FileFolderStep>;
export type FileFolderStep = { readonly folderId: FolderId; readonly name: FileAccessName | null };
export type FileFolderWithPath = {
  readonly folderId: FolderId;
  readonly name: FileAccessName | null;
  readonly parentFolderId: FolderId | null;
  readonly ownerId: PrincipalId;
  readonly role: FileRole;
  readonly createdAt: Instant | null;
  readonly path: FileFolderPath;
};
export type FileFormat = 'jsonl' | 'csv' | 'geojson';
export type FileGrantAnswer = { readonly grantId: FileGrantId };
export type FileGrantId = string;
export type FileGranteeId = string;
export type FileGroup = {
  readonly groupId: GroupId;
  readonly name: FileAccessName | null;
  readonly createdBy: PrincipalId;
  readonly memberCount: number;
  readonly isMember: boolean;
  readonly isManaged: boolean;
};
export type FileGroupAnswer = { readonly groupId: GroupId };
export type FileGroupMember = { readonly principalId: PrincipalId; readonly name: FileAccessName | null };
export type FileGroupMembers = ReadonlyArray<FileGroupMember>;
export type FileGroupWithMembers = {
  readonly groupId: GroupId;
  readonly name: FileAccessName | null;
  readonly createdBy: PrincipalId;
  readonly memberCount: number;
  readonly isMember: boolean;
  readonly isManaged: boolean;
  readonly members: FileGroupMembers | null;
};
export type FileHiddenReason = 'trashed' | 'deleted' | 'quarantined';
export type FileHiddenReasons = ReadonlyArray<FileHiddenReason>;
export type FileId = string;
export type FileItem = {
  readonly fileId: FileId;
  readonly filename: ShownFilename | null;
  readonly mimeType: MediaType;
  readonly status: FileStatus;
  readonly supportedModalities: SupportedModalities;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly ownerId: PrincipalId;
  readonly parentFolderId: FolderId | null;
  readonly role: FileRole;
  readonly isHeld: boolean;
  readonly currentVersionId: FileVersionId | null;
  readonly versionNumber: number | null;
  readonly sizeBytes: number | null;
  readonly errorCode: FileErrorCode | null;
  readonly errorDetail: ProcessingDetail | null;
  readonly progressPercent?: number;
  readonly trashedAt?: Instant | null;
};
export type FileName = string;
export type FileOrphan = {
  readonly fileId: FileId | null;
  readonly folderId: FolderId | null;
  readonly ownerId: PrincipalId;
  readonly sizeBytes: number | null;
  readonly createdAt: Instant | null;
  readonly isTrashed: boolean;
};
export type FileOrphanType = 'file' | 'folder';
export type FileOwnership = 'own' | 'shared';
export type FilePart = { readonly sha256?: PartSha256 };
export type FilePartNumber = number;
export type FilePartUpload = { readonly partBytes: number; readonly arrived: ArrivedFileParts };
export type FileProcessing = {
  readonly fileId: FileId;
  readonly status: FileStatus;
  readonly stages: FileStages;
  readonly versionId: FileVersionId;
  readonly versionNumber: number;
  readonly pipelineVersion: number;
  readonly errorCode: FileErrorCode | null;
  readonly reason: FileReason | null;
  readonly progressPercent?: number;
  readonly reindexing?: FileReindexingStatus;
};
export type FileReason = string;
export type FileReindexing = { readonly fileIds?: ReindexedFileIds };
export type FileReindexingStatus = {
  readonly cause: ReindexingCause;
  readonly status: StageStatus;
  readonly stage: ReindexedStageName | null;
  readonly reason: ReindexingReason | null;
};
export type FileResourceType = 'file' | 'folder';
export type FileRetry = { readonly versionId?: FileVersionId };
export type FileRole = 'owner' | 'editor' | 'viewer';
export type FileSearchReason =
  | 'searchable'
  | 'searchable_by_words'
  | 'not_uploaded'
  | 'upload_expired'
  | 'not_processed'
  | 'processing'
  | 'failed';
export type FileSearchState = {
  readonly reason: FileSearchReason;
  readonly versionId: FileVersionId | null;
  readonly errorCode: FileErrorCode | null;
};
export type FileSort = 'created' | 'name' | 'changed' | 'size';
export type FileSortDirection = 'asc' | 'desc';
export type FileStage = {
  readonly name: FileStageName;
  readonly status: StageStatus;
  readonly attempt: number;
  readonly reason: StageReason | null;
  readonly errorCode: FileErrorCode | null;
  readonly count: number | null;
  readonly progressPercent?: number;
  readonly waitsFor?: FileStageWait;
  readonly queuePosition?: number;
  readonly nextTryAt?: Instant;
  readonly tries?: number;
  readonly skipped?: StageSkip;
  readonly reused?: number;
};
export type FileStageName =
  | 'validation'
  | 'type_detection'
  | 'text_extraction'
  | 'chunking'
  | 'ocr'
  | 'transcription'
  | 'embedding'
  | 'indexing';
export type FileStageWait = 'capacity' | 'worker' | 'worker_lost' | 'next_try' | 'operator';
export type FileStages = ReadonlyArray<FileStage>;
export type FileStatus =
  | 'UPLOADING'
  | 'UPLOADED'
  | 'PROCESSING'
  | 'PARTIALLY_READY'
  | 'READY'
  | 'FAILED'
  | 'DELETING'
  | 'DELETED';
export type FileUsage = {
  readonly usedBytes: number;
  readonly reservedBytes: number;
  readonly limitBytes: number;
  readonly files: number;
  readonly limitFiles: number;
  readonly openUploads: number;
};
export type FileVersion = {
  readonly fileId: FileId;
  readonly versionId: FileVersionId;
  readonly versionNumber: number;
  readonly status: FileVersionStatus;
  readonly isCurrent: boolean;
  readonly sizeBytes: number;
  readonly mimeType: MediaType;
  readonly checksumSha256: ContentSha256 | null;
  readonly pipelineVersion: number | null;
  readonly format: DetectedFormat | null;
  readonly progressPercent: number | null;
  readonly errorCode: FileErrorCode | null;
  readonly errorDetail: ProcessingDetail | null;
  readonly createdBy: PrincipalId;
  readonly createdAt: Instant;
  readonly uploadedAt: Instant | null;
  readonly expiresAt: Instant;
};
export type FileVersionId = string;
export type FileVersionStatus =
  | 'UPLOADING'
  | 'UPLOADED'
  | 'PROCESSING'
  | 'PARTIALLY_READY'
  | 'READY'
  | 'FAILED'
  | 'EXPIRED'
  | 'SUPERSEDED';
export type FileVisibilityReason =
  | 'principal_unknown'
  | 'principal_inactive'
  | 'owner'
  | 'granted'
  | 'not_shared'
  | 'hidden'
  | 'folder_trashed'
  | 'folder_unknown';
export type Filename = string;
export type FilesInTheTrash = 'true';
export type FirstAdmin = {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly credentialId: CredentialId;
  readonly clientId: OwnClientId;
  readonly clientSecret: ClientSecret;
};
export type FirstSignIn = { readonly code: SignInCode };
export type FirstSignInCode = string;
export type FolderAnswer = { readonly folderId: FolderId };
export type FolderId = string;
export type FolderName = string;
export type FoldersAtTheTop = 'true';
export type FoldersInTheTrash = 'true';
export type ForbiddenPrincipalTypes = ReadonlyArray<PrincipalType>;
export type ForeignKeyId = string;
export type Forget = { readonly subject: SubjectId; readonly reason: ForgetReason };
export type ForgetReason = 'asked-for' | 'contract-ended' | 'court-order' | 'retention-ended';
export type ForgottenSubject = { readonly subject: SubjectHash };
export type FullClientId = string;
export type GeneratedAnswer = {
  readonly answer: AnswerText | null;
  readonly reason: NoAnswerReason | null;
  readonly sentences: AnswerSentences;
  readonly citations: AnswerCitations;
  readonly generator: AnswerGenerator;
  readonly degraded: DegradedAnswer;
};
export type GenerationProtection = 'none' | 'aes128' | 'recalled';
export type GetPrincipalHistoryPage = {
  readonly items: ReadonlyArray<PrincipalHistoryItem>;
  readonly next_cursor: NextCursor | null;
};
export type Grant = {
  readonly grantId: GrantId;
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  readonly refreshFamilyId: FamilyId | null;
  readonly status: GrantStatus;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly clientId: ClientId;
  readonly scopes: ScopeNames;
  readonly audience: AudienceNames;
  readonly sessionId: SessionId | null;
  readonly authenticatedAt: Instant;
  readonly methods: MethodNames;
  readonly workload: GrantedWorkload | null;
  readonly endedAt: Instant | null;
  readonly reason: EndReason | null;
  readonly endedBy: EndedBy | null;
  readonly incidentId: IncidentId | null;
};
export type GrantId = string;
export type GrantPrincipalType = 'user' | 'group' | 'tenant';
export type GrantStatus = 'ACTIVE' | 'REVOKED' | 'COMPROMISED';
export type GrantType =
  | 'authorization_code'
  | 'refresh_token'
  | 'client_credentials'
  | 'urn:ietf:params:oauth:grant-type:device_code';
export type GrantTypes = ReadonlyArray<GrantType>;
export type GrantedRole = 'editor' | 'viewer';
export type GrantedRoles = { readonly roles: Roles };
export type GrantedScopes = { readonly scopes: Scopes };
export type GrantedWorkload = {
  readonly issuerId: WorkloadIssuerId;
  readonly ruleId: TrustRuleId;
  readonly subject: WorkloadSubject;
};
export type GranteeId = string;
export type GroupId = string;
export type GroupName = string;
export type HandedOverIds = ReadonlyArray<EntityId>;
export type HandoverRefusalCode = 'place-unknown' | 'owned-by-another-source';
export type HandoverRefusalDetail = string;
export type HealthStatus = 'ok' | 'degraded' | 'down';
export type HealthWhy = string;
export type Heartbeat = {
  readonly runner_id: RunnerId;
  readonly job_id: JobId | null;
  readonly lease_epoch: number | null;
  readonly timestamp: Instant;
  readonly current_step: CurrentStep | null;
  readonly log_offset: number | null;
};
export type HeartbeatAnswer = { readonly leaseSeconds: number; readonly cancel: CancelKind | null };
export type HeartbeatReceived = { readonly nextHeartbeatInSecs: number };
export type HeldRole = {
  readonly documentId: DocumentId;
  readonly role: DocumentRole;
  readonly byLink: boolean;
  readonly joinedAt: Instant;
};
export type HistoryWhy = string;
export type HistoryWindow = 'hour' | 'day';
export type HoldReason = string;
export type HomeRegion = string;
export type Hour = string;
export type IdList = string;
export type IdTokenAlgorithm = 'RS256' | 'ES256' | 'EdDSA';
export type IdentifyingColumns = ReadonlyArray<ColumnName>;
export type ImportAnswer = { readonly importId: ImportId };
export type ImportId = string;
export type ImportRefusal = {
  readonly line: number;
  readonly field: RefusedField;
  readonly expected: ExpectedContent;
  readonly hint: RefusalHint | null;
};
export type ImportRowReason = string;
export type ImportStatus = 'created' | 'running' | 'completed' | 'failed' | 'cancelled';
export type Incident = {
  readonly incidentId: IncidentId;
  readonly severity: Severity;
  readonly subject: IncidentSubject;
  readonly reach: IncidentReach;
  readonly principalId: PrincipalId | null;
  readonly grantId: GrantId | null;
  readonly familyId: FamilyId | null;
  readonly jti: TokenId | null;
  readonly kid: KeyId | null;
  readonly note: EndReason | null;
  readonly drill: boolean;
  readonly status: IncidentStatus;
  readonly openedAt: Instant;
  readonly recoveredAt: Instant | null;
  readonly recoveryMethod: RecoveryMethod | null;
  readonly closedAt: Instant | null;
  readonly closeReason: EndReason | null;
  readonly steps: IncidentSteps;
};
export type IncidentAnswer = { readonly incidentId: IncidentId };
export type IncidentId = string;
export type IncidentReach = 'nothing' | 'token' | 'grant' | 'principal' | 'key' | 'tenant' | 'platform';
export type IncidentStatus = 'OPEN' | 'CONTAINED' | 'RECOVERED' | 'CLOSED';
export type IncidentStep = {
  readonly step: IncidentStepName;
  readonly result: StepResult | null;
  readonly detail: StepDetail | null;
  readonly takenAt: Instant | null;
};
export type IncidentStepName =
  | 'block-token'
  | 'revoke-grant'
  | 'raise-epoch'
  | 'publish-invalidation'
  | 'confirm-gateways'
  | 'suspend-capabilities'
  | 'alert'
  | 'require-authentication'
  | 'issue-replacement';
export type IncidentSteps = ReadonlyArray<IncidentStep>;
export type IncidentSubject =
  | 'refresh-token-reuse'
  | 'refresh-token-shown-by-another'
  | 'authorization-code-replay'
  | 'device-code-replay'
  | 'principal-compromise'
  | 'signing-key-compromise'
  | 'reported'
  | 'detected';
export type IngestionJobStage =
  | 'validation'
  | 'type_detection'
  | 'text_extraction'
  | 'chunking'
  | 'ocr'
  | 'transcription'
  | 'embedding';
export type InitiatedVideoStatus = 'uploading' | 'processing' | 'ready';
export type InitiatedVideoUpload = {
  readonly videoId: VideoId;
  readonly uploadId: VideoUploadId;
  readonly status: InitiatedVideoStatus;
  readonly partSizeBytes: number;
  readonly partCount: number;
  readonly expiresAt: Instant;
};
export type InputValue = string;
export type Instant = string;
export type InvitationAnswer = { readonly invitationId: InvitationId; readonly secret?: SharingSecret };
export type InvitationId = string;
export type InvitationStatus = 'open' | 'accepted' | 'declined' | 'withdrawn';
export type Isolation = 'none' | 'bwrap' | 'container' | 'vm';
export type IssuedClientId = { readonly clientId: EditorClientId };
export type IssuedTokenType = 'urn:ietf:params:oauth:token-type:access_token';
export type Issuer = string;
export type IssuerIdentifier = string;
export type IssuerKeyList = ReadonlyArray<{ readonly [name: string]: unknown }>;
export type IssuerKeys = { readonly keys: IssuerKeyList };
export type Job = {
  readonly jobId: QueuedJobId;
  readonly queue: Queue;
  readonly kind: JobKind;
  readonly key: JobKey;
  readonly tenantId: JobTenant;
  readonly correlationId: JobCorrelationId;
  readonly state: JobState;
  readonly priority: number;
  readonly attempts: number;
  readonly mostAttempts: number;
  readonly position: number | null;
  readonly progress: JobProgress | null;
  readonly worker: WorkerName | null;
  readonly claimedAt: Instant | null;
  readonly seenAt: Instant | null;
  readonly enqueuedAt: Instant;
  readonly notBefore: Instant;
  readonly deadline: Instant | null;
  readonly endedAt: Instant | null;
  readonly isCancelRequested: boolean;
  readonly reason: FailureReason | null;
  readonly failures: ReadonlyArray<FailedAttempt>;
};
export type JobAttempt = {
  readonly attempt: number;
  readonly status: RunStatus;
  readonly reason: JobAttemptReason | null;
  readonly leaseEpoch: number;
  readonly runnerId: RunnerId;
  readonly runnerType: RunnerType;
  readonly assignedAt: Instant;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
  readonly steps: JobAttemptSteps;
  readonly annotations: JobAttemptAnnotations;
  readonly summary: JobAttemptSummary | null;
};
export type JobAttemptAnnotations = ReadonlyArray<Annotation>;
export type JobAttemptReason = string;
export type JobAttemptSteps = ReadonlyArray<StepReport>;
export type JobAttemptSummary = string;
export type JobAttempts = ReadonlyArray<JobAttempt>;
export type JobCorrelationId = string;
export type JobFilter = string;
export type JobId = string;
export type JobKey = string;
export type JobKind = string;
export type JobLogPage = {
  readonly attempt: number;
  readonly chunks: LogMessages;
  readonly nextOffset: number;
  readonly complete: boolean;
  readonly previousOffset: number | null;
  readonly chunkCount: number;
  readonly byteCount: number;
  readonly lineCount: number;
};
export type JobProgress = { readonly fraction: number; readonly detail: ProgressDetail };
export type JobRowKey = string;
export type JobRowLabels = ReadonlyArray<RunnerLabel>;
export type JobRowName = string;
export type JobRowNeed = string;
export type JobRowNeeds = ReadonlyArray<JobRowNeed>;
export type JobRowReason = string;
export type JobState = 'delayed' | 'waiting' | 'running' | 'lost' | 'done' | 'dead' | 'cancelled' | 'dropped';
export type JobStatusEvent = {
  readonly type: JobStatusType;
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly attempt: number;
  readonly status: RunStatus;
};
export type JobStatusType = 'job_status';
export type JobSummaries = ReadonlyArray<JobSummary>;
export type JobSummary = {
  readonly jobId: JobId;
  readonly name: JobRowName;
  readonly status: RunStatus;
  readonly runnerType: RunnerType;
  readonly key: JobRowKey;
  readonly needs: JobRowNeeds;
  readonly attempt: number;
  readonly reason: JobRowReason | null;
  readonly startedAt?: Instant;
  readonly completedAt?: Instant;
  readonly currentStep?: CurrentStepName;
};
export type JobTenant = string;
export type Jobs = { readonly items: ReadonlyArray<Job>; readonly next_cursor: QueuedJobId | null };
export type JsonPointer = string;
export type Jwk = EcJwk | OkpJwk | RsaJwk;
export type JwkSet = { readonly keys: ReadonlyArray<PublicKey> };
export type Jwks = { readonly keys: ReadonlyArray<Jwk> };
export type JwksUri = string;
export type KeptNodeType = string;
export type KeyAlgorithm = string;
export type KeyId = string;
export type KeyState = 'CREATED' | 'PUBLISHED' | 'ACTIVE' | 'RETIRED' | 'REVOKED';
export type KeyType = 'EC' | 'OKP' | 'RSA';
export type KeyUse = string;
export type Keys = ReadonlyArray<{ readonly [name: string]: unknown }>;
export type KeysUri = string;
export type Keystore = string;
export type KnownAlert = {
  readonly alertId: AlertId;
  readonly rule: AlertRule;
  readonly severity: Severity;
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType | null;
  readonly jti: AuthEventTokenId | null;
  readonly decidedAt: Instant;
  readonly audience: AlertAudience | null;
  readonly reason: AuthReason | null;
  readonly workloadId: AlertWorkload | null;
  readonly clusterId: AlertCluster | null;
  readonly count: number;
  readonly threshold: number;
  readonly windowSeconds: number;
  readonly opensIncident: boolean;
};
export type KnownApi = {
  readonly apiId: ApiId;
  readonly audience: Audience;
  readonly name: ApiName;
  readonly scopes: KnownApiScopes;
  readonly status: ApiStatus;
  readonly createdAt: Instant;
  readonly endedAt: Instant | null;
  readonly reason: EndReason | null;
};
export type KnownApiScope = { readonly name: Scope; readonly description: KnownApiScopeDescription };
export type KnownApiScopeDescription = string;
export type KnownApiScopes = ReadonlyArray<KnownApiScope>;
export type KnownApiTool = {
  readonly apiId: ApiId;
  readonly tool: ToolName;
  readonly description: KnownToolDescription;
  readonly requiredScopes: ScopeNames;
  readonly agentScopes: ScopeNames;
  readonly stepUp: boolean;
  readonly principalTypes: KnownToolPrincipalTypes;
  readonly status: ApiStatus;
  readonly setAt: Instant;
};
export type KnownClaimMapping = { readonly attribute: WorkloadAttribute; readonly claim: ClaimPointer };
export type KnownClaimMappings = ReadonlyArray<KnownClaimMapping>;
export type KnownClientSecret = {
  readonly credentialId: CredentialId;
  readonly createdAt: Instant;
  readonly createdBy: CredentialActor;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly reason: EndReason | null;
};
export type KnownCredentialLabel = string;
export type KnownCredentialPolicy = { readonly maximumSeconds: number; readonly forbiddenFor: ForbiddenPrincipalTypes };
export type KnownDetectionRule = {
  readonly rule: DetectionRuleName;
  readonly settings: KnownDetectionRuleSettings;
  readonly defaults: KnownDetectionRuleSettings;
};
export type KnownDetectionRuleSettings = {
  readonly isOn: boolean;
  readonly threshold: number;
  readonly windowSeconds: number;
  readonly opensIncident: boolean;
};
export type KnownDetectionRules = ReadonlyArray<KnownDetectionRule>;
export type KnownExpectedRuntime = {
  readonly principalId: PrincipalId;
  readonly workloads: ExpectedWorkloads;
  readonly clusters: ExpectedClusters;
};
export type KnownRegistrationPolicy = { readonly audiences: OpenedAudiences; readonly metadataHosts: MetadataHosts };
export type KnownScope = {
  readonly name: Scope;
  readonly description: ScopeDescription;
  readonly isPersonal: boolean;
  readonly audience: ScopeAudience | null;
};
export type KnownScopes = { readonly items: ReadonlyArray<KnownScope> };
export type KnownSignInPolicy = {
  readonly rules: SignInRules | null;
  readonly effectiveRules: SignInRules;
  readonly providers: ReadonlyArray<KnownSignInProvider>;
};
export type KnownSignInProvider = {
  readonly providerId: ProviderId;
  readonly name: ProviderName;
  readonly issuer: Issuer;
  readonly clientId: UpstreamClientId;
  readonly provisioning: Provisioning;
  readonly domains: Domains;
  readonly mfaContexts: AuthenticationContexts;
  readonly hasPassword: boolean;
};
export type KnownToolDescription = string;
export type KnownToolPrincipalTypes = ReadonlyArray<PrincipalType>;
export type KnownTrustCondition = {
  readonly attribute: WorkloadAttribute;
  readonly comparison: Comparison;
  readonly value: WorkloadAttributeValue;
};
export type KnownTrustConditions = ReadonlyArray<KnownTrustCondition>;
export type KnownTrustRule = {
  readonly ruleId: TrustRuleId;
  readonly name: TrustRuleName;
  readonly issuerId: WorkloadIssuerId;
  readonly conditions: KnownTrustConditions;
  readonly principalId: PrincipalId;
  readonly scopes: ScopeNames;
  readonly audience: Audience;
  readonly status: TrustStatus;
  readonly createdAt: Instant;
  readonly endedAt: Instant | null;
  readonly reason: EndReason | null;
};
export type KnownWorkloadIssuer = {
  readonly issuerId: WorkloadIssuerId;
  readonly name: WorkloadIssuerName;
  readonly kind: WorkloadIssuerKind;
  readonly issuer: IssuerIdentifier;
  readonly keysUri: KeysUri | null;
  readonly keyIds: RecordedKeyIds | null;
  readonly claims: KnownClaimMappings;
  readonly status: TrustStatus;
  readonly createdAt: Instant;
  readonly endedAt: Instant | null;
  readonly reason: EndReason | null;
};
export type LanguageTag = string;
export type LicenseProof = string;
export type LicenseSystem = 'clearkey' | 'widevine' | 'fairplay' | 'playready';
export type LimitCheck = {
  readonly dimensions: LimitDimensions;
  readonly requestId?: LimitRequestId;
  readonly target?: LimitTarget;
  readonly plan?: LimitPlan;
  readonly timeZone?: LimitTimeZone;
  readonly weight?: LimitWeight;
  readonly show?: ReadonlyArray<LimitShown>;
  readonly mode?: LimitMode;
};
export type LimitChecks = { readonly requests: ReadonlyArray<LimitCheck> };
export type LimitDecision = {
  readonly outcome: LimitOutcome;
  readonly limits: ReadonlyArray<LimitState>;
  readonly retryAfterSeconds: number;
  readonly configVersion: LimitWords;
  readonly source: LimitSource;
  readonly reason?: LimitReason;
  readonly reservationId?: LimitWords;
  readonly turnMilliseconds?: number;
  readonly hint?: LimitWords;
  readonly message?: LimitWords;
  readonly reply?: LimitReply;
  readonly estimateSource?: LimitEstimateSource;
};
export type LimitDecisions = { readonly answers: ReadonlyArray<LimitDecision> };
export type LimitDimensions = {
  readonly tenant?: OwnTenant;
  readonly user?: DimensionValue;
  readonly key?: DimensionValue;
  readonly ip?: DimensionValue;
  readonly device?: DimensionValue;
  readonly route?: DimensionValue;
  readonly method?: DimensionValue;
  readonly region?: DimensionValue;
  readonly model?: DimensionValue;
  readonly organisation?: DimensionValue;
  readonly project?: DimensionValue;
};
export type LimitEstimateSource = 'request' | 'policy';
export type LimitMode = 'take' | 'reserve';
export type LimitOutcome = 'allow' | 'deny' | 'degrade';
export type LimitPeek = {
  readonly dimensions: LimitDimensions;
  readonly requestId?: LimitRequestId;
  readonly target?: LimitTarget;
  readonly plan?: LimitPlan;
  readonly timeZone?: LimitTimeZone;
  readonly weight?: LimitWeight;
  readonly show?: ReadonlyArray<LimitShown>;
};
export type LimitPeeks = { readonly requests: ReadonlyArray<LimitPeek> };
export type LimitPlan = string;
export type LimitReason = 'limited' | 'blocked' | 'too-large' | 'store-unavailable';
export type LimitReply = {
  readonly headers: LimitReplyHeaders;
  readonly status?: number;
  readonly body?: LimitReplyBody;
};
export type LimitReplyBody = {
  readonly error: LimitWords;
  readonly message: LimitWords;
  readonly retryAfterSeconds?: number;
};
export type LimitReplyHeaders = { readonly [name: string]: string };
export type LimitRequestId = string;
export type LimitSettled = { readonly outcome: SettleOutcome };
export type LimitSettledEach = { readonly answers: ReadonlyArray<LimitSettledOne> };
export type LimitSettledOne = { readonly outcome: SettleOutcomeOfOne };
export type LimitSettlement = {
  readonly reservationId: ReservationId;
  readonly actual?: LimitWeight;
  readonly outcome?: ReservedOutcome;
  readonly final?: boolean;
};
export type LimitSettlements = { readonly requests: ReadonlyArray<LimitSettlement> };
export type LimitShown = 'reply' | 'rules';
export type LimitSource = 'store' | 'local' | 'policy';
export type LimitState = {
  readonly unit: LimitUnit;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly windowSeconds: number;
  readonly over: boolean;
  readonly rule?: LimitWords;
  readonly watched?: boolean;
};
export type LimitTarget = string;
export type LimitTimeZone = string;
export type LimitUnit = 'requests' | 'bytes' | 'tokens' | 'input-tokens' | 'output-tokens' | 'concurrent-requests';
export type LimitWeight = {
  readonly requests?: number;
  readonly bytes?: number;
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
  readonly answers?: number;
  readonly tools?: ToolUses;
};
export type LimitWords = string;
export type LinkAnswer = { readonly linkId: LinkId; readonly secret: SharingSecret };
export type LinkId = string;
export type LinkRole = 'editor' | 'commenter' | 'viewer';
export type ListAccessPolicyVersionsPage = {
  readonly items: ReadonlyArray<AccessPolicyVersion>;
  readonly next_cursor: NextCursor | null;
};
export type ListAgentActionsPage = {
  readonly items: ReadonlyArray<AgentAction>;
  readonly next_cursor: NextCursor | null;
};
export type ListAlertsPage = { readonly items: ReadonlyArray<KnownAlert>; readonly next_cursor: NextCursor | null };
export type ListAllCredentialsPage = {
  readonly items: ReadonlyArray<Credential>;
  readonly next_cursor: NextCursor | null;
};
export type ListApiToolsPage = { readonly items: ReadonlyArray<KnownApiTool>; readonly next_cursor: NextCursor | null };
export type ListApisPage = { readonly items: ReadonlyArray<KnownApi>; readonly next_cursor: NextCursor | null };
export type ListApprovalsPage = { readonly items: ReadonlyArray<Approval>; readonly next_cursor: NextCursor | null };
export type ListAuthEventsPage = {
  readonly items: ReadonlyArray<AuthEvent>;
  readonly next_cursor: NextCursor | null;
  readonly dropped: DroppedAuthEvents | null;
};
export type ListAuthenticatorsPage = {
  readonly items: ReadonlyArray<Authenticator>;
  readonly next_cursor: NextCursor | null;
};
export type ListAuthorityPage = { readonly items: ReadonlyArray<Authority>; readonly next_cursor: NextCursor | null };
export type ListClientSecretsPage = {
  readonly items: ReadonlyArray<KnownClientSecret>;
  readonly next_cursor: NextCursor | null;
};
export type ListClientsPage = { readonly items: ReadonlyArray<Client>; readonly next_cursor: NextCursor | null };
export type ListCredentialsPage = {
  readonly items: ReadonlyArray<Credential>;
  readonly next_cursor: NextCursor | null;
};
export type ListDelegationsPage = {
  readonly items: ReadonlyArray<Delegation>;
  readonly next_cursor: NextCursor | null;
};
export type ListDocumentInvitationsPage = {
  readonly items: ReadonlyArray<DocumentInvitation>;
  readonly next_cursor: NextCursor | null;
};
export type ListDocumentMembersPage = {
  readonly items: ReadonlyArray<DocumentMember>;
  readonly next_cursor: NextCursor | null;
};
export type ListDocumentVersionsPage = {
  readonly items: ReadonlyArray<DocumentVersion>;
  readonly next_cursor: NextCursor | null;
};
export type ListDocumentsOfPrincipalPage = {
  readonly items: ReadonlyArray<HeldRole>;
  readonly next_cursor: NextCursor | null;
};
export type ListExpectedRuntimesPage = {
  readonly items: ReadonlyArray<KnownExpectedRuntime>;
  readonly next_cursor: NextCursor | null;
};
export type ListFileChunksPage = {
  readonly items: ListedFileChunks;
  readonly next_cursor: NextChunksCursor | null;
  readonly versionId: FileVersionId | null;
  readonly total: number;
};
export type ListFileDeletionsPage = {
  readonly items: ReadonlyArray<FileDeletion>;
  readonly next_cursor: NextCursor | null;
};
export type ListFileFoldersPage = {
  readonly items: ReadonlyArray<FileFolder>;
  readonly next_cursor: NextCursor | null;
};
export type ListFileGroupsPage = { readonly items: ReadonlyArray<FileGroup>; readonly next_cursor: NextCursor | null };
export type ListFileOrphansPage = {
  readonly items: ReadonlyArray<FileOrphan>;
  readonly next_cursor: NextCursor | null;
};
export type ListFileVersionsPage = {
  readonly items: ReadonlyArray<FileVersion>;
  readonly next_cursor: NextCursor | null;
};
export type ListFilesPage = { readonly items: ReadonlyArray<FileItem>; readonly next_cursor: NextCursor | null };
export type ListGrantsPage = { readonly items: ReadonlyArray<Grant>; readonly next_cursor: NextCursor | null };
export type ListIncidentsPage = { readonly items: ReadonlyArray<Incident>; readonly next_cursor: NextCursor | null };
export type ListNodeActivityPage = {
  readonly items: ReadonlyArray<NodeActivity>;
  readonly next_cursor: NextCursor | null;
};
export type ListOwnVideoReportsPage = {
  readonly items: ReadonlyArray<OwnVideoReport>;
  readonly next_cursor: NextCursor | null;
};
export type ListPlaceImportRefusalsPage = {
  readonly items: ReadonlyArray<ImportRefusal>;
  readonly next_cursor: NextCursor | null;
};
export type ListPlaceImportsPage = {
  readonly items: ReadonlyArray<PlaceImport>;
  readonly next_cursor: NextCursor | null;
};
export type ListPrincipalGrantsPage = { readonly items: ReadonlyArray<Grant>; readonly next_cursor: NextCursor | null };
export type ListPrincipalSessionsPage = {
  readonly items: ReadonlyArray<Session>;
  readonly next_cursor: NextCursor | null;
};
export type ListPrincipalsPage = { readonly items: ReadonlyArray<Principal>; readonly next_cursor: NextCursor | null };
export type ListRefreshFamiliesPage = {
  readonly items: ReadonlyArray<RefreshFamily>;
  readonly next_cursor: NextCursor | null;
};
export type ListRepositoriesPage = {
  readonly items: ReadonlyArray<WorkflowRepository>;
  readonly next_cursor: NextCursor | null;
};
export type ListRunnersPage = {
  readonly items: ReadonlyArray<WorkflowRunner>;
  readonly next_cursor: NextCursor | null;
};
export type ListSecurityEventsPage = {
  readonly items: ReadonlyArray<SecurityEvent>;
  readonly next_cursor: NextCursor | null;
};
export type ListSessionsPage = { readonly items: ReadonlyArray<Session>; readonly next_cursor: NextCursor | null };
export type ListSigningKeysPage = {
  readonly items: ReadonlyArray<SigningKey>;
  readonly next_cursor: NextCursor | null;
};
export type ListTenantDocumentMembersPage = {
  readonly items: ReadonlyArray<DocumentMember>;
  readonly next_cursor: NextCursor | null;
};
export type ListTenantDocumentVersionsPage = {
  readonly items: ReadonlyArray<DocumentVersion>;
  readonly next_cursor: NextCursor | null;
};
export type ListTenantDocumentsPage = {
  readonly items: ReadonlyArray<ListedTenantDocument>;
  readonly next_cursor: NextCursor | null;
};
export type ListTrustRulesPage = {
  readonly items: ReadonlyArray<KnownTrustRule>;
  readonly next_cursor: NextCursor | null;
};
export type ListUsagePage = { readonly items: ReadonlyArray<Usage>; readonly next_cursor: NextCursor | null };
export type ListVideoReportsPage = {
  readonly items: ReadonlyArray<VideoReport>;
  readonly next_cursor: NextCursor | null;
};
export type ListVideoSeriesPage = {
  readonly items: ReadonlyArray<VideoSeries>;
  readonly next_cursor: NextCursor | null;
};
export type ListVideosPage = { readonly items: ReadonlyArray<Video>; readonly next_cursor: NextCursor | null };
export type ListWebhookAttemptsPage = {
  readonly items: ReadonlyArray<WebhookDeliveryAttempt>;
  readonly next_cursor: NextCursor | null;
};
export type ListWebhookDeliveriesPage = {
  readonly items: ReadonlyArray<WebhookDelivery>;
  readonly next_cursor: NextCursor | null;
};
export type ListWebhookEndpointsPage = {
  readonly items: ReadonlyArray<WebhookEndpoint>;
  readonly next_cursor: NextCursor | null;
};
export type ListWorkflowArtifactsPage = {
  readonly items: ReadonlyArray<WorkflowArtifact>;
  readonly next_cursor: NextCursor | null;
};
export type ListWorkflowJobsPage = {
  readonly items: ReadonlyArray<WorkflowJob>;
  readonly next_cursor: NextCursor | null;
};
export type ListWorkflowRunsPage = {
  readonly items: ReadonlyArray<ListedWorkflowRun>;
  readonly next_cursor: NextCursor | null;
};
export type ListWorkloadIssuersPage = {
  readonly items: ReadonlyArray<KnownWorkloadIssuer>;
  readonly next_cursor: NextCursor | null;
};
export type ListedCaptionAddress = string;
export type ListedCaptionLanguage = string;
export type ListedChunkContent = string;
export type ListedFileChunk = {
  readonly chunkId: ChunkId;
  readonly ordinal: number;
  readonly modality: Modality;
  readonly content: ListedChunkContent;
  readonly citation: Citation;
  readonly segments: ChunkSegments;
};
export type ListedFileChunks = ReadonlyArray<ListedFileChunk>;
export type ListedTenantDocument = {
  readonly documentId: DocumentId;
  readonly title: Title;
  readonly headVersion: number;
  readonly homeRegion: HomeRegion;
  readonly createdBy: PrincipalId;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly status: DocumentStatus;
  readonly trashedAt: Instant | null;
  readonly owners: DocumentOwners;
};
export type ListedVideoCaptionTracks = ReadonlyArray<ListedVideoCaptions>;
export type ListedVideoCaptions = {
  readonly language: ListedCaptionLanguage;
  readonly label: CaptionLabel;
  readonly origin: CaptionOrigin;
  readonly url: ListedCaptionAddress | null;
};
export type ListedWorkflowRun = {
  readonly runId: RunId;
  readonly repoId: RepositoryId;
  readonly workflowDefinitionId: DefinitionId;
  readonly triggerEventId: TriggerEventId;
  readonly workflowName: RunRowWorkflowName;
  readonly runNumber: number | null;
  readonly title: RunTitle | null;
  readonly path: DefinitionPath;
  readonly yamlHash: WorkflowChecksum;
  readonly definitionVersion: number;
  readonly eventType: TriggerType;
  readonly ref: RunRowRef;
  readonly branch: RunRowBranch;
  readonly commitSha: CommitSha;
  readonly actorId: PrincipalId;
  readonly priority: number;
  readonly status: RunStatus;
  readonly cancelRequested: boolean;
  readonly attempt: number;
  readonly problems: RunRowProblems;
  readonly reason: RunRefusal | null;
  readonly createdAt: Instant;
  readonly waitsForRunner: boolean;
  readonly startedAt?: Instant;
  readonly completedAt?: Instant;
};
export type LocalDate = string;
export type LogChunkEvent = {
  readonly type: LogChunkType;
  readonly attempt: number;
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly chunkOffset: number;
  readonly byteOffsetStart: number;
  readonly byteOffsetEnd: number;
  readonly lineStart: number;
  readonly text: LogText;
  readonly emittedAt: Instant;
};
export type LogChunkType = 'log_chunk';
export type LogEndEvent = {
  readonly type: LogEndType;
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly attempt: number;
  readonly chunks: number;
  readonly isWhole: boolean;
};
export type LogEndType = 'log_end';
export type LogEvent = LogChunkEvent | RunStatusEvent | JobStatusEvent | StepStatusEvent | LogEndEvent;
export type LogFormat = 'json' | 'text';
export type LogMessage = {
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly chunkOffset: number;
  readonly byteOffsetStart: number;
  readonly byteOffsetEnd: number;
  readonly lineStart: number;
  readonly text: LogText;
  readonly emittedAt: Instant;
};
export type LogMessages = ReadonlyArray<LogMessage>;
export type LogStep = {
  readonly stepId: StepId;
  readonly number: number;
  readonly name: StepName;
  readonly status: StepStatus;
  readonly exitCode: number | null;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
};
export type LogText = string;
export type LoginName = string;
export type LogoutUri = string;
export type ManifestKey = string;
export type MappedFields = { readonly [name: string]: ColumnName | null };
export type MediaType = string;
export type MemberAnswer = { readonly documentId: DocumentId; readonly principalId: PrincipalId };
export type MetadataHost = string;
export type MetadataHosts = ReadonlyArray<MetadataHost>;
export type MetadataUrl = string;
export type MetadataWord = string;
export type MetadataWords = ReadonlyArray<MetadataWord>;
export type MethodName = string;
export type MethodNames = ReadonlyArray<MethodName>;
export type MetricHistory = {
  readonly stepSeconds: number;
  readonly from: Instant;
  readonly series: ReadonlyArray<MetricSeries>;
  readonly why: HistoryWhy | null;
};
export type MetricSeries = { readonly name: SeriesName; readonly values: ReadonlyArray<number | null> };
export type MfaRule = 'never' | 'enrolled' | 'required';
export type MissingScope = string;
export type MissingScopes = ReadonlyArray<Scope>;
export type MissingVideoParts = ReadonlyArray<number>;
export type Modality = 'text' | 'image' | 'audio' | 'video' | 'table' | 'code';
export type Modulus = string;
export type Modulus2 = string;
export type Move = {
  readonly id: NodeId;
  readonly parentId: NodeId | null;
  readonly orderKey: OrderKey;
  readonly transform?: Transform;
  readonly fromSpace?: Transform;
  readonly by?: EditorClientId;
};
export type MoveChild = { readonly moves: Moves; readonly reordered?: Reordered };
export type MoveChildDocumentOperation = {
  readonly opId: OperationId;
  readonly documentId: DocumentId;
  readonly actorId: ActorId;
  readonly clientSeq: number;
  readonly baseVersion: number;
  readonly type: 'moveChild';
  readonly targetIds: TargetIds;
  readonly payload: MoveChild;
  readonly createdAt: Instant;
  readonly undoGroupId?: UndoGroupId;
  readonly inverseOf?: OperationId;
  readonly atomicGroup?: AtomicGroup;
};
export type Moves = ReadonlyArray<Move>;
export type NamePart = string;
export type NewApi = { readonly audience: Audience; readonly name: ApiName; readonly scopes: ApiScopes };
export type NewApiTool = {
  readonly description: ApiDescription;
  readonly requiredScopes: RequiredToolScopes;
  readonly agentScopes: AgentToolScopes;
  readonly stepUp: boolean;
  readonly principalTypes: ToolPrincipalTypes;
};
export type NewApproval = {
  readonly method: ActionMethod;
  readonly target: ActionTarget;
  readonly reason: Reason;
  readonly body?: unknown;
};
export type NewBlockedRecording = { readonly videoId: VideoId; readonly name: BlockedRecordingName };
export type NewClientSecret = { readonly expiresInSeconds?: number };
export type NewCredential = {
  readonly scopes: Scopes;
  readonly label?: CredentialLabel;
  readonly expiresInSeconds?: number;
};
export type NewDelegation = {
  readonly agentId: PrincipalId;
  readonly taskId: TaskId;
  readonly audience: Audience;
  readonly scopes: Scopes;
  readonly expiresInSeconds: number;
};
export type NewDocument = { readonly title: Title; readonly homeRegion?: HomeRegion };
export type NewFileFolder = { readonly folderId: FolderId | null };
export type NewFileGrant = {
  readonly principalType: GrantPrincipalType;
  readonly principalId: GranteeId;
  readonly role: GrantedRole;
};
export type NewFileGroup = { readonly name: GroupName };
export type NewFileGroupName = { readonly name: GroupName };
export type NewFileHold = { readonly reason: HoldReason };
export type NewFileName = { readonly filename: Filename };
export type NewFileOwner = { readonly ownerId: PrincipalId };
export type NewFolder = { readonly name: FolderName; readonly parentFolderId?: FolderId | null };
export type NewFolderName = { readonly name: FolderName };
export type NewFolderOwner = { readonly ownerId: PrincipalId };
export type NewImport = {
  readonly fileName: FileName;
  readonly format: FileFormat;
  readonly size: number;
  readonly source: SourceName;
  readonly version?: number;
  readonly category?: Category | null;
  readonly attribution?: Attribution | null;
  readonly synthetic?: boolean;
  readonly mapping?: NewMapping | null;
};
export type NewIncident = {
  readonly severity: Severity;
  readonly suspected: SuspectedReach;
  readonly note: Reason;
  readonly principalId?: PrincipalId;
  readonly grantId?: GrantId;
  readonly jti?: TokenId;
  readonly expiresAt?: Instant;
};
export type NewInvitation = {
  readonly role: DocumentRole;
  readonly principalId?: PrincipalId;
  readonly expiresInSeconds?: number;
};
export type NewLabel = { readonly label: PrincipalLabel | null };
export type NewMapping = { readonly fields: MappedFields; readonly entityIdFrom?: IdentifyingColumns | null };
export type NewNode = {
  readonly id: NodeId;
  readonly type: KeptNodeType;
  readonly parentId: NodeId | null;
  readonly orderKey: OrderKey;
  readonly properties: Properties;
  readonly text?: TextState;
  readonly ancestors?: Ancestors;
  readonly space?: Transform;
};
export type NewNodes = ReadonlyArray<NewNode>;
export type NewOwner = { readonly principalId: PrincipalId };
export type NewParentFolder = { readonly parentFolderId: FolderId | null };
export type NewPerson = {
  readonly login: LoginName;
  readonly displayName: DisplayName;
  readonly email?: Email;
  readonly roles?: Roles;
};
export type NewPolicyVersion = { readonly document: PolicyDocument; readonly note?: PolicyNote };
export type NewPrincipal = { readonly principalType: PrincipalType; readonly label?: PrincipalLabel };
export type NewRepository = {
  readonly name: RepositoryName;
  readonly default_branch?: BranchName;
  readonly remote_url?: RemoteRepositoryUrl;
};
export type NewRole = { readonly role: DocumentRole };
export type NewTenant = { readonly tenantId: TenantId; readonly name: TenantName };
export type NewTitle = { readonly title: Title };
export type NewTrustRule = {
  readonly name: TrustRuleName;
  readonly issuerId: WorkloadIssuerId;
  readonly conditions: TrustConditions;
  readonly principalId: PrincipalId;
  readonly scopes: TrustRuleScopes;
  readonly audience: Audience;
};
export type NewUploadSession = {
  readonly filename: Filename;
  readonly mimeType: MediaType;
  readonly sizeBytes: number;
  readonly parentFolderId?: FolderId | null;
};
export type NewVersionName = { readonly name: VersionName };
export type NewVersionSession = { readonly mimeType: MediaType; readonly sizeBytes: number };
export type NewVideoCaptions = { readonly content: CaptionContent; readonly label?: CaptionLabel };
export type NewVideoEntitlement = {
  readonly kind: VideoEntitlementKind;
  readonly viewerId: PrincipalId;
  readonly beginsAt: Instant;
  readonly endsAt: Instant | null;
};
export type NewVideoGeneration = { readonly codec: VideoCodec };
export type NewVideoPoster = { readonly positionSeconds?: number; readonly picture?: PosterPicture };
export type NewVideoProtection = { readonly protection: VideoProtection };
export type NewVideoReport = {
  readonly reason: VideoReportReason;
  readonly text: VideoReportText | null;
  readonly link?: ReportedVideoLink;
};
export type NewVideoRequirement = { readonly kinds: RequiredVideoEntitlements };
export type NewVideoSeries = { readonly title: VideoSeriesTitle };
export type NewVideoSeriesEpisodes = { readonly videoIds: VideoSeriesEpisodes };
export type NewVideoUpload = {
  readonly fileSize: number;
  readonly contentType: VideoContentType;
  readonly idempotencyKey: VideoUploadKey;
  readonly title?: VideoTitle;
  readonly videoId?: VideoId;
};
export type NewVideoVisibility = { readonly visibility: VideoVisibility };
export type NextChunksCursor = string;
export type NextCursor = string;
export type NextSearchCursor = string;
export type NoAnswerReason = 'insufficient_evidence';
export type NodeActivity = {
  readonly version: number;
  readonly opId: OperationId;
  readonly type: OperationType;
  readonly actorId: ActorId;
  readonly at: Instant;
};
export type NodeDiff = {
  readonly kind: NodeDiffKind;
  readonly id: NodeId;
  readonly type: KeptNodeType;
  readonly parentId: NodeId | null;
  readonly name?: NodeName;
  readonly properties?: PropertyDiffs;
  readonly moved?: NodeMoved;
  readonly text?: TextDiff;
  readonly retyped?: NodeRetyped;
};
export type NodeDiffKind = 'created' | 'deleted' | 'changed';
export type NodeId = string;
export type NodeMoved = { readonly before: NodePlace; readonly after: NodePlace };
export type NodeName = string;
export type NodePlace = { readonly parentId: NodeId | null; readonly orderKey: PlaceKey };
export type NodeRetyped = { readonly before: KeptNodeType; readonly after: KeptNodeType };
export type OAuthError = { readonly error: OAuthErrorCode; readonly error_description: OAuthErrorDescription };
export type OAuthErrorCode = string;
export type OAuthErrorDescription = string;
export type OfferedVideoCodecs = ReadonlyArray<VideoCodec>;
export type OkpJwk = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: Coordinate;
  readonly alg: 'EdDSA';
  readonly kid: KeyId;
  readonly use: 'sig';
};
export type OnlyNamed = true;
export type OpenedAudiences = ReadonlyArray<Audience>;
export type OpenedLink = { readonly secret: SharingSecret };
export type OpenedVersion = { readonly snapshot: Snapshot; readonly pieces: SnapshotPieces };
export type OpeningHours = {
  readonly tz: TimeZone;
  readonly weekly: WeeklyIntervals;
  readonly exceptions: ExceptionalDays;
};
export type OpeningInterval = { readonly open: OpensAt; readonly close: ClosesAt };
export type OpeningIntervals = ReadonlyArray<OpeningInterval>;
export type OpensAt = string;
export type OperationId = string;
export type OperationList = ReadonlyArray<DocumentOperation>;
export type OperationType =
  | 'createNode'
  | 'deleteNode'
  | 'setProperties'
  | 'transformNodes'
  | 'moveChild'
  | 'textOperation'
  | 'restoreVersion';
export type OperationsBatch = {
  readonly operations: OperationList;
  readonly clientId?: EditorClientId;
  readonly schemaVersion?: number;
};
export type OperationsLimit = number;
export type OrderKey = string;
export type OrganizationAnswer = {
  readonly id: TenantId;
  readonly plan: Plan;
  readonly concurrency_limit: number | null;
  readonly minutes_quota: number | null;
  readonly isolation_policy: Isolation;
};
export type OrganizationInput = {
  readonly plan: Plan;
  readonly concurrency_limit?: number | null;
  readonly minutes_quota?: number | null;
  readonly isolation_policy?: Isolation;
};
export type Outcome = {
  readonly opId: OperationId;
  readonly status: OutcomeStatus;
  readonly reason?: OutcomeReason;
  readonly version?: number;
  readonly op?: DocumentOperation;
};
export type OutcomeReason =
  | 'target-deleted'
  | 'nothing-changes'
  | 'cycle'
  | 'parent-deleted'
  | 'order-key-taken'
  | 'space-changed'
  | 'partly-deleted'
  | 'id-taken'
  | 'id-foreign'
  | 'too-many-ids'
  | 'malformed'
  | 'too-large'
  | 'too-deep'
  | 'too-many-nodes'
  | 'text-malformed'
  | 'text-has-structure'
  | 'not-text'
  | 'component-cycle'
  | 'component-unknown'
  | 'inverse-foreign'
  | 'already-inverted'
  | 'group-refused'
  | 'forbidden'
  | 'version-unknown'
  | 'schema-too-old';
export type OutcomeStatus = 'applied' | 'duplicate' | 'dropped' | 'rejected' | 'transformed';
export type Outcomes = ReadonlyArray<Outcome>;
export type OverviewAudience = 'platform' | 'tenant';
export type OverviewWhy = string;
export type OwnClientId = string;
export type OwnDocumentInvitationsPage = {
  readonly items: ReadonlyArray<DocumentInvitation>;
  readonly next_cursor: NextCursor | null;
};
export type OwnTenant = string;
export type OwnVideoEntitlements = { readonly items: VideoEntitlements };
export type OwnVideoReport = {
  readonly reportId: VideoReportId;
  readonly videoId: VideoId;
  readonly reason: VideoReportReason;
  readonly text: SealedVideoReportText | null;
  readonly state: VideoReportState;
  readonly resolution: VideoModerationReason | null;
  readonly createdAt: Instant;
  readonly resolvedAt: Instant | null;
  readonly title: ReportedVideoTitle | null;
};
export type PageBox = { readonly pageNumber: number; readonly box: Box };
export type PageLimit = string;
export type PartEtag = string;
export type PartName = string;
export type PartNumber = number;
export type PartSha256 = string;
export type PasskeyId = string;
export type PieceBytes = string;
export type PieceKey = string;
export type PkceRequirement = 'required' | 'optional';
export type PlaceChange = PlaceRecordChange | PlaceDeleteChange;
export type PlaceChangeFault = { readonly pointer: string; readonly expected: string; readonly hint: string | null };
export type PlaceChangeFaults = ReadonlyArray<PlaceChangeFault>;
export type PlaceChangeList = ReadonlyArray<AnyPlaceChange>;
export type PlaceChangeOutcome = 'recorded' | 'unchanged' | 'outdated' | 'refused';
export type PlaceChangeResult = {
  readonly outcome: PlaceChangeOutcome;
  readonly code: PlaceRefusalCode | null;
  readonly faults: PlaceChangeFaults;
};
export type PlaceChangeResultList = ReadonlyArray<PlaceChangeResult>;
export type PlaceChangeResults = { readonly results: PlaceChangeResultList };
export type PlaceChanges = { readonly changes: PlaceChangeList };
export type PlaceData = {
  readonly name: PlaceName;
  readonly category: Category;
  readonly lat: number;
  readonly lng: number;
  readonly alternative_names?: PlaceDataNames | null;
  readonly address?: PlaceDataAddress | null;
  readonly hours?: PlaceDataHours | null;
  readonly rating?: number | null;
  readonly rating_count?: number | null;
  readonly popularity?: number | null;
  readonly attributes?: Attributes | null;
  readonly status?: PlaceStatus | null;
  readonly synthetic?: boolean | null;
  readonly attribution?: Attribution | null;
};
export type PlaceDataAddress = {
  readonly street?: AddressText | null;
  readonly locality?: AddressText | null;
  readonly region?: AddressText | null;
  readonly postal_code?: PostalCode | null;
  readonly country?: CountryCode | null;
};
export type PlaceDataExceptions = ReadonlyArray<ExceptionalDay>;
export type PlaceDataHours = {
  readonly tz: TimeZone;
  readonly weekly?: PlaceDataWeekly;
  readonly exceptions?: PlaceDataExceptions;
};
export type PlaceDataName = { readonly name: PlaceName; readonly language?: LanguageTag };
export type PlaceDataNames = ReadonlyArray<PlaceDataName>;
export type PlaceDataWeekly = ReadonlyArray<WeeklyInterval>;
export type PlaceDeleteChange = {
  readonly entity_id: EntityId;
  readonly version: number;
  readonly source: SourceName;
  readonly op: DeleteOperation;
  readonly occurred_at?: Instant | null;
  readonly data?: unknown;
};
export type PlaceFilePart = { readonly sha256?: PartSha256 };
export type PlaceFileUpload = { readonly partBytes: number; readonly arrived: ArrivedParts };
export type PlaceHandover = {
  readonly fromSource: SourceName;
  readonly toSource: SourceName;
  readonly entityIds: HandedOverIds;
};
export type PlaceHandoverOutcome = 'handed-over' | 'unchanged' | 'refused';
export type PlaceHandoverResult = {
  readonly entityId: EntityId;
  readonly outcome: PlaceHandoverOutcome;
  readonly code: HandoverRefusalCode | null;
  readonly detail: HandoverRefusalDetail | null;
};
export type PlaceHandoverResultList = ReadonlyArray<PlaceHandoverResult>;
export type PlaceHandoverResults = { readonly results: PlaceHandoverResultList };
export type PlaceImport = {
  readonly importId: ImportId;
  readonly fileName: FileName;
  readonly format: FileFormat;
  readonly size: number;
  readonly source: SourceName;
  readonly category: Category | null;
  readonly attribution: Attribution | null;
  readonly synthetic: boolean;
  readonly mapping: FieldMapping | null;
  readonly version: number;
  readonly status: ImportStatus;
  readonly reason: ImportRowReason | null;
  readonly lines: number;
  readonly recorded: number;
  readonly unchanged: number;
  readonly outdated: number;
  readonly refused: number;
  readonly refusedListed: number;
  readonly permille: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};
export type PlaceKey = string;
export type PlaceName = string;
export type PlaceRecordChange = {
  readonly entity_id: EntityId;
  readonly version: number;
  readonly source: SourceName;
  readonly op: RecordOperation;
  readonly data: PlaceData;
  readonly occurred_at?: Instant | null;
};
export type PlaceRefusalCode = 'invalid-change' | 'version-reused' | 'owned-by-another-source' | 'source-reserved';
export type PlaceSearchAnswer = {
  readonly results: ReadonlyArray<PlaceSearchResult>;
  readonly next_cursor: NextSearchCursor | null;
  readonly incomplete: boolean;
  readonly warnings: ReadonlyArray<string>;
  readonly searched: SearchedArea;
};
export type PlaceSearchResult = {
  readonly entity_id: EntityId;
  readonly name: PlaceName;
  readonly category: Category;
  readonly lat: number;
  readonly lng: number;
  readonly distance_m: number;
  readonly rating: number | null;
  readonly snippet: PlaceSnippet | null;
  readonly status: PlaceStatus;
  readonly synthetic: boolean;
  readonly attribution: Attribution | null;
  readonly explanation?: RankExplanation;
};
export type PlaceSnippet = string;
export type PlaceStatus = 'active' | 'temporarily_closed' | 'permanently_closed';
export type Plan = 'free' | 'team' | 'enterprise';
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
export type PlatformEventTypes = { readonly items: ReadonlyArray<PlatformEventType> };
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
  readonly recent: RecentSamples;
  readonly parts: ReadonlyArray<PlatformHealthPart>;
};
export type PlatformHealthPart = {
  readonly name: PartName;
  readonly status: HealthStatus;
  readonly why: HealthWhy | null;
};
export type PlatformLog = { readonly items: ReadonlyArray<PlatformEvent>; readonly next?: Position };
export type PlatformNamePart = string;
export type PlatformNamedId = string;
export type PlatformOverview = {
  readonly at: Instant;
  readonly audience: OverviewAudience;
  readonly views: ReadonlyArray<PlatformView> | null;
  readonly processes: ReadonlyArray<PlatformProcess> | null;
  readonly queues: ReadonlyArray<PlatformQueue> | null;
  readonly why: OverviewWhy | null;
  readonly history: MetricHistory;
};
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
  readonly principalId: PlatformNamedId | null;
  readonly clientId: PlatformNamedId | null;
};
export type PlatformStreamEvents = { readonly items: ReadonlyArray<PlatformEvent>; readonly next?: PlatformRevision };
export type PlatformStreamName = string;
export type PlatformStreams = { readonly items: ReadonlyArray<PlatformStream>; readonly next?: PlatformCursor };
export type PlatformStreamsDirection = 'asc' | 'desc';
export type PlatformStreamsOrder = 'name' | 'created' | 'changed';
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
export type PlatformWantedType = string;
export type PlaybackAddress = string;
export type PlaybackProof = string;
export type PlayedQuality = string;
export type PlayerRegion = string;
export type PolicyActions = {
  readonly methods?: PolicyMethods;
  readonly routeGroups?: PolicyRouteGroups;
  readonly operations?: PolicyOperations;
  readonly scopes?: PolicyScopes;
};
export type PolicyActions2 = {
  readonly methods?: PolicyMethods;
  readonly routeGroups?: PolicyRouteGroups;
  readonly operations?: PolicyOperations;
  readonly scopes?: PolicyScopes;
};
export type PolicyAudiences = ReadonlyArray<Audience>;
export type PolicyAuthContext = string;
export type PolicyAuthContexts = ReadonlyArray<PolicyAuthContext>;
export type PolicyAuthenticationMethod = string;
export type PolicyAuthenticationMethods = ReadonlyArray<PolicyAuthenticationMethod>;
export type PolicyBinding = 'none' | 'dpop' | 'mtls';
export type PolicyBindings = ReadonlyArray<PolicyBinding>;
export type PolicyCause = 'rule' | 'not-allowed' | 'not-covered' | 'ambiguous-path';
export type PolicyClients = ReadonlyArray<ClientId>;
export type PolicyConditions = {
  readonly times?: PolicyTimes;
  readonly networks?: PolicyNetworks;
  readonly notNetworks?: PolicyNetworks;
  readonly bindings?: PolicyBindings;
  readonly environments?: PolicyEnvironments;
  readonly notEnvironments?: PolicyExcludedEnvironments;
  readonly authContext?: PolicyAuthContexts;
  readonly authenticationMethods?: PolicyAuthenticationMethods;
  readonly signedInAtMostSecondsAgo?: number;
  readonly signedInAtLeastSecondsAgo?: number;
  readonly delegated?: boolean;
  readonly delegations?: PolicyDelegations;
  readonly tasks?: PolicyTasks;
  readonly delegators?: PolicyDelegators;
  readonly clients?: PolicyClients;
};
export type PolicyConditions2 = {
  readonly times?: PolicyTimes2;
  readonly networks?: PolicyNetworks;
  readonly notNetworks?: PolicyNetworks;
  readonly bindings?: PolicyBindings;
  readonly environments?: PolicyEnvironments;
  readonly notEnvironments?: PolicyExcludedEnvironments;
  readonly authContext?: PolicyAuthContexts;
  readonly authenticationMethods?: PolicyAuthenticationMethods;
  readonly signedInAtMostSecondsAgo?: number;
  readonly signedInAtLeastSecondsAgo?: number;
  readonly delegated?: boolean;
  readonly delegations?: PolicyDelegations;
  readonly tasks?: PolicyTasks;
  readonly delegators?: PolicyDelegators;
  readonly clients?: PolicyClients;
};
export type PolicyCover = {
  readonly methods?: PolicyMethods;
  readonly routeGroups?: PolicyRouteGroups;
  readonly operations?: PolicyOperations;
  readonly scopes?: PolicyScopes;
  readonly paths?: PolicyPaths;
  readonly audiences?: PolicyAudiences;
};
export type PolicyCover2 = {
  readonly methods?: PolicyMethods;
  readonly routeGroups?: PolicyRouteGroups;
  readonly operations?: PolicyOperations;
  readonly scopes?: PolicyScopes;
  readonly paths?: PolicyPaths;
  readonly audiences?: PolicyAudiences;
};
export type PolicyCovers = ReadonlyArray<PolicyCover>;
export type PolicyCovers2 = ReadonlyArray<PolicyCover2>;
export type PolicyDelegations = ReadonlyArray<DelegationId>;
export type PolicyDelegators = ReadonlyArray<PrincipalId>;
export type PolicyDifference = {
  readonly at: Instant;
  readonly principalId: PolicyDifferencePrincipal;
  readonly method: PolicyDifferenceMethod;
  readonly operation: PolicyDifferenceOperation | null;
  readonly enforced: number | null;
  readonly enforcedEffect: PolicyOutcome;
  readonly shadowEffect: PolicyOutcome;
  readonly ruleId: PolicyRuleId | null;
};
export type PolicyDifferenceMethod = string;
export type PolicyDifferenceOperation = string;
export type PolicyDifferencePrincipal = string;
export type PolicyDifferences = {
  readonly evaluated: number;
  readonly different: number;
  readonly items: ReadonlyArray<PolicyDifference>;
};
export type PolicyDocument = {
  readonly covers: PolicyCovers;
  readonly rules: PolicyRules;
  readonly labels?: PolicyLabelling;
};
export type PolicyDocument2 = {
  readonly covers: PolicyCovers2;
  readonly rules: PolicyRules2;
  readonly labels?: PolicyLabelling;
};
export type PolicyDrafter = string;
export type PolicyEffect = 'ALLOW' | 'DENY' | 'STEP_UP_REQUIRED';
export type PolicyEnvironment = string;
export type PolicyEnvironments = ReadonlyArray<PolicyEnvironment>;
export type PolicyExcludedEnvironments = ReadonlyArray<PolicyEnvironment>;
export type PolicyExplanation = {
  readonly version: number;
  readonly effect: PolicyEffect;
  readonly ruleId: PolicyRuleId | null;
  readonly cause: PolicyCause;
  readonly requires: PolicyRequirements2;
  readonly needsSignIn: boolean;
  readonly covers: ReadonlyArray<number>;
  readonly rules: ReadonlyArray<PolicyRuleFinding>;
};
export type PolicyFault = { readonly pointer: PolicyFaultPointer; readonly expected: PolicyFaultExpected };
export type PolicyFaultExpected = string;
export type PolicyFaultPointer = string;
export type PolicyFaults = { readonly faults: ReadonlyArray<PolicyFault> };
export type PolicyLabel = string;
export type PolicyLabelled = ReadonlyArray<PrincipalId>;
export type PolicyLabelling = { readonly [name: string]: PolicyLabelled };
export type PolicyLabels = ReadonlyArray<PolicyLabel>;
export type PolicyMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
export type PolicyMethods = ReadonlyArray<PolicyMethod>;
export type PolicyNetwork = string;
export type PolicyNetworks = ReadonlyArray<PolicyNetwork>;
export type PolicyNote = string;
export type PolicyOffAnswer = object;
export type PolicyOperation = string;
export type PolicyOperations = ReadonlyArray<PolicyOperation>;
export type PolicyOutcome = 'ALLOW' | 'DENY' | 'STEP_UP_REQUIRED' | 'SIGN_IN_REQUIRED';
export type PolicyPathPattern = string;
export type PolicyPaths = ReadonlyArray<PolicyPathPattern>;
export type PolicyPrincipalIds = ReadonlyArray<PrincipalId>;
export type PolicyPrincipalTypes = ReadonlyArray<PrincipalType>;
export type PolicyPrincipals = {
  readonly types?: PolicyPrincipalTypes;
  readonly ids?: PolicyPrincipalIds;
  readonly roles?: PolicyRoles;
  readonly labels?: PolicyLabels;
};
export type PolicyPrincipals2 = {
  readonly types?: PolicyPrincipalTypes;
  readonly ids?: PolicyPrincipalIds;
  readonly roles?: PolicyRoles;
  readonly labels?: PolicyLabels;
};
export type PolicyQuestion = { readonly request: DescribedRequest; readonly version?: number };
export type PolicyRequirements = {
  readonly maxAgeSeconds?: number;
  readonly multiFactor?: boolean;
  readonly introspection?: boolean;
};
export type PolicyRequirements2 = {
  readonly maxAgeSeconds?: number;
  readonly multiFactor?: boolean;
  readonly introspection?: boolean;
};
export type PolicyResources = { readonly paths?: PolicyPaths; readonly audiences?: PolicyAudiences };
export type PolicyResources2 = { readonly paths?: PolicyPaths; readonly audiences?: PolicyAudiences };
export type PolicyRoles = ReadonlyArray<Role>;
export type PolicyRouteGroup = string;
export type PolicyRouteGroups = ReadonlyArray<PolicyRouteGroup>;
export type PolicyRule = {
  readonly ruleId: PolicyRuleId;
  readonly effect: PolicyEffect;
  readonly description?: PolicyRuleDescription;
  readonly principal?: PolicyPrincipals;
  readonly action?: PolicyActions;
  readonly resource?: PolicyResources;
  readonly conditions?: PolicyConditions;
  readonly requires?: PolicyRequirements;
};
export type PolicyRule2 = {
  readonly ruleId: PolicyRuleId;
  readonly effect: PolicyEffect;
  readonly description?: PolicyRuleDescription;
  readonly principal?: PolicyPrincipals2;
  readonly action?: PolicyActions2;
  readonly resource?: PolicyResources2;
  readonly conditions?: PolicyConditions2;
  readonly requires?: PolicyRequirements2;
};
export type PolicyRuleDescription = string;
export type PolicyRuleFinding = {
  readonly ruleId: PolicyRuleId;
  readonly effect: PolicyEffect;
  readonly isMatch: boolean;
  readonly unmet: ReadonlyArray<UnmetField>;
};
export type PolicyRuleId = string;
export type PolicyRules = ReadonlyArray<PolicyRule>;
export type PolicyRules2 = ReadonlyArray<PolicyRule2>;
export type PolicyScopes = ReadonlyArray<Scope>;
export type PolicyShadowAnswer = object;
export type PolicyTasks = ReadonlyArray<TaskId>;
export type PolicyText = string;
export type PolicyTimeOfDay = string;
export type PolicyTimeWindow = {
  readonly zone: PolicyTimeZone;
  readonly weekdays?: PolicyWeekdays;
  readonly from?: PolicyTimeOfDay;
  readonly until?: PolicyTimeOfDay;
};
export type PolicyTimeWindow2 = {
  readonly zone: PolicyTimeZone;
  readonly weekdays?: PolicyWeekdays;
  readonly from?: PolicyTimeOfDay;
  readonly until?: PolicyTimeOfDay;
};
export type PolicyTimeZone = string;
export type PolicyTimes = ReadonlyArray<PolicyTimeWindow>;
export type PolicyTimes2 = ReadonlyArray<PolicyTimeWindow2>;
export type PolicyValidation = { readonly document: PolicyText };
export type PolicyVersionAnswer = { readonly version: number };
export type PolicyWeekday = 'MON' | 'TUE' | 'WED' | 'THU' | 'FRI' | 'SAT' | 'SUN';
export type PolicyWeekdays = ReadonlyArray<PolicyWeekday>;
export type PollMessages = { readonly slots: number };
export type PolledMessages = { readonly messages: ToRunnerMessages };
export type Position = string;
export type PostalCode = string;
export type PosterAddress = string;
export type PosterOrigin = 'film' | 'frame' | 'picture';
export type PosterPicture = string;
export type PosterRequestReason = string;
export type PosterRequestState = 'none' | 'pending' | 'refused';
export type PresentPrincipal = { readonly principalId: PrincipalId; readonly connections: number };
export type PresignedVideoPart = { readonly partNumber: number; readonly url: string; readonly expiresAt: Instant };
export type PresignedVideoPartList = ReadonlyArray<PresignedVideoPart>;
export type PresignedVideoParts = { readonly parts: PresignedVideoPartList; readonly partSizeBytes: number };
export type Principal = {
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  readonly tenantId: TenantId;
  readonly status: PrincipalStatus;
  readonly securityEpoch: number;
  readonly createdAt: Instant;
  readonly name: PrincipalName | null;
  readonly login: PrincipalLogin | null;
  readonly roles: PrincipalRoles;
};
export type PrincipalAnswer = { readonly principalId: PrincipalId };
export type PrincipalHistoryItem = {
  readonly eventId: EventId;
  readonly principalId: PrincipalId;
  readonly revision: number;
  readonly type: SecurityEventType;
  readonly at: Instant;
  readonly actor: Actor;
  readonly reason: Reason | null;
  readonly details: { readonly [name: string]: unknown };
};
export type PrincipalId = string;
export type PrincipalId10 = string;
export type PrincipalLabel = string;
export type PrincipalLogin = string;
export type PrincipalName = string;
export type PrincipalRole = 'admin' | 'auditor';
export type PrincipalRoles = ReadonlyArray<PrincipalRole>;
export type PrincipalSearch = string;
export type PrincipalStatus = 'ACTIVE' | 'SUSPENDED' | 'COMPROMISED';
export type PrincipalType = 'HUMAN' | 'PIPELINE' | 'AI_AGENT';
export type PrincipalType10 = string;
export type ProcessName = string;
export type ProcessOwner = string;
export type ProcessState = 'running' | 'catching-up' | 'waiting' | 'stopped' | 'gone';
export type ProcessTitle = string;
export type ProcessWhy = string;
export type ProcessedVideoStatus = 'uploading' | 'processing' | 'ready' | 'failed';
export type ProcessingDetail = string;
export type ProgressDetail = string;
export type Properties = { readonly [name: string]: unknown };
export type PropertyDiff = {
  readonly name: PropertyName;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly omitted?: DiffSides;
};
export type PropertyDiffs = ReadonlyArray<PropertyDiff>;
export type PropertyName = string;
export type PropertyNames = ReadonlyArray<PropertyName>;
export type ProviderId = string;
export type ProviderName = string;
export type Provisioning = 'off' | 'on';
export type PublicKey = {
  readonly kty: KeyType;
  readonly crv?: Curve;
  readonly x?: Coordinate2;
  readonly y?: Coordinate2;
  readonly n?: Modulus2;
  readonly e?: Exponent2;
  readonly kid?: ForeignKeyId;
  readonly alg?: KeyAlgorithm;
  readonly use?: KeyUse;
  readonly 'x5t#S256'?: CertificateThumbprint;
};
export type PullRequest = {
  readonly number: number;
  readonly title: PullRequestTitle;
  readonly draft: boolean;
  readonly labels: PullRequestLabels;
};
export type PullRequestLabel = string;
export type PullRequestLabels = ReadonlyArray<PullRequestLabel>;
export type PullRequestTitle = string;
export type PushedAuthorization = { readonly request_uri: RequestUri; readonly expires_in: number };
export type PushedAuthorizationForm = { readonly [name: string]: unknown };
export type QuestionText = string;
export type Queue = string;
export type QueuedJobId = string;
export type QuotaId = string;
export type QuotaId2 = string;
export type RankExplanation = {
  readonly score: number;
  readonly distance: number;
  readonly text: number;
  readonly text_class: TextClass | null;
  readonly popularity: number;
  readonly rating: number;
  readonly factor: number;
};
export type RateLimitAlgorithm = string;
export type RateLimitDimension = string;
export type RateLimitEnforcer = 'gateway' | 'service';
export type RateLimitMatch = { readonly [name: string]: ReadonlyArray<string> };
export type RateLimitOnStoreError = 'deny' | 'allow' | 'local';
export type RateLimitPolicies = { readonly items: ReadonlyArray<RateLimitPolicy> };
export type RateLimitPolicy = {
  readonly enforcedBy: RateLimitEnforcer;
  readonly version: RateLimitPolicyVersion;
  readonly origin: RateLimitPolicyOrigin;
  readonly file: RateLimitPolicyFile | null;
  readonly rules: ReadonlyArray<RateLimitRule>;
};
export type RateLimitPolicyFile = string;
export type RateLimitPolicyOrigin = 'built-in' | 'variable' | 'file';
export type RateLimitPolicyVersion = string;
export type RateLimitRefusals = {
  readonly id: RefusalId;
  readonly at: Instant;
  readonly enforcedBy: RateLimitEnforcer;
  readonly principalId: RefusedPrincipal | null;
  readonly clientId: RefusedClient | null;
  readonly group: RefusedGroup | null;
  readonly reason: RefusalReason;
  readonly rules: ReadonlyArray<RateLimitRuleName>;
  readonly retryAfterSeconds: number;
  readonly requestId: RefusedRequestId5 | null;
  readonly refusals: number;
};
export type RateLimitRefusalsAbout = 'strangers';
export type RateLimitRefusalsPage = { readonly items: ReadonlyArray<RateLimitRefusals>; readonly next?: RefusalId };
export type RateLimitRule = {
  readonly name: RateLimitRuleName;
  readonly set: RateLimitRuleSet;
  readonly match: RateLimitMatch;
  readonly by: ReadonlyArray<RateLimitDimension>;
  readonly algorithm: RateLimitAlgorithm;
  readonly unit: RateLimitUnit;
  readonly limit: number;
  readonly periodMilliseconds: number | null;
  readonly burst: number | null;
  readonly strictness: RateLimitStrictness;
  readonly onStoreError: RateLimitOnStoreError;
};
export type RateLimitRuleName = string;
export type RateLimitRuleSet = string;
export type RateLimitStrictness = 'hard' | 'soft' | 'watched';
export type RateLimitUnit = string;
export type ReadDirection = 'forwards' | 'backwards';
export type Reason = string;
export type RebuildOutcome = 'running' | 'switched' | 'failed' | 'cut-off';
export type RebuildRequest = { readonly acceptDifferences?: boolean };
export type RebuiltView = string;
export type RecentSample = { readonly series: SeriesName; readonly value: number; readonly merge: SampleMerge };
export type RecentSamples = ReadonlyArray<RecentSample>;
export type RecordOperation = 'create' | 'update';
export type RecordedKeyId = string;
export type RecordedKeyIds = ReadonlyArray<RecordedKeyId>;
export type RecordedUsage = { readonly usedAt: Instant; readonly quotas: UsedQuotas };
export type RecoveredCredential = {
  readonly incidentId: IncidentId;
  readonly reason: ReplacementReason;
  readonly credentialId: CredentialId;
  readonly clientId: OwnClientId;
  readonly clientSecret: ClientSecret;
};
export type RecoveredScopes = ReadonlyArray<Scope>;
export type RecoveryMethod = 'sign-in' | 'attestation' | 'attestation-and-delegation' | 'administrator' | 'break-glass';
export type RedirectUri = string;
export type RedirectUris = ReadonlyArray<RedirectUri>;
export type RefreshBinding = 'dpop' | 'tls';
export type RefreshFamily = {
  readonly family_id: FamilyId;
  readonly grantId: GrantId;
  readonly principalId: PrincipalId;
  readonly clientId: ClientId;
  readonly status: FamilyStatus;
  readonly rotation_counter: number;
  readonly binding: RefreshBinding | null;
  readonly openedAt: Instant;
  readonly lastUsedAt: Instant | null;
  readonly idleSeconds: number;
  readonly expiresAt: Instant;
  readonly endedAt: Instant | null;
  readonly reason: EndReason | null;
  readonly endedBy: EndedBy | null;
  readonly incidentId: IncidentId | null;
};
export type RefusalHint = string;
export type RefusalId = string;
export type RefusalReason = string;
export type RefusedClient = string;
export type RefusedField = string;
export type RefusedGroup = string;
export type RefusedPrincipal = string;
export type RefusedRequest = {
  readonly id: RefusedRequestId;
  readonly at: Instant;
  readonly principalId: RefusedRequestPrincipal | null;
  readonly clientId: RefusedRequestClient | null;
  readonly isProven: boolean;
  readonly method: RefusedRequestMethod;
  readonly route: RefusedRequestRoute;
  readonly status: number;
  readonly code: RefusedRequestCode;
  readonly reason: RefusedRequestReason;
  readonly requestId: RefusedRequestRequestId;
  readonly unlisted: number;
};
export type RefusedRequestClient = string;
export type RefusedRequestCode = string;
export type RefusedRequestId = string;
export type RefusedRequestId5 = string;
export type RefusedRequestMethod = string;
export type RefusedRequestPrincipal = string;
export type RefusedRequestReason = string;
export type RefusedRequestRequestId = string;
export type RefusedRequestRoute = string;
export type RefusedRequestsAbout = 'tenant' | 'strangers';
export type RefusedRequestsPage = { readonly items: ReadonlyArray<RefusedRequest>; readonly next?: RefusedRequestId };
export type RegisterRunner = {
  readonly token: RegistrationToken;
  readonly name: RunnerName;
  readonly labels: RegisteredLabels;
  readonly isolation: Isolation;
  readonly protocol: RunnerProtocol;
};
export type RegisteredLabels = ReadonlyArray<RunnerLabel>;
export type RegisteredRunner = { readonly runnerId: RunnerId; readonly credential: RunnerCredential };
export type RegisteredTenant = { readonly tenantId: TenantId; readonly code: FirstSignInCode };
export type RegistrationPolicy = { readonly audiences: OpenedAudiences; readonly metadataHosts: MetadataHosts };
export type RegistrationPolicyAnswer = object;
export type RegistrationToken = string;
export type ReindexedFileIds = ReadonlyArray<FileId>;
export type ReindexedStageName =
  | 'validation'
  | 'type_detection'
  | 'text_extraction'
  | 'chunking'
  | 'ocr'
  | 'transcription'
  | 'embedding'
  | 'indexing';
export type ReindexingCause = 'pipeline' | 'model';
export type ReindexingReason = string;
export type RemoteRepositoryUrl = string;
export type Reordered = { readonly [name: string]: OrderKey };
export type ReplacementReason = 'SECURITY_RECOVERY';
export type ReportStep = { readonly epoch: number; readonly step: StepReport8 };
export type ReportedVideoLink = string;
export type ReportedVideoTitle = string;
export type RepositoryAnswer = {
  readonly id: RepositoryId;
  readonly org_id: TenantId;
  readonly name: RepositoryName;
  readonly default_branch: BranchName;
  readonly clone_url: RepositoryCloneUrl;
};
export type RepositoryCloneUrl = string;
export type RepositoryEventAnswer = { readonly eventId: TriggerEventId; readonly accepted: boolean };
export type RepositoryEventInput = {
  readonly eventType: RepositoryEventType;
  readonly branch: EventRef;
  readonly commitSha: CommitSha;
  readonly actorId: PrincipalId;
  readonly workflow?: WorkflowFile;
  readonly inputs?: DispatchInputs;
  readonly priority?: number;
  readonly baseBranch?: EventRef;
  readonly activity?: EventActivity;
  readonly beforeSha?: CommitSha;
  readonly pullRequest?: PullRequest;
};
export type RepositoryEventType = 'push' | 'pull_request' | 'tag' | 'workflow_dispatch';
export type RepositoryHost = 'septet' | 'remote';
export type RepositoryId = string;
export type RepositoryInput = { readonly default_branch: BranchName };
export type RepositoryName = string;
export type RepositoryRemoteUrl = string;
export type RequestReference = string;
export type RequestUri = string;
export type RequestedFileReindexing = { readonly due: number; readonly requested: number; readonly running: number };
export type RequestedRecognition = { readonly videoId: VideoId };
export type RequestedScopes = ReadonlyArray<Scope>;
export type RequestedVideoPoster = { readonly videoId: VideoId; readonly posterId: VideoPosterId };
export type RequiredToolScopes = ReadonlyArray<Scope>;
export type RequiredVideoEntitlements = ReadonlyArray<VideoEntitlementKind>;
export type ReservationId = string;
export type ReservedOutcome = 'failed';
export type ResetVideoPoster = { readonly videoId: VideoId };
export type RestoreVersion = { readonly version: number; readonly snapshot?: RestoredSnapshot };
export type RestoreVersionDocumentOperation = {
  readonly opId: OperationId;
  readonly documentId: DocumentId;
  readonly actorId: ActorId;
  readonly clientSeq: number;
  readonly baseVersion: number;
  readonly type: 'restoreVersion';
  readonly targetIds: TargetIds;
  readonly payload: RestoreVersion;
  readonly createdAt: Instant;
  readonly undoGroupId?: UndoGroupId;
  readonly inverseOf?: OperationId;
  readonly atomicGroup?: AtomicGroup;
};
export type RestoredSnapshot = { readonly manifestKey: ManifestKey; readonly checksum: Checksum };
export type RestoredVersion = { readonly committedVersion: number };
export type Retention = ReadonlyArray<number>;
export type RetriedFile = {
  readonly fileId: FileId;
  readonly versionId: FileVersionId;
  readonly stage: IngestionJobStage;
};
export type RetriedJob = { readonly jobId: QueuedJobId };
export type RetrievalAnswer = { readonly results: RetrievalResults; readonly degraded: DegradedSearches };
export type RetrievalFilename = string;
export type RetrievalMatch = 'words' | 'meaning';
export type RetrievalMode = 'hybrid' | 'keyword' | 'semantic';
export type RetrievalQuery = {
  readonly query: RetrievalText;
  readonly scope?: RetrievalScope;
  readonly mode?: RetrievalMode;
  readonly topK?: number;
};
export type RetrievalResult = {
  readonly chunkId: ChunkId;
  readonly fileId: FileId;
  readonly versionId: FileVersionId;
  readonly filename: RetrievalFilename | null;
  readonly score: number;
  readonly snippet: RetrievalSnippet;
  readonly match: RetrievalMatch;
  readonly highlights: SnippetHighlights;
  readonly modality: Modality;
  readonly citation: Citation;
};
export type RetrievalResults = ReadonlyArray<RetrievalResult>;
export type RetrievalScope = { readonly fileIds?: ScopeFiles; readonly folderIds?: ScopeFolders };
export type RetrievalSnippet = string;
export type RetrievalText = string;
export type RetryMode = 'all' | 'failed' | 'job';
export type RetryRun = { readonly mode: RetryMode; readonly jobId?: JobId };
export type RevokedClientSecret = { readonly credentialId: CredentialId };
export type RevokedCredential = { readonly credentialId: CredentialId };
export type RevokedDelegation = { readonly delegationId: DelegationId };
export type RevokedFamily = { readonly familyId: FamilyId };
export type RevokedGrant = { readonly grantId: GrantId };
export type RevokedSubject = string;
export type RevokedThing = {
  readonly reason: Reason;
  readonly token?: RevokedToken;
  readonly jti?: TokenId;
  readonly principalId?: PrincipalId;
  readonly grantId?: GrantId;
  readonly familyId?: FamilyId;
  readonly clientId?: ClientId;
  readonly sessionId?: SessionId;
  readonly kid?: KeyId;
  readonly tenant?: true;
  readonly everyone?: true;
  readonly expiresAt?: Instant;
};
export type RevokedToken = string;
export type Role = 'admin' | 'auditor';
export type Roles = ReadonlyArray<Role>;
export type RotateSigningKeys = { readonly algorithm?: SigningAlgorithm };
export type RsaJwk = {
  readonly kty: 'RSA';
  readonly n: Modulus;
  readonly e: Exponent;
  readonly alg: 'RS256';
  readonly kid: KeyId;
  readonly use: 'sig';
};
export type RuleTest = {
  readonly ruleId: TrustRuleId;
  readonly name: TrustRuleName;
  readonly isAnswer: boolean;
  readonly isOfIssuer: boolean;
  readonly isForAudience: boolean;
  readonly missingScopes: MissingScopes;
  readonly unmet: UnmetConditions;
};
export type RuleTests = ReadonlyArray<RuleTest>;
export type RunAnswer = { readonly runId: RunId };
export type RunId = string;
export type RunRefusal = 'quota_exceeded';
export type RunRowBranch = string;
export type RunRowProblems = ReadonlyArray<DefinitionProblem>;
export type RunRowRef = string;
export type RunRowWorkflowName = string;
export type RunStatus =
  | 'queued'
  | 'waiting_for_runner'
  | 'in_progress'
  | 'canceling'
  | 'canceled'
  | 'success'
  | 'failure'
  | 'timed_out'
  | 'skipped';
export type RunStatusEvent = { readonly type: RunStatusType; readonly runId: RunId; readonly status: RunStatus };
export type RunStatusType = 'run_status';
export type RunTitle = string;
export type RunnerAnswer = { readonly runnerId: RunnerId };
export type RunnerCredential = string;
export type RunnerId = string;
export type RunnerLabel = string;
export type RunnerName = string;
export type RunnerProtocol = string;
export type RunnerRowLabels = ReadonlyArray<RunnerLabel>;
export type RunnerStatus = 'idle' | 'busy' | 'draining' | 'offline';
export type RunnerToken = {
  readonly token: RegistrationToken;
  readonly runnerId: RunnerId;
  readonly expiresAt: Instant;
};
export type RunnerType = 'managed' | 'self_hosted';
export type RuntimeName = string;
export type SampleMerge = 'sum' | 'max';
export type Scope = string;
export type ScopeAudience = string;
export type ScopeDescription = string;
export type ScopeFiles = ReadonlyArray<FileId>;
export type ScopeFolders = ReadonlyArray<FolderId>;
export type ScopeList = string;
export type ScopeMissing = {
  readonly error: OAuthErrorCode;
  readonly error_description: OAuthErrorDescription;
  readonly scope: MissingScope;
};
export type ScopeName = string;
export type ScopeNames = ReadonlyArray<ScopeName>;
export type Scopes = ReadonlyArray<Scope>;
export type SealedActionBody = string;
export type SealedActionQuery = string;
export type SealedActionReason = string;
export type SealedVideoDescription = string;
export type SealedVideoReportText = string;
export type SealedVideoSeriesTitle = string;
export type SealedVideoTitle = string;
export type SearchCursor = string;
export type SearchOrder = 'rank' | 'distance';
export type SearchText = string;
export type SearchWords = string;
export type SearchedArea = {
  readonly lat: number;
  readonly lng: number;
  readonly radius_m?: number;
  readonly bbox?: ReadonlyArray<number>;
};
export type SecurityEvent = {
  readonly eventId: EventId;
  readonly position: Position;
  readonly timestamp: Instant;
  readonly type: SecurityEventType;
  readonly principalId: PrincipalId | null;
  readonly principalType: PrincipalType | null;
  readonly clientId: ClientId | null;
  readonly actor: Actor;
  readonly severity: Severity | null;
  readonly jti: AuthEventTokenId | null;
  readonly result: AuthResult | null;
  readonly summary: Summary;
  readonly details: { readonly [name: string]: unknown };
};
export type SecurityEventActor = string;
export type SecurityEventTokenId = string;
export type SecurityEventType = string;
export type SecurityEventsAbout = 'platform';
export type SecurityKind =
  | 'epoch'
  | 'tenantEpoch'
  | 'globalEpoch'
  | 'jti'
  | 'grant'
  | 'family'
  | 'client'
  | 'key'
  | 'session';
export type SecurityRecovery = {
  readonly incidentId: IncidentId;
  readonly subjectToken: SubjectToken;
  readonly audience: Audience;
  readonly requestedScopes: RecoveredScopes;
  readonly delegationId?: DelegationId;
  readonly taskId?: TaskId;
};
export type SecurityRecoveryAnswer = {
  readonly incidentId: IncidentId;
  readonly principalId: PrincipalId;
  readonly reason: ReplacementReason;
  readonly securityEpoch: number;
  readonly credential: ExchangedToken;
};
export type SecurityState = {
  readonly sequence: Sequence2 | null;
  readonly stalenessMilliseconds: number;
  readonly heartbeatMilliseconds: number;
  readonly changes: ReadonlyArray<SecurityStateChange>;
};
export type SecurityStateChange = {
  readonly sequence: Sequence2;
  readonly kind: SecurityKind;
  readonly tenantId: TenantOrNone;
  readonly subject: RevokedSubject;
  readonly minimum: number;
  readonly at: number;
  readonly until: number;
};
export type SecurityStateId = string;
export type SentenceCitations = ReadonlyArray<number>;
export type Sequence = string;
export type Sequence2 = string;
export type SeriesName = string;
export type Session = {
  readonly sessionId: SessionId;
  readonly principalId: PrincipalId;
  readonly status: SessionStatus;
  readonly openedAt: Instant;
  readonly authenticatedAt: Instant;
  readonly methods: MethodNames;
  readonly upstreamIssuer: UpstreamIssuer | null;
  readonly expiresAt: Instant;
  readonly endedAt: Instant | null;
  readonly reason: EndReason | null;
  readonly endedBy: EndedBy | null;
};
export type SessionId = string;
export type SessionStatus = 'ACTIVE' | 'ENDED';
export type SessionUploadMethod = 'PUT';
export type SetProperties = {
  readonly nodes?: WrittenNodes;
  readonly set?: Properties;
  readonly unset?: PropertyNames;
};
export type SetPropertiesDocumentOperation = {
  readonly opId: OperationId;
  readonly documentId: DocumentId;
  readonly actorId: ActorId;
  readonly clientSeq: number;
  readonly baseVersion: number;
  readonly type: 'setProperties';
  readonly targetIds: TargetIds;
  readonly payload: SetProperties;
  readonly createdAt: Instant;
  readonly undoGroupId?: UndoGroupId;
  readonly inverseOf?: OperationId;
  readonly atomicGroup?: AtomicGroup;
};
export type SettleOutcome = 'settled' | 'settled-before';
export type SettleOutcomeOfOne = 'settled' | 'settled-before' | 'unknown' | 'unavailable';
export type Severity = 'SEV-1' | 'SEV-2' | 'SEV-3';
export type Sha256 = string;
export type SharedVideoDescription = string;
export type SharedVideoLink = string;
export type SharedVideoPlayback = {
  readonly manifestUrl: PlaybackAddress;
  readonly dashUrl: PlaybackAddress;
  readonly licenseUrl: PlaybackAddress | null;
  readonly subtitleTracks: VideoSubtitleTracks;
  readonly nextEpisodeId: VideoId | null;
  readonly variants: VideoVariants;
  readonly thumbnailsUrl: PlaybackAddress | null;
  readonly posterUrl: PlaybackAddress | null;
  readonly playbackProof: PlaybackProof;
  readonly positionSeconds: number;
  readonly durationSeconds: number;
  readonly generation: number;
  readonly title: SharedVideoTitle | null;
  readonly description: SharedVideoDescription | null;
};
export type SharedVideoTitle = string;
export type SharingSecret = string;
export type ShownFilename = string;
export type ShownTokenForm = {
  readonly token: string;
  readonly token_type_hint?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly client_assertion_type?: string;
  readonly client_assertion?: string;
};
export type SignInCode = string;
export type SignInMethods = {
  readonly people: number;
  readonly withPassword: number;
  readonly withPasskey: number;
  readonly isComplete: boolean;
};
export type SignInPolicy = {
  readonly mfa: MfaRule;
  readonly passwords: boolean;
  readonly passkeys: boolean;
  readonly sessionSeconds: number;
  readonly providers: SignInProviders;
  readonly confirmsRemovedMethods?: boolean;
};
export type SignInPolicyAnswer = object;
export type SignInProvider = {
  readonly providerId: ProviderId;
  readonly name: ProviderName;
  readonly issuer: Issuer;
  readonly clientId: UpstreamClientId;
  readonly provisioning: Provisioning;
  readonly domains: Domains;
  readonly mfaContexts?: AuthenticationContexts;
  readonly password?: UpstreamPassword | null;
};
export type SignInProviders = ReadonlyArray<SignInProvider>;
export type SignInRules = {
  readonly mfa: MfaRule;
  readonly passwords: boolean;
  readonly passkeys: boolean;
  readonly sessionSeconds: number;
};
export type SignedDownload = { readonly url: SignedUrl8; readonly headers: SignedHeaders };
export type SignedHeaders = { readonly [name: string]: string };
export type SignedInSession = {
  readonly tenantId: TenantId10;
  readonly principalId: PrincipalId10;
  readonly principalType: PrincipalType10;
  readonly scopes: ReadonlyArray<string>;
  readonly clientId: ClientId10;
  readonly endsAt: Instant;
};
export type SignedUpload = {
  readonly method: UploadMethod;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly expiresAt: Instant;
};
export type SignedUpload8 = { readonly url: SignedUrl8; readonly headers: SignedHeaders; readonly part: number | null };
export type SignedUploads = ReadonlyArray<SignedUpload8>;
export type SignedUrl = string;
export type SignedUrl8 = string;
export type SigningAlgorithm = 'ES256' | 'EdDSA' | 'RS256';
export type SigningKey = {
  readonly kid: KeyId;
  readonly algorithm: SigningAlgorithm;
  readonly keystore: Keystore;
  readonly state: KeyState;
  readonly createdAt: Instant;
  readonly publishedAt: Instant | null;
  readonly activatedAt: Instant | null;
  readonly retiredAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly reason: EndReason | null;
};
export type SigningKeyAnswer = { readonly kid: KeyId };
export type Snapshot = {
  readonly documentId: DocumentId;
  readonly version: number;
  readonly schemaVersion: number;
  readonly compressedSceneKey: CompressedSceneKey;
  readonly checksum: Sha256;
  readonly assetRefs: AssetRefs;
};
export type SnapshotChecksum = string;
export type SnapshotPiece = { readonly key: PieceKey; readonly url?: SignedUrl; readonly base64?: PieceBytes };
export type SnapshotPieces = ReadonlyArray<SnapshotPiece>;
export type SnippetHighlight = { readonly start: number; readonly length: number };
export type SnippetHighlights = ReadonlyArray<SnippetHighlight>;
export type SourceName = string;
export type SourceReservation = { readonly writers: SourceWriters };
export type SourceReservationAnswer = { readonly source: SourceName; readonly writers: SourceWriters };
export type SourceWriters = ReadonlyArray<PrincipalId>;
export type SpeechRecognition = {
  readonly state: SpeechRecognitionState;
  readonly reason: SpeechRecognitionReason | null;
};
export type SpeechRecognitionReason = string;
export type SpeechRecognitionState = 'none' | 'pending' | 'failed' | 'done';
export type StageReason = string;
export type StageSkip = 'not_needed' | 'left_out';
export type StageStatus = 'READY' | 'PROCESSING' | 'PENDING';
export type StartJob = { readonly epoch: number };
export type StateOmitted = string;
export type StatisticsBy = 'day' | 'minute';
export type StatisticsPeriod = {
  readonly startsAt: Instant;
  readonly plays: number;
  readonly viewers: number;
  readonly playbacks: number;
  readonly watchedSeconds: number;
  readonly bufferingEvents: number;
  readonly seeks: number;
};
export type StatisticsPeriods = ReadonlyArray<StatisticsPeriod>;
export type StatisticsSums = {
  readonly plays: number;
  readonly viewers: number;
  readonly playbacks: number;
  readonly watchedSeconds: number;
  readonly bufferingEvents: number;
  readonly seeks: number;
};
export type StatisticsUnit = 'day' | 'minute';
export type StepDetail = string;
export type StepId = string;
export type StepName = string;
export type StepReport = {
  readonly stepId: StepId;
  readonly number: number;
  readonly name: StepName;
  readonly status: StepStatus;
  readonly exitCode: number | null;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
};
export type StepReport8 = {
  readonly stepId: StepId;
  readonly number: number;
  readonly name: StepName;
  readonly status: StepStatus;
  readonly exitCode: number | null;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
};
export type StepResult = 'done' | 'not-needed';
export type StepStatus = 'queued' | 'in_progress' | 'success' | 'failure' | 'canceled' | 'skipped' | 'timed_out';
export type StepStatusEvent = {
  readonly type: StepStatusType;
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly attempt: number;
  readonly step: LogStep;
};
export type StepStatusType = 'step_status';
export type StorageKey = string;
export type StreamId = string;
export type StreamTicket = { readonly ticket: StreamTicketText; readonly expires_at: Instant };
export type StreamTicketText = string;
export type SubjectHash = string;
export type SubjectId = string;
export type SubjectToken = string;
export type SubjectType = 'public';
export type SubjectTypes = ReadonlyArray<SubjectType>;
export type SubtitleLabel = string;
export type SubtitleLanguage = string;
export type Summary = string;
export type SupportedModalities = ReadonlyArray<Modality>;
export type SuspectedReach = 'nothing' | 'token' | 'grant' | 'principal' | 'tenant' | 'platform';
export type SuspiciousViews = { readonly plays: number; readonly watchedSeconds: number; readonly heartbeats: number };
export type TargetIds = ReadonlyArray<NodeId>;
export type TaskId = string;
export type TenantDocumentForCaller = {
  readonly documentId: DocumentId;
  readonly title: Title;
  readonly headVersion: number;
  readonly homeRegion: HomeRegion;
  readonly createdBy: PrincipalId;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly status: DocumentStatus;
  readonly trashedAt: Instant | null;
  readonly role: DocumentRole | null;
};
export type TenantDocumentStatus = 'active' | 'trashed';
export type TenantDocumentsSearch = string;
export type TenantId = string;
export type TenantId10 = string;
export type TenantName = string;
export type TenantOrNone = string;
export type TenantPeople = { readonly items: ReadonlyArray<TenantPerson>; readonly isCut: boolean };
export type TenantPeopleSearch = string;
export type TenantPerson = {
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  readonly name: TenantPersonName | null;
  readonly isActive: boolean;
  readonly mayRead: boolean;
};
export type TenantPersonName = string;
export type TestedCredential = string;
export type TestedScopes = ReadonlyArray<Scope>;
export type TextClass = 'exact' | 'alternative' | 'prefix' | 'tokens' | 'fuzzy';
export type TextDiff = { readonly before?: DiffText; readonly after?: DiffText; readonly omitted?: DiffSides };
export type TextOperation = { readonly update: TextUpdate };
export type TextOperationDocumentOperation = {
  readonly opId: OperationId;
  readonly documentId: DocumentId;
  readonly actorId: ActorId;
  readonly clientSeq: number;
  readonly baseVersion: number;
  readonly type: 'textOperation';
  readonly targetIds: TargetIds;
  readonly payload: TextOperation;
  readonly createdAt: Instant;
  readonly undoGroupId?: UndoGroupId;
  readonly inverseOf?: OperationId;
  readonly atomicGroup?: AtomicGroup;
};
export type TextState = string;
export type TextUpdate = string;
export type TimeZone = string;
export type TimerCursor = string;
export type TimerId = string;
export type TimerInstance = string;
export type TimerKey = string;
export type Title = string;
export type TlsSubject = string;
export type ToRunnerMessages = ReadonlyArray<unknown>;
export type TokenAnswer = {
  readonly access_token: AccessToken;
  readonly token_type: TokenType;
  readonly expires_in: number;
  readonly scope: ScopeList;
  readonly refresh_token?: AccessToken;
  readonly id_token?: AccessToken;
  readonly issued_token_type?: IssuedTokenType;
};
export type TokenExchange = {
  readonly subjectToken: SubjectToken;
  readonly audience: Audience;
  readonly requestedScopes: RequestedScopes;
  readonly delegationId?: DelegationId;
  readonly taskId?: TaskId;
  readonly tool?: ToolName;
};
export type TokenForm = {
  readonly grant_type:
    | 'authorization_code'
    | 'refresh_token'
    | 'client_credentials'
    | 'urn:ietf:params:oauth:grant-type:device_code'
    | 'urn:ietf:params:oauth:grant-type:token-exchange';
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly client_assertion_type?: string;
  readonly client_assertion?: string;
  readonly scope?: string;
  readonly resource?: string;
  readonly audience?: string;
  readonly code?: string;
  readonly code_verifier?: string;
  readonly redirect_uri?: string;
  readonly refresh_token?: string;
  readonly delegation_id?: string;
  readonly task_id?: string;
  readonly tool?: string;
  readonly device_code?: string;
  readonly subject_token?: string;
  readonly subject_token_type?: string;
  readonly requested_token_type?: string;
};
export type TokenId = string;
export type TokenType = 'Bearer' | 'DPoP';
export type TokensRevoked = { readonly sequence: Sequence | null };
export type ToolName = string;
export type ToolPrincipalTypes = ReadonlyArray<PrincipalType>;
export type ToolUses = { readonly [name: string]: number };
export type Transform = ReadonlyArray<number>;
export type TransformNodes = { readonly transforms: Transforms };
export type TransformNodesDocumentOperation = {
  readonly opId: OperationId;
  readonly documentId: DocumentId;
  readonly actorId: ActorId;
  readonly clientSeq: number;
  readonly baseVersion: number;
  readonly type: 'transformNodes';
  readonly targetIds: TargetIds;
  readonly payload: TransformNodes;
  readonly createdAt: Instant;
  readonly undoGroupId?: UndoGroupId;
  readonly inverseOf?: OperationId;
  readonly atomicGroup?: AtomicGroup;
};
export type Transforms = { readonly [name: string]: Transform };
export type TriggerEventId = string;
export type TriggerType = 'push' | 'pull_request' | 'tag' | 'workflow_dispatch' | 'schedule';
export type TrustCondition = {
  readonly attribute: WorkloadAttribute;
  readonly comparison: Comparison;
  readonly value: WorkloadAttributeValue;
};
export type TrustConditions = ReadonlyArray<TrustCondition>;
export type TrustRuleAnswer = { readonly ruleId: TrustRuleId };
export type TrustRuleId = string;
export type TrustRuleName = string;
export type TrustRuleScopes = ReadonlyArray<Scope>;
export type TrustRuleTest = {
  readonly credential: TestedCredential;
  readonly audience: Audience;
  readonly requestedScopes?: TestedScopes;
};
export type TrustRuleTestAnswer = {
  readonly fault: CredentialFault | null;
  readonly expectedAudience: ExpectedAudience;
  readonly issuerId: WorkloadIssuerId | null;
  readonly attributes: AttributesRead;
  readonly rules: RuleTests;
};
export type TrustStatus = 'ACTIVE' | 'ENDED';
export type TrustedIssuer = {
  readonly name: WorkloadIssuerName;
  readonly kind: WorkloadIssuerKind;
  readonly issuer: IssuerIdentifier;
  readonly keysUri?: KeysUri | null;
  readonly keys?: IssuerKeys;
  readonly claims?: ClaimMappings;
};
export type UndoGroupId = string;
export type UnmetCondition = {
  readonly attribute: WorkloadAttribute;
  readonly comparison: Comparison;
  readonly value: WorkloadAttributeValue;
};
export type UnmetConditions = ReadonlyArray<UnmetCondition>;
export type UnmetField = string;
export type UploadMethod = 'PUT';
export type UploadSession = {
  readonly fileId: FileId;
  readonly versionId: FileVersionId;
  readonly uploadUrl: string | null;
  readonly uploadMethod: SessionUploadMethod;
  readonly uploadHeaders: { readonly [name: string]: string };
  readonly expiresAt: Instant;
};
export type UploadedPartEtag = string;
export type UploadedVideoPart = {
  readonly partNumber: number;
  readonly ETag: UploadedPartEtag;
  readonly sizeBytes: number;
};
export type UploadedVideoParts = ReadonlyArray<UploadedVideoPart>;
export type UpstreamClientId = string;
export type UpstreamIssuer = string;
export type UpstreamPassword = string;
export type Usage = {
  readonly quotaId: QuotaId2;
  readonly startsAt: Instant;
  readonly endsAt: Instant;
  readonly hour: Hour;
  readonly used: number;
  readonly usedAt: Instant;
};
export type UsageRecorded = { readonly usedAt: Instant };
export type UsedQuota = {
  readonly quotaId: QuotaId;
  readonly startsAt: Instant;
  readonly endsAt: Instant;
  readonly amount: number;
};
export type UsedQuotas = ReadonlyArray<UsedQuota>;
export type UserCode = string;
export type Userinfo = {
  readonly sub: Word;
  readonly name?: Word;
  readonly preferred_username?: Word;
  readonly email?: Word;
  readonly email_verified?: boolean;
};
export type UserinfoForm = { readonly access_token?: string };
export type VerificationUri = string;
export type Version = string;
export type VersionAuthor = string;
export type VersionDiff = {
  readonly from: number;
  readonly to: number;
  readonly items: ReadonlyArray<NodeDiff>;
  readonly counts: VersionDiffCounts;
  readonly next_cursor: VersionDiffCursor | null;
};
export type VersionDiffCounts = { readonly created: number; readonly deleted: number; readonly changed: number };
export type VersionDiffCursor = string;
export type VersionKind = 'edits' | 'named' | 'restored' | 'before-restore';
export type VersionName = string;
export type VersionNumber = string;
export type Video = {
  readonly videoId: VideoId;
  readonly ownerId: PrincipalId;
  readonly title: SealedVideoTitle | null;
  readonly description: SealedVideoDescription | null;
  readonly status: VideoStatus;
  readonly uploadId: VideoUploadId;
  readonly fileSize: number;
  readonly contentType: VideoContentType;
  readonly uploadExpiresAt: Instant;
  readonly uploadedAt: Instant | null;
  readonly replacedAt: Instant | null;
  readonly generation: number;
  readonly playedGeneration: number;
  readonly durationMilliseconds: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly playableAt: Instant | null;
  readonly failedStage: VideoFailedStage | null;
  readonly failureCode: VideoRowFailureCode | null;
  readonly failureDetail: VideoRowFailure | null;
  readonly views: number;
  readonly plays: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly thumbnailUrl: VideoThumbnailAddress | null;
};
export type VideoAccess = {
  readonly videoId: VideoId;
  readonly ownerId: PrincipalId;
  readonly visibility: VideoVisibility;
  readonly link: SharedVideoLink | null;
  readonly people: VideoPeople;
  readonly requires: RequiredVideoEntitlements;
  readonly protection: VideoProtection;
  readonly generations: VideoGenerationProtections;
  readonly entitlements: VideoEntitlements;
  readonly isComplete: boolean;
};
export type VideoCaptions = {
  readonly videoId: VideoId;
  readonly items: ListedVideoCaptionTracks;
  readonly hasSound: boolean;
  readonly recognition: SpeechRecognition;
};
export type VideoCodec = 'h264' | 'h265' | 'av1';
export type VideoContentType = string;
export type VideoDescription = string;
export type VideoDetails = { readonly title: VideoTitle; readonly description: VideoDescription };
export type VideoEntitlement = {
  readonly entitlementId: VideoEntitlementId;
  readonly kind: VideoEntitlementKind;
  readonly viewerId: PrincipalId;
  readonly videoId: VideoId | null;
  readonly ownerId: PrincipalId;
  readonly beginsAt: Instant;
  readonly endsAt: Instant | null;
};
export type VideoEntitlementId = string;
export type VideoEntitlementKind = 'subscription' | 'purchase' | 'rental';
export type VideoEntitlements = ReadonlyArray<VideoEntitlement>;
export type VideoFailedStage = string;
export type VideoFailure = {
  readonly stage: VideoProcessingStage;
  readonly code: FailedVideoCode;
  readonly detail: FailedVideoDetail;
};
export type VideoGenerationProtection = { readonly generation: number; readonly protection: GenerationProtection };
export type VideoGenerationProtections = ReadonlyArray<VideoGenerationProtection>;
export type VideoGenerationStatus = 'processing' | 'ready' | 'failed';
export type VideoHeartbeat = {
  readonly watchedSeconds: number;
  readonly quality: PlayedQuality;
  readonly bufferingEvents: number;
  readonly seekCount: number;
  readonly playbackProof: PlaybackProof;
  readonly sequence: number;
  readonly positionSeconds: number;
};
export type VideoId = string;
export type VideoLink = string;
export type VideoMatchOverridden = {
  readonly overriddenBy: PrincipalId;
  readonly reason: VideoModerationReason | null;
};
export type VideoMatchOverride = { readonly reason: VideoModerationReason };
export type VideoModerationReason = string;
export type VideoOwnership = 'own' | 'shared' | 'public';
export type VideoPartNumbers = ReadonlyArray<number>;
export type VideoPartsToSign = {
  readonly videoId: VideoId;
  readonly uploadId: VideoUploadId;
  readonly partNumbers: VideoPartNumbers;
};
export type VideoPeople = ReadonlyArray<PrincipalId>;
export type VideoPlayback = {
  readonly manifestUrl: PlaybackAddress;
  readonly dashUrl: PlaybackAddress;
  readonly licenseUrl: PlaybackAddress | null;
  readonly subtitleTracks: VideoSubtitleTracks;
  readonly nextEpisodeId: VideoId | null;
  readonly variants: VideoVariants;
  readonly thumbnailsUrl: PlaybackAddress | null;
  readonly posterUrl: PlaybackAddress | null;
  readonly playbackProof: PlaybackProof;
  readonly positionSeconds: number;
  readonly durationSeconds: number;
  readonly generation: number;
};
export type VideoPoster = {
  readonly videoId: VideoId;
  readonly url: PosterAddress | null;
  readonly origin: PosterOrigin;
  readonly positionSeconds: number | null;
  readonly request: PosterRequestState;
  readonly reason: PosterRequestReason | null;
};
export type VideoPosterId = string;
export type VideoProcessing = {
  readonly videoId: VideoId;
  readonly generation: number;
  readonly codec: VideoCodec;
  readonly generationStatus: VideoGenerationStatus;
  readonly playedGeneration: number;
  readonly status: ProcessedVideoStatus;
  readonly playableAt: Instant | null;
  readonly failure: VideoFailure | null;
  readonly isRetriable: boolean;
  readonly steps: VideoSteps;
  readonly codecs: OfferedVideoCodecs;
  readonly sourceUpload?: VideoSourceUpload;
  readonly matchOverride?: VideoMatchOverridden;
};
export type VideoProcessingStage =
  | 'probe'
  | 'remux'
  | 'transcode'
  | 'audio'
  | 'sprite'
  | 'captions'
  | 'fingerprint'
  | 'publish';
export type VideoProtection = 'none' | 'aes128';
export type VideoRendition = { readonly resolution: VideoResolution; readonly codec: VideoCodec };
export type VideoReport = {
  readonly reportId: VideoReportId;
  readonly videoId: VideoId;
  readonly reporterId: PrincipalId;
  readonly reason: VideoReportReason;
  readonly text: SealedVideoReportText | null;
  readonly state: VideoReportState;
  readonly resolution: VideoModerationReason | null;
  readonly createdAt: Instant;
  readonly resolvedAt: Instant | null;
  readonly title: ReportedVideoTitle | null;
};
export type VideoReportAnswer = { readonly videoId: VideoId; readonly reportId: VideoReportId };
export type VideoReportId = string;
export type VideoReportReason =
  | 'copyright'
  | 'sexual'
  | 'violent'
  | 'hateful'
  | 'harassing'
  | 'misleading'
  | 'personal'
  | 'other';
export type VideoReportResolution = { readonly reason: VideoModerationReason };
export type VideoReportState = 'open' | 'dismissed' | 'upheld';
export type VideoReportText = string;
export type VideoResolution = '360p' | '720p' | '1080p' | '4k';
export type VideoRowFailure = string;
export type VideoRowFailureCode = string;
export type VideoSeries = {
  readonly seriesId: VideoSeriesId;
  readonly ownerId: PrincipalId;
  readonly title: SealedVideoSeriesTitle | null;
  readonly createdAt: Instant;
  readonly videoIds: VideoSeriesEpisodes;
};
export type VideoSeriesEpisodes = ReadonlyArray<VideoId>;
export type VideoSeriesId = string;
export type VideoSeriesName = { readonly title: VideoSeriesTitle };
export type VideoSeriesTitle = string;
export type VideoSort = 'created' | 'title' | 'views' | 'length';
export type VideoSortDirection = 'asc' | 'desc';
export type VideoSource = {
  readonly videoId: VideoId;
  readonly uploadId: VideoUploadId;
  readonly isStored: boolean;
  readonly isRetained: boolean;
  readonly expiresAt: Instant | null;
};
export type VideoSourceRetention = { readonly isRetained: boolean };
export type VideoSourceUpload = {
  readonly uploadId: VideoUploadId;
  readonly fileSize: number;
  readonly expiresAt: Instant;
};
export type VideoStatistics = {
  readonly from: Instant;
  readonly to: Instant;
  readonly by: StatisticsUnit;
  readonly periods: StatisticsPeriods;
  readonly sums: StatisticsSums;
  readonly bufferingEventsPerHour: number;
  readonly retention: Retention;
  readonly suspicious: SuspiciousViews;
};
export type VideoStatus = 'uploading' | 'processing' | 'ready' | 'failed';
export type VideoStep = {
  readonly stage: VideoProcessingStage;
  readonly renditions: VideoStepRenditions;
  readonly state: VideoStepState;
  readonly reason: VideoStepReason | null;
  readonly progressPercent?: number;
};
export type VideoStepReason = string;
export type VideoStepRenditions = ReadonlyArray<VideoRendition>;
export type VideoStepState = 'done' | 'working' | 'waiting' | 'failed';
export type VideoSteps = ReadonlyArray<VideoStep>;
export type VideoSubtitleTrack = {
  readonly language: SubtitleLanguage;
  readonly label: SubtitleLabel;
  readonly url: PlaybackAddress;
  readonly isRecognized: boolean;
};
export type VideoSubtitleTracks = ReadonlyArray<VideoSubtitleTrack>;
export type VideoThumbnailAddress = string;
export type VideoTitle = string;
export type VideoUploadId = string;
export type VideoUploadKey = string;
export type VideoUploadState = 'uploading' | 'completed' | 'aborted' | 'expired';
export type VideoUploadStatus = {
  readonly videoId: VideoId;
  readonly uploadId: VideoUploadId;
  readonly status: VideoUploadState;
  readonly partSizeBytes: number;
  readonly uploaded: UploadedVideoParts;
  readonly missing: MissingVideoParts;
  readonly expiresAt: Instant;
};
export type VideoVariant = {
  readonly resolution: VideoResolution;
  readonly codec: VideoCodec;
  readonly bitrateKbps: number;
  readonly sizeBytes: number;
  readonly manifestUrl: PlaybackAddress;
};
export type VideoVariants = ReadonlyArray<VideoVariant>;
export type VideoVisibility = 'private' | 'tenant' | 'link' | 'public';
export type VideosOfEveryone = 'true';
export type ViewName = string;
export type ViewPhase = string;
export type ViewStore = 'postgres' | 'elastic' | 'redis';
export type ViewWhy = string;
export type WaitingJob = {
  readonly jobId: JobId;
  readonly reason: WaitingReason;
  readonly detail: string;
  readonly position: number;
};
export type WaitingJobs = { readonly jobs: ReadonlyArray<WaitingJob> };
export type WaitingReason =
  | 'dependency'
  | 'concurrency_group'
  | 'no_matching_runner'
  | 'capacity'
  | 'org_limit'
  | 'repo_limit'
  | 'workflow_limit'
  | 'matrix_limit'
  | 'quota_exceeded';
export type WebhookAnswerExcerpt = string;
export type WebhookAttemptFault = 'no-answer' | 'timed-out' | 'address-refused';
export type WebhookDelivery = {
  readonly deliveryId: WebhookDeliveryId;
  readonly endpointId: WebhookEndpointId;
  readonly eventId: WebhookMessageId;
  readonly eventType: DeliveredEventType;
  readonly occurredAt: Instant;
  readonly status: WebhookDeliveryStatus;
  readonly attempts: number;
  readonly statusCode: number | null;
  readonly fault: WebhookAttemptFault | null;
  readonly excerpt: WebhookAnswerExcerpt;
  readonly attemptedAt: Instant | null;
  readonly nextAttemptAt: Instant | null;
  readonly requestedAt: Instant;
};
export type WebhookDeliveryAnswer = { readonly deliveryId: WebhookDeliveryId };
export type WebhookDeliveryAttempt = {
  readonly deliveryId: WebhookDeliveryId;
  readonly attempt: number;
  readonly endpointId: WebhookEndpointId;
  readonly attemptedAt: Instant;
  readonly milliseconds: number;
  readonly statusCode: number | null;
  readonly fault: WebhookAttemptFault | null;
  readonly excerpt: WebhookAnswerExcerpt;
};
export type WebhookDeliveryId = string;
export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'failed' | 'canceled';
export type WebhookDescription = string;
export type WebhookEndpoint = {
  readonly endpointId: WebhookEndpointId;
  readonly url: WebhookUrl;
  readonly eventTypes: WebhookEventTypes;
  readonly description: WebhookDescription;
  readonly disabledReason: EndpointDisabledReason | null;
  readonly failingSince: Instant | null;
  readonly earlierSecretUntil: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};
export type WebhookEndpointAnswer = { readonly endpointId: WebhookEndpointId };
export type WebhookEndpointId = string;
export type WebhookEventType = 'video.uploaded' | 'video.ready' | 'video.failed' | 'security.alert';
export type WebhookEventTypes = ReadonlyArray<WebhookEventType>;
export type WebhookMessageId = string;
export type WebhookSecret = string;
export type WebhookSecretAnswer = { readonly endpointId: WebhookEndpointId; readonly secret: WebhookSecret };
export type WebhookSecretRotation = { readonly overlapSeconds?: number };
export type WebhookSettings = {
  readonly url: WebhookUrl;
  readonly eventTypes: WebhookEventTypes;
  readonly description: WebhookDescription;
};
export type WebhookUrl = string;
export type WeeklyInterval = { readonly day: number; readonly open: OpensAt; readonly close: ClosesAt };
export type WeeklyIntervals = ReadonlyArray<WeeklyInterval>;
export type WhichDocuments = 'all' | 'mine' | 'shared' | 'trashed';
export type WithLinkRole = { readonly role: LinkRole };
export type WithLogin = { readonly login?: LoginName; readonly displayName?: DisplayName; readonly email?: Email };
export type WithReason = { readonly reason: Reason };
export type WithdrawnRoles = { readonly roles: Roles; readonly reason: Reason };
export type WithdrawnScopes = { readonly scopes: Scopes; readonly reason: Reason };
export type Word = string;
export type WordBox = {
  readonly start: number;
  readonly length: number;
  readonly pageNumber: number | null;
  readonly box: Box;
};
export type WorkerName = string;
export type WorkflowArtifact = {
  readonly id: ArtifactId;
  readonly run_id: RunId;
  readonly job_id: JobId;
  readonly attempt: number;
  readonly name: ArtifactName;
  readonly storage_uri: ArtifactPath;
  readonly size_bytes: number;
  readonly checksum: WorkflowChecksum;
  readonly created_at: Instant;
  readonly expires_at: Instant;
};
export type WorkflowChecksum = string;
export type WorkflowFile = string;
export type WorkflowJob = {
  readonly jobId: JobId;
  readonly name: JobRowName;
  readonly status: RunStatus;
  readonly runnerType: RunnerType;
  readonly key: JobRowKey;
  readonly needs: JobRowNeeds;
  readonly attempt: number;
  readonly reason: JobRowReason | null;
  readonly labels: JobRowLabels;
  readonly leaseEpoch: number;
  readonly leaseOwner: RunnerId | null;
  readonly runId: RunId;
  readonly leaseExpiresAt: Instant | null;
  readonly attempts: JobAttempts;
  readonly startedAt?: Instant;
  readonly completedAt?: Instant;
  readonly currentStep?: CurrentStepName;
};
export type WorkflowOrganization = {
  readonly id: TenantId;
  readonly plan: Plan;
  readonly concurrency_limit: number | null;
  readonly minutes_quota: number | null;
  readonly isolation_policy: Isolation;
  readonly revision: number;
};
export type WorkflowRepository = {
  readonly id: RepositoryId;
  readonly org_id: TenantId;
  readonly name: RepositoryName;
  readonly default_branch: BranchName;
  readonly host: RepositoryHost;
  readonly remote_url: RepositoryRemoteUrl | null;
  readonly clone_path: ClonePath;
  readonly created_at: Instant;
};
export type WorkflowRun = {
  readonly runId: RunId;
  readonly repoId: RepositoryId;
  readonly workflowDefinitionId: DefinitionId;
  readonly triggerEventId: TriggerEventId;
  readonly workflowName: RunRowWorkflowName;
  readonly runNumber: number | null;
  readonly title: RunTitle | null;
  readonly path: DefinitionPath;
  readonly yamlHash: WorkflowChecksum;
  readonly definitionVersion: number;
  readonly eventType: TriggerType;
  readonly ref: RunRowRef;
  readonly branch: RunRowBranch;
  readonly commitSha: CommitSha;
  readonly actorId: PrincipalId;
  readonly priority: number;
  readonly status: RunStatus;
  readonly cancelRequested: boolean;
  readonly attempt: number;
  readonly problems: RunRowProblems;
  readonly reason: RunRefusal | null;
  readonly createdAt: Instant;
  readonly jobs: JobSummaries;
  readonly startedAt?: Instant;
  readonly completedAt?: Instant;
};
export type WorkflowRunner = {
  readonly id: RunnerId;
  readonly name: RunnerName;
  readonly type: RunnerType;
  readonly tenant_id: TenantId | null;
  readonly labels: RunnerRowLabels;
  readonly isolation: Isolation;
  readonly status: RunnerStatus;
  readonly current_job_id: JobId | null;
  readonly registered_at: Instant;
  readonly last_heartbeat_at: Instant | null;
};
export type WorkloadAttribute =
  | 'subject'
  | 'repository'
  | 'repositoryId'
  | 'owner'
  | 'ownerId'
  | 'branch'
  | 'tag'
  | 'event'
  | 'workflow'
  | 'environment'
  | 'deployment'
  | 'runner'
  | 'cluster'
  | 'namespace'
  | 'serviceAccount';
export type WorkloadAttributeValue = string;
export type WorkloadIssuerAnswer = { readonly issuerId: WorkloadIssuerId };
export type WorkloadIssuerId = string;
export type WorkloadIssuerKind = 'github' | 'gitlab' | 'kubernetes' | 'spiffe' | 'oidc';
export type WorkloadIssuerName = string;
export type WorkloadSubject = string;
export type Written = { readonly set?: Properties; readonly unset?: PropertyNames };
export type WrittenNodes = { readonly [name: string]: Written };

/** What any request may be refused with before it comes to an operation. */
export type GatewayCode =
  | 'STEP_UP_REQUIRED'
  | 'action-unreadable'
  | 'capability-invalid'
  | 'capability-spent'
  | 'expectation-failed'
  | 'headers-too-many'
  | 'insufficient-user-authentication'
  | 'malformed-request'
  | 'policy-denied'
  | 'request-timeout'
  | 'revocation-state-stale'
  | 'revoked'
  | 'target-too-long'
  | 'token_revoked';

export interface Operations {
  /** Abort the upload of a video */
  readonly abortVideoUpload: Operation<
    'command',
    { readonly videoId: VideoId },
    AbortedVideoUpload,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'upload-completed'
    | 'upload-differs'
    | 'upload-ended'
    | 'upload-incomplete'
    | 'upload-open'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'vault-unavailable'
    | 'video-in-processing'
    | 'video-size-differs'
    | 'video-unknown'
  >;
  /** Accept an invitation to a document */
  readonly acceptDocumentInvitation: Operation<
    'command',
    { readonly documentId: DocumentId; readonly invitationId: InvitationId; readonly body: AcceptedInvitation },
    DocumentAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Add a principal to a group */
  readonly addFileGroupMember: Operation<
    'command',
    { readonly groupId: GroupId; readonly principalId: PrincipalId },
    FileGroupAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Add captions of a language, or replace them */
  readonly addVideoCaptions: Operation<
    'command',
    { readonly videoId: VideoId; readonly language: AddedCaptionLanguage; readonly body: NewVideoCaptions },
    ChangedVideoCaptions,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'body-too-large'
    | 'captions-exist'
    | 'captions-invalid'
    | 'captions-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-playable'
    | 'picture-type-unsupported'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-captions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-open'
    | 'vault-unavailable'
    | 'video-not-ready'
    | 'video-silent'
    | 'video-unknown'
  >;
  /** Add a webhook endpoint */
  readonly addWebhookEndpoint: Operation<
    'command',
    { readonly body: WebhookSettings },
    WebhookSecretAnswer,
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
    | 'too-many-webhook-endpoints'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'webhook-endpoint-unknown'
    | 'webhook-event-types-repeated'
    | 'webhook-url-refused'
  >;
  /** Answer a question from files */
  readonly answerQuestion: Operation<
    'write',
    { readonly body: AnswerQuery },
    GeneratedAnswer,
    | 'body-too-large'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'index-query-refused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-found'
    | 'not-yet-visible'
    | 'point-in-time-expired'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'view-store-unavailable'
  >;
  /** Create, update and remove places, as a feed */
  readonly applyPlaceChanges: Operation<
    'write',
    { readonly body: PlaceChanges },
    PlaceChangeResults,
    | 'body-too-large'
    | 'conflict'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Appoint a new owner of a document whose owners are all inactive */
  readonly appointDocumentOwner: Operation<
    'command',
    { readonly documentId: DocumentId; readonly body: NewOwner },
    DocumentAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Approve one action of an agent */
  readonly approveAction: Operation<
    'command',
    { readonly approvalId: ApprovalId; readonly body: ApproveAction },
    DecidedApproval,
    | 'action-differs'
    | 'agents-only'
    | 'approval-decided'
    | 'approval-differs'
    | 'approval-expired'
    | 'approval-pending'
    | 'approval-unknown'
    | 'approver-involved'
    | 'approver-not-a-person'
    | 'body-too-large'
    | 'capability-invalid'
    | 'capability-spent'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Start a device authorization (RFC 8628) */
  readonly authorizeDevice: Operation<
    'write',
    { readonly body: DeviceAuthorizationForm },
    DeviceAuthorization,
    | 'body-too-large'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
  >;
  /** Test a rule of detection against stored decisions */
  readonly backTestDetectionRule: Operation<
    'write',
    { readonly body: DetectionBackTest },
    BackTestAnswer,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Block the sound of a video */
  readonly blockRecording: Operation<
    'command',
    { readonly body: NewBlockedRecording },
    BlockedRecordingAnswer,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'blob-unknown'
    | 'body-too-large'
    | 'codec-not-protected'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'fingerprint-not-matched'
    | 'fingerprint-unknown'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'recording-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-expired'
    | 'timeout'
    | 'too-many-recordings'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-blocked'
    | 'video-in-processing'
    | 'video-not-failed'
    | 'video-unknown'
  >;
  /** End all tokens, credentials, grants and sessions of a principal */
  readonly bumpSecurityEpoch: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithReason },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Cancel a job. A running one gets a signal, and is killed if it does not end */
  readonly cancelJob: Operation<
    'write',
    { readonly jobId: QueuedJobId },
    CancelledJob,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'job-ended'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Cancel an import */
  readonly cancelPlaceImport: Operation<
    'command',
    { readonly importId: ImportId },
    ImportAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'import-ended'
    | 'import-not-started'
    | 'import-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-reserved'
    | 'timeout'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Cancel a run */
  readonly cancelRun: Operation<
    'command',
    { readonly runId: RunId },
    RunAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'job-not-queued'
    | 'job-unknown'
    | 'no-failed-job'
    | 'revision-differs'
    | 'run-active'
    | 'run-ended'
    | 'run-unknown'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-attempts'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Cancel a run */
  readonly cancelRunByShortPath: Operation<
    'command',
    { readonly runId: RunId },
    RunAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'job-not-queued'
    | 'job-unknown'
    | 'no-failed-job'
    | 'revision-differs'
    | 'run-active'
    | 'run-ended'
    | 'run-unknown'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-attempts'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Replace the name and scopes of an API */
  readonly changeApi: Operation<
    'command',
    { readonly apiId: ApiId; readonly body: ChangedApi },
    ApiAnswer,
    | 'api-audience-invalid'
    | 'api-differs'
    | 'api-exists'
    | 'api-scope-taken'
    | 'api-scopes-invalid'
    | 'api-unknown'
    | 'audience-taken'
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
    | 'too-many-apis'
    | 'too-many-tools'
    | 'tool-scopes-invalid'
    | 'tool-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Replace the metadata of a client */
  readonly changeClient: Operation<
    'command',
    { readonly applicationId: ApplicationId; readonly body: ClientRegistration },
    ClientAnswer,
    | 'body-too-large'
    | 'client-differs'
    | 'client-disabled'
    | 'client-has-no-secrets'
    | 'client-metadata-invalid'
    | 'client-secret-differs'
    | 'client-secret-unknown'
    | 'client-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'first-party-not-held'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-suspended'
    | 'redirect-uri-invalid'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-client-secrets'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Change the default branch of a repository */
  readonly changeDefaultBranch: Operation<
    'command',
    { readonly repoId: RepositoryId; readonly body: RepositoryInput },
    ChangedRepository,
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
    | 'repository-name-taken'
    | 'repository-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Change the role that the link to a document grants, also for members who joined by it. Owners only */
  readonly changeDocumentLinkRole: Operation<
    'command',
    { readonly documentId: DocumentId; readonly body: WithLinkRole },
    DocumentAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Change the role of a member in a document */
  readonly changeDocumentRole: Operation<
    'command',
    { readonly documentId: DocumentId; readonly principalId: PrincipalId; readonly body: NewRole },
    MemberAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Hand a folder over to another owner */
  readonly changeFileFolderOwner: Operation<
    'command',
    { readonly folderId: FolderId; readonly body: NewFolderOwner },
    FolderAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Hand a file over to another owner */
  readonly changeFileOwner: Operation<
    'command',
    { readonly fileId: FileId; readonly body: NewFileOwner },
    FileAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Replace a trust rule */
  readonly changeTrustRule: Operation<
    'command',
    { readonly ruleId: TrustRuleId; readonly body: NewTrustRule },
    TrustRuleAnswer,
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
    | 'principal-compromised'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-trust-rules'
    | 'too-many-workload-issuers'
    | 'trust-rule-differs'
    | 'trust-rule-invalid'
    | 'trust-rule-of-a-person'
    | 'trust-rule-too-wide'
    | 'trust-rule-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'workload-issuer-differs'
    | 'workload-issuer-exists'
    | 'workload-issuer-invalid'
    | 'workload-issuer-unknown'
  >;
  /** Have a video encrypted, or not */
  readonly changeVideoProtection: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: NewVideoProtection },
    ChangedVideo,
    | 'body-too-large'
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Say which entitlements play a video */
  readonly changeVideoRequirement: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: NewVideoRequirement },
    ChangedVideo,
    | 'body-too-large'
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Say which videos a series has, in which order */
  readonly changeVideoSeriesEpisodes: Operation<
    'command',
    { readonly seriesId: VideoSeriesId; readonly body: NewVideoSeriesEpisodes },
    ChangedVideoSeries,
    | 'body-too-large'
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Say who sees a video */
  readonly changeVideoVisibility: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: NewVideoVisibility },
    ChangedVideo,
    | 'body-too-large'
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Change the address, event types and description of a webhook endpoint */
  readonly changeWebhookEndpoint: Operation<
    'command',
    { readonly endpointId: WebhookEndpointId; readonly body: WebhookSettings },
    WebhookEndpointAnswer,
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
    | 'too-many-webhook-endpoints'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'webhook-endpoint-unknown'
    | 'webhook-event-types-repeated'
    | 'webhook-url-refused'
  >;
  /** Replace name, keys and claims of an issuer */
  readonly changeWorkloadIssuer: Operation<
    'command',
    { readonly issuerId: WorkloadIssuerId; readonly body: TrustedIssuer },
    WorkloadIssuerAnswer,
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
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-trust-rules'
    | 'too-many-workload-issuers'
    | 'trust-rule-differs'
    | 'trust-rule-invalid'
    | 'trust-rule-too-wide'
    | 'trust-rule-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'workload-issuer-differs'
    | 'workload-issuer-exists'
    | 'workload-issuer-invalid'
    | 'workload-issuer-unknown'
  >;
  /** Check a request: charges its weight, or reserves it for a later settlement */
  readonly checkRateLimit: Operation<
    'write',
    { readonly body: LimitCheck },
    LimitDecision,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Check up to 100 requests, each by itself */
  readonly checkRateLimits: Operation<
    'write',
    { readonly body: LimitChecks },
    LimitDecisions,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Choose the poster of a video */
  readonly chooseVideoPoster: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: NewVideoPoster },
    RequestedVideoPoster,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'body-too-large'
    | 'captions-exist'
    | 'captions-invalid'
    | 'captions-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-playable'
    | 'picture-type-unsupported'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-captions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-open'
    | 'vault-unavailable'
    | 'video-not-ready'
    | 'video-silent'
    | 'video-unknown'
  >;
  /** Remove the link to a document, and the access of all who joined by it. Owners only */
  readonly closeDocumentLink: Operation<
    'command',
    { readonly documentId: DocumentId },
    DocumentAnswer,
    | 'already-member'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Close an incident without a replacement */
  readonly closeIncident: Operation<
    'command',
    { readonly incidentId: IncidentId; readonly body: WithReason },
    IncidentAnswer,
    | 'authentication-not-fresh'
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'incident-differs'
    | 'incident-not-contained'
    | 'incident-of-another'
    | 'incident-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'revoked-too-often'
    | 'service-unavailable'
    | 'step-out-of-order'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Commit an artifact whose bytes are uploaded */
  readonly commitArtifact: Operation<
    'write',
    { readonly jobId: JobId; readonly artifactId: ArtifactId; readonly body: CommitArtifact },
    undefined,
    | 'artifact-deleted'
    | 'artifact-differs'
    | 'artifact-exists'
    | 'artifact-expired'
    | 'artifact-incomplete'
    | 'artifact-index-unavailable'
    | 'artifact-quota-exceeded'
    | 'artifact-uncommitted'
    | 'artifact-unknown'
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-size-differs'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'blob-unknown'
    | 'body-too-large'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-artifacts'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-part-refused'
    | 'upload-unknown'
  >;
  /** Commit a batch of operations: answered when they are in the log */
  readonly commitOperations: Operation<
    'write',
    { readonly documentId: DocumentId; readonly body: OperationsBatch },
    CommittedOperationsAnswer,
    | 'batch-malformed'
    | 'batch-too-large'
    | 'body-too-large'
    | 'client-id-not-issued'
    | 'client-id-taken'
    | 'client-seq-gap'
    | 'client-too-new'
    | 'client-too-old'
    | 'document-deleted'
    | 'document-trashed'
    | 'document-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Compare two versions of a document */
  readonly compareVersions: Operation<
    'page',
    {
      readonly documentId: DocumentId;
      readonly from: VersionNumber;
      readonly to: VersionNumber;
      readonly limit?: number | undefined;
      readonly cursor?: VersionDiffCursor | undefined;
    },
    VersionDiff,
    | 'document-deleted'
    | 'document-trashed'
    | 'document-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'role-too-low'
    | 'service-unavailable'
    | 'snapshot-damaged'
    | 'snapshots-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
  >;
  /** Complete an upload */
  readonly completeFileVersion: Operation<
    'command',
    { readonly fileId: FileId; readonly versionId: FileVersionId; readonly body: CompletedUpload },
    CompletedVersion,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-incomplete'
    | 'file-size-differs'
    | 'file-too-large'
    | 'file-type-unsupported'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'storage-quota-exceeded'
    | 'timeout'
    | 'too-many-uploads'
    | 'too-many-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'vault-unavailable'
    | 'version-completed'
    | 'version-expired'
    | 'version-unknown'
  >;
  /** Complete the upload of a video */
  readonly completeVideoUpload: Operation<
    'command',
    { readonly body: CompletedVideoParts },
    CompletedVideoUpload,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
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
    | 'upload-completed'
    | 'upload-differs'
    | 'upload-ended'
    | 'upload-incomplete'
    | 'upload-open'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'vault-unavailable'
    | 'video-in-processing'
    | 'video-size-differs'
    | 'video-unknown'
  >;
  /** Set the plan, limits and isolation policy of the caller's organization */
  readonly configureWorkflowOrganization: Operation<
    'command',
    { readonly body: OrganizationInput },
    OrganizationAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'limit-above-plan'
    | 'malformed-body'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Announce an artifact, and sign the requests that upload it */
  readonly createArtifact: Operation<
    'write',
    { readonly jobId: JobId; readonly body: CreateArtifact },
    ArtifactUpload,
    | 'artifact-deleted'
    | 'artifact-differs'
    | 'artifact-exists'
    | 'artifact-expired'
    | 'artifact-incomplete'
    | 'artifact-index-unavailable'
    | 'artifact-quota-exceeded'
    | 'artifact-uncommitted'
    | 'artifact-unknown'
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-size-differs'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'blob-unknown'
    | 'body-too-large'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-artifacts'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-part-refused'
    | 'upload-unknown'
  >;
  /** Let an agent act for the caller in a task */
  readonly createDelegation: Operation<
    'command',
    { readonly body: NewDelegation },
    DelegationAnswer,
    | 'agent-not-active'
    | 'agent-unknown'
    | 'audience-not-held'
    | 'body-too-large'
    | 'conflict'
    | 'delegation-differs'
    | 'delegation-scopes-invalid'
    | 'delegation-too-deep'
    | 'delegation-unknown'
    | 'delegator-signed-out'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-delegations'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Create a document: the caller is its owner */
  readonly createDocument: Operation<
    'command',
    { readonly body: NewDocument },
    DocumentAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Create a folder */
  readonly createFileFolder: Operation<
    'command',
    { readonly body: NewFolder },
    FolderAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Create a group of principals to share files with */
  readonly createFileGroup: Operation<
    'command',
    { readonly body: NewFileGroup },
    FileGroupAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Begin to upload a file */
  readonly createFileUploadSession: Operation<
    'command',
    { readonly body: NewUploadSession },
    UploadSession,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-incomplete'
    | 'file-size-differs'
    | 'file-too-large'
    | 'file-type-unsupported'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'storage-quota-exceeded'
    | 'timeout'
    | 'too-many-uploads'
    | 'too-many-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'vault-unavailable'
    | 'version-completed'
    | 'version-expired'
    | 'version-unknown'
  >;
  /** Begin to upload a new version of a file */
  readonly createFileVersionSession: Operation<
    'command',
    { readonly fileId: FileId; readonly body: NewVersionSession },
    UploadSession,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-incomplete'
    | 'file-size-differs'
    | 'file-too-large'
    | 'file-type-unsupported'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'storage-quota-exceeded'
    | 'timeout'
    | 'too-many-uploads'
    | 'too-many-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'vault-unavailable'
    | 'version-completed'
    | 'version-expired'
    | 'version-unknown'
  >;
  /** Create an import of a file of places */
  readonly createPlaceImport: Operation<
    'command',
    { readonly body: NewImport },
    ImportAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'import-ended'
    | 'import-not-started'
    | 'import-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-reserved'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Create a Git repository: an empty one, or a copy of a remote one */
  readonly createRepository: Operation<
    'command',
    { readonly body: NewRepository },
    RepositoryAnswer,
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
    | 'repository-name-taken'
    | 'repository-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Create a token to register a runner with */
  readonly createRunnerToken: Operation<
    'write',
    Nothing,
    RunnerToken,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Create a series of videos */
  readonly createVideoSeries: Operation<
    'command',
    { readonly body: NewVideoSeries },
    ChangedVideoSeries,
    | 'body-too-large'
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Decline an invitation to a document */
  readonly declineDocumentInvitation: Operation<
    'command',
    { readonly documentId: DocumentId; readonly invitationId: InvitationId },
    DocumentAnswer,
    | 'already-member'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Delete an artifact */
  readonly deleteArtifact: Operation<
    'command',
    { readonly artifactId: ArtifactId },
    DeletedArtifact,
    | 'artifact-deleted'
    | 'artifact-differs'
    | 'artifact-exists'
    | 'artifact-expired'
    | 'artifact-incomplete'
    | 'artifact-index-unavailable'
    | 'artifact-quota-exceeded'
    | 'artifact-uncommitted'
    | 'artifact-unknown'
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-size-differs'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'blob-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-artifacts'
    | 'unauthenticated'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'vault-unavailable'
  >;
  /** Delete a document in the trash permanently: all access ends */
  readonly deleteDocument: Operation<
    'command',
    { readonly documentId: DocumentId },
    DocumentAnswer,
    | 'already-member'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Delete a file for ever */
  readonly deleteFile: Operation<
    'command',
    { readonly fileId: FileId },
    DeletedFile,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Delete a folder for ever, with everything in it */
  readonly deleteFileFolder: Operation<
    'command',
    { readonly folderId: FolderId },
    FolderAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Delete a group */
  readonly deleteFileGroup: Operation<
    'command',
    { readonly groupId: GroupId },
    FileGroupAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Delete a repository with its commits */
  readonly deleteRepository: Operation<
    'command',
    { readonly repoId: RepositoryId },
    DeletedRepository,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'repository-name-taken'
    | 'repository-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Delete a video */
  readonly deleteVideo: Operation<
    'command',
    { readonly videoId: VideoId },
    ChangedVideo,
    | 'codec-not-protected'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'fingerprint-not-matched'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-expired'
    | 'timeout'
    | 'unauthenticated'
    | 'upload-open'
    | 'vault-unavailable'
    | 'video-blocked'
    | 'video-in-processing'
    | 'video-not-failed'
    | 'video-unknown'
  >;
  /** Delete a series */
  readonly deleteVideoSeries: Operation<
    'command',
    { readonly seriesId: VideoSeriesId },
    ChangedVideoSeries,
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Deny an action of an agent, also one that was approved and not done yet */
  readonly denyAction: Operation<
    'command',
    { readonly approvalId: ApprovalId; readonly body: WithReason },
    DecidedApproval,
    | 'action-differs'
    | 'agents-only'
    | 'approval-decided'
    | 'approval-differs'
    | 'approval-expired'
    | 'approval-pending'
    | 'approval-unknown'
    | 'approver-involved'
    | 'approver-not-a-person'
    | 'body-too-large'
    | 'capability-invalid'
    | 'capability-spent'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Change the title and the description of a video */
  readonly describeVideo: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: VideoDetails },
    ChangedVideo,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'body-too-large'
    | 'captions-exist'
    | 'captions-invalid'
    | 'captions-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-playable'
    | 'picture-type-unsupported'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-captions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-open'
    | 'vault-unavailable'
    | 'video-not-ready'
    | 'video-silent'
    | 'video-unknown'
  >;
  /** Disable a client: it gets no tokens, and its existing ones are refused */
  readonly disableClient: Operation<
    'command',
    { readonly applicationId: ApplicationId; readonly body: WithReason },
    ClientAnswer,
    | 'body-too-large'
    | 'client-differs'
    | 'client-disabled'
    | 'client-has-no-secrets'
    | 'client-metadata-invalid'
    | 'client-secret-differs'
    | 'client-secret-unknown'
    | 'client-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'first-party-not-held'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-suspended'
    | 'redirect-uri-invalid'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-client-secrets'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Disable a webhook endpoint */
  readonly disableWebhookEndpoint: Operation<
    'command',
    { readonly endpointId: WebhookEndpointId },
    WebhookEndpointAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-webhook-endpoints'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'webhook-endpoint-unknown'
    | 'webhook-event-types-repeated'
    | 'webhook-url-refused'
  >;
  /** Dismiss the open reports of a video */
  readonly dismissVideoReports: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: VideoReportResolution },
    ChangedVideo,
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
    | 'too-many-reports'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-reported'
    | 'video-unknown'
  >;
  /** Download an artifact */
  readonly downloadArtifact: Operation<
    'query',
    { readonly artifactId: ArtifactId },
    ArtifactAddress,
    | 'artifact-deleted'
    | 'artifact-differs'
    | 'artifact-exists'
    | 'artifact-expired'
    | 'artifact-incomplete'
    | 'artifact-index-unavailable'
    | 'artifact-quota-exceeded'
    | 'artifact-uncommitted'
    | 'artifact-unknown'
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-size-differs'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'blob-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-artifacts'
    | 'unauthenticated'
    | 'upload-part-refused'
    | 'upload-unknown'
  >;
  /** Add a version of the access policy */
  readonly draftAccessPolicy: Operation<
    'command',
    { readonly policyVersion: number; readonly body: NewPolicyVersion },
    PolicyVersionAnswer,
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
    | 'own-policy-access'
    | 'policy-invalid'
    | 'policy-version-exists'
    | 'policy-version-not-next'
    | 'policy-version-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-policy-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Drain a runner: it gets no further jobs */
  readonly drainRunner: Operation<
    'command',
    { readonly runnerId: RunnerId },
    RunnerAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'protocol-unknown'
    | 'registration-used'
    | 'revision-differs'
    | 'runner-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Drop a dead letter permanently */
  readonly dropDeadLetter: Operation<
    'write',
    { readonly jobId: QueuedJobId },
    ChangedJob,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Create a document with the content of another one: the caller is its owner */
  readonly duplicateDocument: Operation<
    'command',
    { readonly documentId: DocumentId; readonly body: Duplicate },
    DocumentAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'snapshot-damaged'
    | 'snapshots-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Enable a client again */
  readonly enableClient: Operation<
    'command',
    { readonly applicationId: ApplicationId; readonly body: WithReason },
    ClientAnswer,
    | 'body-too-large'
    | 'client-differs'
    | 'client-disabled'
    | 'client-has-no-secrets'
    | 'client-metadata-invalid'
    | 'client-secret-differs'
    | 'client-secret-unknown'
    | 'client-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'first-party-not-held'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-suspended'
    | 'redirect-uri-invalid'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-client-secrets'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Enable a webhook endpoint */
  readonly enableWebhookEndpoint: Operation<
    'command',
    { readonly endpointId: WebhookEndpointId },
    WebhookEndpointAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-webhook-endpoints'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'webhook-endpoint-unknown'
    | 'webhook-event-types-repeated'
    | 'webhook-url-refused'
  >;
  /** Stop evaluating the version in shadow */
  readonly endAccessPolicyShadow: Operation<
    'command',
    Nothing,
    PolicyShadowAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'own-policy-access'
    | 'policy-invalid'
    | 'policy-version-exists'
    | 'policy-version-not-next'
    | 'policy-version-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-policy-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** End a session: tokens that follow from it end with it */
  readonly endSession: Operation<
    'write',
    { readonly sessionId: SessionId; readonly body: WithReason },
    EndedSession,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'session-differs'
    | 'session-full'
    | 'session-over'
    | 'session-unknown'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** End all of a person's sessions */
  readonly endSessions: Operation<
    'write',
    { readonly principalId: PrincipalId; readonly body: WithReason },
    EndedSessions,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** End a trust rule */
  readonly endTrustRule: Operation<
    'command',
    { readonly ruleId: TrustRuleId; readonly body: WithReason },
    TrustRuleAnswer,
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
    | 'principal-compromised'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-trust-rules'
    | 'too-many-workload-issuers'
    | 'trust-rule-differs'
    | 'trust-rule-invalid'
    | 'trust-rule-of-a-person'
    | 'trust-rule-too-wide'
    | 'trust-rule-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'workload-issuer-differs'
    | 'workload-issuer-exists'
    | 'workload-issuer-invalid'
    | 'workload-issuer-unknown'
  >;
  /** End the trust in an issuer, and its rules */
  readonly endWorkloadIssuer: Operation<
    'command',
    { readonly issuerId: WorkloadIssuerId; readonly body: WithReason },
    WorkloadIssuerAnswer,
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
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-trust-rules'
    | 'too-many-workload-issuers'
    | 'trust-rule-differs'
    | 'trust-rule-invalid'
    | 'trust-rule-too-wide'
    | 'trust-rule-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'workload-issuer-differs'
    | 'workload-issuer-exists'
    | 'workload-issuer-invalid'
    | 'workload-issuer-unknown'
  >;
  /** Enforce a version of the access policy */
  readonly enforceAccessPolicy: Operation<
    'command',
    { readonly policyVersion: number },
    PolicyVersionAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'own-policy-access'
    | 'policy-invalid'
    | 'policy-version-exists'
    | 'policy-version-not-next'
    | 'policy-version-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-policy-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Send a person through enrolment again: a new link */
  readonly enrolPerson: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithLogin },
    EnrolledPerson,
    | 'already-bootstrapped'
    | 'authenticator-app-missing'
    | 'body-too-large'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'enrolment-spent'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'identifier-taken'
    | 'internal-error'
    | 'invalid-input'
    | 'last-way-in'
    | 'malformed-body'
    | 'no-way-in'
    | 'not-a-person'
    | 'own-authority'
    | 'own-way-in'
    | 'passkey-copied'
    | 'passkey-known'
    | 'passkey-unknown'
    | 'password-weak'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'provider-twice'
    | 'recovery-code-unknown'
    | 'removal-unconfirmed'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'too-many-passkeys'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Exchange the credential of a workload for an access token */
  readonly exchangeToken: Operation<
    'write',
    { readonly body: TokenExchange },
    ExchangedToken,
    | 'body-too-large'
    | 'exchange-refused'
    | 'internal-error'
    | 'invalid-input'
    | 'invalid_dpop_proof'
    | 'invalid_target'
    | 'malformed-body'
    | 'principal_not_active'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
    | 'use_dpop_nonce'
  >;
  /** Explain what a version of the access policy decides about a request */
  readonly explainAccessPolicy: Operation<
    'write',
    { readonly body: PolicyQuestion },
    PolicyExplanation,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'view-store-unavailable'
  >;
  /** Explain why a principal sees a file, or not */
  readonly explainFileAccess: Operation<
    'query',
    { readonly fileId: FileId; readonly principalId: PrincipalId },
    FileAccessExplanation,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Find an event by its id */
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
  /** Get how far one upload of a video is */
  readonly findVideoUploadStatus: Operation<
    'query',
    { readonly videoId: VideoId; readonly uploadId: VideoUploadId },
    VideoUploadStatus,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'upload-unknown'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** Follow the log of a job */
  readonly followJobLog: Operation<
    'stream',
    { readonly jobId: JobId; readonly fromOffset?: number | undefined; readonly attempt?: number | undefined },
    LogEvent,
    | 'chunk-differs'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'log-ended'
    | 'log-expired'
    | 'log-store-unavailable'
    | 'log-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Follow the log as it is written: the tenant’s events, or all for operators of the platform */
  readonly followPlatformLog: Operation<
    'stream',
    { readonly context?: PlatformContext | undefined; readonly type?: PlatformWantedType | undefined },
    PlatformEvent,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Follow security events as they are recorded */
  readonly followSecurityEvents: Operation<
    'stream',
    {
      readonly principalId?: PrincipalId | undefined;
      readonly clientId?: ClientId | undefined;
      readonly actor?: SecurityEventActor | undefined;
      readonly type?: SecurityEventType | undefined;
      readonly severity?: Severity | undefined;
      readonly result?: AuthResult | undefined;
      readonly jti?: SecurityEventTokenId | undefined;
    },
    SecurityEvent,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Follow revocations as they are recorded */
  readonly followSecurityState: Operation<
    'query',
    { readonly after?: SecurityStateId | undefined },
    string,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Erase the personal data of a person */
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
  /** Get the document of a version of the access policy */
  readonly getAccessPolicyVersion: Operation<
    'query',
    { readonly policyVersion: number },
    AccessPolicyVersionDocument,
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
  /** Get the audit record of an approved action that was done */
  readonly getAgentAction: Operation<
    'query',
    { readonly approvalId: ApprovalId },
    AgentAction,
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
  /** Get an alert of detection */
  readonly getAlert: Operation<
    'query',
    { readonly alertId: AlertId },
    KnownAlert,
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
  /** Get an API that tokens are issued for */
  readonly getApi: Operation<
    'query',
    { readonly apiId: ApiId },
    KnownApi,
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
  /** Get a request for approval, or wait until it is decided */
  readonly getApproval: Operation<
    'query',
    { readonly approvalId: ApprovalId; readonly waitSeconds?: number | undefined },
    Approval,
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
  /** Get the authorization server metadata (RFC 8414) */
  readonly getAuthorizationServerMetadata: Operation<
    'query',
    Nothing,
    AuthorizationServerMetadata,
    'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout'
  >;
  /** Get a client */
  readonly getClient: Operation<
    'query',
    { readonly applicationId: ApplicationId },
    Client,
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
  /** Get the credential policy of the tenant */
  readonly getCredentialPolicy: Operation<
    'query',
    Nothing,
    KnownCredentialPolicy,
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
  /** Get a delegation */
  readonly getDelegation: Operation<
    'query',
    { readonly delegationId: DelegationId },
    Delegation,
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
  /** Get a document */
  readonly getDocument: Operation<
    'query',
    { readonly documentId: DocumentId },
    Document,
    | 'document-deleted'
    | 'document-trashed'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Get the newest snapshot of a document: its version and the URLs of its content */
  readonly getDocumentSnapshot: Operation<
    'query',
    { readonly documentId: DocumentId },
    DocumentSnapshotShown,
    | 'document-deleted'
    | 'document-trashed'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Get a place */
  readonly getEntity: Operation<
    'query',
    { readonly entity_id: EntityId },
    Entity,
    | 'forbidden'
    | 'gone'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Get a file */
  readonly getFile: Operation<
    'query',
    { readonly fileId: FileId },
    FileItem,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Get who sees a file, and why */
  readonly getFileAccess: Operation<
    'query',
    { readonly fileId: FileId },
    FileAccess,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Get a chunk of a file with the places of its words */
  readonly getFileChunk: Operation<
    'query',
    { readonly fileId: FileId; readonly chunkId: ChunkId; readonly versionId?: FileVersionId | undefined },
    FileChunk,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-differs'
    | 'blob-key-refused'
    | 'blob-range-unsatisfiable'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-unknown'
    | 'chunk-unknown'
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Get a signed address of the bytes of a file */
  readonly getFileContent: Operation<
    'query',
    { readonly fileId: FileId; readonly versionId?: FileVersionId | undefined },
    FileAddress,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-differs'
    | 'blob-key-refused'
    | 'blob-range-unsatisfiable'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-unknown'
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Get how far the deletion of a file is */
  readonly getFileDeletion: Operation<
    'query',
    { readonly fileId: FileId },
    FileDeletion,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Get a folder with the folders above it */
  readonly getFileFolder: Operation<
    'query',
    { readonly folderId: FolderId },
    FileFolderWithPath,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Get who sees a folder, and why */
  readonly getFileFolderAccess: Operation<
    'query',
    { readonly folderId: FolderId },
    FileAccess,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Get a group with its members */
  readonly getFileGroup: Operation<
    'query',
    { readonly groupId: GroupId },
    FileGroupWithMembers,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'group-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Get the processing of a file, stage by stage */
  readonly getFileStatus: Operation<
    'query',
    { readonly fileId: FileId; readonly versionId?: FileVersionId | undefined },
    FileProcessing,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Get how much storage the files of the tenant use */
  readonly getFileUsage: Operation<
    'query',
    Nothing,
    FileUsage,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Get a grant */
  readonly getGrant: Operation<
    'query',
    { readonly grantId: GrantId },
    Grant,
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
  /** Get an incident with the nine steps of its response */
  readonly getIncident: Operation<
    'query',
    { readonly incidentId: IncidentId },
    Incident,
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
  /** Get a job: state, place in the queue, progress, worker */
  readonly getJob: Operation<
    'query',
    { readonly jobId: QueuedJobId },
    Job,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Get the OpenID provider metadata (OpenID Connect Discovery) */
  readonly getOpenidConfiguration: Operation<
    'query',
    Nothing,
    AuthorizationServerMetadata,
    'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout'
  >;
  /** Get an import of places, and how far it is */
  readonly getPlaceImport: Operation<
    'query',
    { readonly importId: ImportId },
    PlaceImport,
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
  /** Get the health of every process and its dependencies, checked now */
  readonly getPlatformHealth: Operation<
    'query',
    Nothing,
    PlatformHealth,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Get the state of views, processes and queues, and metrics of the last hour or day */
  readonly getPlatformOverview: Operation<
    'query',
    { readonly window?: HistoryWindow | undefined },
    PlatformOverview,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Get an event, with the state of its aggregate before and after it */
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
  /** Get a principal */
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
  /** List the history of a principal, newest first; empty if the principal is unknown */
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
  /** Get a refresh token family */
  readonly getRefreshFamily: Operation<
    'query',
    { readonly familyId: FamilyId },
    RefreshFamily,
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
  /** Get what applications that register themselves may do */
  readonly getRegistrationPolicy: Operation<
    'query',
    Nothing,
    KnownRegistrationPolicy,
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
  /** Get a repository */
  readonly getRepository: Operation<
    'query',
    { readonly repoId: RepositoryId },
    WorkflowRepository,
    | 'forbidden'
    | 'gone'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Get all revocations that still matter */
  readonly getSecurityState: Operation<
    'query',
    Nothing,
    SecurityState,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Get the session of the browser */
  readonly getSession: Operation<
    'query',
    Nothing,
    SignedInSession | undefined,
    'foreign-page' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'session-ended' | 'timeout'
  >;
  /** Get what a player needs to play a public video, or one by its link */
  readonly getSharedVideoPlayback: Operation<
    'query',
    {
      readonly tenantId: TenantId;
      readonly videoId: VideoId;
      readonly link?: VideoLink | undefined;
      readonly region?: PlayerRegion | undefined;
      readonly latencies?: EdgeLatencies | undefined;
      readonly earlierProof?: EarlierPlaybackProof | undefined;
    },
    SharedVideoPlayback,
    | 'delivery-unavailable'
    | 'entitlement-required'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'not-playable'
    | 'service-unavailable'
    | 'timeout'
    | 'video-failed'
    | 'video-recalled'
    | 'video-unknown'
  >;
  /** Count the people of the tenant by their sign-in methods */
  readonly getSignInMethods: Operation<
    'query',
    Nothing,
    SignInMethods,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Get the sign-in policy of the tenant, without secrets of providers */
  readonly getSignInPolicy: Operation<
    'query',
    Nothing,
    KnownSignInPolicy,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Get the public signing keys (JWK set, RFC 7517) */
  readonly getSigningKeys: Operation<
    'query',
    Nothing,
    Jwks,
    'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout'
  >;
  /** Get a document of the tenant, as an administrator */
  readonly getTenantDocument: Operation<
    'query',
    { readonly documentId: DocumentId },
    TenantDocumentForCaller,
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
  /** Get a trust rule */
  readonly getTrustRule: Operation<
    'query',
    { readonly ruleId: TrustRuleId },
    KnownTrustRule,
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
  /** Get claims about the person of a token (UserInfo) */
  readonly getUserinfo: Operation<
    'query',
    Nothing,
    Userinfo,
    'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout'
  >;
  /** Get a video */
  readonly getVideo: Operation<
    'query',
    { readonly videoId: VideoId },
    Video,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** Get who may play a video */
  readonly getVideoAccess: Operation<
    'query',
    { readonly videoId: VideoId; readonly viewerId?: PrincipalId | undefined },
    VideoAccess,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** Get what a player needs to play a video */
  readonly getVideoPlayback: Operation<
    'query',
    {
      readonly videoId: VideoId;
      readonly link?: VideoLink | undefined;
      readonly region?: PlayerRegion | undefined;
      readonly latencies?: EdgeLatencies | undefined;
    },
    VideoPlayback,
    | 'delivery-unavailable'
    | 'entitlement-required'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-playable'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-failed'
    | 'video-recalled'
    | 'video-unknown'
  >;
  /** Get the poster of a video */
  readonly getVideoPoster: Operation<
    'query',
    { readonly videoId: VideoId },
    VideoPoster,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** Get how far the processing of a video is */
  readonly getVideoProcessing: Operation<
    'query',
    { readonly videoId: VideoId },
    VideoProcessing,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** Get until when the source of a video is stored */
  readonly getVideoSource: Operation<
    'query',
    { readonly videoId: VideoId },
    VideoSource,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** Get what was watched of a video */
  readonly getVideoStatistics: Operation<
    'query',
    {
      readonly videoId: VideoId;
      readonly by?: StatisticsBy | undefined;
      readonly from?: Instant | undefined;
      readonly to?: Instant | undefined;
    },
    VideoStatistics,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** Get how far the upload of a video is */
  readonly getVideoUploadStatus: Operation<
    'query',
    { readonly videoId: VideoId },
    VideoUploadStatus,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'upload-unknown'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** Get a webhook endpoint */
  readonly getWebhookEndpoint: Operation<
    'query',
    { readonly endpointId: WebhookEndpointId },
    WebhookEndpoint,
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
  /** Get the plan, limits and isolation policy of the caller's organization */
  readonly getWorkflowOrganization: Operation<
    'query',
    Nothing,
    WorkflowOrganization,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Get a run with its jobs */
  readonly getWorkflowRun: Operation<
    'query',
    { readonly runId: RunId },
    WorkflowRun,
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
  /** Get an issuer of workloads' credentials */
  readonly getWorkloadIssuer: Operation<
    'query',
    { readonly issuerId: WorkloadIssuerId },
    KnownWorkloadIssuer,
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
  /** Revoke a token (RFC 7009) */
  readonly giveTokenBack: Operation<
    'write',
    { readonly body: ShownTokenForm },
    undefined,
    | 'body-too-large'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
  >;
  /** Share a file */
  readonly grantFile: Operation<
    'command',
    { readonly fileId: FileId; readonly body: NewFileGrant },
    FileGrantAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Share a folder with everything in it */
  readonly grantFileFolder: Operation<
    'command',
    { readonly folderId: FolderId; readonly body: NewFileGrant },
    FileGrantAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Grant roles to a person */
  readonly grantRoles: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: GrantedRoles },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Grant scopes to a principal, beyond those of its roles */
  readonly grantScopes: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: GrantedScopes },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Grant a viewer an entitlement */
  readonly grantVideoEntitlement: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: NewVideoEntitlement },
    ChangedVideoEntitlement,
    | 'body-too-large'
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Hand places of one source over to another */
  readonly handOverPlaces: Operation<
    'write',
    { readonly body: PlaceHandover },
    PlaceHandoverResults,
    | 'body-too-large'
    | 'conflict'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Put a file under a legal hold */
  readonly holdFile: Operation<
    'command',
    { readonly fileId: FileId; readonly body: NewFileHold },
    FileAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Initiate the upload of a video */
  readonly initiateVideoUpload: Operation<
    'command',
    { readonly body: NewVideoUpload },
    InitiatedVideoUpload,
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
    | 'storage-quota-exceeded'
    | 'timeout'
    | 'too-many-uploads'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-completed'
    | 'upload-differs'
    | 'upload-ended'
    | 'upload-open'
    | 'vault-unavailable'
    | 'video-in-processing'
    | 'video-too-large'
    | 'video-type-unsupported'
    | 'video-unknown'
  >;
  /** Introspect a token (RFC 7662) */
  readonly introspectToken: Operation<
    'write',
    { readonly body: ShownTokenForm },
    { readonly active: boolean },
    | 'body-too-large'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
  >;
  /** Invite a person to a document */
  readonly inviteToDocument: Operation<
    'command',
    { readonly documentId: DocumentId; readonly body: NewInvitation },
    InvitationAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Get the capability for an approved action */
  readonly issueCapability: Operation<
    'command',
    { readonly approvalId: ApprovalId },
    CapabilityAnswer,
    | 'action-differs'
    | 'agents-only'
    | 'approval-decided'
    | 'approval-differs'
    | 'approval-expired'
    | 'approval-pending'
    | 'approval-unknown'
    | 'approver-involved'
    | 'approver-not-a-person'
    | 'capability-invalid'
    | 'capability-spent'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Get a client id, under which the caller commits operations in this document */
  readonly issueClientId: Operation<
    'write',
    { readonly documentId: DocumentId },
    IssuedClientId,
    | 'document-deleted'
    | 'document-trashed'
    | 'document-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Issue a client secret */
  readonly issueClientSecret: Operation<
    'command',
    { readonly applicationId: ApplicationId; readonly body: NewClientSecret },
    ClientSecretAnswer,
    | 'body-too-large'
    | 'client-differs'
    | 'client-disabled'
    | 'client-has-no-secrets'
    | 'client-metadata-invalid'
    | 'client-secret-differs'
    | 'client-secret-unknown'
    | 'client-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'first-party-not-held'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-suspended'
    | 'redirect-uri-invalid'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-client-secrets'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Issue a credential to a principal */
  readonly issueCredential: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: NewCredential },
    CredentialAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Exchange the access token of this request for a WebSocket ticket */
  readonly issueStreamTicket: Operation<
    'write',
    Nothing,
    StreamTicket,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** Get tokens (token endpoint, RFC 6749) */
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
  /** Label a pipeline or an agent */
  readonly labelPrincipal: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: NewLabel },
    PrincipalAnswer,
    | 'authenticator-app-missing'
    | 'body-too-large'
    | 'conflict'
    | 'enrolment-spent'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'identifier-taken'
    | 'internal-error'
    | 'invalid-input'
    | 'last-way-in'
    | 'malformed-body'
    | 'no-way-in'
    | 'not-a-person'
    | 'own-way-in'
    | 'passkey-copied'
    | 'passkey-known'
    | 'passkey-unknown'
    | 'password-weak'
    | 'principal-unknown'
    | 'provider-twice'
    | 'recovery-code-unknown'
    | 'removal-unconfirmed'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-passkeys'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** List where a version in shadow would have decided otherwise */
  readonly listAccessPolicyDifferences: Operation<
    'query',
    { readonly policyVersion: number },
    PolicyDifferences,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the versions of the access policy, newest first */
  readonly listAccessPolicyVersions: Operation<
    'page',
    { readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    ListAccessPolicyVersionsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List what agents did with the approval of a person, newest request first */
  readonly listAgentActions: Operation<
    'page',
    {
      readonly agentId?: PrincipalId | undefined;
      readonly agentIds?: IdList | undefined;
      readonly initiatorIds?: IdList | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListAgentActionsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List alerts of detection, newest first */
  readonly listAlerts: Operation<
    'page',
    {
      readonly rule?: AlertRule | undefined;
      readonly severity?: Severity | undefined;
      readonly principalId?: PrincipalId | undefined;
      readonly from?: Instant | undefined;
      readonly to?: Instant | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListAlertsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the credentials of all principals, newest first, with revoked ones */
  readonly listAllCredentials: Operation<
    'page',
    {
      readonly credentialId?: CredentialId | undefined;
      readonly credentialIds?: IdList | undefined;
      readonly principalIds?: IdList | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListAllCredentialsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the tools of an API, by name */
  readonly listApiTools: Operation<
    'page',
    {
      readonly apiId: ApiId;
      readonly status?: ApiStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListApiToolsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the APIs that tokens are issued for, newest first */
  readonly listApis: Operation<
    'page',
    {
      readonly status?: ApiStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListApisPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List requests of agents for approval, newest first */
  readonly listApprovals: Operation<
    'page',
    {
      readonly agentId?: PrincipalId | undefined;
      readonly status?: ApprovalStatus | undefined;
      readonly expiresAfter?: Instant | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListApprovalsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List committed artifacts of the run, with signed requests */
  readonly listArtifactsForJob: Operation<
    'query',
    { readonly jobId: JobId; readonly name?: ArtifactName | undefined },
    ArtifactDownloads,
    | 'artifact-deleted'
    | 'artifact-differs'
    | 'artifact-exists'
    | 'artifact-expired'
    | 'artifact-incomplete'
    | 'artifact-index-unavailable'
    | 'artifact-quota-exceeded'
    | 'artifact-uncommitted'
    | 'artifact-unknown'
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-size-differs'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'blob-unknown'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-artifacts'
    | 'unauthenticated'
    | 'upload-part-refused'
    | 'upload-unknown'
  >;
  /** List authorization decisions of gateways, newest first */
  readonly listAuthEvents: Operation<
    'page',
    {
      readonly from?: Instant | undefined;
      readonly to?: Instant | undefined;
      readonly principalId?: AuthEventPrincipal | undefined;
      readonly principalIds?: IdList | undefined;
      readonly result?: AuthResult | undefined;
      readonly reason?: AuthReason | undefined;
      readonly jti?: AuthEventTokenId | undefined;
      readonly about?: AuthEventsAbout | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListAuthEventsPage,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** List the authenticators of a person, oldest first */
  readonly listAuthenticators: Operation<
    'page',
    {
      readonly principalId: PrincipalId;
      readonly kind?: AuthenticatorKind | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListAuthenticatorsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Get the roles of a principal, and its scopes beyond them */
  readonly listAuthority: Operation<
    'page',
    {
      readonly principalId: PrincipalId;
      readonly kind?: AuthorityKind | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListAuthorityPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List blocked recordings */
  readonly listBlockedRecordings: Operation<
    'query',
    Nothing,
    BlockedRecordings,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** List the clients that every tenant has without a registration */
  readonly listBuiltInClients: Operation<
    'query',
    Nothing,
    BuiltInClients,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** List the secrets of a client, newest first, with revoked ones */
  readonly listClientSecrets: Operation<
    'page',
    {
      readonly applicationId: ApplicationId;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListClientSecretsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List clients, newest first */
  readonly listClients: Operation<
    'page',
    {
      readonly status?: ClientStatus | undefined;
      readonly applicationIds?: IdList | undefined;
      readonly search?: ClientsSearch | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListClientsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the credentials of a principal, newest first, with revoked ones */
  readonly listCredentials: Operation<
    'page',
    { readonly principalId: PrincipalId; readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    ListCredentialsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List dead letters: jobs that failed for the last time, newest first */
  readonly listDeadLetters: Operation<
    'page',
    { readonly cursor?: QueuedJobId | undefined; readonly limit?: PageLimit | undefined },
    DeadLetters,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** List delegations, newest first */
  readonly listDelegations: Operation<
    'page',
    {
      readonly delegatorId?: PrincipalId | undefined;
      readonly agentId?: PrincipalId | undefined;
      readonly status?: DelegationStatus | undefined;
      readonly expiresAfter?: Instant | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListDelegationsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the rules of detection with their settings */
  readonly listDetectionRules: Operation<
    'query',
    Nothing,
    DetectionRules,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the workflows of a branch that can be started by hand */
  readonly listDispatchableWorkflows: Operation<
    'query',
    { readonly repoId: RepositoryId; readonly branch?: BranchName | undefined },
    DispatchableWorkflows,
    | 'commit-unknown'
    | 'definition-parser-unavailable'
    | 'forbidden'
    | 'git-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'ref-unknown'
    | 'remote-unavailable'
    | 'repository-missing'
    | 'service-unavailable'
    | 'timeout'
    | 'too-large'
    | 'unauthenticated'
    | 'workflow-not-dispatchable'
    | 'workflow-unknown'
  >;
  /** List invitations to a document, newest first. Owners only */
  readonly listDocumentInvitations: Operation<
    'page',
    {
      readonly documentId: DocumentId;
      readonly status?: InvitationStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListDocumentInvitationsPage,
    | 'document-deleted'
    | 'document-trashed'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the members of a document, earliest first */
  readonly listDocumentMembers: Operation<
    'page',
    {
      readonly documentId: DocumentId;
      readonly role?: DocumentRole | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListDocumentMembersPage,
    | 'document-deleted'
    | 'document-trashed'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List operations committed to a document after a version */
  readonly listDocumentOperations: Operation<
    'query',
    {
      readonly documentId: DocumentId;
      readonly afterVersion: AfterVersion;
      readonly limit?: OperationsLimit | undefined;
    },
    DocumentOperations,
    | 'document-deleted'
    | 'document-trashed'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'history-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Get the names of people that the caller shares documents with */
  readonly listDocumentPeople: Operation<
    'query',
    { readonly principalIds: IdList },
    DocumentPeople,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List who has a document open now, as a member or an administrator of the tenant */
  readonly listDocumentPresence: Operation<
    'query',
    { readonly documentId: DocumentId },
    DocumentPresence,
    | 'document-deleted'
    | 'document-trashed'
    | 'document-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'role-too-low'
    | 'service-unavailable'
    | 'snapshot-damaged'
    | 'snapshots-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
  >;
  /** List the versions of a document, newest first */
  readonly listDocumentVersions: Operation<
    'page',
    {
      readonly documentId: DocumentId;
      readonly kind?: VersionKind | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListDocumentVersionsPage,
    | 'document-deleted'
    | 'document-trashed'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List documents that the caller has a role in */
  readonly listDocuments: Operation<
    'page',
    {
      readonly which?: WhichDocuments | undefined;
      readonly search?: DocumentsSearch | undefined;
      readonly order?: DocumentsOrder | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    DocumentsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List documents that a principal has a role in, latest first */
  readonly listDocumentsOfPrincipal: Operation<
    'page',
    {
      readonly principalId: PrincipalId;
      readonly role?: DocumentRole | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListDocumentsOfPrincipalPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List where principals are expected to run */
  readonly listExpectedRuntimes: Operation<
    'page',
    { readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    ListExpectedRuntimesPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the passages of a file, in its order */
  readonly listFileChunks: Operation<
    'query',
    {
      readonly fileId: FileId;
      readonly around?: ChunkId | undefined;
      readonly versionId?: FileVersionId | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListFileChunksPage,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-differs'
    | 'blob-key-refused'
    | 'blob-range-unsatisfiable'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-unknown'
    | 'chunk-unknown'
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** List deletions of files, the newest first */
  readonly listFileDeletions: Operation<
    'page',
    {
      readonly status?: FileDeletionStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListFileDeletionsPage,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** List folders that the caller may read, by name */
  readonly listFileFolders: Operation<
    'page',
    {
      readonly parentFolderId?: FolderId | undefined;
      readonly top?: FoldersAtTheTop | undefined;
      readonly trashed?: FoldersInTheTrash | undefined;
      readonly withinFolderId?: FolderId | undefined;
      readonly name?: NamePart | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListFileFoldersPage,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** List the groups that files are shared with, by name */
  readonly listFileGroups: Operation<
    'page',
    { readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    ListFileGroupsPage,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** List files and folders whose owner is gone */
  readonly listFileOrphans: Operation<
    'page',
    {
      readonly type?: FileOrphanType | undefined;
      readonly ownerId?: PrincipalId | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListFileOrphansPage,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** Find principals of the tenant to share files with, and get their names */
  readonly listFilePeople: Operation<
    'query',
    { readonly q?: TenantPeopleSearch | undefined; readonly principalIds?: IdList | undefined },
    TenantPeople,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the versions of a file, the newest first */
  readonly listFileVersions: Operation<
    'page',
    { readonly fileId: FileId; readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    ListFileVersionsPage,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** List files that the caller may see */
  readonly listFiles: Operation<
    'page',
    {
      readonly folderId?: FolderId | undefined;
      readonly top?: AtTheTop | undefined;
      readonly withinFolderId?: FolderId | undefined;
      readonly status?: FileStatus | undefined;
      readonly ownership?: FileOwnership | undefined;
      readonly trashed?: FilesInTheTrash | undefined;
      readonly name?: NamePart | undefined;
      readonly sort?: FileSort | undefined;
      readonly direction?: FileSortDirection | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListFilesPage,
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
    | 'view-store-unavailable'
  >;
  /** List grants, newest first */
  readonly listGrants: Operation<
    'page',
    {
      readonly principalId?: PrincipalId | undefined;
      readonly clientId?: ClientId | undefined;
      readonly sessionId?: SessionId | undefined;
      readonly status?: GrantStatus | undefined;
      readonly principalIds?: IdList | undefined;
      readonly clientIds?: IdList | undefined;
      readonly expiresAfter?: Instant | undefined;
      readonly expiresBefore?: Instant | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListGrantsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List incidents, newest first */
  readonly listIncidents: Operation<
    'page',
    {
      readonly severity?: Severity | undefined;
      readonly status?: IncidentStatus | undefined;
      readonly principalId?: PrincipalId | null | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListIncidentsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List jobs of work queues, newest first: the tenant’s, or all for operators of the platform */
  readonly listJobs: Operation<
    'page',
    {
      readonly cursor?: QueuedJobId | undefined;
      readonly limit?: PageLimit | undefined;
      readonly queue?: JobFilter | undefined;
      readonly kind?: JobFilter | undefined;
      readonly state?: JobState | undefined;
    },
    Jobs,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** List changes of a node of a document, latest first */
  readonly listNodeActivity: Operation<
    'page',
    {
      readonly documentId: DocumentId;
      readonly nodeId: ActiveNode;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListNodeActivityPage,
    | 'document-deleted'
    | 'document-trashed'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'not-yet-visible'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List invitations of the caller to documents, newest first */
  readonly listOwnDocumentInvitations: Operation<
    'page',
    {
      readonly status?: InvitationStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    OwnDocumentInvitationsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List what the caller is entitled to play */
  readonly listOwnVideoEntitlements: Operation<
    'query',
    Nothing,
    OwnVideoEntitlements,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** List the caller’s own reports of videos */
  readonly listOwnVideoReports: Operation<
    'page',
    {
      readonly videoId?: VideoId | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListOwnVideoReportsPage,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** List the lines of an import that were refused: the first thousand */
  readonly listPlaceImportRefusals: Operation<
    'page',
    { readonly importId: ImportId; readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    ListPlaceImportRefusalsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List imports of places, newest first */
  readonly listPlaceImports: Operation<
    'page',
    {
      readonly status?: ImportStatus | undefined;
      readonly importIds?: IdList | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListPlaceImportsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the events of a correlation id, as a tree of causes and effects */
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
  /** List the stored types of events, in alphabetical order */
  readonly listPlatformEventTypes: Operation<
    'query',
    Nothing,
    PlatformEventTypes,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** List the log, from its beginning on or from its end back: the tenant’s events, or all for operators */
  readonly listPlatformLog: Operation<
    'page',
    {
      readonly from?: Position | undefined;
      readonly direction?: ReadDirection | undefined;
      readonly limit?: number | undefined;
      readonly context?: PlatformContext | undefined;
      readonly type?: PlatformWantedType | undefined;
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
  /** List processes: position in the log, owner, timers */
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
  /** List work queues with their jobs by state. Dead jobs are listed under `dead-letters` */
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
  /** List the events of a stream, from a revision on or from its end back */
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
  /** List streams by name: those of the tenant, or all for operators of the platform */
  readonly listPlatformStreams: Operation<
    'page',
    {
      readonly prefix?: PlatformPrefix | undefined;
      readonly context?: PlatformSearch | undefined;
      readonly aggregate?: PlatformSearch | undefined;
      readonly search?: PlatformSearch | undefined;
      readonly principalIds?: IdList | undefined;
      readonly order?: PlatformStreamsOrder | undefined;
      readonly direction?: PlatformStreamsDirection | undefined;
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
  /** List timers that have not fired, earliest first: those of the tenant, or all for operators */
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
  /** List read models: position, lag, last rebuild */
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
  /** List the grants of a principal, newest first */
  readonly listPrincipalGrants: Operation<
    'page',
    {
      readonly principalId: PrincipalId;
      readonly clientId?: ClientId | undefined;
      readonly status?: GrantStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListPrincipalGrantsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the sessions of a principal, newest first */
  readonly listPrincipalSessions: Operation<
    'page',
    {
      readonly principalId: PrincipalId;
      readonly status?: SessionStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListPrincipalSessionsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List principals, newest first */
  readonly listPrincipals: Operation<
    'page',
    {
      readonly principalType?: PrincipalType | undefined;
      readonly status?: PrincipalStatus | undefined;
      readonly role?: PrincipalRole | undefined;
      readonly q?: PrincipalSearch | undefined;
      readonly principalIds?: IdList | undefined;
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
  /** List the limits that apply to the tenant: at the gateway, and by this API */
  readonly listRateLimitPolicies: Operation<
    'query',
    Nothing,
    RateLimitPolicies,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** List refusals of the last day, newest first, with identical ones within a second combined */
  readonly listRateLimitRefusals: Operation<
    'page',
    {
      readonly principalId?: RefusedPrincipal | undefined;
      readonly cursor?: RefusalId | undefined;
      readonly limit?: number | undefined;
      readonly about?: RateLimitRefusalsAbout | undefined;
    },
    RateLimitRefusalsPage,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** List refresh token families, newest first */
  readonly listRefreshFamilies: Operation<
    'page',
    {
      readonly principalId?: PrincipalId | undefined;
      readonly grantId?: GrantId | undefined;
      readonly status?: FamilyStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListRefreshFamiliesPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List requests that were refused in the last day, newest first */
  readonly listRefusedRequests: Operation<
    'page',
    {
      readonly requestId?: RefusedRequestRequestId | undefined;
      readonly principalIds?: IdList | undefined;
      readonly clientIds?: IdList | undefined;
      readonly code?: RefusedRequestCode | undefined;
      readonly about?: RefusedRequestsAbout | undefined;
      readonly cursor?: RefusedRequestId | undefined;
      readonly limit?: number | undefined;
    },
    RefusedRequestsPage,
    'forbidden' | 'internal-error' | 'invalid-input' | 'service-unavailable' | 'timeout' | 'unauthenticated'
  >;
  /** List repositories by name */
  readonly listRepositories: Operation<
    'page',
    {
      readonly repositoryIds?: IdList | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListRepositoriesPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the runners of the organization or of the installation, newest first */
  readonly listRunners: Operation<
    'page',
    {
      readonly type?: RunnerType | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListRunnersPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the scopes of all contexts and of registered APIs, with what each allows */
  readonly listScopes: Operation<
    'query',
    Nothing,
    KnownScopes,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List security events, newest first */
  readonly listSecurityEvents: Operation<
    'page',
    {
      readonly principalId?: PrincipalId | undefined;
      readonly clientId?: ClientId | undefined;
      readonly actor?: SecurityEventActor | undefined;
      readonly principalIds?: IdList | undefined;
      readonly clientIds?: IdList | undefined;
      readonly actors?: IdList | undefined;
      readonly type?: SecurityEventType | undefined;
      readonly severity?: Severity | undefined;
      readonly result?: AuthResult | undefined;
      readonly jti?: SecurityEventTokenId | undefined;
      readonly from?: Instant | undefined;
      readonly to?: Instant | undefined;
      readonly about?: SecurityEventsAbout | undefined;
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
  /** List sessions, newest first */
  readonly listSessions: Operation<
    'page',
    {
      readonly principalId?: PrincipalId | undefined;
      readonly sessionId?: SessionId | undefined;
      readonly status?: SessionStatus | undefined;
      readonly principalIds?: IdList | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListSessionsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List signing keys, newest first; for operators of the platform */
  readonly listSigningKeys: Operation<
    'page',
    {
      readonly state?: KeyState | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListSigningKeysPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the members of a document of the tenant, earliest first, as an administrator */
  readonly listTenantDocumentMembers: Operation<
    'page',
    {
      readonly documentId: DocumentId;
      readonly role?: DocumentRole | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListTenantDocumentMembersPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the versions of a document of the tenant, newest first, as an administrator */
  readonly listTenantDocumentVersions: Operation<
    'page',
    {
      readonly documentId: DocumentId;
      readonly kind?: VersionKind | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListTenantDocumentVersionsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the documents of the tenant that are not deleted, latest changed first */
  readonly listTenantDocuments: Operation<
    'page',
    {
      readonly search?: TenantDocumentsSearch | undefined;
      readonly status?: TenantDocumentStatus | undefined;
      readonly documentIds?: IdList | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListTenantDocumentsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List trust rules, newest first */
  readonly listTrustRules: Operation<
    'page',
    {
      readonly status?: TrustStatus | undefined;
      readonly issuerId?: WorkloadIssuerId | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListTrustRulesPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List usage of quotas by the hour, newest first. Sum the hours of a period for its total */
  readonly listUsage: Operation<
    'page',
    {
      readonly quotaId?: QuotaId2 | undefined;
      readonly startsAt?: Instant | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListUsagePage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the captions of a video */
  readonly listVideoCaptions: Operation<
    'query',
    { readonly videoId: VideoId },
    VideoCaptions,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** Find principals of the tenant to share videos with, and get their names */
  readonly listVideoPeople: Operation<
    'query',
    { readonly q?: TenantPeopleSearch | undefined; readonly principalIds?: IdList | undefined },
    TenantPeople,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List reports of videos */
  readonly listVideoReports: Operation<
    'page',
    {
      readonly state?: VideoReportState | undefined;
      readonly videoId?: VideoId | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListVideoReportsPage,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** List series of videos */
  readonly listVideoSeries: Operation<
    'page',
    {
      readonly ownerId?: PrincipalId | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListVideoSeriesPage,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** List videos */
  readonly listVideos: Operation<
    'page',
    {
      readonly status?: VideoStatus | undefined;
      readonly ownership?: VideoOwnership | undefined;
      readonly ownerId?: PrincipalId | undefined;
      readonly all?: VideosOfEveryone | undefined;
      readonly title?: NamePart | undefined;
      readonly sort?: VideoSort | undefined;
      readonly direction?: VideoSortDirection | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListVideosPage,
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'video-unknown'
    | 'view-store-unavailable'
  >;
  /** See why jobs of a run wait */
  readonly listWaitingJobs: Operation<
    'query',
    { readonly runId: RunId },
    WaitingJobs,
    | 'concurrency-groups-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'job-claims-unavailable'
    | 'run-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** List the attempts of a delivery, newest first */
  readonly listWebhookAttempts: Operation<
    'page',
    {
      readonly endpointId: WebhookEndpointId;
      readonly deliveryId: WebhookDeliveryId;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListWebhookAttemptsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List deliveries to a webhook endpoint, newest first */
  readonly listWebhookDeliveries: Operation<
    'page',
    {
      readonly endpointId: WebhookEndpointId;
      readonly status?: WebhookDeliveryStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListWebhookDeliveriesPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List webhook endpoints, newest first */
  readonly listWebhookEndpoints: Operation<
    'page',
    { readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    ListWebhookEndpointsPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** List the artifacts of a run by name */
  readonly listWorkflowArtifacts: Operation<
    'page',
    { readonly runId: RunId; readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    ListWorkflowArtifactsPage,
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
  /** List the jobs of a run, with every attempt and its steps */
  readonly listWorkflowJobs: Operation<
    'page',
    { readonly runId: RunId; readonly limit?: number | undefined; readonly cursor?: Cursor | undefined },
    ListWorkflowJobsPage,
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
  /** List the runs of a repository, newest first */
  readonly listWorkflowRuns: Operation<
    'page',
    {
      readonly repoId: RepositoryId;
      readonly branch?: BranchFilter | undefined;
      readonly status?: RunStatus | undefined;
      readonly event?: TriggerType | undefined;
      readonly actor?: PrincipalId | undefined;
      readonly actors?: IdList | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListWorkflowRunsPage,
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
  /** List the trusted issuers of workloads' credentials, newest first */
  readonly listWorkloadIssuers: Operation<
    'page',
    {
      readonly status?: TrustStatus | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: Cursor | undefined;
    },
    ListWorkloadIssuersPage,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Let workloads act as a principal */
  readonly makeTrustRule: Operation<
    'command',
    { readonly body: NewTrustRule },
    TrustRuleAnswer,
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
    | 'principal-compromised'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-trust-rules'
    | 'too-many-workload-issuers'
    | 'trust-rule-differs'
    | 'trust-rule-invalid'
    | 'trust-rule-of-a-person'
    | 'trust-rule-too-wide'
    | 'trust-rule-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'workload-issuer-differs'
    | 'workload-issuer-exists'
    | 'workload-issuer-invalid'
    | 'workload-issuer-unknown'
  >;
  /** Mark a principal as compromised: all of its tokens and credentials are refused at once */
  readonly markPrincipalCompromised: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithReason },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Move a file to another folder */
  readonly moveFile: Operation<
    'command',
    { readonly fileId: FileId; readonly body: NewFileFolder },
    FileAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Move a folder with everything in it */
  readonly moveFileFolder: Operation<
    'command',
    { readonly folderId: FolderId; readonly body: NewParentFolder },
    FolderAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Name or rename a version of a document */
  readonly nameDocumentVersion: Operation<
    'command',
    { readonly documentId: DocumentId; readonly version: number; readonly body: NewVersionName },
    DocumentAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Join a document by its link */
  readonly openDocumentLink: Operation<
    'command',
    { readonly documentId: DocumentId; readonly body: OpenedLink },
    DocumentAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Open an incident, which ends what is suspected to be in wrong hands */
  readonly openIncident: Operation<
    'command',
    { readonly body: NewIncident },
    IncidentAnswer,
    | 'already-bootstrapped'
    | 'authentication-not-fresh'
    | 'body-too-large'
    | 'client-unknown'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'family-unknown'
    | 'forbidden'
    | 'grant-differs'
    | 'grant-unknown'
    | 'idempotency-key-reused'
    | 'incident-differs'
    | 'incident-not-contained'
    | 'incident-of-another'
    | 'incident-unknown'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'revoked-too-often'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'session-unknown'
    | 'step-out-of-order'
    | 'tenant-scope-missing'
    | 'timeout'
    | 'token-unknown'
    | 'too-many-credentials'
    | 'too-many-denials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Get a document as it was at a version */
  readonly openVersion: Operation<
    'query',
    { readonly documentId: DocumentId; readonly version: VersionNumber },
    OpenedVersion,
    | 'document-deleted'
    | 'document-trashed'
    | 'document-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'role-too-low'
    | 'service-unavailable'
    | 'snapshot-damaged'
    | 'snapshots-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
  >;
  /** Let a video through whose sound matches a protected work */
  readonly overrideVideoMatch: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: VideoMatchOverride },
    ChangedVideo,
    | 'body-too-large'
    | 'codec-not-protected'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'fingerprint-not-matched'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-expired'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-blocked'
    | 'video-in-processing'
    | 'video-not-failed'
    | 'video-unknown'
  >;
  /** Peek at the decision that a request would get: charges nothing */
  readonly peekRateLimit: Operation<
    'write',
    { readonly body: LimitPeek },
    LimitDecision,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Peek at the decisions that up to 100 requests would get: charges nothing */
  readonly peekRateLimits: Operation<
    'write',
    { readonly body: LimitPeeks },
    LimitDecisions,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Wait for jobs without a WebSocket */
  readonly pollJobs: Operation<
    'write',
    { readonly body: PollMessages },
    PolledMessages,
    | 'body-too-large'
    | 'chunk-damaged'
    | 'chunk-differs'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'job-claims-unavailable'
    | 'job-not-queued'
    | 'job-unknown'
    | 'log-ended'
    | 'log-expired'
    | 'log-store-unavailable'
    | 'log-too-large'
    | 'log-unknown'
    | 'malformed-body'
    | 'no-failed-job'
    | 'run-active'
    | 'run-ended'
    | 'run-unknown'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-attempts'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Get claims about the person of a token (UserInfo) */
  readonly postUserinfo: Operation<
    'write',
    { readonly body: UserinfoForm },
    Userinfo,
    | 'body-too-large'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
  >;
  /** Sign requests that upload parts of a video */
  readonly presignVideoParts: Operation<
    'write',
    { readonly body: VideoPartsToSign },
    PresignedVideoParts,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'body-too-large'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-completed'
    | 'upload-differs'
    | 'upload-ended'
    | 'upload-incomplete'
    | 'upload-open'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'video-in-processing'
    | 'video-size-differs'
    | 'video-unknown'
  >;
  /** Push an authorization request (RFC 9126) */
  readonly pushAuthorizationRequest: Operation<
    'write',
    { readonly body: PushedAuthorizationForm },
    PushedAuthorization,
    | 'body-too-large'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
  >;
  /** Reactivate a suspended principal; its earlier credentials stay revoked */
  readonly reactivatePrincipal: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithReason },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Read a page of the log of a job */
  readonly readJobLog: Operation<
    'query',
    {
      readonly jobId: JobId;
      readonly fromOffset?: number | undefined;
      readonly attempt?: number | undefined;
      readonly beforeOffset?: number | 'end' | undefined;
      readonly format?: LogFormat | undefined;
    },
    JobLogPage,
    | 'chunk-differs'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'log-ended'
    | 'log-expired'
    | 'log-store-unavailable'
    | 'log-unknown'
    | 'range-not-satisfiable'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Rebuild a view from the log, beside the live one */
  readonly rebuildView: Operation<
    'write',
    { readonly view: RebuiltView; readonly body: RebuildRequest },
    BegunRebuild,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'view-building'
    | 'view-off'
  >;
  /** Destroy the keys of a protected video */
  readonly recallVideo: Operation<
    'command',
    { readonly videoId: VideoId },
    ChangedVideo,
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Report an event of a repository, which starts the workflows that it triggers */
  readonly receiveRepositoryEvent: Operation<
    'command',
    { readonly repoId: RepositoryId; readonly body: RepositoryEventInput },
    RepositoryEventAnswer,
    | 'body-too-large'
    | 'commit-unknown'
    | 'conflict'
    | 'definition-parser-unavailable'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'git-unavailable'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-found'
    | 'ref-unknown'
    | 'remote-unavailable'
    | 'repository-missing'
    | 'service-unavailable'
    | 'timeout'
    | 'too-large'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'workflow-not-dispatchable'
    | 'workflow-unknown'
  >;
  /** Recognize the speech of a video as captions */
  readonly recognizeVideoSpeech: Operation<
    'command',
    { readonly videoId: VideoId },
    RequestedRecognition,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'captions-exist'
    | 'captions-invalid'
    | 'captions-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'not-playable'
    | 'picture-type-unsupported'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-captions'
    | 'unauthenticated'
    | 'upload-open'
    | 'vault-unavailable'
    | 'video-not-ready'
    | 'video-silent'
    | 'video-unknown'
  >;
  /** Report what was watched */
  readonly recordHeartbeat: Operation<
    'write',
    { readonly videoId: VideoId; readonly body: VideoHeartbeat },
    HeartbeatReceived,
    | 'body-too-large'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'heartbeat-repeated'
    | 'heartbeats-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'playback-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'video-unknown'
  >;
  /** Report what was watched without sign-in */
  readonly recordSharedHeartbeat: Operation<
    'write',
    { readonly tenantId: TenantId; readonly videoId: VideoId; readonly body: VideoHeartbeat },
    HeartbeatReceived,
    | 'body-too-large'
    | 'event-store-unavailable'
    | 'heartbeat-repeated'
    | 'heartbeats-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'playback-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
    | 'video-unknown'
  >;
  /** Record usage of quotas */
  readonly recordUsage: Operation<
    'command',
    { readonly body: RecordedUsage },
    UsageRecorded,
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
    | 'period-ends-early'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-quotas'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'usage-out-of-range'
    | 'vault-unavailable'
  >;
  /** Recover from an incident by a fresh attestation */
  readonly recoverFromIncident: Operation<
    'write',
    { readonly body: SecurityRecovery },
    SecurityRecoveryAnswer,
    | 'body-too-large'
    | 'exchange-refused'
    | 'internal-error'
    | 'invalid-input'
    | 'invalid_dpop_proof'
    | 'invalid_target'
    | 'malformed-body'
    | 'principal_not_active'
    | 'recovery-refused'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
    | 'use_dpop_nonce'
  >;
  /** Recover a pipeline or agent from an incident, and issue its new secret */
  readonly recoverPrincipal: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: AdministratorRecovery },
    RecoveredCredential,
    | 'already-bootstrapped'
    | 'authentication-not-fresh'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'family-differs'
    | 'family-expired'
    | 'family-over'
    | 'family-unknown'
    | 'forbidden'
    | 'grant-differs'
    | 'grant-unknown'
    | 'idempotency-key-reused'
    | 'incident-differs'
    | 'incident-not-contained'
    | 'incident-of-another'
    | 'incident-recovered'
    | 'incident-unknown'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'recovers-by-sign-in'
    | 'refresh-token-held-by-another'
    | 'refresh-token-unknown'
    | 'revision-differs'
    | 'revoked-too-often'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'step-out-of-order'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Deliver an event again */
  readonly redeliverWebhook: Operation<
    'command',
    { readonly endpointId: WebhookEndpointId; readonly deliveryId: WebhookDeliveryId },
    WebhookDeliveryAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'webhook-delivery-pending'
    | 'webhook-delivery-unknown'
    | 'webhook-endpoint-unknown'
  >;
  /** Register an API that tokens are issued for */
  readonly registerApi: Operation<
    'command',
    { readonly body: NewApi },
    ApiAnswer,
    | 'api-audience-invalid'
    | 'api-differs'
    | 'api-exists'
    | 'api-scope-taken'
    | 'api-scopes-invalid'
    | 'api-unknown'
    | 'audience-taken'
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
    | 'too-many-apis'
    | 'too-many-tools'
    | 'tool-scopes-invalid'
    | 'tool-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Register a client (application) */
  readonly registerClient: Operation<
    'command',
    { readonly body: ClientRegistration },
    ClientAnswer,
    | 'body-too-large'
    | 'client-differs'
    | 'client-disabled'
    | 'client-has-no-secrets'
    | 'client-metadata-invalid'
    | 'client-secret-differs'
    | 'client-secret-unknown'
    | 'client-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'first-party-not-held'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-compromised'
    | 'principal-suspended'
    | 'redirect-uri-invalid'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-client-secrets'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Register a person who will sign in */
  readonly registerPerson: Operation<
    'command',
    { readonly body: NewPerson },
    EnrolledPerson,
    | 'already-bootstrapped'
    | 'authenticator-app-missing'
    | 'body-too-large'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'enrolment-spent'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'identifier-taken'
    | 'internal-error'
    | 'invalid-input'
    | 'last-way-in'
    | 'malformed-body'
    | 'no-way-in'
    | 'not-a-person'
    | 'own-authority'
    | 'own-way-in'
    | 'passkey-copied'
    | 'passkey-known'
    | 'passkey-unknown'
    | 'password-weak'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'provider-twice'
    | 'recovery-code-unknown'
    | 'removal-unconfirmed'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'too-many-passkeys'
    | 'trust-rule-of-a-person'
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
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Register a runner */
  readonly registerRunner: Operation<
    'write',
    { readonly body: RegisterRunner },
    RegisteredRunner,
    | 'body-too-large'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'protocol-unknown'
    | 'registration-used'
    | 'runner-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Register a tenant, with a code for its first administrator */
  readonly registerTenant: Operation<
    'command',
    { readonly body: NewTenant },
    RegisteredTenant,
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
    | 'tenant-exists'
    | 'tenant-reserved'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Process files again that an older pipeline or another embedding model processed */
  readonly reindexFiles: Operation<
    'write',
    { readonly body: FileReindexing },
    RequestedFileReindexing,
    | 'body-too-large'
    | 'conflict'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Lift the legal hold of a file */
  readonly releaseFile: Operation<
    'command',
    { readonly fileId: FileId },
    FileAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Remove an API with its tools: no more tokens are issued for it */
  readonly removeApi: Operation<
    'command',
    { readonly apiId: ApiId; readonly body: WithReason },
    ApiAnswer,
    | 'api-audience-invalid'
    | 'api-differs'
    | 'api-exists'
    | 'api-scope-taken'
    | 'api-scopes-invalid'
    | 'api-unknown'
    | 'audience-taken'
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
    | 'too-many-apis'
    | 'too-many-tools'
    | 'tool-scopes-invalid'
    | 'tool-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Remove a tool of an API */
  readonly removeApiTool: Operation<
    'command',
    { readonly apiId: ApiId; readonly tool: ToolName; readonly body: WithReason },
    ApiToolAnswer,
    | 'api-audience-invalid'
    | 'api-differs'
    | 'api-exists'
    | 'api-scope-taken'
    | 'api-scopes-invalid'
    | 'api-unknown'
    | 'audience-taken'
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
    | 'too-many-apis'
    | 'too-many-tools'
    | 'tool-scopes-invalid'
    | 'tool-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Remove a member from a document, or leave it */
  readonly removeDocumentMember: Operation<
    'command',
    { readonly documentId: DocumentId; readonly principalId: PrincipalId },
    MemberAnswer,
    | 'already-member'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Remove the name of a version of a document */
  readonly removeDocumentVersionName: Operation<
    'command',
    { readonly documentId: DocumentId; readonly version: number },
    DocumentAnswer,
    | 'already-member'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Remove a principal from a group, or leave it */
  readonly removeFileGroupMember: Operation<
    'command',
    { readonly groupId: GroupId; readonly principalId: PrincipalId },
    FileGroupAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Remove a passkey of a person */
  readonly removePasskey: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly passkeyId: PasskeyId; readonly body: WithReason },
    PrincipalAnswer,
    | 'authenticator-app-missing'
    | 'body-too-large'
    | 'conflict'
    | 'enrolment-spent'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'identifier-taken'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'last-way-in'
    | 'malformed-body'
    | 'no-way-in'
    | 'not-a-person'
    | 'own-way-in'
    | 'passkey-copied'
    | 'passkey-known'
    | 'passkey-unknown'
    | 'password-weak'
    | 'principal-unknown'
    | 'provider-twice'
    | 'recovery-code-unknown'
    | 'removal-unconfirmed'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-passkeys'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Remove a runner */
  readonly removeRunner: Operation<
    'command',
    { readonly runnerId: RunnerId },
    RunnerAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'protocol-unknown'
    | 'registration-used'
    | 'revision-differs'
    | 'runner-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Remove a person's authenticator app */
  readonly removeTotp: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithReason },
    PrincipalAnswer,
    | 'authenticator-app-missing'
    | 'body-too-large'
    | 'conflict'
    | 'enrolment-spent'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'identifier-taken'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'last-way-in'
    | 'malformed-body'
    | 'no-way-in'
    | 'not-a-person'
    | 'own-way-in'
    | 'passkey-copied'
    | 'passkey-known'
    | 'passkey-unknown'
    | 'password-weak'
    | 'principal-unknown'
    | 'provider-twice'
    | 'recovery-code-unknown'
    | 'removal-unconfirmed'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-passkeys'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Remove the captions of a language */
  readonly removeVideoCaptions: Operation<
    'command',
    { readonly videoId: VideoId; readonly language: AddedCaptionLanguage },
    ChangedVideoCaptions,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'captions-exist'
    | 'captions-invalid'
    | 'captions-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'not-playable'
    | 'picture-type-unsupported'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-captions'
    | 'unauthenticated'
    | 'upload-open'
    | 'vault-unavailable'
    | 'video-not-ready'
    | 'video-silent'
    | 'video-unknown'
  >;
  /** Remove a webhook endpoint */
  readonly removeWebhookEndpoint: Operation<
    'command',
    { readonly endpointId: WebhookEndpointId },
    WebhookEndpointAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-webhook-endpoints'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'webhook-endpoint-unknown'
    | 'webhook-event-types-repeated'
    | 'webhook-url-refused'
  >;
  /** Rename a document */
  readonly renameDocument: Operation<
    'command',
    { readonly documentId: DocumentId; readonly body: NewTitle },
    DocumentAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Rename a file */
  readonly renameFile: Operation<
    'command',
    { readonly fileId: FileId; readonly body: NewFileName },
    FileAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-completed'
    | 'version-expired'
    | 'version-unknown'
  >;
  /** Rename a folder */
  readonly renameFileFolder: Operation<
    'command',
    { readonly folderId: FolderId; readonly body: NewFolderName },
    FolderAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Rename a group */
  readonly renameFileGroup: Operation<
    'command',
    { readonly groupId: GroupId; readonly body: NewFileGroupName },
    FileGroupAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Rename a series */
  readonly renameVideoSeries: Operation<
    'command',
    { readonly seriesId: VideoSeriesId; readonly body: VideoSeriesName },
    ChangedVideoSeries,
    | 'body-too-large'
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Replay a dead letter, with a full number of attempts */
  readonly replayDeadLetter: Operation<
    'write',
    { readonly jobId: QueuedJobId },
    ChangedJob,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Report that a step has started or ended */
  readonly reportStep: Operation<
    'write',
    { readonly jobId: JobId; readonly body: ReportStep },
    undefined,
    | 'body-too-large'
    | 'chunk-damaged'
    | 'chunk-differs'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'job-claims-unavailable'
    | 'job-not-queued'
    | 'job-unknown'
    | 'log-ended'
    | 'log-expired'
    | 'log-store-unavailable'
    | 'log-too-large'
    | 'log-unknown'
    | 'malformed-body'
    | 'no-failed-job'
    | 'run-active'
    | 'run-ended'
    | 'run-unknown'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-attempts'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Report a video to the administrators */
  readonly reportVideo: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: NewVideoReport },
    VideoReportAnswer,
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
    | 'too-many-reports'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-reported'
    | 'video-unknown'
  >;
  /** Ask a person to approve one action of an agent */
  readonly requestApproval: Operation<
    'command',
    { readonly body: NewApproval },
    ApprovalAnswer,
    | 'action-differs'
    | 'action-not-approvable'
    | 'action-unknown'
    | 'agents-only'
    | 'approval-decided'
    | 'approval-differs'
    | 'approval-expired'
    | 'approval-pending'
    | 'approval-unknown'
    | 'approver-involved'
    | 'approver-not-a-person'
    | 'body-too-large'
    | 'capability-invalid'
    | 'capability-spent'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-approvals'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Get the ClearKey licence of a protected video */
  readonly requestSharedVideoLicense: Operation<
    'write',
    {
      readonly tenantId: TenantId;
      readonly videoId: VideoId;
      readonly playback: LicenseProof;
      readonly body: ClearKeyRequest;
    },
    ClearKeyLicense,
    | 'body-too-large'
    | 'delivery-unavailable'
    | 'entitlement-required'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'license-key-unknown'
    | 'license-system-unavailable'
    | 'malformed-body'
    | 'not-playable'
    | 'playback-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-failed'
    | 'video-not-protected'
    | 'video-recalled'
    | 'video-unknown'
  >;
  /** Get the ClearKey licence of a protected video */
  readonly requestVideoLicense: Operation<
    'write',
    { readonly videoId: VideoId; readonly playback: LicenseProof; readonly body: ClearKeyRequest },
    ClearKeyLicense,
    | 'body-too-large'
    | 'delivery-unavailable'
    | 'entitlement-required'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'license-key-unknown'
    | 'license-system-unavailable'
    | 'malformed-body'
    | 'not-playable'
    | 'playback-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-failed'
    | 'video-not-protected'
    | 'video-recalled'
    | 'video-unknown'
  >;
  /** Show the poster that was found in the film again */
  readonly resetVideoPoster: Operation<
    'command',
    { readonly videoId: VideoId },
    ResetVideoPoster,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'captions-exist'
    | 'captions-invalid'
    | 'captions-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'not-playable'
    | 'picture-type-unsupported'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-captions'
    | 'unauthenticated'
    | 'upload-open'
    | 'vault-unavailable'
    | 'video-not-ready'
    | 'video-silent'
    | 'video-unknown'
  >;
  /** Restore a document from the trash */
  readonly restoreDocument: Operation<
    'command',
    { readonly documentId: DocumentId },
    DocumentAnswer,
    | 'already-member'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Restore a file from the trash */
  readonly restoreFile: Operation<
    'command',
    { readonly fileId: FileId },
    FileAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Restore a folder from the trash */
  readonly restoreFileFolder: Operation<
    'command',
    { readonly folderId: FolderId },
    FolderAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Restore an earlier version: later versions stay in the history */
  readonly restoreVersion: Operation<
    'command',
    { readonly documentId: DocumentId; readonly version: VersionNumber },
    RestoredVersion,
    | 'batch-malformed'
    | 'batch-too-large'
    | 'client-id-not-issued'
    | 'client-id-taken'
    | 'client-seq-gap'
    | 'client-too-new'
    | 'client-too-old'
    | 'document-deleted'
    | 'document-trashed'
    | 'document-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'version-unknown'
  >;
  /** Start or resume uploading a version in parts */
  readonly resumeFileUpload: Operation<
    'write',
    { readonly fileId: FileId; readonly versionId: FileVersionId },
    FilePartUpload,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'file-incomplete'
    | 'file-size-differs'
    | 'file-too-large'
    | 'file-type-unsupported'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'role-too-low'
    | 'service-unavailable'
    | 'storage-quota-exceeded'
    | 'timeout'
    | 'too-many-uploads'
    | 'too-many-versions'
    | 'unauthenticated'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'version-completed'
    | 'version-expired'
    | 'version-unknown'
  >;
  /** Start or resume uploading the file of an import in parts */
  readonly resumePlaceImportUpload: Operation<
    'write',
    { readonly importId: ImportId },
    PlaceFileUpload,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'file-incomplete'
    | 'forbidden'
    | 'import-ended'
    | 'import-not-started'
    | 'import-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'service-unavailable'
    | 'source-reserved'
    | 'timeout'
    | 'unauthenticated'
    | 'upload-part-refused'
    | 'upload-unknown'
  >;
  /** Keep the source of a video, or no longer */
  readonly retainVideoSource: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: VideoSourceRetention },
    ChangedVideo,
    | 'body-too-large'
    | 'codec-not-protected'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'fingerprint-not-matched'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-expired'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-blocked'
    | 'video-in-processing'
    | 'video-not-failed'
    | 'video-unknown'
  >;
  /** Retire a signing key */
  readonly retireSigningKey: Operation<
    'command',
    { readonly kid: KeyId },
    SigningKeyAnswer,
    | 'algorithm-unsupported'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'key-spent'
    | 'key-too-new'
    | 'key-unknown'
    | 'replacement-missing'
    | 'replacement-of-another-use'
    | 'revision-differs'
    | 'rotation-under-way'
    | 'service-unavailable'
    | 'successor-missing'
    | 'timeout'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Try the processing of a file again, now */
  readonly retryFile: Operation<
    'command',
    { readonly fileId: FileId; readonly body: FileRetry },
    RetriedFile,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'ingestion-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'stage-not-retriable'
    | 'timeout'
    | 'too-many-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-completed'
    | 'version-expired'
    | 'version-unknown'
  >;
  /** Retry a dead or canceled job, with a full number of attempts and without its deadline */
  readonly retryJob: Operation<
    'write',
    { readonly jobId: QueuedJobId },
    RetriedJob,
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
  >;
  /** Run an ended run again */
  readonly retryRun: Operation<
    'command',
    { readonly runId: RunId; readonly body: RetryRun },
    RunAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'job-not-queued'
    | 'job-unknown'
    | 'malformed-body'
    | 'no-failed-job'
    | 'revision-differs'
    | 'run-active'
    | 'run-ended'
    | 'run-unknown'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-attempts'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Process a failed video again */
  readonly retryVideo: Operation<
    'command',
    { readonly videoId: VideoId },
    ChangedVideo,
    | 'codec-not-protected'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'fingerprint-not-matched'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-expired'
    | 'timeout'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'video-blocked'
    | 'video-in-processing'
    | 'video-not-failed'
    | 'video-unknown'
  >;
  /** Revoke a client secret */
  readonly revokeClientSecret: Operation<
    'command',
    { readonly applicationId: ApplicationId; readonly credentialId: CredentialId; readonly body: WithReason },
    RevokedClientSecret,
    | 'body-too-large'
    | 'client-differs'
    | 'client-disabled'
    | 'client-has-no-secrets'
    | 'client-metadata-invalid'
    | 'client-secret-differs'
    | 'client-secret-unknown'
    | 'client-unknown'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'first-party-not-held'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'redirect-uri-invalid'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-client-secrets'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
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
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Revoke a delegation: the agent gets no more tokens, and those that it has are refused at once */
  readonly revokeDelegation: Operation<
    'command',
    { readonly delegationId: DelegationId; readonly body: WithReason },
    RevokedDelegation,
    | 'agent-not-active'
    | 'agent-unknown'
    | 'audience-not-held'
    | 'body-too-large'
    | 'conflict'
    | 'delegation-differs'
    | 'delegation-scopes-invalid'
    | 'delegation-too-deep'
    | 'delegation-unknown'
    | 'delegator-signed-out'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'family-differs'
    | 'family-expired'
    | 'family-over'
    | 'family-unknown'
    | 'forbidden'
    | 'grant-differs'
    | 'grant-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'refresh-token-held-by-another'
    | 'refresh-token-unknown'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Revoke a grant of a folder */
  readonly revokeFileFolderGrant: Operation<
    'command',
    { readonly folderId: FolderId; readonly grantId: FileGrantId },
    FileGrantAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Revoke a grant of a file */
  readonly revokeFileGrant: Operation<
    'command',
    { readonly fileId: FileId; readonly grantId: FileGrantId },
    FileGrantAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Revoke a grant with its refresh and access tokens */
  readonly revokeGrant: Operation<
    'command',
    { readonly grantId: GrantId; readonly body: WithReason },
    RevokedGrant,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'family-differs'
    | 'family-expired'
    | 'family-over'
    | 'family-unknown'
    | 'forbidden'
    | 'grant-differs'
    | 'grant-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'refresh-token-held-by-another'
    | 'refresh-token-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Revoke the refresh tokens of one sign-in */
  readonly revokeRefreshFamily: Operation<
    'command',
    { readonly familyId: FamilyId; readonly body: WithReason },
    RevokedFamily,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'family-differs'
    | 'family-expired'
    | 'family-over'
    | 'family-unknown'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'refresh-token-held-by-another'
    | 'refresh-token-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Revoke a signing key */
  readonly revokeSigningKey: Operation<
    'command',
    { readonly kid: KeyId; readonly body: WithReason },
    SigningKeyAnswer,
    | 'algorithm-unsupported'
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'key-spent'
    | 'key-too-new'
    | 'key-unknown'
    | 'malformed-body'
    | 'replacement-missing'
    | 'replacement-of-another-use'
    | 'revision-differs'
    | 'rotation-under-way'
    | 'service-unavailable'
    | 'successor-missing'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Revoke tokens before they expire */
  readonly revokeTokens: Operation<
    'command',
    { readonly body: RevokedThing },
    TokensRevoked,
    | 'body-too-large'
    | 'client-unknown'
    | 'conflict'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'family-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'idempotency-key-reused'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'principal-unknown'
    | 'service-unavailable'
    | 'session-unknown'
    | 'signing-unavailable'
    | 'tenant-scope-missing'
    | 'timeout'
    | 'token-unknown'
    | 'too-many-denials'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Revoke an entitlement */
  readonly revokeVideoEntitlement: Operation<
    'command',
    { readonly videoId: VideoId; readonly entitlementId: VideoEntitlementId },
    ChangedVideoEntitlement,
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Begin a rotation of the signing keys */
  readonly rotateSigningKeys: Operation<
    'command',
    { readonly body: RotateSigningKeys },
    SigningKeyAnswer,
    | 'algorithm-unsupported'
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'key-spent'
    | 'key-too-new'
    | 'key-unknown'
    | 'malformed-body'
    | 'replacement-missing'
    | 'replacement-of-another-use'
    | 'revision-differs'
    | 'rotation-under-way'
    | 'service-unavailable'
    | 'successor-missing'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Rotate the secret of a webhook endpoint */
  readonly rotateWebhookSecret: Operation<
    'command',
    { readonly endpointId: WebhookEndpointId; readonly body: WebhookSecretRotation },
    WebhookSecretAnswer,
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
    | 'too-many-webhook-endpoints'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'webhook-endpoint-unknown'
    | 'webhook-event-types-repeated'
    | 'webhook-url-refused'
  >;
  /** Search in files by words and by meaning */
  readonly searchFiles: Operation<
    'write',
    { readonly body: RetrievalQuery },
    RetrievalAnswer,
    | 'body-too-large'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'index-query-refused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-yet-visible'
    | 'point-in-time-expired'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'view-store-unavailable'
  >;
  /** Search places in a circle or a box, the best first */
  readonly searchPlaces: Operation<
    'query',
    {
      readonly lat: number;
      readonly lng: number;
      readonly radius_m?: number | undefined;
      readonly bbox?: string | undefined;
      readonly query?: SearchText | undefined;
      readonly category?: Category | undefined;
      readonly open_now?: 'true' | 'false' | undefined;
      readonly sort?: SearchOrder | undefined;
      readonly explain?: '0' | '1' | undefined;
      readonly cursor?: SearchCursor | undefined;
      readonly limit?: number | undefined;
    },
    PlaceSearchAnswer,
    | 'cursor-expired'
    | 'forbidden'
    | 'index-query-refused'
    | 'internal-error'
    | 'invalid-input'
    | 'not-yet-visible'
    | 'point-in-time-expired'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'view-store-unavailable'
  >;
  /** Renew the lease of a job, and learn whether it is canceled */
  readonly sendHeartbeat: Operation<
    'write',
    { readonly body: Heartbeat },
    HeartbeatAnswer,
    | 'body-too-large'
    | 'chunk-damaged'
    | 'chunk-differs'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'job-claims-unavailable'
    | 'job-not-queued'
    | 'job-unknown'
    | 'log-ended'
    | 'log-expired'
    | 'log-store-unavailable'
    | 'log-too-large'
    | 'log-unknown'
    | 'malformed-body'
    | 'no-failed-job'
    | 'run-active'
    | 'run-ended'
    | 'run-unknown'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-attempts'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Set a tool of an API, and what agents may use through it */
  readonly setApiTool: Operation<
    'command',
    { readonly apiId: ApiId; readonly tool: ToolName; readonly body: NewApiTool },
    ApiToolAnswer,
    | 'api-audience-invalid'
    | 'api-differs'
    | 'api-exists'
    | 'api-scope-taken'
    | 'api-scopes-invalid'
    | 'api-unknown'
    | 'audience-taken'
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
    | 'too-many-apis'
    | 'too-many-tools'
    | 'tool-scopes-invalid'
    | 'tool-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Set the credential policy of the tenant */
  readonly setCredentialPolicy: Operation<
    'command',
    { readonly body: CredentialPolicy },
    CredentialPolicyAnswer,
    | 'body-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'service-unavailable'
    | 'tenant-scope-missing'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Set when a rule of detection is an alert */
  readonly setDetectionRule: Operation<
    'command',
    { readonly rule: DetectionRuleName; readonly body: DetectionRuleSettings },
    DetectionRuleAnswer,
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
    | 'runtime-repeated'
    | 'service-unavailable'
    | 'threshold-too-high'
    | 'timeout'
    | 'too-many-runtimes'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Set where a pipeline or an agent is expected to run */
  readonly setExpectedRuntime: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: ExpectedRuntimeSettings },
    ExpectedRuntimeAnswer,
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
    | 'principal-unknown'
    | 'revision-differs'
    | 'runtime-repeated'
    | 'service-unavailable'
    | 'threshold-too-high'
    | 'timeout'
    | 'too-many-runtimes'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Set what applications that register themselves may do */
  readonly setRegistrationPolicy: Operation<
    'command',
    { readonly body: RegistrationPolicy },
    RegistrationPolicyAnswer,
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
    | 'registration-policy-invalid'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Set the sign-in policy of the tenant */
  readonly setSignInPolicy: Operation<
    'command',
    { readonly body: SignInPolicy },
    SignInPolicyAnswer,
    | 'authenticator-app-missing'
    | 'body-too-large'
    | 'conflict'
    | 'enrolment-spent'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'identifier-taken'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'last-way-in'
    | 'malformed-body'
    | 'no-way-in'
    | 'not-a-person'
    | 'own-way-in'
    | 'passkey-copied'
    | 'passkey-known'
    | 'passkey-unknown'
    | 'password-weak'
    | 'provider-twice'
    | 'recovery-code-unknown'
    | 'removal-unconfirmed'
    | 'revision-differs'
    | 'service-unavailable'
    | 'tenant-scope-missing'
    | 'timeout'
    | 'too-many-passkeys'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Reserve a source of places for some principals, or open it */
  readonly setSourceWriters: Operation<
    'command',
    { readonly source: SourceName; readonly body: SourceReservation },
    SourceReservationAnswer,
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
  /** Settle a reservation: refunds what was not used, charges what exceeded it. May be repeated */
  readonly settleRateLimit: Operation<
    'write',
    { readonly body: LimitSettlement },
    LimitSettled,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'reservation-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Settle up to 100 reservations, each by itself */
  readonly settleRateLimits: Operation<
    'write',
    { readonly body: LimitSettlements },
    LimitSettledEach,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Evaluate a version on live requests, without enforcing it */
  readonly shadowAccessPolicy: Operation<
    'command',
    { readonly policyVersion: number },
    PolicyVersionAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'own-policy-access'
    | 'policy-invalid'
    | 'policy-version-exists'
    | 'policy-version-not-next'
    | 'policy-version-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-policy-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Create a link to a document for everyone in the tenant */
  readonly shareDocumentLink: Operation<
    'command',
    { readonly documentId: DocumentId; readonly body: WithLinkRole },
    LinkAnswer,
    | 'already-member'
    | 'body-too-large'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'malformed-body'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Share a video with a person */
  readonly shareVideo: Operation<
    'command',
    { readonly videoId: VideoId; readonly principalId: PrincipalId },
    ChangedVideo,
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Sign a request that uploads a part of a version */
  readonly signFilePart: Operation<
    'write',
    {
      readonly fileId: FileId;
      readonly versionId: FileVersionId;
      readonly part: FilePartNumber;
      readonly body: FilePart;
    },
    SignedUpload,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'body-too-large'
    | 'file-incomplete'
    | 'file-size-differs'
    | 'file-too-large'
    | 'file-type-unsupported'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-found'
    | 'role-too-low'
    | 'service-unavailable'
    | 'storage-quota-exceeded'
    | 'timeout'
    | 'too-many-uploads'
    | 'too-many-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'version-completed'
    | 'version-expired'
    | 'version-unknown'
  >;
  /** Sign another request that uploads a version whole */
  readonly signFileUpload: Operation<
    'write',
    { readonly fileId: FileId; readonly versionId: FileVersionId },
    SignedUpload,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'file-incomplete'
    | 'file-size-differs'
    | 'file-too-large'
    | 'file-type-unsupported'
    | 'file-unknown'
    | 'folder-unknown'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'role-too-low'
    | 'service-unavailable'
    | 'storage-quota-exceeded'
    | 'timeout'
    | 'too-many-uploads'
    | 'too-many-versions'
    | 'unauthenticated'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'version-completed'
    | 'version-expired'
    | 'version-unknown'
  >;
  /** Sign a browser in */
  readonly signIn: Operation<
    'write',
    { readonly body: ClientCredential },
    SignedInSession,
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
  /** Sign in as the first admin of a tenant, once */
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
  /** Sign a request that uploads the whole file of an import */
  readonly signPlaceImportFile: Operation<
    'write',
    { readonly importId: ImportId },
    SignedUpload,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'file-incomplete'
    | 'forbidden'
    | 'import-ended'
    | 'import-not-started'
    | 'import-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'not-found'
    | 'service-unavailable'
    | 'source-reserved'
    | 'timeout'
    | 'unauthenticated'
    | 'upload-part-refused'
    | 'upload-unknown'
  >;
  /** Sign a request that uploads a part of the file of an import */
  readonly signPlaceImportPart: Operation<
    'write',
    { readonly importId: ImportId; readonly part: PartNumber; readonly body: PlaceFilePart },
    SignedUpload,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'body-too-large'
    | 'file-incomplete'
    | 'forbidden'
    | 'import-ended'
    | 'import-not-started'
    | 'import-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'not-found'
    | 'service-unavailable'
    | 'source-reserved'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-part-refused'
    | 'upload-unknown'
  >;
  /** Rehearse the response to an incident with a test principal */
  readonly startDrill: Operation<
    'command',
    Nothing,
    DrillAnswer,
    | 'already-bootstrapped'
    | 'authentication-not-fresh'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'grant-differs'
    | 'grant-unknown'
    | 'idempotency-key-reused'
    | 'incident-differs'
    | 'incident-not-contained'
    | 'incident-of-another'
    | 'incident-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'revoked-too-often'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'step-out-of-order'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Report that a job has started */
  readonly startJob: Operation<
    'write',
    { readonly jobId: JobId; readonly body: StartJob },
    undefined,
    | 'body-too-large'
    | 'chunk-damaged'
    | 'chunk-differs'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'internal-error'
    | 'invalid-input'
    | 'job-claims-unavailable'
    | 'job-not-queued'
    | 'job-unknown'
    | 'log-ended'
    | 'log-expired'
    | 'log-store-unavailable'
    | 'log-too-large'
    | 'log-unknown'
    | 'malformed-body'
    | 'no-failed-job'
    | 'run-active'
    | 'run-ended'
    | 'run-unknown'
    | 'service-unavailable'
    | 'stale-epoch'
    | 'timeout'
    | 'too-many-attempts'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Start an import whose file is uploaded */
  readonly startPlaceImport: Operation<
    'command',
    { readonly importId: ImportId },
    ImportAnswer,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-incomplete'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'import-ended'
    | 'import-not-started'
    | 'import-unknown'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-reserved'
    | 'timeout'
    | 'unauthenticated'
    | 'upload-part-refused'
    | 'upload-unknown'
    | 'vault-unavailable'
  >;
  /** Encode a video again, also with another codec */
  readonly startVideoGeneration: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: NewVideoGeneration },
    ChangedVideo,
    | 'body-too-large'
    | 'codec-not-protected'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'fingerprint-not-matched'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-expired'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'video-blocked'
    | 'video-in-processing'
    | 'video-not-failed'
    | 'video-unknown'
  >;
  /** Suspend a principal: all of its tokens and credentials are refused at once */
  readonly suspendPrincipal: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithReason },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Take a video down */
  readonly takeDownVideo: Operation<
    'command',
    { readonly videoId: VideoId; readonly body: VideoReportResolution },
    ChangedVideo,
    | 'body-too-large'
    | 'codec-not-protected'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'fingerprint-not-matched'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-expired'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'upload-open'
    | 'vault-unavailable'
    | 'video-blocked'
    | 'video-in-processing'
    | 'video-not-failed'
    | 'video-unknown'
  >;
  /** Test which trust rule answers a credential, and why the others do not */
  readonly testTrustRules: Operation<
    'write',
    { readonly body: TrustRuleTest },
    TrustRuleTestAnswer,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Send a test event */
  readonly testWebhookEndpoint: Operation<
    'command',
    { readonly endpointId: WebhookEndpointId },
    WebhookDeliveryAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'webhook-delivery-pending'
    | 'webhook-delivery-unknown'
    | 'webhook-endpoint-unknown'
  >;
  /** Move a document to the trash: it becomes read-only, and only owners see it */
  readonly trashDocument: Operation<
    'command',
    { readonly documentId: DocumentId },
    DocumentAnswer,
    | 'already-member'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Move a file to the trash */
  readonly trashFile: Operation<
    'command',
    { readonly fileId: FileId },
    FileAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Move a folder to the trash */
  readonly trashFileFolder: Operation<
    'command',
    { readonly folderId: FolderId },
    FolderAnswer,
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'file-deleting'
    | 'file-held'
    | 'file-unknown'
    | 'folder-cycle'
    | 'folder-held'
    | 'folder-too-deep'
    | 'folder-unknown'
    | 'forbidden'
    | 'grant-unknown'
    | 'group-of-another'
    | 'group-unknown'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-folders'
    | 'too-many-grants'
    | 'too-many-groups'
    | 'too-many-members'
    | 'unauthenticated'
    | 'vault-unavailable'
  >;
  /** Trust an issuer of workloads' credentials */
  readonly trustWorkloadIssuer: Operation<
    'command',
    { readonly body: TrustedIssuer },
    WorkloadIssuerAnswer,
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
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-trust-rules'
    | 'too-many-workload-issuers'
    | 'trust-rule-differs'
    | 'trust-rule-invalid'
    | 'trust-rule-too-wide'
    | 'trust-rule-unknown'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
    | 'workload-issuer-differs'
    | 'workload-issuer-exists'
    | 'workload-issuer-invalid'
    | 'workload-issuer-unknown'
  >;
  /** Turn the access policy off */
  readonly turnOffAccessPolicy: Operation<
    'command',
    { readonly body: WithReason },
    PolicyOffAnswer,
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
    | 'own-policy-access'
    | 'policy-invalid'
    | 'policy-version-exists'
    | 'policy-version-not-next'
    | 'policy-version-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-policy-versions'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Unblock a recording */
  readonly unblockRecording: Operation<
    'command',
    { readonly recordingId: BlockedRecordingId },
    BlockedRecordingAnswer,
    | 'blob-call-aborted'
    | 'blob-damaged'
    | 'blob-key-refused'
    | 'blob-store-full'
    | 'blob-store-unavailable'
    | 'blob-too-large'
    | 'blob-unknown'
    | 'codec-not-protected'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'fingerprint-not-matched'
    | 'fingerprint-unknown'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'recording-unknown'
    | 'revision-differs'
    | 'service-unavailable'
    | 'source-expired'
    | 'timeout'
    | 'too-many-recordings'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'video-blocked'
    | 'video-in-processing'
    | 'video-not-failed'
    | 'video-unknown'
  >;
  /** Stop sharing a video with a person */
  readonly unshareVideo: Operation<
    'command',
    { readonly videoId: VideoId; readonly principalId: PrincipalId },
    ChangedVideo,
    | 'conflict'
    | 'entitlement-period-invalid'
    | 'episode-of-another-owner'
    | 'episode-of-another-series'
    | 'episode-repeated'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'principal-inactive'
    | 'principal-unknown'
    | 'protection-changed'
    | 'protection-fixed'
    | 'revision-differs'
    | 'series-unknown'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-entitlements'
    | 'too-many-people'
    | 'too-many-series'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'video-not-protected'
    | 'video-unknown'
  >;
  /** Name the faults of a policy document */
  readonly validateAccessPolicy: Operation<
    'write',
    { readonly body: PolicyValidation },
    PolicyFaults,
    | 'body-too-large'
    | 'forbidden'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
  >;
  /** Withdraw a request for approval */
  readonly withdrawApproval: Operation<
    'command',
    { readonly approvalId: ApprovalId; readonly body: WithReason },
    DecidedApproval,
    | 'action-differs'
    | 'agents-only'
    | 'approval-decided'
    | 'approval-differs'
    | 'approval-expired'
    | 'approval-pending'
    | 'approval-unknown'
    | 'approver-involved'
    | 'approver-not-a-person'
    | 'body-too-large'
    | 'capability-invalid'
    | 'capability-spent'
    | 'conflict'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'insufficient-user-authentication'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'revision-differs'
    | 'scope-not-held'
    | 'service-unavailable'
    | 'timeout'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Withdraw an invitation to a document. Owners only */
  readonly withdrawDocumentInvitation: Operation<
    'command',
    { readonly documentId: DocumentId; readonly invitationId: InvitationId },
    DocumentAnswer,
    | 'already-member'
    | 'conflict'
    | 'document-deleted'
    | 'document-differs'
    | 'document-has-owner'
    | 'document-not-trashed'
    | 'document-trashed'
    | 'document-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'invitation-expired'
    | 'invitation-unknown'
    | 'last-owner'
    | 'link-unknown'
    | 'member-unknown'
    | 'revision-differs'
    | 'role-too-low'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-invitations'
    | 'too-many-members'
    | 'too-many-named-versions'
    | 'unauthenticated'
    | 'vault-unavailable'
    | 'version-unknown'
  >;
  /** Withdraw roles from a person */
  readonly withdrawRoles: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithdrawnRoles },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
  /** Withdraw scopes from a principal */
  readonly withdrawScopes: Operation<
    'command',
    { readonly principalId: PrincipalId; readonly body: WithdrawnScopes },
    PrincipalAnswer,
    | 'already-bootstrapped'
    | 'body-too-large'
    | 'conflict'
    | 'credential-differs'
    | 'credential-forbidden'
    | 'credential-of-another'
    | 'credential-too-long'
    | 'credential-unknown'
    | 'event-refused'
    | 'event-store-ambiguous'
    | 'event-store-unavailable'
    | 'forbidden'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-input'
    | 'malformed-body'
    | 'own-authority'
    | 'principal-compromised'
    | 'principal-differs'
    | 'principal-suspended'
    | 'principal-unknown'
    | 'revision-differs'
    | 'role-for-people'
    | 'scope-not-held'
    | 'scopes-missing'
    | 'service-principal-human'
    | 'service-unavailable'
    | 'timeout'
    | 'too-many-credentials'
    | 'trust-rule-of-a-person'
    | 'unauthenticated'
    | 'unsupported-media-type'
    | 'vault-unavailable'
  >;
}
