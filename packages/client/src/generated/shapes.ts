// Made by `npm run generate:client` of the routes; never edited by hand.
import type { Shape } from '../shape';

const AlternativeName: Shape = { fields: { name: 'string', language: 'string' } };
const Annotation: Shape = {
  fields: {
    level: 'string',
    message: 'string',
    title: { either: ['string', 'null'] },
    file: { either: ['string', 'null'] },
    line: { either: ['number', 'null'] },
  },
};
const ArrivedFilePart: Shape = { fields: { part: 'number', size: 'number' } };
const ArrivedFileParts: Shape = { list: { of: () => ArrivedFilePart } };
const ArrivedPart: Shape = { fields: { part: 'number', size: 'number' } };
const ArrivedParts: Shape = { list: { of: () => ArrivedPart } };
export const ArtifactAddress: Shape = { fields: { url: 'string' } };
export const ArtifactDownloads: Shape = { fields: { artifacts: { of: () => DownloadableArtifacts } } };
export const ArtifactUpload: Shape = {
  fields: { artifactId: 'string', partBytes: { either: ['number', 'null'] }, requests: { of: () => SignedUploads } },
};
const AssetKeys: Shape = { list: 'string' };
const AssetRefs: Shape = { list: 'string' };
const AttributeValue: Shape = { either: ['string', 'number', 'boolean'] };
const Attributes: Shape = { map: { of: () => AttributeValue } };
const AudienceNames: Shape = { list: 'string' };
const Audiences: Shape = { list: 'string' };
const AuthenticationContexts: Shape = { list: 'string' };
const Authenticator: Shape = { fields: { kind: 'string', authenticatorId: 'string', addedAt: 'string' } };
const Authority: Shape = { fields: { kind: 'string', name: 'string', grantedAt: 'string' } };
export const AuthorizationServerMetadata: Shape = {
  fields: {
    issuer: 'string',
    token_endpoint: 'string',
    jwks_uri: 'string',
    scopes_supported: { of: () => MetadataWords },
    response_types_supported: { of: () => MetadataWords },
    grant_types_supported: { of: () => MetadataWords },
    token_endpoint_auth_methods_supported: { of: () => MetadataWords },
    token_endpoint_auth_signing_alg_values_supported: { of: () => MetadataWords },
    service_documentation: 'string',
    dpop_signing_alg_values_supported: { of: () => MetadataWords },
    tls_client_certificate_bound_access_tokens: 'boolean',
  },
  optional: {
    authorization_endpoint: 'string',
    userinfo_endpoint: 'string',
    revocation_endpoint: 'string',
    introspection_endpoint: 'string',
    pushed_authorization_request_endpoint: 'string',
    device_authorization_endpoint: 'string',
    end_session_endpoint: 'string',
    registration_endpoint: 'string',
    revocation_endpoint_auth_methods_supported: { of: () => MetadataWords },
    revocation_endpoint_auth_signing_alg_values_supported: { of: () => MetadataWords },
    introspection_endpoint_auth_methods_supported: { of: () => MetadataWords },
    introspection_endpoint_auth_signing_alg_values_supported: { of: () => MetadataWords },
    response_modes_supported: { of: () => MetadataWords },
    code_challenge_methods_supported: { of: () => MetadataWords },
    prompt_values_supported: { of: () => MetadataWords },
    authorization_response_iss_parameter_supported: 'boolean',
    require_pushed_authorization_requests: 'boolean',
    request_parameter_supported: 'boolean',
    request_uri_parameter_supported: 'boolean',
    claims_parameter_supported: 'boolean',
    backchannel_logout_supported: 'boolean',
    backchannel_logout_session_supported: 'boolean',
    subject_types_supported: { of: () => SubjectTypes },
    id_token_signing_alg_values_supported: { of: () => MetadataWords },
    acr_values_supported: { of: () => MetadataWords },
    claims_supported: { of: () => MetadataWords },
    claim_types_supported: { of: () => MetadataWords },
    client_id_metadata_document_supported: 'boolean',
  },
};
export const BegunRebuild: Shape = { fields: { view: 'string' } };
const Box: Shape = { fields: { x: 'number', y: 'number', w: 'number', h: 'number' } };
const BuiltInClient: Shape = {
  fields: { applicationId: 'string', clientId: 'string', name: 'string', purpose: 'string' },
};
export const BuiltInClients: Shape = { fields: { items: { list: { of: () => BuiltInClient } } } };
export const CancelledJob: Shape = { fields: { jobId: 'string', state: 'string' } };
export const ChangedJob: Shape = { fields: { jobId: 'string' } };
export const ChangedRepository: Shape = { fields: { id: 'string', default_branch: 'string' } };
const Citation: Shape = {
  fields: { type: 'string', headings: { of: () => CitationHeadings } },
  optional: {
    pageNumber: 'number',
    pageLabel: 'string',
    boundingBox: { of: () => Box },
    boxes: { of: () => CitationPageBoxes },
    regions: { of: () => CitationRegions },
    slideNumber: 'number',
    slidePart: 'string',
    timestampStartMs: 'number',
    timestampEndMs: 'number',
    frame: 'number',
    lineStart: 'number',
    lineEnd: 'number',
    sheet: { either: ['string', 'null'] },
    rowStart: 'number',
    rowEnd: 'number',
    section: { either: ['string', 'null'] },
    sectionNumber: 'number',
    documentPart: 'string',
    paragraphStart: 'number',
    paragraphEnd: 'number',
  },
};
const CitationHeadings: Shape = { list: 'string' };
const CitationPageBoxes: Shape = { list: { of: () => PageBox } };
const CitationRegions: Shape = { list: { of: () => Box } };
export const Client: Shape = {
  fields: {
    applicationId: 'string',
    clientId: 'string',
    status: 'string',
    createdAt: 'string',
    name: 'string',
    redirectUris: { of: () => RedirectUris },
    postLogoutRedirectUris: { of: () => RedirectUris },
    backchannelLogoutUri: { either: ['string', 'null'] },
    backchannelLogoutSessionRequired: 'boolean',
    grantTypes: { of: () => GrantTypes },
    authentication: 'string',
    exactAuthentication: 'boolean',
    jwks: { either: [{ of: () => JwkSet }, 'null'] },
    jwksUri: { either: ['string', 'null'] },
    tlsSubject: { either: ['string', 'null'] },
    scopes: { of: () => Scopes },
    audiences: { of: () => Audiences },
    dpopBound: 'boolean',
    certificateBound: 'boolean',
    requirePushed: 'boolean',
    idTokenAlgorithm: { either: ['string', 'null'] },
    personClaimsInIdToken: 'boolean',
    fapi: 'boolean',
    pkce: 'string',
    firstParty: 'boolean',
    servicePrincipalId: { either: ['string', 'null'] },
    refreshIdleSeconds: 'number',
    refreshAbsoluteSeconds: 'number',
  },
};
export const ClientAnswer: Shape = { fields: { applicationId: 'string', clientId: 'string' } };
export const ClientSecretAnswer: Shape = {
  fields: { credentialId: 'string', clientId: 'string', clientSecret: 'string' },
};
export const CommittedOperationsAnswer: Shape = {
  fields: { committedVersion: 'number', clientId: 'string', results: { of: () => Outcomes } },
};
export const CompletedVersion: Shape = { fields: { fileId: 'string', versionId: 'string', status: 'string' } };
const Credential: Shape = {
  fields: {
    credentialId: 'string',
    principalId: 'string',
    label: { either: ['string', 'null'] },
    scopes: { of: () => ScopeNames },
    createdAt: 'string',
    createdBy: 'string',
    expiresAt: { either: ['string', 'null'] },
    lastUsedAt: { either: ['string', 'null'] },
    revokedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
  },
};
export const CredentialAnswer: Shape = {
  fields: { credentialId: 'string', clientId: 'string', clientSecret: 'string' },
};
export const CredentialPolicyAnswer: Shape = { fields: {} };
const DeadLetter: Shape = {
  fields: {
    jobId: 'string',
    queue: 'string',
    key: 'string',
    tenantId: 'string',
    correlationId: 'string',
    attempts: 'number',
    reason: 'string',
    diedAt: 'string',
    failures: { list: { of: () => FailedAttempt } },
  },
};
export const DeadLetters: Shape = {
  fields: { items: { list: { of: () => DeadLetter } }, next_cursor: { either: ['string', 'null'] } },
};
const DeclaredInput: Shape = {
  fields: {
    name: 'string',
    description: { either: ['string', 'null'] },
    type: 'string',
    required: 'boolean',
    default: { either: ['string', 'null'] },
    options: { of: () => DeclaredInputOptions },
  },
};
const DeclaredInputOptions: Shape = { list: 'string' };
const DeclaredInputs: Shape = { list: { of: () => DeclaredInput } };
const DefinitionProblem: Shape = {
  fields: { message: 'string', line: { either: ['number', 'null'] }, column: { either: ['number', 'null'] } },
};
const DegradedSearches: Shape = { list: 'string' };
export const DeletedArtifact: Shape = { fields: { artifactId: 'string' } };
export const DeletedFile: Shape = { fields: { fileId: 'string', status: 'string' } };
export const DeletedRepository: Shape = { fields: { id: 'string' } };
export const DeviceAuthorization: Shape = {
  fields: {
    device_code: 'string',
    user_code: 'string',
    verification_uri: 'string',
    verification_uri_complete: 'string',
    expires_in: 'number',
    interval: 'number',
  },
};
const DiffSides: Shape = { list: 'string' };
const DispatchableBranches: Shape = { list: 'string' };
const DispatchableWorkflow: Shape = {
  fields: { path: 'string', name: 'string', inputs: { of: () => DeclaredInputs } },
};
const DispatchableWorkflowList: Shape = { list: { of: () => DispatchableWorkflow } };
export const DispatchableWorkflows: Shape = {
  fields: {
    branch: 'string',
    commitSha: 'string',
    branches: { of: () => DispatchableBranches },
    workflows: { of: () => DispatchableWorkflowList },
  },
};
export const Document: Shape = {
  fields: {
    id: 'string',
    tenantId: 'string',
    title: 'string',
    headVersion: 'number',
    homeRegion: 'string',
    createdBy: 'string',
    createdAt: 'string',
    updatedAt: 'string',
    role: 'string',
    status: 'string',
    trashedAt: { either: ['string', 'null'] },
    linkRole: { either: ['string', 'null'] },
    copiedFrom: { either: [{ of: () => DocumentCopiedFrom }, 'null'] },
  },
};
export const DocumentAnswer: Shape = { fields: { documentId: 'string' } };
const DocumentCopiedFrom: Shape = { fields: { documentId: 'string', version: 'number' } };
const DocumentInvitation: Shape = {
  fields: {
    documentId: 'string',
    invitationId: 'string',
    title: 'string',
    role: 'string',
    principalId: { either: ['string', 'null'] },
    invitedBy: 'string',
    createdAt: 'string',
    expiresAt: 'string',
    status: 'string',
    acceptedBy: { either: ['string', 'null'] },
    endedAt: { either: ['string', 'null'] },
  },
};
const DocumentMember: Shape = {
  fields: {
    principalId: 'string',
    role: 'string',
    byLink: 'boolean',
    joinedAt: 'string',
    appointedBy: { either: ['string', 'null'] },
    appointedAt: { either: ['string', 'null'] },
  },
};
const DocumentOperation: Shape = {
  fields: {
    opId: 'string',
    documentId: 'string',
    actorId: 'string',
    clientSeq: 'number',
    baseVersion: 'number',
    type: 'string',
    targetIds: { of: () => TargetIds },
    payload: 'anything',
    createdAt: 'string',
  },
  optional: { undoGroupId: 'string', inverseOf: 'string', atomicGroup: 'string' },
};
const DocumentOperationList: Shape = { list: { of: () => DocumentOperation } };
export const DocumentOperations: Shape = {
  fields: {
    operations: { of: () => DocumentOperationList },
    toVersion: 'number',
    headVersion: 'number',
    nextAfterVersion: { either: ['number', 'null'] },
  },
};
const DocumentOwners: Shape = { list: 'string' };
export const DocumentPeople: Shape = { fields: { items: { list: { of: () => DocumentPerson } } } };
const DocumentPerson: Shape = {
  fields: { principalId: 'string', principalType: 'string', name: { either: ['string', 'null'] } },
};
export const DocumentPresence: Shape = { fields: { items: { list: { of: () => PresentPrincipal } } } };
const DocumentSnapshotPiece: Shape = { fields: { key: 'string' }, optional: { url: 'string', base64: 'string' } };
export const DocumentSnapshotShown: Shape = {
  fields: {
    documentId: 'string',
    version: 'number',
    schemaVersion: 'number',
    compressedSceneKey: 'string',
    checksum: 'string',
    assetRefs: { of: () => AssetKeys },
  },
  optional: { pieces: { list: { of: () => DocumentSnapshotPiece } } },
};
const DocumentVersion: Shape = {
  fields: {
    kind: 'string',
    version: 'number',
    fromVersion: 'number',
    author: 'string',
    startedAt: 'string',
    at: 'string',
    name: { either: ['string', 'null'] },
    restoredVersion: { either: ['number', 'null'] },
  },
};
export const DocumentsPage: Shape = {
  fields: { items: { list: { of: () => Document } }, next_cursor: { either: ['string', 'null'] } },
};
const Domains: Shape = { list: 'string' };
const DownloadableArtifact: Shape = {
  fields: {
    artifactId: 'string',
    name: 'string',
    sizeBytes: 'number',
    checksum: 'string',
    request: { of: () => SignedDownload },
  },
};
const DownloadableArtifacts: Shape = { list: { of: () => DownloadableArtifact } };
const EcJwk: Shape = {
  fields: { kty: 'string', crv: 'string', x: 'string', y: 'string', alg: 'string', kid: 'string', use: 'string' },
};
export const EndedSession: Shape = { fields: { sessionId: 'string' } };
export const EndedSessions: Shape = { fields: { ended: 'number' } };
export const EnrolledPerson: Shape = { fields: { principalId: 'string', enrolmentUrl: 'string', expiresAt: 'string' } };
export const Entity: Shape = {
  fields: {
    entity_id: 'string',
    name: 'string',
    alternative_names: { of: () => EntityNames },
    category: 'string',
    lat: 'number',
    lng: 'number',
    address: { either: [{ of: () => EntityAddress }, 'null'] },
    hours: { either: [{ of: () => OpeningHours }, 'null'] },
    rating: { either: ['number', 'null'] },
    rating_count: 'number',
    popularity: 'number',
    attributes: { of: () => Attributes },
    status: 'string',
    source: 'string',
    version: 'number',
    occurred_at: { either: ['string', 'null'] },
    synthetic: 'boolean',
    attribution: { either: ['string', 'null'] },
    owner: 'string',
  },
};
const EntityAddress: Shape = {
  fields: {
    street: { either: ['string', 'null'] },
    locality: { either: ['string', 'null'] },
    region: { either: ['string', 'null'] },
    postal_code: { either: ['string', 'null'] },
    country: { either: ['string', 'null'] },
  },
};
const EntityNames: Shape = { list: { of: () => AlternativeName } };
const ExceptionalDay: Shape = { fields: { date: 'string', intervals: { of: () => OpeningIntervals } } };
const ExceptionalDays: Shape = { list: { of: () => ExceptionalDay } };
const FailedAttempt: Shape = { fields: { attempt: 'number', at: 'string', reason: 'string' } };
const FieldMapping: Shape = {
  fields: { fields: { of: () => MappedFields }, entityIdFrom: { either: [{ of: () => IdentifyingColumns }, 'null'] } },
};
export const FileAddress: Shape = {
  fields: { fileId: 'string', versionId: 'string', url: 'string', expiresAt: 'string', sizeBytes: 'number' },
};
export const FileAnswer: Shape = { fields: { fileId: 'string' } };
export const FileChunk: Shape = {
  fields: {
    chunkId: 'string',
    fileId: 'string',
    versionId: 'string',
    modality: 'string',
    content: 'string',
    citation: { of: () => Citation },
    ordinal: 'number',
    words: { of: () => FileChunkWords },
  },
};
const FileChunkWords: Shape = { list: { of: () => WordBox } };
export const FileGrantAnswer: Shape = { fields: { grantId: 'string' } };
export const FileGroupAnswer: Shape = { fields: { groupId: 'string' } };
export const FileItem: Shape = {
  fields: {
    fileId: 'string',
    filename: { either: ['string', 'null'] },
    mimeType: 'string',
    status: 'string',
    supportedModalities: { of: () => SupportedModalities },
    createdAt: 'string',
    updatedAt: 'string',
    ownerId: 'string',
    parentFolderId: { either: ['string', 'null'] },
    role: 'string',
    currentVersionId: { either: ['string', 'null'] },
    versionNumber: { either: ['number', 'null'] },
    sizeBytes: { either: ['number', 'null'] },
    errorCode: { either: ['string', 'null'] },
    errorDetail: { either: ['string', 'null'] },
  },
  optional: { progressPercent: 'number' },
};
export const FilePartUpload: Shape = { fields: { partBytes: 'number', arrived: { of: () => ArrivedFileParts } } };
export const FileProcessing: Shape = {
  fields: {
    fileId: 'string',
    status: 'string',
    stages: { of: () => FileStages },
    versionId: 'string',
    versionNumber: 'number',
    pipelineVersion: 'number',
    errorCode: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
  },
  optional: { progressPercent: 'number' },
};
const FileStage: Shape = {
  fields: {
    name: 'string',
    status: 'string',
    attempt: 'number',
    reason: { either: ['string', 'null'] },
    errorCode: { either: ['string', 'null'] },
    count: { either: ['number', 'null'] },
  },
  optional: { progressPercent: 'number' },
};
const FileStages: Shape = { list: { of: () => FileStage } };
const FileVersion: Shape = {
  fields: {
    fileId: 'string',
    versionId: 'string',
    versionNumber: 'number',
    status: 'string',
    isCurrent: 'boolean',
    sizeBytes: 'number',
    mimeType: 'string',
    checksumSha256: { either: ['string', 'null'] },
    pipelineVersion: { either: ['number', 'null'] },
    format: { either: ['string', 'null'] },
    progressPercent: { either: ['number', 'null'] },
    errorCode: { either: ['string', 'null'] },
    errorDetail: { either: ['string', 'null'] },
    createdBy: 'string',
    createdAt: 'string',
    uploadedAt: { either: ['string', 'null'] },
    expiresAt: 'string',
  },
};
export const FirstAdmin: Shape = {
  fields: {
    tenantId: 'string',
    principalId: 'string',
    credentialId: 'string',
    clientId: 'string',
    clientSecret: 'string',
  },
};
export const FolderAnswer: Shape = { fields: { folderId: 'string' } };
const ForbiddenPrincipalTypes: Shape = { list: 'string' };
export const ForgottenSubject: Shape = { fields: { subject: 'string' } };
export const GetPrincipalHistoryPage: Shape = {
  fields: { items: { list: { of: () => PrincipalHistoryItem } }, next_cursor: { either: ['string', 'null'] } },
};
export const Grant: Shape = {
  fields: {
    grantId: 'string',
    principalId: 'string',
    principalType: 'string',
    refreshFamilyId: { either: ['string', 'null'] },
    status: 'string',
    createdAt: 'string',
    expiresAt: 'string',
    clientId: 'string',
    scopes: { of: () => ScopeNames },
    audience: { of: () => AudienceNames },
    sessionId: { either: ['string', 'null'] },
    authenticatedAt: 'string',
    methods: { of: () => MethodNames },
    endedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
    endedBy: { either: ['string', 'null'] },
    incidentId: { either: ['string', 'null'] },
  },
};
const GrantTypes: Shape = { list: 'string' };
export const HeartbeatAnswer: Shape = { fields: { leaseSeconds: 'number', cancel: { either: ['string', 'null'] } } };
const HeldRole: Shape = { fields: { documentId: 'string', role: 'string', byLink: 'boolean', joinedAt: 'string' } };
const IdentifyingColumns: Shape = { list: 'string' };
export const ImportAnswer: Shape = { fields: { importId: 'string' } };
const ImportRefusal: Shape = {
  fields: { line: 'number', field: 'string', expected: 'string', hint: { either: ['string', 'null'] } },
};
export const InvitationAnswer: Shape = { fields: { invitationId: 'string' }, optional: { secret: 'string' } };
export const IssuedClientId: Shape = { fields: { clientId: 'string' } };
export const Job: Shape = {
  fields: {
    jobId: 'string',
    queue: 'string',
    kind: 'string',
    key: 'string',
    tenantId: 'string',
    correlationId: 'string',
    state: 'string',
    priority: 'number',
    attempts: 'number',
    mostAttempts: 'number',
    position: { either: ['number', 'null'] },
    progress: { either: [{ of: () => JobProgress }, 'null'] },
    worker: { either: ['string', 'null'] },
    claimedAt: { either: ['string', 'null'] },
    seenAt: { either: ['string', 'null'] },
    enqueuedAt: 'string',
    notBefore: 'string',
    deadline: { either: ['string', 'null'] },
    endedAt: { either: ['string', 'null'] },
    isCancelRequested: 'boolean',
    reason: { either: ['string', 'null'] },
    failures: { list: { of: () => FailedAttempt } },
  },
};
const JobAttempt: Shape = {
  fields: {
    attempt: 'number',
    status: 'string',
    reason: { either: ['string', 'null'] },
    leaseEpoch: 'number',
    runnerId: 'string',
    runnerType: 'string',
    assignedAt: 'string',
    startedAt: { either: ['string', 'null'] },
    completedAt: { either: ['string', 'null'] },
    steps: { of: () => JobAttemptSteps },
    annotations: { of: () => JobAttemptAnnotations },
    summary: { either: ['string', 'null'] },
  },
};
const JobAttemptAnnotations: Shape = { list: { of: () => Annotation } };
const JobAttemptSteps: Shape = { list: { of: () => StepReport } };
const JobAttempts: Shape = { list: { of: () => JobAttempt } };
export const JobLogPage: Shape = {
  fields: {
    attempt: 'number',
    chunks: { of: () => LogMessages },
    nextOffset: 'number',
    complete: 'boolean',
    previousOffset: { either: ['number', 'null'] },
    chunkCount: 'number',
    byteCount: 'number',
    lineCount: 'number',
  },
};
const JobProgress: Shape = { fields: { fraction: 'number', detail: 'string' } };
const JobRowLabels: Shape = { list: 'string' };
const JobRowNeeds: Shape = { list: 'string' };
const JobStatusEvent: Shape = {
  fields: { type: 'string', runId: 'string', jobId: 'string', attempt: 'number', status: 'string' },
};
const JobSummaries: Shape = { list: { of: () => JobSummary } };
const JobSummary: Shape = {
  fields: {
    jobId: 'string',
    name: 'string',
    status: 'string',
    runnerType: 'string',
    key: 'string',
    needs: { of: () => JobRowNeeds },
    attempt: 'number',
    reason: { either: ['string', 'null'] },
  },
  optional: { startedAt: 'string', completedAt: 'string', currentStep: 'string' },
};
export const Jobs: Shape = {
  fields: { items: { list: { of: () => Job } }, next_cursor: { either: ['string', 'null'] } },
};
const Jwk: Shape = { either: [{ of: () => EcJwk }, { of: () => OkpJwk }, { of: () => RsaJwk }] };
const JwkSet: Shape = { fields: { keys: { list: { of: () => PublicKey } } } };
export const Jwks: Shape = { fields: { keys: { list: { of: () => Jwk } } } };
const KnownClientSecret: Shape = {
  fields: {
    credentialId: 'string',
    createdAt: 'string',
    createdBy: 'string',
    expiresAt: { either: ['string', 'null'] },
    revokedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
  },
};
export const KnownCredentialPolicy: Shape = {
  fields: { maximumSeconds: 'number', forbiddenFor: { of: () => ForbiddenPrincipalTypes } },
};
export const KnownRegistrationPolicy: Shape = {
  fields: { audiences: { of: () => OpenedAudiences }, metadataHosts: { of: () => MetadataHosts } },
};
const KnownScope: Shape = { fields: { name: 'string', description: 'string', isPersonal: 'boolean' } };
export const KnownScopes: Shape = { fields: { items: { list: { of: () => KnownScope } } } };
export const KnownSignInPolicy: Shape = {
  fields: {
    rules: { either: [{ of: () => SignInRules }, 'null'] },
    effectiveRules: { of: () => SignInRules },
    providers: { list: { of: () => KnownSignInProvider } },
  },
};
const KnownSignInProvider: Shape = {
  fields: {
    providerId: 'string',
    name: 'string',
    issuer: 'string',
    clientId: 'string',
    provisioning: 'string',
    domains: { of: () => Domains },
    mfaContexts: { of: () => AuthenticationContexts },
    hasPassword: 'boolean',
  },
};
export const LimitDecision: Shape = {
  fields: {
    outcome: 'string',
    limits: { list: { of: () => LimitState } },
    retryAfterSeconds: 'number',
    configVersion: 'string',
    source: 'string',
  },
  optional: {
    reason: 'string',
    reservationId: 'string',
    turnMilliseconds: 'number',
    hint: 'string',
    message: 'string',
    reply: { of: () => LimitReply },
    estimateSource: 'string',
  },
};
export const LimitDecisions: Shape = { fields: { answers: { list: { of: () => LimitDecision } } } };
const LimitReply: Shape = {
  fields: { headers: { of: () => LimitReplyHeaders } },
  optional: { status: 'number', body: { of: () => LimitReplyBody } },
};
const LimitReplyBody: Shape = {
  fields: { error: 'string', message: 'string' },
  optional: { retryAfterSeconds: 'number' },
};
const LimitReplyHeaders: Shape = { map: 'string' };
export const LimitSettled: Shape = { fields: { outcome: 'string' } };
export const LimitSettledEach: Shape = { fields: { answers: { list: { of: () => LimitSettledOne } } } };
const LimitSettledOne: Shape = { fields: { outcome: 'string' } };
const LimitState: Shape = {
  fields: {
    unit: 'string',
    limit: 'number',
    remaining: 'number',
    resetSeconds: 'number',
    windowSeconds: 'number',
    over: 'boolean',
  },
  optional: { rule: 'string', watched: 'boolean' },
};
export const LinkAnswer: Shape = { fields: { linkId: 'string', secret: 'string' } };
export const ListAllCredentialsPage: Shape = {
  fields: { items: { list: { of: () => Credential } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListAuthenticatorsPage: Shape = {
  fields: { items: { list: { of: () => Authenticator } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListAuthorityPage: Shape = {
  fields: { items: { list: { of: () => Authority } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListClientSecretsPage: Shape = {
  fields: { items: { list: { of: () => KnownClientSecret } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListClientsPage: Shape = {
  fields: { items: { list: { of: () => Client } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListCredentialsPage: Shape = {
  fields: { items: { list: { of: () => Credential } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListDocumentInvitationsPage: Shape = {
  fields: { items: { list: { of: () => DocumentInvitation } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListDocumentMembersPage: Shape = {
  fields: { items: { list: { of: () => DocumentMember } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListDocumentVersionsPage: Shape = {
  fields: { items: { list: { of: () => DocumentVersion } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListDocumentsOfPrincipalPage: Shape = {
  fields: { items: { list: { of: () => HeldRole } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListFileVersionsPage: Shape = {
  fields: { items: { list: { of: () => FileVersion } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListFilesPage: Shape = {
  fields: { items: { list: { of: () => FileItem } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListGrantsPage: Shape = {
  fields: { items: { list: { of: () => Grant } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListNodeActivityPage: Shape = {
  fields: { items: { list: { of: () => NodeActivity } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListPlaceImportRefusalsPage: Shape = {
  fields: { items: { list: { of: () => ImportRefusal } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListPlaceImportsPage: Shape = {
  fields: { items: { list: { of: () => PlaceImport } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListPrincipalGrantsPage: Shape = {
  fields: { items: { list: { of: () => Grant } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListPrincipalSessionsPage: Shape = {
  fields: { items: { list: { of: () => Session } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListPrincipalsPage: Shape = {
  fields: { items: { list: { of: () => Principal } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListRefreshFamiliesPage: Shape = {
  fields: { items: { list: { of: () => RefreshFamily } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListRepositoriesPage: Shape = {
  fields: { items: { list: { of: () => WorkflowRepository } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListRunnersPage: Shape = {
  fields: { items: { list: { of: () => WorkflowRunner } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListSecurityEventsPage: Shape = {
  fields: { items: { list: { of: () => SecurityEvent } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListSessionsPage: Shape = {
  fields: { items: { list: { of: () => Session } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListSigningKeysPage: Shape = {
  fields: { items: { list: { of: () => SigningKey } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListTenantDocumentMembersPage: Shape = {
  fields: { items: { list: { of: () => DocumentMember } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListTenantDocumentVersionsPage: Shape = {
  fields: { items: { list: { of: () => DocumentVersion } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListTenantDocumentsPage: Shape = {
  fields: { items: { list: { of: () => ListedTenantDocument } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListUsagePage: Shape = {
  fields: { items: { list: { of: () => Usage } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListWorkflowArtifactsPage: Shape = {
  fields: { items: { list: { of: () => WorkflowArtifact } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListWorkflowJobsPage: Shape = {
  fields: { items: { list: { of: () => WorkflowJob } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListWorkflowRunsPage: Shape = {
  fields: { items: { list: { of: () => ListedWorkflowRun } }, next_cursor: { either: ['string', 'null'] } },
};
const ListedTenantDocument: Shape = {
  fields: {
    documentId: 'string',
    title: 'string',
    headVersion: 'number',
    homeRegion: 'string',
    createdBy: 'string',
    createdAt: 'string',
    updatedAt: 'string',
    status: 'string',
    trashedAt: { either: ['string', 'null'] },
    owners: { of: () => DocumentOwners },
  },
};
const ListedWorkflowRun: Shape = {
  fields: {
    runId: 'string',
    repoId: 'string',
    workflowDefinitionId: 'string',
    triggerEventId: 'string',
    workflowName: 'string',
    path: 'string',
    yamlHash: 'string',
    definitionVersion: 'number',
    eventType: 'string',
    ref: 'string',
    branch: 'string',
    commitSha: 'string',
    actorId: 'string',
    priority: 'number',
    status: 'string',
    cancelRequested: 'boolean',
    attempt: 'number',
    problems: { of: () => RunRowProblems },
    reason: { either: ['string', 'null'] },
    createdAt: 'string',
    waitsForRunner: 'boolean',
  },
  optional: { startedAt: 'string', completedAt: 'string' },
};
const LogChunkEvent: Shape = {
  fields: {
    type: 'string',
    attempt: 'number',
    runId: 'string',
    jobId: 'string',
    chunkOffset: 'number',
    byteOffsetStart: 'number',
    byteOffsetEnd: 'number',
    lineStart: 'number',
    text: 'string',
    emittedAt: 'string',
  },
};
const LogEndEvent: Shape = {
  fields: { type: 'string', runId: 'string', jobId: 'string', attempt: 'number', chunks: 'number', isWhole: 'boolean' },
};
export const LogEvent: Shape = {
  either: [
    { of: () => LogChunkEvent },
    { of: () => RunStatusEvent },
    { of: () => JobStatusEvent },
    { of: () => StepStatusEvent },
    { of: () => LogEndEvent },
  ],
};
const LogMessage: Shape = {
  fields: {
    runId: 'string',
    jobId: 'string',
    chunkOffset: 'number',
    byteOffsetStart: 'number',
    byteOffsetEnd: 'number',
    lineStart: 'number',
    text: 'string',
    emittedAt: 'string',
  },
};
const LogMessages: Shape = { list: { of: () => LogMessage } };
const LogStep: Shape = {
  fields: {
    stepId: 'string',
    number: 'number',
    name: 'string',
    status: 'string',
    exitCode: { either: ['number', 'null'] },
    startedAt: { either: ['string', 'null'] },
    completedAt: { either: ['string', 'null'] },
  },
};
const MappedFields: Shape = { map: { either: ['string', 'null'] } };
export const MemberAnswer: Shape = { fields: { documentId: 'string', principalId: 'string' } };
const MetadataHosts: Shape = { list: 'string' };
const MetadataWords: Shape = { list: 'string' };
const MethodNames: Shape = { list: 'string' };
const MetricHistory: Shape = {
  fields: {
    stepSeconds: 'number',
    from: 'string',
    series: { list: { of: () => MetricSeries } },
    why: { either: ['string', 'null'] },
  },
};
const MetricSeries: Shape = { fields: { name: 'string', values: { list: { either: ['number', 'null'] } } } };
const NodeActivity: Shape = {
  fields: { version: 'number', opId: 'string', type: 'string', actorId: 'string', at: 'string' },
};
const NodeDiff: Shape = {
  fields: { kind: 'string', id: 'string', type: 'string', parentId: { either: ['string', 'null'] } },
  optional: {
    name: 'string',
    properties: { of: () => PropertyDiffs },
    moved: { of: () => NodeMoved },
    text: { of: () => TextDiff },
    retyped: { of: () => NodeRetyped },
  },
};
const NodeMoved: Shape = { fields: { before: { of: () => NodePlace }, after: { of: () => NodePlace } } };
const NodePlace: Shape = { fields: { parentId: { either: ['string', 'null'] }, orderKey: 'string' } };
const NodeRetyped: Shape = { fields: { before: 'string', after: 'string' } };
const OkpJwk: Shape = {
  fields: { kty: 'string', crv: 'string', x: 'string', alg: 'string', kid: 'string', use: 'string' },
};
const OpenedAudiences: Shape = { list: 'string' };
export const OpenedVersion: Shape = {
  fields: { snapshot: { of: () => Snapshot }, pieces: { of: () => SnapshotPieces } },
};
const OpeningHours: Shape = {
  fields: { tz: 'string', weekly: { of: () => WeeklyIntervals }, exceptions: { of: () => ExceptionalDays } },
};
const OpeningInterval: Shape = { fields: { open: 'string', close: 'string' } };
const OpeningIntervals: Shape = { list: { of: () => OpeningInterval } };
export const OrganizationAnswer: Shape = {
  fields: {
    id: 'string',
    plan: 'string',
    concurrency_limit: { either: ['number', 'null'] },
    minutes_quota: { either: ['number', 'null'] },
    isolation_policy: 'string',
  },
};
const Outcome: Shape = {
  fields: { opId: 'string', status: 'string' },
  optional: { reason: 'string', version: 'number', op: { of: () => DocumentOperation } },
};
const Outcomes: Shape = { list: { of: () => Outcome } };
export const OwnDocumentInvitationsPage: Shape = {
  fields: { items: { list: { of: () => DocumentInvitation } }, next_cursor: { either: ['string', 'null'] } },
};
const PageBox: Shape = { fields: { pageNumber: 'number', box: { of: () => Box } } };
const PlaceChangeFault: Shape = {
  fields: { pointer: 'string', expected: 'string', hint: { either: ['string', 'null'] } },
};
const PlaceChangeFaults: Shape = { list: { of: () => PlaceChangeFault } };
const PlaceChangeResult: Shape = {
  fields: { outcome: 'string', code: { either: ['string', 'null'] }, faults: { of: () => PlaceChangeFaults } },
};
const PlaceChangeResultList: Shape = { list: { of: () => PlaceChangeResult } };
export const PlaceChangeResults: Shape = { fields: { results: { of: () => PlaceChangeResultList } } };
export const PlaceFileUpload: Shape = { fields: { partBytes: 'number', arrived: { of: () => ArrivedParts } } };
const PlaceHandoverResult: Shape = {
  fields: {
    entityId: 'string',
    outcome: 'string',
    code: { either: ['string', 'null'] },
    detail: { either: ['string', 'null'] },
  },
};
const PlaceHandoverResultList: Shape = { list: { of: () => PlaceHandoverResult } };
export const PlaceHandoverResults: Shape = { fields: { results: { of: () => PlaceHandoverResultList } } };
export const PlaceImport: Shape = {
  fields: {
    importId: 'string',
    fileName: 'string',
    format: 'string',
    size: 'number',
    source: 'string',
    category: { either: ['string', 'null'] },
    attribution: { either: ['string', 'null'] },
    synthetic: 'boolean',
    mapping: { either: [{ of: () => FieldMapping }, 'null'] },
    version: 'number',
    status: 'string',
    reason: { either: ['string', 'null'] },
    lines: 'number',
    recorded: 'number',
    unchanged: 'number',
    outdated: 'number',
    refused: 'number',
    refusedListed: 'number',
    permille: 'number',
    createdAt: 'string',
    updatedAt: 'string',
  },
};
export const PlaceSearchAnswer: Shape = {
  fields: {
    results: { list: { of: () => PlaceSearchResult } },
    next_cursor: { either: ['string', 'null'] },
    incomplete: 'boolean',
    warnings: { list: 'string' },
    searched: { of: () => SearchedArea },
  },
};
const PlaceSearchResult: Shape = {
  fields: {
    entity_id: 'string',
    name: 'string',
    category: 'string',
    lat: 'number',
    lng: 'number',
    distance_m: 'number',
    rating: { either: ['number', 'null'] },
    snippet: { either: ['string', 'null'] },
    status: 'string',
    synthetic: 'boolean',
    attribution: { either: ['string', 'null'] },
  },
  optional: { explanation: { of: () => RankExplanation } },
};
const PlatformCause: Shape = {
  fields: {
    id: 'string',
    causationId: { either: ['string', 'null'] },
    stream: 'string',
    revision: 'number',
    position: 'string',
    type: 'string',
    at: { either: ['string', 'null'] },
    depth: 'number',
  },
};
export const PlatformCauses: Shape = { fields: { items: { list: { of: () => PlatformCause } }, truncated: 'boolean' } };
export const PlatformEvent: Shape = {
  fields: {
    id: 'string',
    type: 'string',
    stream: 'string',
    context: { either: ['string', 'null'] },
    tenantId: { either: ['string', 'null'] },
    revision: 'number',
    position: 'string',
    at: { either: ['string', 'null'] },
    contentType: 'string',
    data: 'anything',
    metadata: 'anything',
  },
};
export const PlatformEventPlace: Shape = { fields: { stream: 'string', revision: 'number', position: 'string' } };
export const PlatformEventTypes: Shape = { fields: { items: { list: 'string' } } };
export const PlatformEventWithState: Shape = {
  fields: { event: { of: () => PlatformEvent } },
  optional: {
    before: 'anything',
    after: 'anything',
    changes: { list: { of: () => PlatformStateChange } },
    stateOmitted: 'string',
  },
};
export const PlatformHealth: Shape = {
  fields: { status: 'string', at: 'string', items: { list: { of: () => PlatformHealthItem } } },
};
const PlatformHealthItem: Shape = {
  fields: {
    name: 'string',
    status: 'string',
    why: { either: ['string', 'null'] },
    version: { either: ['string', 'null'] },
    uptimeSeconds: { either: ['number', 'null'] },
    answeredInMilliseconds: { either: ['number', 'null'] },
    recent: { of: () => RecentSamples },
    parts: { list: { of: () => PlatformHealthPart } },
  },
};
const PlatformHealthPart: Shape = { fields: { name: 'string', status: 'string', why: { either: ['string', 'null'] } } };
export const PlatformLog: Shape = {
  fields: { items: { list: { of: () => PlatformEvent } } },
  optional: { next: 'string' },
};
export const PlatformOverview: Shape = {
  fields: {
    at: 'string',
    audience: 'string',
    views: { either: [{ list: { of: () => PlatformView } }, 'null'] },
    processes: { either: [{ list: { of: () => PlatformProcess } }, 'null'] },
    queues: { either: [{ list: { of: () => PlatformQueue } }, 'null'] },
    why: { either: ['string', 'null'] },
    history: { of: () => MetricHistory },
  },
};
const PlatformProcess: Shape = {
  fields: {
    name: 'string',
    state: 'string',
    why: { either: ['string', 'null'] },
    checkpoint: { either: ['string', 'null'] },
    lagEvents: { either: ['number', 'null'] },
    lagSeconds: 'number',
    owner: { either: ['string', 'null'] },
    seenAt: 'string',
    timersWaiting: 'number',
    timersOverdue: 'number',
    nextTimerAt: { either: ['string', 'null'] },
  },
};
export const PlatformProcesses: Shape = { fields: { items: { list: { of: () => PlatformProcess } } } };
const PlatformQueue: Shape = {
  fields: {
    queue: 'string',
    waiting: 'number',
    delayed: 'number',
    running: 'number',
    dead: 'number',
    oldestWaitingAt: { either: ['string', 'null'] },
    oldestDeadAt: { either: ['string', 'null'] },
  },
};
export const PlatformQueues: Shape = { fields: { items: { list: { of: () => PlatformQueue } } } };
const PlatformRebuild: Shape = {
  fields: {
    outcome: 'string',
    by: 'string',
    began: 'string',
    ended: { either: ['string', 'null'] },
    generation: { either: ['number', 'null'] },
    position: { either: ['string', 'null'] },
    resumedFrom: { either: ['string', 'null'] },
    events: 'number',
    eventsPerSecond: 'number',
    secondsLeft: { either: ['number', 'null'] },
    rowsBefore: { either: ['number', 'null'] },
    rowsAfter: { either: ['number', 'null'] },
    differs: { either: ['boolean', 'null'] },
    reason: { either: ['string', 'null'] },
  },
};
const PlatformStateChange: Shape = {
  fields: { op: 'string', path: 'string' },
  optional: { value: 'anything', was: 'anything' },
};
const PlatformStream: Shape = {
  fields: {
    stream: 'string',
    context: { either: ['string', 'null'] },
    aggregate: { either: ['string', 'null'] },
    tenantId: { either: ['string', 'null'] },
    id: { either: ['string', 'null'] },
    events: 'number',
    firstRevision: 'number',
    lastRevision: 'number',
    firstAt: { either: ['string', 'null'] },
    lastAt: { either: ['string', 'null'] },
    lastType: 'string',
    principalId: { either: ['string', 'null'] },
    clientId: { either: ['string', 'null'] },
  },
};
export const PlatformStreamEvents: Shape = {
  fields: { items: { list: { of: () => PlatformEvent } } },
  optional: { next: 'number' },
};
export const PlatformStreams: Shape = {
  fields: { items: { list: { of: () => PlatformStream } } },
  optional: { next: 'string' },
};
const PlatformTimer: Shape = {
  fields: { id: 'string', process: 'string', instance: 'string', key: 'string', at: 'string', overdue: 'boolean' },
};
export const PlatformTimers: Shape = {
  fields: { items: { list: { of: () => PlatformTimer } } },
  optional: { next: 'string' },
};
const PlatformView: Shape = {
  fields: {
    name: 'string',
    version: 'number',
    store: 'string',
    phase: 'string',
    why: { either: ['string', 'null'] },
    generation: { either: ['number', 'null'] },
    checkpoint: { either: ['string', 'null'] },
    lagSeconds: 'number',
    lagEvents: { either: ['number', 'null'] },
    skippedEvents: 'number',
    seenAt: 'string',
    lastRebuild: { either: [{ of: () => PlatformRebuild }, 'null'] },
  },
};
export const PlatformViews: Shape = { fields: { items: { list: { of: () => PlatformView } } } };
export const PolledMessages: Shape = { fields: { messages: { of: () => ToRunnerMessages } } };
const PresentPrincipal: Shape = { fields: { principalId: 'string', connections: 'number' } };
export const Principal: Shape = {
  fields: {
    principalId: 'string',
    principalType: 'string',
    tenantId: 'string',
    status: 'string',
    securityEpoch: 'number',
    createdAt: 'string',
    name: { either: ['string', 'null'] },
    login: { either: ['string', 'null'] },
    roles: { of: () => PrincipalRoles },
  },
};
export const PrincipalAnswer: Shape = { fields: { principalId: 'string' } };
const PrincipalHistoryItem: Shape = {
  fields: {
    eventId: 'string',
    principalId: 'string',
    revision: 'number',
    type: 'string',
    at: 'string',
    actor: 'string',
    reason: { either: ['string', 'null'] },
    details: { map: 'anything' },
  },
};
const PrincipalRoles: Shape = { list: 'string' };
const PropertyDiff: Shape = {
  fields: { name: 'string' },
  optional: { before: 'anything', after: 'anything', omitted: { of: () => DiffSides } },
};
const PropertyDiffs: Shape = { list: { of: () => PropertyDiff } };
const PublicKey: Shape = {
  fields: { kty: 'string' },
  optional: {
    crv: 'string',
    x: 'string',
    y: 'string',
    n: 'string',
    e: 'string',
    kid: 'string',
    alg: 'string',
    use: 'string',
    'x5t#S256': 'string',
  },
};
export const PushedAuthorization: Shape = { fields: { request_uri: 'string', expires_in: 'number' } };
const RankExplanation: Shape = {
  fields: {
    score: 'number',
    distance: 'number',
    text: 'number',
    text_class: { either: ['string', 'null'] },
    popularity: 'number',
    rating: 'number',
    factor: 'number',
  },
};
const RateLimitMatch: Shape = { map: { list: 'string' } };
export const RateLimitPolicies: Shape = { fields: { items: { list: { of: () => RateLimitPolicy } } } };
const RateLimitPolicy: Shape = {
  fields: {
    enforcedBy: 'string',
    version: 'string',
    origin: 'string',
    file: { either: ['string', 'null'] },
    rules: { list: { of: () => RateLimitRule } },
  },
};
const RateLimitRefusals: Shape = {
  fields: {
    id: 'string',
    at: 'string',
    enforcedBy: 'string',
    principalId: { either: ['string', 'null'] },
    clientId: { either: ['string', 'null'] },
    group: { either: ['string', 'null'] },
    reason: 'string',
    rules: { list: 'string' },
    retryAfterSeconds: 'number',
    requestId: { either: ['string', 'null'] },
    refusals: 'number',
  },
};
export const RateLimitRefusalsPage: Shape = {
  fields: { items: { list: { of: () => RateLimitRefusals } } },
  optional: { next: 'string' },
};
const RateLimitRule: Shape = {
  fields: {
    name: 'string',
    set: 'string',
    match: { of: () => RateLimitMatch },
    by: { list: 'string' },
    algorithm: 'string',
    unit: 'string',
    limit: 'number',
    periodMilliseconds: { either: ['number', 'null'] },
    burst: { either: ['number', 'null'] },
    strictness: 'string',
    onStoreError: 'string',
  },
};
const RecentSample: Shape = { fields: { series: 'string', value: 'number', merge: 'string' } };
const RecentSamples: Shape = { list: { of: () => RecentSample } };
const RedirectUris: Shape = { list: 'string' };
export const RefreshFamily: Shape = {
  fields: {
    family_id: 'string',
    grantId: 'string',
    principalId: 'string',
    clientId: 'string',
    status: 'string',
    rotation_counter: 'number',
    binding: { either: ['string', 'null'] },
    openedAt: 'string',
    lastUsedAt: { either: ['string', 'null'] },
    idleSeconds: 'number',
    expiresAt: 'string',
    endedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
    endedBy: { either: ['string', 'null'] },
    incidentId: { either: ['string', 'null'] },
  },
};
const RefusedRequest: Shape = {
  fields: {
    id: 'string',
    at: 'string',
    principalId: { either: ['string', 'null'] },
    clientId: { either: ['string', 'null'] },
    isProven: 'boolean',
    method: 'string',
    route: 'string',
    status: 'number',
    code: 'string',
    reason: 'string',
    requestId: 'string',
    unlisted: 'number',
  },
};
export const RefusedRequestsPage: Shape = {
  fields: { items: { list: { of: () => RefusedRequest } } },
  optional: { next: 'string' },
};
export const RegisteredRunner: Shape = { fields: { runnerId: 'string', credential: 'string' } };
export const RegisteredTenant: Shape = { fields: { tenantId: 'string', code: 'string' } };
export const RegistrationPolicyAnswer: Shape = { fields: {} };
export const RepositoryAnswer: Shape = {
  fields: { id: 'string', org_id: 'string', name: 'string', default_branch: 'string', clone_url: 'string' },
};
export const RepositoryEventAnswer: Shape = { fields: { eventId: 'string', accepted: 'boolean' } };
export const RestoredVersion: Shape = { fields: { committedVersion: 'number' } };
export const RetriedJob: Shape = { fields: { jobId: 'string' } };
export const RetrievalAnswer: Shape = {
  fields: { results: { of: () => RetrievalResults }, degraded: { of: () => DegradedSearches } },
};
const RetrievalResult: Shape = {
  fields: {
    chunkId: 'string',
    fileId: 'string',
    versionId: 'string',
    filename: { either: ['string', 'null'] },
    score: 'number',
    snippet: 'string',
    highlights: { of: () => SnippetHighlights },
    modality: 'string',
    citation: { of: () => Citation },
  },
};
const RetrievalResults: Shape = { list: { of: () => RetrievalResult } };
export const RevokedClientSecret: Shape = { fields: { credentialId: 'string' } };
export const RevokedCredential: Shape = { fields: { credentialId: 'string' } };
export const RevokedFamily: Shape = { fields: { familyId: 'string' } };
export const RevokedGrant: Shape = { fields: { grantId: 'string' } };
const RsaJwk: Shape = {
  fields: { kty: 'string', n: 'string', e: 'string', alg: 'string', kid: 'string', use: 'string' },
};
export const RunAnswer: Shape = { fields: { runId: 'string' } };
const RunRowProblems: Shape = { list: { of: () => DefinitionProblem } };
const RunStatusEvent: Shape = { fields: { type: 'string', runId: 'string', status: 'string' } };
export const RunnerAnswer: Shape = { fields: { runnerId: 'string' } };
const RunnerRowLabels: Shape = { list: 'string' };
export const RunnerToken: Shape = { fields: { token: 'string', runnerId: 'string', expiresAt: 'string' } };
const ScopeNames: Shape = { list: 'string' };
const Scopes: Shape = { list: 'string' };
const SearchedArea: Shape = {
  fields: { lat: 'number', lng: 'number' },
  optional: { radius_m: 'number', bbox: { list: 'number' } },
};
export const SecurityEvent: Shape = {
  fields: {
    eventId: 'string',
    position: 'string',
    timestamp: 'string',
    type: 'string',
    principalId: { either: ['string', 'null'] },
    principalType: { either: ['string', 'null'] },
    clientId: { either: ['string', 'null'] },
    actor: 'string',
    severity: { either: ['string', 'null'] },
    summary: 'string',
    details: { map: 'anything' },
  },
};
export const SecurityState: Shape = {
  fields: {
    sequence: { either: ['string', 'null'] },
    stalenessMilliseconds: 'number',
    heartbeatMilliseconds: 'number',
    changes: { list: { of: () => SecurityStateChange } },
  },
};
const SecurityStateChange: Shape = {
  fields: {
    sequence: 'string',
    kind: 'string',
    tenantId: 'string',
    subject: 'string',
    minimum: 'number',
    at: 'number',
    until: 'number',
  },
};
const Session: Shape = {
  fields: {
    sessionId: 'string',
    principalId: 'string',
    status: 'string',
    openedAt: 'string',
    authenticatedAt: 'string',
    methods: { of: () => MethodNames },
    upstreamIssuer: { either: ['string', 'null'] },
    expiresAt: 'string',
    endedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
    endedBy: { either: ['string', 'null'] },
  },
};
export const SignInMethods: Shape = {
  fields: { people: 'number', withPassword: 'number', withPasskey: 'number', isComplete: 'boolean' },
};
export const SignInPolicyAnswer: Shape = { fields: {} };
const SignInRules: Shape = {
  fields: { mfa: 'string', passwords: 'boolean', passkeys: 'boolean', sessionSeconds: 'number' },
};
const SignedDownload: Shape = { fields: { url: 'string', headers: { of: () => SignedHeaders } } };
const SignedHeaders: Shape = { map: 'string' };
export const SignedInSession: Shape = {
  fields: {
    tenantId: 'string',
    principalId: 'string',
    principalType: 'string',
    scopes: { list: 'string' },
    clientId: 'string',
    endsAt: 'string',
  },
};
export const SignedUpload: Shape = {
  fields: { method: 'string', url: 'string', headers: { map: 'string' }, expiresAt: 'string' },
};
const SignedUpload8: Shape = {
  fields: { url: 'string', headers: { of: () => SignedHeaders }, part: { either: ['number', 'null'] } },
};
const SignedUploads: Shape = { list: { of: () => SignedUpload8 } };
const SigningKey: Shape = {
  fields: {
    kid: 'string',
    algorithm: 'string',
    keystore: 'string',
    state: 'string',
    createdAt: 'string',
    publishedAt: { either: ['string', 'null'] },
    activatedAt: { either: ['string', 'null'] },
    retiredAt: { either: ['string', 'null'] },
    revokedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
  },
};
export const SigningKeyAnswer: Shape = { fields: { kid: 'string' } };
const Snapshot: Shape = {
  fields: {
    documentId: 'string',
    version: 'number',
    schemaVersion: 'number',
    compressedSceneKey: 'string',
    checksum: 'string',
    assetRefs: { of: () => AssetRefs },
  },
};
const SnapshotPiece: Shape = { fields: { key: 'string' }, optional: { url: 'string', base64: 'string' } };
const SnapshotPieces: Shape = { list: { of: () => SnapshotPiece } };
const SnippetHighlight: Shape = { fields: { start: 'number', length: 'number' } };
const SnippetHighlights: Shape = { list: { of: () => SnippetHighlight } };
export const SourceReservationAnswer: Shape = { fields: { source: 'string', writers: { of: () => SourceWriters } } };
const SourceWriters: Shape = { list: 'string' };
const StepReport: Shape = {
  fields: {
    stepId: 'string',
    number: 'number',
    name: 'string',
    status: 'string',
    exitCode: { either: ['number', 'null'] },
    startedAt: { either: ['string', 'null'] },
    completedAt: { either: ['string', 'null'] },
  },
};
const StepStatusEvent: Shape = {
  fields: { type: 'string', runId: 'string', jobId: 'string', attempt: 'number', step: { of: () => LogStep } },
};
export const StreamTicket: Shape = { fields: { ticket: 'string', expires_at: 'string' } };
const SubjectTypes: Shape = { list: 'string' };
const SupportedModalities: Shape = { list: 'string' };
const TargetIds: Shape = { list: 'string' };
export const TenantDocumentForCaller: Shape = {
  fields: {
    documentId: 'string',
    title: 'string',
    headVersion: 'number',
    homeRegion: 'string',
    createdBy: 'string',
    createdAt: 'string',
    updatedAt: 'string',
    status: 'string',
    trashedAt: { either: ['string', 'null'] },
    role: { either: ['string', 'null'] },
  },
};
const TextDiff: Shape = {
  fields: {},
  optional: { before: 'string', after: 'string', omitted: { of: () => DiffSides } },
};
const ToRunnerMessages: Shape = { list: 'anything' };
export const TokenAnswer: Shape = {
  fields: { access_token: 'string', token_type: 'string', expires_in: 'number', scope: 'string' },
  optional: { refresh_token: 'string', id_token: 'string' },
};
export const TokensRevoked: Shape = { fields: { sequence: { either: ['string', 'null'] } } };
export const UploadSession: Shape = {
  fields: {
    fileId: 'string',
    versionId: 'string',
    uploadUrl: { either: ['string', 'null'] },
    uploadMethod: 'string',
    uploadHeaders: { map: 'string' },
    expiresAt: 'string',
  },
};
const Usage: Shape = {
  fields: { quotaId: 'string', startsAt: 'string', endsAt: 'string', hour: 'string', used: 'number', usedAt: 'string' },
};
export const UsageRecorded: Shape = { fields: { usedAt: 'string' } };
export const Userinfo: Shape = {
  fields: { sub: 'string' },
  optional: { name: 'string', preferred_username: 'string', email: 'string', email_verified: 'boolean' },
};
export const VersionDiff: Shape = {
  fields: {
    from: 'number',
    to: 'number',
    items: { list: { of: () => NodeDiff } },
    counts: { of: () => VersionDiffCounts },
    next_cursor: { either: ['string', 'null'] },
  },
};
const VersionDiffCounts: Shape = { fields: { created: 'number', deleted: 'number', changed: 'number' } };
const WaitingJob: Shape = { fields: { jobId: 'string', reason: 'string', detail: 'string', position: 'number' } };
export const WaitingJobs: Shape = { fields: { jobs: { list: { of: () => WaitingJob } } } };
const WeeklyInterval: Shape = { fields: { day: 'number', open: 'string', close: 'string' } };
const WeeklyIntervals: Shape = { list: { of: () => WeeklyInterval } };
const WordBox: Shape = {
  fields: { start: 'number', length: 'number', pageNumber: { either: ['number', 'null'] }, box: { of: () => Box } },
};
const WorkflowArtifact: Shape = {
  fields: {
    id: 'string',
    run_id: 'string',
    job_id: 'string',
    attempt: 'number',
    name: 'string',
    storage_uri: 'string',
    size_bytes: 'number',
    checksum: 'string',
    created_at: 'string',
    expires_at: 'string',
  },
};
const WorkflowJob: Shape = {
  fields: {
    jobId: 'string',
    name: 'string',
    status: 'string',
    runnerType: 'string',
    key: 'string',
    needs: { of: () => JobRowNeeds },
    attempt: 'number',
    reason: { either: ['string', 'null'] },
    labels: { of: () => JobRowLabels },
    leaseEpoch: 'number',
    leaseOwner: { either: ['string', 'null'] },
    runId: 'string',
    leaseExpiresAt: { either: ['string', 'null'] },
    attempts: { of: () => JobAttempts },
  },
  optional: { startedAt: 'string', completedAt: 'string', currentStep: 'string' },
};
export const WorkflowOrganization: Shape = {
  fields: {
    id: 'string',
    plan: 'string',
    concurrency_limit: { either: ['number', 'null'] },
    minutes_quota: { either: ['number', 'null'] },
    isolation_policy: 'string',
    revision: 'number',
  },
};
export const WorkflowRepository: Shape = {
  fields: {
    id: 'string',
    org_id: 'string',
    name: 'string',
    default_branch: 'string',
    host: 'string',
    remote_url: { either: ['string', 'null'] },
    clone_path: 'string',
    created_at: 'string',
  },
};
export const WorkflowRun: Shape = {
  fields: {
    runId: 'string',
    repoId: 'string',
    workflowDefinitionId: 'string',
    triggerEventId: 'string',
    workflowName: 'string',
    path: 'string',
    yamlHash: 'string',
    definitionVersion: 'number',
    eventType: 'string',
    ref: 'string',
    branch: 'string',
    commitSha: 'string',
    actorId: 'string',
    priority: 'number',
    status: 'string',
    cancelRequested: 'boolean',
    attempt: 'number',
    problems: { of: () => RunRowProblems },
    reason: { either: ['string', 'null'] },
    createdAt: 'string',
    jobs: { of: () => JobSummaries },
  },
  optional: { startedAt: 'string', completedAt: 'string' },
};
const WorkflowRunner: Shape = {
  fields: {
    id: 'string',
    name: 'string',
    type: 'string',
    tenant_id: { either: ['string', 'null'] },
    labels: { of: () => RunnerRowLabels },
    isolation: 'string',
    status: 'string',
    current_job_id: { either: ['string', 'null'] },
    registered_at: 'string',
    last_heartbeat_at: { either: ['string', 'null'] },
  },
};
