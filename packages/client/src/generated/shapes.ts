// Made by `npm run generate:client` of the routes; never edited by hand.
import type { Shape } from '../shape';

export const AbortedVideoUpload: Shape = { fields: { videoId: 'string', uploadId: 'string' } };
const AccessPolicyVersion: Shape = {
  fields: {
    version: 'number',
    note: { either: ['string', 'null'] },
    rules: 'number',
    draftedAt: 'string',
    draftedBy: 'string',
    isEnforced: 'boolean',
    isShadow: 'boolean',
    enforcedAt: { either: ['string', 'null'] },
  },
};
export const AccessPolicyVersionDocument: Shape = {
  fields: { version: 'number', document: { of: () => PolicyDocument2 } },
};
export const AgentAction: Shape = {
  fields: {
    initiatorId: { either: ['string', 'null'] },
    agentId: 'string',
    delegationId: { either: ['string', 'null'] },
    taskId: { either: ['string', 'null'] },
    requestId: { either: ['string', 'null'] },
    tool: 'string',
    resource: 'string',
    operation: 'string',
    scopes: { of: () => ScopeNames },
    policyDecision: 'string',
    policyVersion: { either: ['number', 'null'] },
    approvalId: 'string',
    approverId: { either: ['string', 'null'] },
    actionHash: 'string',
    jti: { either: ['string', 'null'] },
    result: { either: [{ either: ['string', 'null'] }, 'null'] },
    httpStatus: { either: ['number', 'null'] },
    timestamp: { either: ['string', 'null'] },
  },
};
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
const AnswerCitation: Shape = {
  fields: {
    fileId: 'string',
    filename: { either: ['string', 'null'] },
    versionId: 'string',
    chunkId: 'string',
    pageNumber: { either: ['number', 'null'] },
    quote: 'string',
    citation: { of: () => Citation },
  },
};
const AnswerCitations: Shape = { list: { of: () => AnswerCitation } };
const AnswerSentence: Shape = { fields: { text: 'string', citations: { of: () => SentenceCitations } } };
const AnswerSentences: Shape = { list: { of: () => AnswerSentence } };
export const ApiAnswer: Shape = { fields: { apiId: 'string' } };
export const ApiToolAnswer: Shape = { fields: { apiId: 'string', tool: 'string' } };
export const Approval: Shape = {
  fields: {
    approvalId: 'string',
    status: 'string',
    actionHash: 'string',
    method: 'string',
    path: 'string',
    query: { either: ['string', 'null'] },
    body: { either: ['string', 'null'] },
    audience: 'string',
    operation: 'string',
    summary: 'string',
    scopes: { of: () => ScopeNames },
    agentId: 'string',
    delegationId: { either: ['string', 'null'] },
    taskId: { either: ['string', 'null'] },
    onBehalfOf: { either: ['string', 'null'] },
    priorActors: { of: () => ApprovalPriorActors },
    reason: { either: ['string', 'null'] },
    requestedAt: 'string',
    expiresAt: 'string',
    approverId: { either: ['string', 'null'] },
    authTime: { either: ['string', 'null'] },
    amr: { either: [{ of: () => ApprovalMethods }, 'null'] },
    decidedAt: { either: ['string', 'null'] },
    usableUntil: { either: ['string', 'null'] },
    endReason: { either: ['string', 'null'] },
    jti: { either: ['string', 'null'] },
    requestId: { either: ['string', 'null'] },
    policyVersion: { either: ['number', 'null'] },
    consumedAt: { either: ['string', 'null'] },
    result: { either: ['string', 'null'] },
    httpStatus: { either: ['number', 'null'] },
    answeredAt: { either: ['string', 'null'] },
  },
};
export const ApprovalAnswer: Shape = {
  fields: {
    approvalId: 'string',
    actionHash: 'string',
    operation: 'string',
    summary: 'string',
    scopes: { of: () => Scopes },
    expiresAt: 'string',
  },
};
const ApprovalMethods: Shape = { list: 'string' };
const ApprovalPriorActors: Shape = { list: 'string' };
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
const AttributeRead: Shape = { fields: { attribute: 'string', value: 'string' } };
const AttributeValue: Shape = { either: ['string', 'number', 'boolean'] };
const Attributes: Shape = { map: { of: () => AttributeValue } };
const AttributesRead: Shape = { list: { of: () => AttributeRead } };
const AudienceNames: Shape = { list: 'string' };
const Audiences: Shape = { list: 'string' };
const AuthEvent: Shape = {
  fields: {
    eventId: 'string',
    timestamp: 'string',
    jti: { either: ['string', 'null'] },
    principalId: { either: ['string', 'null'] },
    principalType: { either: ['string', 'null'] },
    tenantId: { either: ['string', 'null'] },
    audience: 'string',
    scopes: { list: 'string' },
    result: 'string',
  },
  optional: {
    sourceIp: 'string',
    deviceId: 'string',
    workloadId: 'string',
    clusterId: 'string',
    dpopThumbprint: 'string',
    certThumbprint: 'string',
    reason: 'string',
  },
};
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
const BackTestAlert: Shape = { fields: { severity: 'string', count: 'number', decision: { of: () => AuthEvent } } };
const BackTestAlerts: Shape = { list: { of: () => BackTestAlert } };
export const BackTestAnswer: Shape = {
  fields: { decisions: 'number', isComplete: 'boolean', alerts: 'number', items: { of: () => BackTestAlerts } },
};
export const BegunRebuild: Shape = { fields: { view: 'string' } };
const BlockedRecording: Shape = { fields: { recordingId: 'string', name: 'string', videoId: 'string' } };
export const BlockedRecordingAnswer: Shape = { fields: { recordingId: 'string' } };
const BlockedRecordingList: Shape = { list: { of: () => BlockedRecording } };
export const BlockedRecordings: Shape = { fields: { items: { of: () => BlockedRecordingList } } };
const Box: Shape = { fields: { x: 'number', y: 'number', w: 'number', h: 'number' } };
const BuiltInClient: Shape = {
  fields: { applicationId: 'string', clientId: 'string', name: 'string', purpose: 'string' },
};
export const BuiltInClients: Shape = { fields: { items: { list: { of: () => BuiltInClient } } } };
export const CancelledJob: Shape = { fields: { jobId: 'string', state: 'string' } };
export const CapabilityAnswer: Shape = { fields: { capability: 'string', notAfter: 'string' } };
export const ChangedJob: Shape = { fields: { jobId: 'string' } };
export const ChangedRepository: Shape = { fields: { id: 'string', default_branch: 'string' } };
export const ChangedVideo: Shape = { fields: { videoId: 'string' } };
export const ChangedVideoCaptions: Shape = { fields: { videoId: 'string', language: 'string' } };
export const ChangedVideoEntitlement: Shape = { fields: { entitlementId: 'string' } };
export const ChangedVideoSeries: Shape = { fields: { seriesId: 'string' } };
const ChunkSegment: Shape = {
  fields: { start: 'number', length: 'number' },
  optional: { region: { of: () => Box }, timestampStartMs: 'number', timestampEndMs: 'number' },
};
const ChunkSegments: Shape = { list: { of: () => ChunkSegment } };
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
const ClearKey: Shape = { fields: { kty: 'string', kid: 'string', k: 'string' } };
export const ClearKeyLicense: Shape = { fields: { keys: { list: { of: () => ClearKey } }, type: 'string' } };
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
export const CompletedVideoUpload: Shape = { fields: { videoId: 'string', status: 'string' } };
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
export const DecidedApproval: Shape = { fields: { approvalId: 'string' } };
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
const DegradedAnswer: Shape = { list: 'string' };
const DegradedSearches: Shape = { list: 'string' };
export const Delegation: Shape = {
  fields: {
    delegationId: 'string',
    grantId: 'string',
    delegatorId: 'string',
    delegatorType: 'string',
    agentId: 'string',
    taskId: 'string',
    audience: 'string',
    scopes: { of: () => ScopeNames },
    sessionId: { either: ['string', 'null'] },
    parentId: { either: ['string', 'null'] },
    depth: 'number',
    status: 'string',
    createdAt: 'string',
    expiresAt: 'string',
    endedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
  },
};
export const DelegationAnswer: Shape = {
  fields: {
    delegationId: 'string',
    grantId: 'string',
    agentId: 'string',
    taskId: 'string',
    audience: 'string',
    scopes: { of: () => Scopes },
    expiresAt: 'string',
  },
};
export const DeletedArtifact: Shape = { fields: { artifactId: 'string' } };
export const DeletedFile: Shape = { fields: { fileId: 'string', status: 'string' } };
export const DeletedRepository: Shape = { fields: { id: 'string' } };
export const DetectionRuleAnswer: Shape = { fields: { rule: 'string' } };
export const DetectionRules: Shape = { fields: { items: { of: () => KnownDetectionRules } } };
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
export const DrillAnswer: Shape = { fields: { incidentId: 'string' } };
const DroppedAuthEvents: Shape = { fields: { ALLOW: 'number', DENY: 'number' } };
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
export const ExchangedToken: Shape = {
  fields: {
    access_token: 'string',
    issued_token_type: 'string',
    token_type: 'string',
    expires_in: 'number',
    scope: 'string',
  },
};
const ExpectedClusters: Shape = { list: 'string' };
export const ExpectedRuntimeAnswer: Shape = { fields: { principalId: 'string' } };
const ExpectedWorkloads: Shape = { list: 'string' };
const FailedAttempt: Shape = { fields: { attempt: 'number', at: 'string', reason: 'string' } };
const FieldMapping: Shape = {
  fields: { fields: { of: () => MappedFields }, entityIdFrom: { either: [{ of: () => IdentifyingColumns }, 'null'] } },
};
export const FileAccess: Shape = {
  fields: {
    ownerId: 'string',
    ownerName: { either: ['string', 'null'] },
    role: 'string',
    grants: { of: () => FileAccessGrants },
    principals: { of: () => FileAccessPrincipals },
    everyone: { either: [{ of: () => FileAccessOfEveryone }, 'null'] },
    isComplete: 'boolean',
  },
};
export const FileAccessExplanation: Shape = {
  fields: {
    fileId: 'string',
    principalId: 'string',
    isVisible: 'boolean',
    reason: 'string',
    role: { either: ['string', 'null'] },
    paths: { of: () => FileAccessPaths },
    folders: { of: () => FileFolderChain },
    hidden: { of: () => FileHiddenReasons },
    heldBy: { either: ['string', 'null'] },
    search: { of: () => FileSearchState },
  },
};
const FileAccessGrant: Shape = {
  fields: {
    grantId: 'string',
    principalType: 'string',
    principalId: 'string',
    name: { either: ['string', 'null'] },
    role: 'string',
    from: { of: () => FileAccessOrigin },
  },
};
const FileAccessGrants: Shape = { list: { of: () => FileAccessGrant } };
const FileAccessOfEveryone: Shape = { fields: { role: 'string', reasons: { of: () => FileAccessReasons } } };
const FileAccessOrigin: Shape = {
  fields: {
    type: 'string',
    id: { either: ['string', 'null'] },
    name: { either: ['string', 'null'] },
    isInherited: 'boolean',
  },
};
const FileAccessPath: Shape = {
  fields: {
    resourceType: 'string',
    resourceId: 'string',
    by: 'string',
    grantId: { either: ['string', 'null'] },
    groupId: { either: ['string', 'null'] },
    role: 'string',
  },
};
const FileAccessPaths: Shape = { list: { of: () => FileAccessPath } };
const FileAccessPrincipal: Shape = {
  fields: {
    principalId: 'string',
    name: { either: ['string', 'null'] },
    role: 'string',
    reasons: { of: () => FileAccessReasons },
  },
};
const FileAccessPrincipals: Shape = { list: { of: () => FileAccessPrincipal } };
const FileAccessReason: Shape = {
  fields: {
    kind: 'string',
    role: 'string',
    groupId: { either: ['string', 'null'] },
    groupName: { either: ['string', 'null'] },
    from: { of: () => FileAccessOrigin },
  },
};
const FileAccessReasons: Shape = { list: { of: () => FileAccessReason } };
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
    segments: { of: () => ChunkSegments },
  },
};
const FileChunkWords: Shape = { list: { of: () => WordBox } };
export const FileDeletion: Shape = {
  fields: {
    fileId: 'string',
    status: 'string',
    cause: { either: ['string', 'null'] },
    begunAt: { either: ['string', 'null'] },
    deletedAt: { either: ['string', 'null'] },
    steps: { of: () => FileDeletionSteps },
    attempt: 'number',
    failure: { either: ['string', 'null'] },
  },
};
const FileDeletionStepProgress: Shape = {
  fields: { name: 'string', status: 'string', removed: 'number', left: { either: ['number', 'null'] } },
};
const FileDeletionSteps: Shape = { list: { of: () => FileDeletionStepProgress } };
const FileExplainedFolder: Shape = { fields: { folderId: 'string', isTrashed: 'boolean' } };
const FileFolder: Shape = {
  fields: {
    folderId: 'string',
    name: { either: ['string', 'null'] },
    parentFolderId: { either: ['string', 'null'] },
    ownerId: 'string',
    role: 'string',
    createdAt: { either: ['string', 'null'] },
  },
  optional: { trashedAt: { either: ['string', 'null'] } },
};
const FileFolderChain: Shape = { list: { of: () => FileExplainedFolder } };
const FileFolderPath: Shape = { list: { of: () => FileFolderStep } };
const FileFolderStep: Shape = { fields: { folderId: 'string', name: { either: ['string', 'null'] } } };
export const FileFolderWithPath: Shape = {
  fields: {
    folderId: 'string',
    name: { either: ['string', 'null'] },
    parentFolderId: { either: ['string', 'null'] },
    ownerId: 'string',
    role: 'string',
    createdAt: { either: ['string', 'null'] },
    path: { of: () => FileFolderPath },
  },
};
export const FileGrantAnswer: Shape = { fields: { grantId: 'string' } };
const FileGroup: Shape = {
  fields: {
    groupId: 'string',
    name: { either: ['string', 'null'] },
    createdBy: 'string',
    memberCount: 'number',
    isMember: 'boolean',
    isManaged: 'boolean',
  },
};
export const FileGroupAnswer: Shape = { fields: { groupId: 'string' } };
const FileGroupMember: Shape = { fields: { principalId: 'string', name: { either: ['string', 'null'] } } };
const FileGroupMembers: Shape = { list: { of: () => FileGroupMember } };
export const FileGroupWithMembers: Shape = {
  fields: {
    groupId: 'string',
    name: { either: ['string', 'null'] },
    createdBy: 'string',
    memberCount: 'number',
    isMember: 'boolean',
    isManaged: 'boolean',
    members: { either: [{ of: () => FileGroupMembers }, 'null'] },
  },
};
const FileHiddenReasons: Shape = { list: 'string' };
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
    isHeld: 'boolean',
    currentVersionId: { either: ['string', 'null'] },
    versionNumber: { either: ['number', 'null'] },
    sizeBytes: { either: ['number', 'null'] },
    errorCode: { either: ['string', 'null'] },
    errorDetail: { either: ['string', 'null'] },
  },
  optional: { progressPercent: 'number', trashedAt: { either: ['string', 'null'] } },
};
const FileOrphan: Shape = {
  fields: {
    fileId: { either: ['string', 'null'] },
    folderId: { either: ['string', 'null'] },
    ownerId: 'string',
    sizeBytes: { either: ['number', 'null'] },
    createdAt: { either: ['string', 'null'] },
    isTrashed: 'boolean',
  },
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
  optional: { progressPercent: 'number', reindexing: { of: () => FileReindexingStatus } },
};
const FileReindexingStatus: Shape = {
  fields: {
    cause: 'string',
    status: 'string',
    stage: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
  },
};
const FileSearchState: Shape = {
  fields: { reason: 'string', versionId: { either: ['string', 'null'] }, errorCode: { either: ['string', 'null'] } },
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
  optional: {
    progressPercent: 'number',
    waitsFor: 'string',
    queuePosition: 'number',
    nextTryAt: 'string',
    tries: 'number',
    skipped: 'string',
    reused: 'number',
  },
};
const FileStages: Shape = { list: { of: () => FileStage } };
export const FileUsage: Shape = {
  fields: {
    usedBytes: 'number',
    reservedBytes: 'number',
    limitBytes: 'number',
    files: 'number',
    limitFiles: 'number',
    openUploads: 'number',
  },
};
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
export const GeneratedAnswer: Shape = {
  fields: {
    answer: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
    sentences: { of: () => AnswerSentences },
    citations: { of: () => AnswerCitations },
    generator: 'string',
    degraded: { of: () => DegradedAnswer },
  },
};
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
    workload: { either: [{ of: () => GrantedWorkload }, 'null'] },
    endedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
    endedBy: { either: ['string', 'null'] },
    incidentId: { either: ['string', 'null'] },
  },
};
const GrantTypes: Shape = { list: 'string' };
const GrantedWorkload: Shape = { fields: { issuerId: 'string', ruleId: 'string', subject: 'string' } };
export const HeartbeatAnswer: Shape = { fields: { leaseSeconds: 'number', cancel: { either: ['string', 'null'] } } };
export const HeartbeatReceived: Shape = { fields: { nextHeartbeatInSecs: 'number' } };
const HeldRole: Shape = { fields: { documentId: 'string', role: 'string', byLink: 'boolean', joinedAt: 'string' } };
const IdentifyingColumns: Shape = { list: 'string' };
export const ImportAnswer: Shape = { fields: { importId: 'string' } };
const ImportRefusal: Shape = {
  fields: { line: 'number', field: 'string', expected: 'string', hint: { either: ['string', 'null'] } },
};
export const Incident: Shape = {
  fields: {
    incidentId: 'string',
    severity: 'string',
    subject: 'string',
    reach: 'string',
    principalId: { either: ['string', 'null'] },
    grantId: { either: ['string', 'null'] },
    familyId: { either: ['string', 'null'] },
    jti: { either: ['string', 'null'] },
    kid: { either: ['string', 'null'] },
    note: { either: ['string', 'null'] },
    drill: 'boolean',
    status: 'string',
    openedAt: 'string',
    recoveredAt: { either: ['string', 'null'] },
    recoveryMethod: { either: ['string', 'null'] },
    closedAt: { either: ['string', 'null'] },
    closeReason: { either: ['string', 'null'] },
    steps: { of: () => IncidentSteps },
  },
};
export const IncidentAnswer: Shape = { fields: { incidentId: 'string' } };
const IncidentStep: Shape = {
  fields: {
    step: 'string',
    result: { either: ['string', 'null'] },
    detail: { either: ['string', 'null'] },
    takenAt: { either: ['string', 'null'] },
  },
};
const IncidentSteps: Shape = { list: { of: () => IncidentStep } };
export const InitiatedVideoUpload: Shape = {
  fields: {
    videoId: 'string',
    uploadId: 'string',
    status: 'string',
    partSizeBytes: 'number',
    partCount: 'number',
    expiresAt: 'string',
  },
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
export const KnownAlert: Shape = {
  fields: {
    alertId: 'string',
    rule: 'string',
    severity: 'string',
    principalId: 'string',
    principalType: { either: ['string', 'null'] },
    jti: { either: ['string', 'null'] },
    decidedAt: 'string',
    audience: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
    workloadId: { either: ['string', 'null'] },
    clusterId: { either: ['string', 'null'] },
    count: 'number',
    threshold: 'number',
    windowSeconds: 'number',
    opensIncident: 'boolean',
  },
};
export const KnownApi: Shape = {
  fields: {
    apiId: 'string',
    audience: 'string',
    name: 'string',
    scopes: { of: () => KnownApiScopes },
    status: 'string',
    createdAt: 'string',
    endedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
  },
};
const KnownApiScope: Shape = { fields: { name: 'string', description: 'string' } };
const KnownApiScopes: Shape = { list: { of: () => KnownApiScope } };
const KnownApiTool: Shape = {
  fields: {
    apiId: 'string',
    tool: 'string',
    description: 'string',
    requiredScopes: { of: () => ScopeNames },
    agentScopes: { of: () => ScopeNames },
    stepUp: 'boolean',
    principalTypes: { of: () => KnownToolPrincipalTypes },
    status: 'string',
    setAt: 'string',
  },
};
const KnownClaimMapping: Shape = { fields: { attribute: 'string', claim: 'string' } };
const KnownClaimMappings: Shape = { list: { of: () => KnownClaimMapping } };
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
const KnownDetectionRule: Shape = {
  fields: {
    rule: 'string',
    settings: { of: () => KnownDetectionRuleSettings },
    defaults: { of: () => KnownDetectionRuleSettings },
  },
};
const KnownDetectionRuleSettings: Shape = {
  fields: { isOn: 'boolean', threshold: 'number', windowSeconds: 'number', opensIncident: 'boolean' },
};
const KnownDetectionRules: Shape = { list: { of: () => KnownDetectionRule } };
const KnownExpectedRuntime: Shape = {
  fields: {
    principalId: 'string',
    workloads: { of: () => ExpectedWorkloads },
    clusters: { of: () => ExpectedClusters },
  },
};
export const KnownRegistrationPolicy: Shape = {
  fields: { audiences: { of: () => OpenedAudiences }, metadataHosts: { of: () => MetadataHosts } },
};
const KnownScope: Shape = {
  fields: { name: 'string', description: 'string', isPersonal: 'boolean', audience: { either: ['string', 'null'] } },
};
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
const KnownToolPrincipalTypes: Shape = { list: 'string' };
const KnownTrustCondition: Shape = { fields: { attribute: 'string', comparison: 'string', value: 'string' } };
const KnownTrustConditions: Shape = { list: { of: () => KnownTrustCondition } };
export const KnownTrustRule: Shape = {
  fields: {
    ruleId: 'string',
    name: 'string',
    issuerId: 'string',
    conditions: { of: () => KnownTrustConditions },
    principalId: 'string',
    scopes: { of: () => ScopeNames },
    audience: 'string',
    status: 'string',
    createdAt: 'string',
    endedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
  },
};
export const KnownWorkloadIssuer: Shape = {
  fields: {
    issuerId: 'string',
    name: 'string',
    kind: 'string',
    issuer: 'string',
    keysUri: { either: ['string', 'null'] },
    keyIds: { either: [{ of: () => RecordedKeyIds }, 'null'] },
    claims: { of: () => KnownClaimMappings },
    status: 'string',
    createdAt: 'string',
    endedAt: { either: ['string', 'null'] },
    reason: { either: ['string', 'null'] },
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
export const ListAccessPolicyVersionsPage: Shape = {
  fields: { items: { list: { of: () => AccessPolicyVersion } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListAgentActionsPage: Shape = {
  fields: { items: { list: { of: () => AgentAction } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListAlertsPage: Shape = {
  fields: { items: { list: { of: () => KnownAlert } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListAllCredentialsPage: Shape = {
  fields: { items: { list: { of: () => Credential } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListApiToolsPage: Shape = {
  fields: { items: { list: { of: () => KnownApiTool } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListApisPage: Shape = {
  fields: { items: { list: { of: () => KnownApi } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListApprovalsPage: Shape = {
  fields: { items: { list: { of: () => Approval } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListAuthEventsPage: Shape = {
  fields: {
    items: { list: { of: () => AuthEvent } },
    next_cursor: { either: ['string', 'null'] },
    dropped: { either: [{ of: () => DroppedAuthEvents }, 'null'] },
  },
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
export const ListDelegationsPage: Shape = {
  fields: { items: { list: { of: () => Delegation } }, next_cursor: { either: ['string', 'null'] } },
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
export const ListExpectedRuntimesPage: Shape = {
  fields: { items: { list: { of: () => KnownExpectedRuntime } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListFileChunksPage: Shape = {
  fields: {
    items: { of: () => ListedFileChunks },
    next_cursor: { either: ['string', 'null'] },
    versionId: { either: ['string', 'null'] },
    total: 'number',
  },
};
export const ListFileDeletionsPage: Shape = {
  fields: { items: { list: { of: () => FileDeletion } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListFileFoldersPage: Shape = {
  fields: { items: { list: { of: () => FileFolder } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListFileGroupsPage: Shape = {
  fields: { items: { list: { of: () => FileGroup } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListFileOrphansPage: Shape = {
  fields: { items: { list: { of: () => FileOrphan } }, next_cursor: { either: ['string', 'null'] } },
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
export const ListIncidentsPage: Shape = {
  fields: { items: { list: { of: () => Incident } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListNodeActivityPage: Shape = {
  fields: { items: { list: { of: () => NodeActivity } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListOwnVideoReportsPage: Shape = {
  fields: { items: { list: { of: () => OwnVideoReport } }, next_cursor: { either: ['string', 'null'] } },
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
export const ListTrustRulesPage: Shape = {
  fields: { items: { list: { of: () => KnownTrustRule } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListUsagePage: Shape = {
  fields: { items: { list: { of: () => Usage } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListVideoReportsPage: Shape = {
  fields: { items: { list: { of: () => VideoReport } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListVideoSeriesPage: Shape = {
  fields: { items: { list: { of: () => VideoSeries } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListVideosPage: Shape = {
  fields: { items: { list: { of: () => Video } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListWebhookAttemptsPage: Shape = {
  fields: { items: { list: { of: () => WebhookDeliveryAttempt } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListWebhookDeliveriesPage: Shape = {
  fields: { items: { list: { of: () => WebhookDelivery } }, next_cursor: { either: ['string', 'null'] } },
};
export const ListWebhookEndpointsPage: Shape = {
  fields: { items: { list: { of: () => WebhookEndpoint } }, next_cursor: { either: ['string', 'null'] } },
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
export const ListWorkloadIssuersPage: Shape = {
  fields: { items: { list: { of: () => KnownWorkloadIssuer } }, next_cursor: { either: ['string', 'null'] } },
};
const ListedFileChunk: Shape = {
  fields: {
    chunkId: 'string',
    ordinal: 'number',
    modality: 'string',
    content: 'string',
    citation: { of: () => Citation },
    segments: { of: () => ChunkSegments },
  },
};
const ListedFileChunks: Shape = { list: { of: () => ListedFileChunk } };
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
const ListedVideoCaptionTracks: Shape = { list: { of: () => ListedVideoCaptions } };
const ListedVideoCaptions: Shape = {
  fields: { language: 'string', label: 'string', origin: 'string', url: { either: ['string', 'null'] } },
};
const ListedWorkflowRun: Shape = {
  fields: {
    runId: 'string',
    repoId: 'string',
    workflowDefinitionId: 'string',
    triggerEventId: 'string',
    workflowName: 'string',
    runNumber: { either: ['number', 'null'] },
    title: { either: ['string', 'null'] },
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
const MissingScopes: Shape = { list: 'string' };
const MissingVideoParts: Shape = { list: 'number' };
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
const OfferedVideoCodecs: Shape = { list: 'string' };
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
export const OwnVideoEntitlements: Shape = { fields: { items: { of: () => VideoEntitlements } } };
const OwnVideoReport: Shape = {
  fields: {
    reportId: 'string',
    videoId: 'string',
    reason: 'string',
    text: { either: ['string', 'null'] },
    state: 'string',
    resolution: { either: ['string', 'null'] },
    createdAt: 'string',
    resolvedAt: { either: ['string', 'null'] },
    title: { either: ['string', 'null'] },
  },
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
const PolicyActions2: Shape = {
  fields: {},
  optional: {
    methods: { of: () => PolicyMethods },
    routeGroups: { of: () => PolicyRouteGroups },
    operations: { of: () => PolicyOperations },
    scopes: { of: () => PolicyScopes },
  },
};
const PolicyAudiences: Shape = { list: 'string' };
const PolicyAuthContexts: Shape = { list: 'string' };
const PolicyAuthenticationMethods: Shape = { list: 'string' };
const PolicyBindings: Shape = { list: 'string' };
const PolicyClients: Shape = { list: 'string' };
const PolicyConditions2: Shape = {
  fields: {},
  optional: {
    times: { of: () => PolicyTimes2 },
    networks: { of: () => PolicyNetworks },
    notNetworks: { of: () => PolicyNetworks },
    bindings: { of: () => PolicyBindings },
    environments: { of: () => PolicyEnvironments },
    notEnvironments: { of: () => PolicyExcludedEnvironments },
    authContext: { of: () => PolicyAuthContexts },
    authenticationMethods: { of: () => PolicyAuthenticationMethods },
    signedInAtMostSecondsAgo: 'number',
    signedInAtLeastSecondsAgo: 'number',
    delegated: 'boolean',
    delegations: { of: () => PolicyDelegations },
    tasks: { of: () => PolicyTasks },
    delegators: { of: () => PolicyDelegators },
    clients: { of: () => PolicyClients },
  },
};
const PolicyCover2: Shape = {
  fields: {},
  optional: {
    methods: { of: () => PolicyMethods },
    routeGroups: { of: () => PolicyRouteGroups },
    operations: { of: () => PolicyOperations },
    scopes: { of: () => PolicyScopes },
    paths: { of: () => PolicyPaths },
    audiences: { of: () => PolicyAudiences },
  },
};
const PolicyCovers2: Shape = { list: { of: () => PolicyCover2 } };
const PolicyDelegations: Shape = { list: 'string' };
const PolicyDelegators: Shape = { list: 'string' };
const PolicyDifference: Shape = {
  fields: {
    at: 'string',
    principalId: 'string',
    method: 'string',
    operation: { either: ['string', 'null'] },
    enforced: { either: ['number', 'null'] },
    enforcedEffect: 'string',
    shadowEffect: 'string',
    ruleId: { either: ['string', 'null'] },
  },
};
export const PolicyDifferences: Shape = {
  fields: { evaluated: 'number', different: 'number', items: { list: { of: () => PolicyDifference } } },
};
const PolicyDocument2: Shape = {
  fields: { covers: { of: () => PolicyCovers2 }, rules: { of: () => PolicyRules2 } },
  optional: { labels: { of: () => PolicyLabelling } },
};
const PolicyEnvironments: Shape = { list: 'string' };
const PolicyExcludedEnvironments: Shape = { list: 'string' };
export const PolicyExplanation: Shape = {
  fields: {
    version: 'number',
    effect: 'string',
    ruleId: { either: ['string', 'null'] },
    cause: 'string',
    requires: { of: () => PolicyRequirements2 },
    needsSignIn: 'boolean',
    covers: { list: 'number' },
    rules: { list: { of: () => PolicyRuleFinding } },
  },
};
const PolicyFault: Shape = { fields: { pointer: 'string', expected: 'string' } };
export const PolicyFaults: Shape = { fields: { faults: { list: { of: () => PolicyFault } } } };
const PolicyLabelled: Shape = { list: 'string' };
const PolicyLabelling: Shape = { map: { of: () => PolicyLabelled } };
const PolicyLabels: Shape = { list: 'string' };
const PolicyMethods: Shape = { list: 'string' };
const PolicyNetworks: Shape = { list: 'string' };
export const PolicyOffAnswer: Shape = { fields: {} };
const PolicyOperations: Shape = { list: 'string' };
const PolicyPaths: Shape = { list: 'string' };
const PolicyPrincipalIds: Shape = { list: 'string' };
const PolicyPrincipalTypes: Shape = { list: 'string' };
const PolicyPrincipals2: Shape = {
  fields: {},
  optional: {
    types: { of: () => PolicyPrincipalTypes },
    ids: { of: () => PolicyPrincipalIds },
    roles: { of: () => PolicyRoles },
    labels: { of: () => PolicyLabels },
  },
};
const PolicyRequirements2: Shape = {
  fields: {},
  optional: { maxAgeSeconds: 'number', multiFactor: 'boolean', introspection: 'boolean' },
};
const PolicyResources2: Shape = {
  fields: {},
  optional: { paths: { of: () => PolicyPaths }, audiences: { of: () => PolicyAudiences } },
};
const PolicyRoles: Shape = { list: 'string' };
const PolicyRouteGroups: Shape = { list: 'string' };
const PolicyRule2: Shape = {
  fields: { ruleId: 'string', effect: 'string' },
  optional: {
    description: 'string',
    principal: { of: () => PolicyPrincipals2 },
    action: { of: () => PolicyActions2 },
    resource: { of: () => PolicyResources2 },
    conditions: { of: () => PolicyConditions2 },
    requires: { of: () => PolicyRequirements2 },
  },
};
const PolicyRuleFinding: Shape = {
  fields: { ruleId: 'string', effect: 'string', isMatch: 'boolean', unmet: { list: 'string' } },
};
const PolicyRules2: Shape = { list: { of: () => PolicyRule2 } };
const PolicyScopes: Shape = { list: 'string' };
export const PolicyShadowAnswer: Shape = { fields: {} };
const PolicyTasks: Shape = { list: 'string' };
const PolicyTimeWindow2: Shape = {
  fields: { zone: 'string' },
  optional: { weekdays: { of: () => PolicyWeekdays }, from: 'string', until: 'string' },
};
const PolicyTimes2: Shape = { list: { of: () => PolicyTimeWindow2 } };
export const PolicyVersionAnswer: Shape = { fields: { version: 'number' } };
const PolicyWeekdays: Shape = { list: 'string' };
export const PolledMessages: Shape = { fields: { messages: { of: () => ToRunnerMessages } } };
const PresentPrincipal: Shape = { fields: { principalId: 'string', connections: 'number' } };
const PresignedVideoPart: Shape = { fields: { partNumber: 'number', url: 'string', expiresAt: 'string' } };
const PresignedVideoPartList: Shape = { list: { of: () => PresignedVideoPart } };
export const PresignedVideoParts: Shape = {
  fields: { parts: { of: () => PresignedVideoPartList }, partSizeBytes: 'number' },
};
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
const RecordedKeyIds: Shape = { list: 'string' };
export const RecoveredCredential: Shape = {
  fields: {
    incidentId: 'string',
    reason: 'string',
    credentialId: 'string',
    clientId: 'string',
    clientSecret: 'string',
  },
};
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
export const RequestedFileReindexing: Shape = { fields: { due: 'number', requested: 'number', running: 'number' } };
export const RequestedRecognition: Shape = { fields: { videoId: 'string' } };
export const RequestedVideoPoster: Shape = { fields: { videoId: 'string', posterId: 'string' } };
const RequiredVideoEntitlements: Shape = { list: 'string' };
export const ResetVideoPoster: Shape = { fields: { videoId: 'string' } };
export const RestoredVersion: Shape = { fields: { committedVersion: 'number' } };
const Retention: Shape = { list: 'number' };
export const RetriedFile: Shape = { fields: { fileId: 'string', versionId: 'string', stage: 'string' } };
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
    match: 'string',
    highlights: { of: () => SnippetHighlights },
    modality: 'string',
    citation: { of: () => Citation },
  },
};
const RetrievalResults: Shape = { list: { of: () => RetrievalResult } };
export const RevokedClientSecret: Shape = { fields: { credentialId: 'string' } };
export const RevokedCredential: Shape = { fields: { credentialId: 'string' } };
export const RevokedDelegation: Shape = { fields: { delegationId: 'string' } };
export const RevokedFamily: Shape = { fields: { familyId: 'string' } };
export const RevokedGrant: Shape = { fields: { grantId: 'string' } };
const RsaJwk: Shape = {
  fields: { kty: 'string', n: 'string', e: 'string', alg: 'string', kid: 'string', use: 'string' },
};
const RuleTest: Shape = {
  fields: {
    ruleId: 'string',
    name: 'string',
    isAnswer: 'boolean',
    isOfIssuer: 'boolean',
    isForAudience: 'boolean',
    missingScopes: { of: () => MissingScopes },
    unmet: { of: () => UnmetConditions },
  },
};
const RuleTests: Shape = { list: { of: () => RuleTest } };
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
    jti: { either: ['string', 'null'] },
    result: { either: ['string', 'null'] },
    summary: 'string',
    details: { map: 'anything' },
  },
};
export const SecurityRecoveryAnswer: Shape = {
  fields: {
    incidentId: 'string',
    principalId: 'string',
    reason: 'string',
    securityEpoch: 'number',
    credential: { of: () => ExchangedToken },
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
const SentenceCitations: Shape = { list: 'number' };
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
export const SharedVideoPlayback: Shape = {
  fields: {
    manifestUrl: 'string',
    dashUrl: 'string',
    licenseUrl: { either: ['string', 'null'] },
    subtitleTracks: { of: () => VideoSubtitleTracks },
    nextEpisodeId: { either: ['string', 'null'] },
    variants: { of: () => VideoVariants },
    thumbnailsUrl: { either: ['string', 'null'] },
    posterUrl: { either: ['string', 'null'] },
    playbackProof: 'string',
    positionSeconds: 'number',
    durationSeconds: 'number',
    generation: 'number',
    title: { either: ['string', 'null'] },
    description: { either: ['string', 'null'] },
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
const SpeechRecognition: Shape = { fields: { state: 'string', reason: { either: ['string', 'null'] } } };
const StatisticsPeriod: Shape = {
  fields: {
    startsAt: 'string',
    plays: 'number',
    viewers: 'number',
    playbacks: 'number',
    watchedSeconds: 'number',
    bufferingEvents: 'number',
    seeks: 'number',
  },
};
const StatisticsPeriods: Shape = { list: { of: () => StatisticsPeriod } };
const StatisticsSums: Shape = {
  fields: {
    plays: 'number',
    viewers: 'number',
    playbacks: 'number',
    watchedSeconds: 'number',
    bufferingEvents: 'number',
    seeks: 'number',
  },
};
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
const SuspiciousViews: Shape = { fields: { plays: 'number', watchedSeconds: 'number', heartbeats: 'number' } };
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
export const TenantPeople: Shape = { fields: { items: { list: { of: () => TenantPerson } }, isCut: 'boolean' } };
const TenantPerson: Shape = {
  fields: {
    principalId: 'string',
    principalType: 'string',
    name: { either: ['string', 'null'] },
    isActive: 'boolean',
    mayRead: 'boolean',
  },
};
const TextDiff: Shape = {
  fields: {},
  optional: { before: 'string', after: 'string', omitted: { of: () => DiffSides } },
};
const ToRunnerMessages: Shape = { list: 'anything' };
export const TokenAnswer: Shape = {
  fields: { access_token: 'string', token_type: 'string', expires_in: 'number', scope: 'string' },
  optional: { refresh_token: 'string', id_token: 'string', issued_token_type: 'string' },
};
export const TokensRevoked: Shape = { fields: { sequence: { either: ['string', 'null'] } } };
export const TrustRuleAnswer: Shape = { fields: { ruleId: 'string' } };
export const TrustRuleTestAnswer: Shape = {
  fields: {
    fault: { either: ['string', 'null'] },
    expectedAudience: 'string',
    issuerId: { either: ['string', 'null'] },
    attributes: { of: () => AttributesRead },
    rules: { of: () => RuleTests },
  },
};
const UnmetCondition: Shape = { fields: { attribute: 'string', comparison: 'string', value: 'string' } };
const UnmetConditions: Shape = { list: { of: () => UnmetCondition } };
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
const UploadedVideoPart: Shape = { fields: { partNumber: 'number', ETag: 'string', sizeBytes: 'number' } };
const UploadedVideoParts: Shape = { list: { of: () => UploadedVideoPart } };
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
export const Video: Shape = {
  fields: {
    videoId: 'string',
    ownerId: 'string',
    title: { either: ['string', 'null'] },
    description: { either: ['string', 'null'] },
    status: 'string',
    uploadId: 'string',
    fileSize: 'number',
    contentType: 'string',
    uploadExpiresAt: 'string',
    uploadedAt: { either: ['string', 'null'] },
    replacedAt: { either: ['string', 'null'] },
    generation: 'number',
    playedGeneration: 'number',
    durationMilliseconds: { either: ['number', 'null'] },
    width: { either: ['number', 'null'] },
    height: { either: ['number', 'null'] },
    playableAt: { either: ['string', 'null'] },
    failedStage: { either: ['string', 'null'] },
    failureCode: { either: ['string', 'null'] },
    failureDetail: { either: ['string', 'null'] },
    views: 'number',
    plays: 'number',
    createdAt: 'string',
    updatedAt: 'string',
    thumbnailUrl: { either: ['string', 'null'] },
  },
};
export const VideoAccess: Shape = {
  fields: {
    videoId: 'string',
    ownerId: 'string',
    visibility: 'string',
    link: { either: ['string', 'null'] },
    people: { of: () => VideoPeople },
    requires: { of: () => RequiredVideoEntitlements },
    protection: 'string',
    generations: { of: () => VideoGenerationProtections },
    entitlements: { of: () => VideoEntitlements },
    isComplete: 'boolean',
  },
};
export const VideoCaptions: Shape = {
  fields: {
    videoId: 'string',
    items: { of: () => ListedVideoCaptionTracks },
    hasSound: 'boolean',
    recognition: { of: () => SpeechRecognition },
  },
};
const VideoEntitlement: Shape = {
  fields: {
    entitlementId: 'string',
    kind: 'string',
    viewerId: 'string',
    videoId: { either: ['string', 'null'] },
    ownerId: 'string',
    beginsAt: 'string',
    endsAt: { either: ['string', 'null'] },
  },
};
const VideoEntitlements: Shape = { list: { of: () => VideoEntitlement } };
const VideoFailure: Shape = { fields: { stage: 'string', code: 'string', detail: 'string' } };
const VideoGenerationProtection: Shape = { fields: { generation: 'number', protection: 'string' } };
const VideoGenerationProtections: Shape = { list: { of: () => VideoGenerationProtection } };
const VideoMatchOverridden: Shape = { fields: { overriddenBy: 'string', reason: { either: ['string', 'null'] } } };
const VideoPeople: Shape = { list: 'string' };
export const VideoPlayback: Shape = {
  fields: {
    manifestUrl: 'string',
    dashUrl: 'string',
    licenseUrl: { either: ['string', 'null'] },
    subtitleTracks: { of: () => VideoSubtitleTracks },
    nextEpisodeId: { either: ['string', 'null'] },
    variants: { of: () => VideoVariants },
    thumbnailsUrl: { either: ['string', 'null'] },
    posterUrl: { either: ['string', 'null'] },
    playbackProof: 'string',
    positionSeconds: 'number',
    durationSeconds: 'number',
    generation: 'number',
  },
};
export const VideoPoster: Shape = {
  fields: {
    videoId: 'string',
    url: { either: ['string', 'null'] },
    origin: 'string',
    positionSeconds: { either: ['number', 'null'] },
    request: 'string',
    reason: { either: ['string', 'null'] },
  },
};
export const VideoProcessing: Shape = {
  fields: {
    videoId: 'string',
    generation: 'number',
    codec: 'string',
    generationStatus: 'string',
    playedGeneration: 'number',
    status: 'string',
    playableAt: { either: ['string', 'null'] },
    failure: { either: [{ of: () => VideoFailure }, 'null'] },
    isRetriable: 'boolean',
    steps: { of: () => VideoSteps },
    codecs: { of: () => OfferedVideoCodecs },
  },
  optional: { sourceUpload: { of: () => VideoSourceUpload }, matchOverride: { of: () => VideoMatchOverridden } },
};
const VideoRendition: Shape = { fields: { resolution: 'string', codec: 'string' } };
const VideoReport: Shape = {
  fields: {
    reportId: 'string',
    videoId: 'string',
    reporterId: 'string',
    reason: 'string',
    text: { either: ['string', 'null'] },
    state: 'string',
    resolution: { either: ['string', 'null'] },
    createdAt: 'string',
    resolvedAt: { either: ['string', 'null'] },
    title: { either: ['string', 'null'] },
  },
};
export const VideoReportAnswer: Shape = { fields: { videoId: 'string', reportId: 'string' } };
const VideoSeries: Shape = {
  fields: {
    seriesId: 'string',
    ownerId: 'string',
    title: { either: ['string', 'null'] },
    createdAt: 'string',
    videoIds: { of: () => VideoSeriesEpisodes },
  },
};
const VideoSeriesEpisodes: Shape = { list: 'string' };
export const VideoSource: Shape = {
  fields: {
    videoId: 'string',
    uploadId: 'string',
    isStored: 'boolean',
    isRetained: 'boolean',
    expiresAt: { either: ['string', 'null'] },
  },
};
const VideoSourceUpload: Shape = { fields: { uploadId: 'string', fileSize: 'number', expiresAt: 'string' } };
export const VideoStatistics: Shape = {
  fields: {
    from: 'string',
    to: 'string',
    by: 'string',
    periods: { of: () => StatisticsPeriods },
    sums: { of: () => StatisticsSums },
    bufferingEventsPerHour: 'number',
    retention: { of: () => Retention },
    suspicious: { of: () => SuspiciousViews },
  },
};
const VideoStep: Shape = {
  fields: {
    stage: 'string',
    renditions: { of: () => VideoStepRenditions },
    state: 'string',
    reason: { either: ['string', 'null'] },
  },
  optional: { progressPercent: 'number' },
};
const VideoStepRenditions: Shape = { list: { of: () => VideoRendition } };
const VideoSteps: Shape = { list: { of: () => VideoStep } };
const VideoSubtitleTrack: Shape = {
  fields: { language: 'string', label: 'string', url: 'string', isRecognized: 'boolean' },
};
const VideoSubtitleTracks: Shape = { list: { of: () => VideoSubtitleTrack } };
export const VideoUploadStatus: Shape = {
  fields: {
    videoId: 'string',
    uploadId: 'string',
    status: 'string',
    partSizeBytes: 'number',
    uploaded: { of: () => UploadedVideoParts },
    missing: { of: () => MissingVideoParts },
    expiresAt: 'string',
  },
};
const VideoVariant: Shape = {
  fields: { resolution: 'string', codec: 'string', bitrateKbps: 'number', sizeBytes: 'number', manifestUrl: 'string' },
};
const VideoVariants: Shape = { list: { of: () => VideoVariant } };
const WaitingJob: Shape = { fields: { jobId: 'string', reason: 'string', detail: 'string', position: 'number' } };
export const WaitingJobs: Shape = { fields: { jobs: { list: { of: () => WaitingJob } } } };
const WebhookDelivery: Shape = {
  fields: {
    deliveryId: 'string',
    endpointId: 'string',
    eventId: 'string',
    eventType: 'string',
    occurredAt: 'string',
    status: 'string',
    attempts: 'number',
    statusCode: { either: ['number', 'null'] },
    fault: { either: ['string', 'null'] },
    excerpt: 'string',
    attemptedAt: { either: ['string', 'null'] },
    nextAttemptAt: { either: ['string', 'null'] },
    requestedAt: 'string',
  },
};
export const WebhookDeliveryAnswer: Shape = { fields: { deliveryId: 'string' } };
const WebhookDeliveryAttempt: Shape = {
  fields: {
    deliveryId: 'string',
    attempt: 'number',
    endpointId: 'string',
    attemptedAt: 'string',
    milliseconds: 'number',
    statusCode: { either: ['number', 'null'] },
    fault: { either: ['string', 'null'] },
    excerpt: 'string',
  },
};
export const WebhookEndpoint: Shape = {
  fields: {
    endpointId: 'string',
    url: 'string',
    eventTypes: { of: () => WebhookEventTypes },
    description: 'string',
    disabledReason: { either: ['string', 'null'] },
    failingSince: { either: ['string', 'null'] },
    earlierSecretUntil: { either: ['string', 'null'] },
    createdAt: 'string',
    updatedAt: 'string',
  },
};
export const WebhookEndpointAnswer: Shape = { fields: { endpointId: 'string' } };
const WebhookEventTypes: Shape = { list: 'string' };
export const WebhookSecretAnswer: Shape = { fields: { endpointId: 'string', secret: 'string' } };
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
    runNumber: { either: ['number', 'null'] },
    title: { either: ['string', 'null'] },
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
export const WorkloadIssuerAnswer: Shape = { fields: { issuerId: 'string' } };
