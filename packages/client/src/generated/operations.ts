// Made by `npm run generate:client` of the routes; never edited by hand.
import { type Endpoint, endpoint } from '../operation';
import * as shapes from './shapes';
import type { Operations } from './types';

export const abortVideoUpload: Endpoint<Operations['abortVideoUpload']> = /* @__PURE__ */ endpoint({
  operation: 'abortVideoUpload',
  kind: 'command',
  method: 'DELETE',
  path: '/api/videos/{videoId}/upload',
  answers: { '200': { of: () => shapes.AbortedVideoUpload } },
});
export const acceptDocumentInvitation: Endpoint<Operations['acceptDocumentInvitation']> = /* @__PURE__ */ endpoint({
  operation: 'acceptDocumentInvitation',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}/invitations/{invitationId}/accept',
  body: 'json',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const addFileGroupMember: Endpoint<Operations['addFileGroupMember']> = /* @__PURE__ */ endpoint({
  operation: 'addFileGroupMember',
  kind: 'command',
  method: 'PUT',
  path: '/v1/file-groups/{groupId}/members/{principalId}',
  answers: { '200': { of: () => shapes.FileGroupAnswer } },
});
export const addVideoCaptions: Endpoint<Operations['addVideoCaptions']> = /* @__PURE__ */ endpoint({
  operation: 'addVideoCaptions',
  kind: 'command',
  method: 'PUT',
  path: '/api/videos/{videoId}/captions/{language}',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideoCaptions } },
});
export const addWebhookEndpoint: Endpoint<Operations['addWebhookEndpoint']> = /* @__PURE__ */ endpoint({
  operation: 'addWebhookEndpoint',
  kind: 'command',
  method: 'POST',
  path: '/v1/webhooks/endpoints',
  body: 'json',
  answers: { '201': { of: () => shapes.WebhookSecretAnswer } },
});
export const answerQuestion: Endpoint<Operations['answerQuestion']> = /* @__PURE__ */ endpoint({
  operation: 'answerQuestion',
  kind: 'write',
  method: 'POST',
  path: '/v1/retrieval/answer',
  body: 'json',
  waits: true,
  answers: { '200': { of: () => shapes.GeneratedAnswer } },
});
export const applyPlaceChanges: Endpoint<Operations['applyPlaceChanges']> = /* @__PURE__ */ endpoint({
  operation: 'applyPlaceChanges',
  kind: 'write',
  method: 'POST',
  path: '/v1/places:batch',
  body: 'json',
  answers: { '200': { of: () => shapes.PlaceChangeResults } },
});
export const appointDocumentOwner: Endpoint<Operations['appointDocumentOwner']> = /* @__PURE__ */ endpoint({
  operation: 'appointDocumentOwner',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}/owners',
  body: 'json',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const approveAction: Endpoint<Operations['approveAction']> = /* @__PURE__ */ endpoint({
  operation: 'approveAction',
  kind: 'command',
  method: 'POST',
  path: '/v1/approvals/{approvalId}/approve',
  body: 'json',
  answers: { '200': { of: () => shapes.DecidedApproval } },
});
export const authorizeDevice: Endpoint<Operations['authorizeDevice']> = /* @__PURE__ */ endpoint({
  operation: 'authorizeDevice',
  kind: 'write',
  method: 'POST',
  path: '/oauth/device_authorization',
  body: 'form',
  public: true,
  answers: { '200': { of: () => shapes.DeviceAuthorization } },
});
export const backTestDetectionRule: Endpoint<Operations['backTestDetectionRule']> = /* @__PURE__ */ endpoint({
  operation: 'backTestDetectionRule',
  kind: 'write',
  method: 'POST',
  path: '/v1/security/detection/back-test',
  body: 'json',
  answers: { '200': { of: () => shapes.BackTestAnswer } },
});
export const blockRecording: Endpoint<Operations['blockRecording']> = /* @__PURE__ */ endpoint({
  operation: 'blockRecording',
  kind: 'command',
  method: 'POST',
  path: '/api/blocked-recordings',
  body: 'json',
  answers: { '201': { of: () => shapes.BlockedRecordingAnswer } },
});
export const bumpSecurityEpoch: Endpoint<Operations['bumpSecurityEpoch']> = /* @__PURE__ */ endpoint({
  operation: 'bumpSecurityEpoch',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/epoch/bump',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const cancelJob: Endpoint<Operations['cancelJob']> = /* @__PURE__ */ endpoint({
  operation: 'cancelJob',
  kind: 'write',
  method: 'POST',
  path: '/v1/platform/work/jobs/{jobId}/cancel',
  answers: { '200': { of: () => shapes.CancelledJob } },
});
export const cancelPlaceImport: Endpoint<Operations['cancelPlaceImport']> = /* @__PURE__ */ endpoint({
  operation: 'cancelPlaceImport',
  kind: 'command',
  method: 'POST',
  path: '/v1/places/imports/{importId}/cancel',
  answers: { '200': { of: () => shapes.ImportAnswer } },
});
export const cancelRun: Endpoint<Operations['cancelRun']> = /* @__PURE__ */ endpoint({
  operation: 'cancelRun',
  kind: 'command',
  method: 'POST',
  path: '/actions/runs/{runId}/cancel',
  answers: { '200': { of: () => shapes.RunAnswer } },
});
export const cancelRunByShortPath: Endpoint<Operations['cancelRunByShortPath']> = /* @__PURE__ */ endpoint({
  operation: 'cancelRunByShortPath',
  kind: 'command',
  method: 'POST',
  path: '/runs/{runId}/cancel',
  answers: { '200': { of: () => shapes.RunAnswer } },
});
export const changeApi: Endpoint<Operations['changeApi']> = /* @__PURE__ */ endpoint({
  operation: 'changeApi',
  kind: 'command',
  method: 'PUT',
  path: '/v1/apis/{apiId}',
  body: 'json',
  answers: { '200': { of: () => shapes.ApiAnswer } },
});
export const changeClient: Endpoint<Operations['changeClient']> = /* @__PURE__ */ endpoint({
  operation: 'changeClient',
  kind: 'command',
  method: 'PUT',
  path: '/v1/clients/{applicationId}',
  body: 'json',
  answers: { '200': { of: () => shapes.ClientAnswer } },
});
export const changeDefaultBranch: Endpoint<Operations['changeDefaultBranch']> = /* @__PURE__ */ endpoint({
  operation: 'changeDefaultBranch',
  kind: 'command',
  method: 'PUT',
  path: '/v1/workflow/repositories/{repoId}',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedRepository } },
});
export const changeDocumentLinkRole: Endpoint<Operations['changeDocumentLinkRole']> = /* @__PURE__ */ endpoint({
  operation: 'changeDocumentLinkRole',
  kind: 'command',
  method: 'PUT',
  path: '/v1/documents/{documentId}/link',
  body: 'json',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const changeDocumentRole: Endpoint<Operations['changeDocumentRole']> = /* @__PURE__ */ endpoint({
  operation: 'changeDocumentRole',
  kind: 'command',
  method: 'PUT',
  path: '/v1/documents/{documentId}/members/{principalId}',
  body: 'json',
  answers: { '200': { of: () => shapes.MemberAnswer } },
});
export const changeFileFolderOwner: Endpoint<Operations['changeFileFolderOwner']> = /* @__PURE__ */ endpoint({
  operation: 'changeFileFolderOwner',
  kind: 'command',
  method: 'PUT',
  path: '/v1/file-folders/{folderId}/owner',
  body: 'json',
  answers: { '200': { of: () => shapes.FolderAnswer } },
});
export const changeFileOwner: Endpoint<Operations['changeFileOwner']> = /* @__PURE__ */ endpoint({
  operation: 'changeFileOwner',
  kind: 'command',
  method: 'PUT',
  path: '/v1/files/{fileId}/owner',
  body: 'json',
  answers: { '200': { of: () => shapes.FileAnswer } },
});
export const changeTrustRule: Endpoint<Operations['changeTrustRule']> = /* @__PURE__ */ endpoint({
  operation: 'changeTrustRule',
  kind: 'command',
  method: 'PUT',
  path: '/v1/trust-rules/{ruleId}',
  body: 'json',
  answers: { '200': { of: () => shapes.TrustRuleAnswer } },
});
export const changeVideoProtection: Endpoint<Operations['changeVideoProtection']> = /* @__PURE__ */ endpoint({
  operation: 'changeVideoProtection',
  kind: 'command',
  method: 'PUT',
  path: '/api/videos/{videoId}/protection',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const changeVideoRequirement: Endpoint<Operations['changeVideoRequirement']> = /* @__PURE__ */ endpoint({
  operation: 'changeVideoRequirement',
  kind: 'command',
  method: 'PUT',
  path: '/api/videos/{videoId}/requirement',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const changeVideoSeriesEpisodes: Endpoint<Operations['changeVideoSeriesEpisodes']> = /* @__PURE__ */ endpoint({
  operation: 'changeVideoSeriesEpisodes',
  kind: 'command',
  method: 'PUT',
  path: '/api/video-series/{seriesId}/episodes',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideoSeries } },
});
export const changeVideoVisibility: Endpoint<Operations['changeVideoVisibility']> = /* @__PURE__ */ endpoint({
  operation: 'changeVideoVisibility',
  kind: 'command',
  method: 'PUT',
  path: '/api/videos/{videoId}/visibility',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const changeWebhookEndpoint: Endpoint<Operations['changeWebhookEndpoint']> = /* @__PURE__ */ endpoint({
  operation: 'changeWebhookEndpoint',
  kind: 'command',
  method: 'PUT',
  path: '/v1/webhooks/endpoints/{endpointId}',
  body: 'json',
  answers: { '200': { of: () => shapes.WebhookEndpointAnswer } },
});
export const changeWorkloadIssuer: Endpoint<Operations['changeWorkloadIssuer']> = /* @__PURE__ */ endpoint({
  operation: 'changeWorkloadIssuer',
  kind: 'command',
  method: 'PUT',
  path: '/v1/workload-issuers/{issuerId}',
  body: 'json',
  answers: { '200': { of: () => shapes.WorkloadIssuerAnswer } },
});
export const checkRateLimit: Endpoint<Operations['checkRateLimit']> = /* @__PURE__ */ endpoint({
  operation: 'checkRateLimit',
  kind: 'write',
  method: 'POST',
  path: '/v1/ratelimit/check',
  body: 'json',
  answers: { '200': { of: () => shapes.LimitDecision } },
});
export const checkRateLimits: Endpoint<Operations['checkRateLimits']> = /* @__PURE__ */ endpoint({
  operation: 'checkRateLimits',
  kind: 'write',
  method: 'POST',
  path: '/v1/ratelimit/check/batch',
  body: 'json',
  answers: { '200': { of: () => shapes.LimitDecisions } },
});
export const chooseVideoPoster: Endpoint<Operations['chooseVideoPoster']> = /* @__PURE__ */ endpoint({
  operation: 'chooseVideoPoster',
  kind: 'command',
  method: 'PUT',
  path: '/api/videos/{videoId}/poster',
  body: 'json',
  answers: { '200': { of: () => shapes.RequestedVideoPoster } },
});
export const closeDocumentLink: Endpoint<Operations['closeDocumentLink']> = /* @__PURE__ */ endpoint({
  operation: 'closeDocumentLink',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/documents/{documentId}/link',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const closeIncident: Endpoint<Operations['closeIncident']> = /* @__PURE__ */ endpoint({
  operation: 'closeIncident',
  kind: 'command',
  method: 'POST',
  path: '/v1/security/incidents/{incidentId}/close',
  body: 'json',
  answers: { '200': { of: () => shapes.IncidentAnswer } },
});
export const commitArtifact: Endpoint<Operations['commitArtifact']> = /* @__PURE__ */ endpoint({
  operation: 'commitArtifact',
  kind: 'write',
  method: 'POST',
  path: '/runner/jobs/{jobId}/artifacts/{artifactId}/commit',
  body: 'json',
  public: true,
  answers: { '202': 'nothing', '204': 'nothing' },
});
export const commitOperations: Endpoint<Operations['commitOperations']> = /* @__PURE__ */ endpoint({
  operation: 'commitOperations',
  kind: 'write',
  method: 'POST',
  path: '/v1/documents/{documentId}/operations:batch',
  body: 'json',
  answers: { '200': { of: () => shapes.CommittedOperationsAnswer } },
});
export const compareVersions: Endpoint<Operations['compareVersions']> = /* @__PURE__ */ endpoint({
  operation: 'compareVersions',
  kind: 'page',
  method: 'GET',
  path: '/v1/documents/{documentId}/diff',
  query: ['from', 'to', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  answers: { '200': { of: () => shapes.VersionDiff } },
});
export const completeFileVersion: Endpoint<Operations['completeFileVersion']> = /* @__PURE__ */ endpoint({
  operation: 'completeFileVersion',
  kind: 'command',
  method: 'POST',
  path: '/v1/files/{fileId}/versions/{versionId}/complete',
  body: 'json',
  answers: { '200': { of: () => shapes.CompletedVersion } },
});
export const completeVideoUpload: Endpoint<Operations['completeVideoUpload']> = /* @__PURE__ */ endpoint({
  operation: 'completeVideoUpload',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/upload/complete',
  body: 'json',
  answers: { '200': { of: () => shapes.CompletedVideoUpload } },
});
export const configureWorkflowOrganization: Endpoint<Operations['configureWorkflowOrganization']> =
  /* @__PURE__ */ endpoint({
    operation: 'configureWorkflowOrganization',
    kind: 'command',
    method: 'PUT',
    path: '/v1/workflow/organization',
    body: 'json',
    answers: { '200': { of: () => shapes.OrganizationAnswer } },
  });
export const createArtifact: Endpoint<Operations['createArtifact']> = /* @__PURE__ */ endpoint({
  operation: 'createArtifact',
  kind: 'write',
  method: 'POST',
  path: '/runner/jobs/{jobId}/artifacts',
  body: 'json',
  public: true,
  answers: { '201': { of: () => shapes.ArtifactUpload } },
});
export const createDelegation: Endpoint<Operations['createDelegation']> = /* @__PURE__ */ endpoint({
  operation: 'createDelegation',
  kind: 'command',
  method: 'POST',
  path: '/v1/delegations',
  body: 'json',
  answers: { '201': { of: () => shapes.DelegationAnswer } },
});
export const createDocument: Endpoint<Operations['createDocument']> = /* @__PURE__ */ endpoint({
  operation: 'createDocument',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents',
  body: 'json',
  answers: { '201': { of: () => shapes.DocumentAnswer } },
});
export const createFileFolder: Endpoint<Operations['createFileFolder']> = /* @__PURE__ */ endpoint({
  operation: 'createFileFolder',
  kind: 'command',
  method: 'POST',
  path: '/v1/file-folders',
  body: 'json',
  answers: { '201': { of: () => shapes.FolderAnswer } },
});
export const createFileGroup: Endpoint<Operations['createFileGroup']> = /* @__PURE__ */ endpoint({
  operation: 'createFileGroup',
  kind: 'command',
  method: 'POST',
  path: '/v1/file-groups',
  body: 'json',
  answers: { '201': { of: () => shapes.FileGroupAnswer } },
});
export const createFileUploadSession: Endpoint<Operations['createFileUploadSession']> = /* @__PURE__ */ endpoint({
  operation: 'createFileUploadSession',
  kind: 'command',
  method: 'POST',
  path: '/v1/files/upload-sessions',
  body: 'json',
  answers: { '201': { of: () => shapes.UploadSession } },
});
export const createFileVersionSession: Endpoint<Operations['createFileVersionSession']> = /* @__PURE__ */ endpoint({
  operation: 'createFileVersionSession',
  kind: 'command',
  method: 'POST',
  path: '/v1/files/{fileId}/versions',
  body: 'json',
  answers: { '201': { of: () => shapes.UploadSession } },
});
export const createPlaceImport: Endpoint<Operations['createPlaceImport']> = /* @__PURE__ */ endpoint({
  operation: 'createPlaceImport',
  kind: 'command',
  method: 'POST',
  path: '/v1/places/imports',
  body: 'json',
  answers: { '201': { of: () => shapes.ImportAnswer } },
});
export const createRepository: Endpoint<Operations['createRepository']> = /* @__PURE__ */ endpoint({
  operation: 'createRepository',
  kind: 'command',
  method: 'POST',
  path: '/v1/workflow/repositories',
  body: 'json',
  answers: { '201': { of: () => shapes.RepositoryAnswer } },
});
export const createRunnerToken: Endpoint<Operations['createRunnerToken']> = /* @__PURE__ */ endpoint({
  operation: 'createRunnerToken',
  kind: 'write',
  method: 'POST',
  path: '/v1/workflow/runner-tokens',
  answers: { '201': { of: () => shapes.RunnerToken } },
});
export const createVideoSeries: Endpoint<Operations['createVideoSeries']> = /* @__PURE__ */ endpoint({
  operation: 'createVideoSeries',
  kind: 'command',
  method: 'POST',
  path: '/api/video-series',
  body: 'json',
  answers: { '201': { of: () => shapes.ChangedVideoSeries } },
});
export const declineDocumentInvitation: Endpoint<Operations['declineDocumentInvitation']> = /* @__PURE__ */ endpoint({
  operation: 'declineDocumentInvitation',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}/invitations/{invitationId}/decline',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const deleteArtifact: Endpoint<Operations['deleteArtifact']> = /* @__PURE__ */ endpoint({
  operation: 'deleteArtifact',
  kind: 'command',
  method: 'DELETE',
  path: '/actions/artifacts/{artifactId}',
  answers: { '200': { of: () => shapes.DeletedArtifact } },
});
export const deleteDocument: Endpoint<Operations['deleteDocument']> = /* @__PURE__ */ endpoint({
  operation: 'deleteDocument',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/documents/{documentId}',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const deleteFile: Endpoint<Operations['deleteFile']> = /* @__PURE__ */ endpoint({
  operation: 'deleteFile',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/files/{fileId}',
  answers: { '200': { of: () => shapes.DeletedFile } },
});
export const deleteFileFolder: Endpoint<Operations['deleteFileFolder']> = /* @__PURE__ */ endpoint({
  operation: 'deleteFileFolder',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/file-folders/{folderId}',
  answers: { '200': { of: () => shapes.FolderAnswer } },
});
export const deleteFileGroup: Endpoint<Operations['deleteFileGroup']> = /* @__PURE__ */ endpoint({
  operation: 'deleteFileGroup',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/file-groups/{groupId}',
  answers: { '200': { of: () => shapes.FileGroupAnswer } },
});
export const deleteRepository: Endpoint<Operations['deleteRepository']> = /* @__PURE__ */ endpoint({
  operation: 'deleteRepository',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/workflow/repositories/{repoId}',
  answers: { '200': { of: () => shapes.DeletedRepository } },
});
export const deleteVideo: Endpoint<Operations['deleteVideo']> = /* @__PURE__ */ endpoint({
  operation: 'deleteVideo',
  kind: 'command',
  method: 'DELETE',
  path: '/api/videos/{videoId}',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const deleteVideoSeries: Endpoint<Operations['deleteVideoSeries']> = /* @__PURE__ */ endpoint({
  operation: 'deleteVideoSeries',
  kind: 'command',
  method: 'DELETE',
  path: '/api/video-series/{seriesId}',
  answers: { '200': { of: () => shapes.ChangedVideoSeries } },
});
export const denyAction: Endpoint<Operations['denyAction']> = /* @__PURE__ */ endpoint({
  operation: 'denyAction',
  kind: 'command',
  method: 'POST',
  path: '/v1/approvals/{approvalId}/deny',
  body: 'json',
  answers: { '200': { of: () => shapes.DecidedApproval } },
});
export const describeVideo: Endpoint<Operations['describeVideo']> = /* @__PURE__ */ endpoint({
  operation: 'describeVideo',
  kind: 'command',
  method: 'PUT',
  path: '/api/videos/{videoId}/details',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const disableClient: Endpoint<Operations['disableClient']> = /* @__PURE__ */ endpoint({
  operation: 'disableClient',
  kind: 'command',
  method: 'POST',
  path: '/v1/clients/{applicationId}/disable',
  body: 'json',
  answers: { '200': { of: () => shapes.ClientAnswer } },
});
export const disableWebhookEndpoint: Endpoint<Operations['disableWebhookEndpoint']> = /* @__PURE__ */ endpoint({
  operation: 'disableWebhookEndpoint',
  kind: 'command',
  method: 'POST',
  path: '/v1/webhooks/endpoints/{endpointId}/disable',
  answers: { '200': { of: () => shapes.WebhookEndpointAnswer } },
});
export const dismissVideoReports: Endpoint<Operations['dismissVideoReports']> = /* @__PURE__ */ endpoint({
  operation: 'dismissVideoReports',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/{videoId}/reports/dismiss',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const downloadArtifact: Endpoint<Operations['downloadArtifact']> = /* @__PURE__ */ endpoint({
  operation: 'downloadArtifact',
  kind: 'query',
  method: 'GET',
  path: '/actions/artifacts/{artifactId}/download',
  answers: { '200': { of: () => shapes.ArtifactAddress } },
});
export const draftAccessPolicy: Endpoint<Operations['draftAccessPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'draftAccessPolicy',
  kind: 'command',
  method: 'PUT',
  path: '/v1/policy/versions/{policyVersion}',
  body: 'json',
  answers: { '200': { of: () => shapes.PolicyVersionAnswer } },
});
export const drainRunner: Endpoint<Operations['drainRunner']> = /* @__PURE__ */ endpoint({
  operation: 'drainRunner',
  kind: 'command',
  method: 'POST',
  path: '/v1/workflow/runners/{runnerId}/drain',
  answers: { '200': { of: () => shapes.RunnerAnswer } },
});
export const dropDeadLetter: Endpoint<Operations['dropDeadLetter']> = /* @__PURE__ */ endpoint({
  operation: 'dropDeadLetter',
  kind: 'write',
  method: 'POST',
  path: '/v1/platform/work/dead-letters/{jobId}/drop',
  answers: { '200': { of: () => shapes.ChangedJob } },
});
export const duplicateDocument: Endpoint<Operations['duplicateDocument']> = /* @__PURE__ */ endpoint({
  operation: 'duplicateDocument',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}:duplicate',
  body: 'json',
  answers: { '201': { of: () => shapes.DocumentAnswer } },
});
export const enableClient: Endpoint<Operations['enableClient']> = /* @__PURE__ */ endpoint({
  operation: 'enableClient',
  kind: 'command',
  method: 'POST',
  path: '/v1/clients/{applicationId}/enable',
  body: 'json',
  answers: { '200': { of: () => shapes.ClientAnswer } },
});
export const enableWebhookEndpoint: Endpoint<Operations['enableWebhookEndpoint']> = /* @__PURE__ */ endpoint({
  operation: 'enableWebhookEndpoint',
  kind: 'command',
  method: 'POST',
  path: '/v1/webhooks/endpoints/{endpointId}/enable',
  answers: { '200': { of: () => shapes.WebhookEndpointAnswer } },
});
export const endAccessPolicyShadow: Endpoint<Operations['endAccessPolicyShadow']> = /* @__PURE__ */ endpoint({
  operation: 'endAccessPolicyShadow',
  kind: 'command',
  method: 'POST',
  path: '/v1/policy/shadow/end',
  answers: { '200': { of: () => shapes.PolicyShadowAnswer } },
});
export const endSession: Endpoint<Operations['endSession']> = /* @__PURE__ */ endpoint({
  operation: 'endSession',
  kind: 'write',
  method: 'POST',
  path: '/v1/sessions/{sessionId}/end',
  body: 'json',
  answers: { '200': { of: () => shapes.EndedSession } },
});
export const endSessions: Endpoint<Operations['endSessions']> = /* @__PURE__ */ endpoint({
  operation: 'endSessions',
  kind: 'write',
  method: 'POST',
  path: '/v1/principals/{principalId}/sessions/end',
  body: 'json',
  answers: { '200': { of: () => shapes.EndedSessions } },
});
export const endTrustRule: Endpoint<Operations['endTrustRule']> = /* @__PURE__ */ endpoint({
  operation: 'endTrustRule',
  kind: 'command',
  method: 'POST',
  path: '/v1/trust-rules/{ruleId}/end',
  body: 'json',
  answers: { '200': { of: () => shapes.TrustRuleAnswer } },
});
export const endWorkloadIssuer: Endpoint<Operations['endWorkloadIssuer']> = /* @__PURE__ */ endpoint({
  operation: 'endWorkloadIssuer',
  kind: 'command',
  method: 'POST',
  path: '/v1/workload-issuers/{issuerId}/end',
  body: 'json',
  answers: { '200': { of: () => shapes.WorkloadIssuerAnswer } },
});
export const enforceAccessPolicy: Endpoint<Operations['enforceAccessPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'enforceAccessPolicy',
  kind: 'command',
  method: 'POST',
  path: '/v1/policy/versions/{policyVersion}/enforce',
  answers: { '200': { of: () => shapes.PolicyVersionAnswer } },
});
export const enrolPerson: Endpoint<Operations['enrolPerson']> = /* @__PURE__ */ endpoint({
  operation: 'enrolPerson',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/enrolments',
  body: 'json',
  answers: { '201': { of: () => shapes.EnrolledPerson } },
});
export const exchangeToken: Endpoint<Operations['exchangeToken']> = /* @__PURE__ */ endpoint({
  operation: 'exchangeToken',
  kind: 'write',
  method: 'POST',
  path: '/v1/token/exchange',
  body: 'json',
  public: true,
  answers: { '200': { of: () => shapes.ExchangedToken } },
});
export const explainAccessPolicy: Endpoint<Operations['explainAccessPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'explainAccessPolicy',
  kind: 'write',
  method: 'POST',
  path: '/v1/policy/explain',
  body: 'json',
  answers: { '200': { of: () => shapes.PolicyExplanation } },
});
export const explainFileAccess: Endpoint<Operations['explainFileAccess']> = /* @__PURE__ */ endpoint({
  operation: 'explainFileAccess',
  kind: 'query',
  method: 'GET',
  path: '/v1/files/{fileId}/explain',
  query: ['principalId'],
  answers: { '200': { of: () => shapes.FileAccessExplanation } },
});
export const findPlatformEvent: Endpoint<Operations['findPlatformEvent']> = /* @__PURE__ */ endpoint({
  operation: 'findPlatformEvent',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/events/{eventId}',
  waits: true,
  answers: { '200': { of: () => shapes.PlatformEventPlace } },
});
export const findVideoUploadStatus: Endpoint<Operations['findVideoUploadStatus']> = /* @__PURE__ */ endpoint({
  operation: 'findVideoUploadStatus',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/upload/status',
  query: ['videoId', 'uploadId'],
  answers: { '200': { of: () => shapes.VideoUploadStatus } },
});
export const followJobLog: Endpoint<Operations['followJobLog']> = /* @__PURE__ */ endpoint({
  operation: 'followJobLog',
  kind: 'stream',
  method: 'GET',
  path: '/actions/jobs/{jobId}/logs/events',
  query: ['fromOffset', 'attempt'],
  answers: { '200': { of: () => shapes.LogEvent } },
});
export const followPlatformLog: Endpoint<Operations['followPlatformLog']> = /* @__PURE__ */ endpoint({
  operation: 'followPlatformLog',
  kind: 'stream',
  method: 'GET',
  path: '/v1/platform/all/live',
  query: ['context', 'type'],
  answers: { '200': { of: () => shapes.PlatformEvent } },
  stream: 'platform-events',
});
export const followSecurityEvents: Endpoint<Operations['followSecurityEvents']> = /* @__PURE__ */ endpoint({
  operation: 'followSecurityEvents',
  kind: 'stream',
  method: 'GET',
  path: '/v1/security/events/stream',
  query: ['principalId', 'clientId', 'actor', 'type', 'severity', 'result', 'jti'],
  answers: { '200': { of: () => shapes.SecurityEvent } },
  stream: 'security-events',
});
export const followSecurityState: Endpoint<Operations['followSecurityState']> = /* @__PURE__ */ endpoint({
  operation: 'followSecurityState',
  kind: 'query',
  method: 'GET',
  path: '/v1/security/state/stream',
  query: ['after'],
  answers: { '200': 'string' },
});
export const forgetSubject: Endpoint<Operations['forgetSubject']> = /* @__PURE__ */ endpoint({
  operation: 'forgetSubject',
  kind: 'command',
  method: 'POST',
  path: '/v1/privacy/forget',
  body: 'json',
  answers: { '200': { of: () => shapes.ForgottenSubject } },
});
export const getAccessPolicyVersion: Endpoint<Operations['getAccessPolicyVersion']> = /* @__PURE__ */ endpoint({
  operation: 'getAccessPolicyVersion',
  kind: 'query',
  method: 'GET',
  path: '/v1/policy/versions/{policyVersion}',
  waits: true,
  answers: { '200': { of: () => shapes.AccessPolicyVersionDocument } },
});
export const getAgentAction: Endpoint<Operations['getAgentAction']> = /* @__PURE__ */ endpoint({
  operation: 'getAgentAction',
  kind: 'query',
  method: 'GET',
  path: '/v1/agent-actions/{approvalId}',
  waits: true,
  answers: { '200': { of: () => shapes.AgentAction } },
});
export const getAlert: Endpoint<Operations['getAlert']> = /* @__PURE__ */ endpoint({
  operation: 'getAlert',
  kind: 'query',
  method: 'GET',
  path: '/v1/security/detection/alerts/{alertId}',
  waits: true,
  answers: { '200': { of: () => shapes.KnownAlert } },
});
export const getApi: Endpoint<Operations['getApi']> = /* @__PURE__ */ endpoint({
  operation: 'getApi',
  kind: 'query',
  method: 'GET',
  path: '/v1/apis/{apiId}',
  waits: true,
  answers: { '200': { of: () => shapes.KnownApi } },
});
export const getApproval: Endpoint<Operations['getApproval']> = /* @__PURE__ */ endpoint({
  operation: 'getApproval',
  kind: 'query',
  method: 'GET',
  path: '/v1/approvals/{approvalId}',
  query: ['waitSeconds'],
  waits: true,
  answers: { '200': { of: () => shapes.Approval } },
});
export const getAuthorizationServerMetadata: Endpoint<Operations['getAuthorizationServerMetadata']> =
  /* @__PURE__ */ endpoint({
    operation: 'getAuthorizationServerMetadata',
    kind: 'query',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    public: true,
    answers: { '200': { of: () => shapes.AuthorizationServerMetadata } },
  });
export const getClient: Endpoint<Operations['getClient']> = /* @__PURE__ */ endpoint({
  operation: 'getClient',
  kind: 'query',
  method: 'GET',
  path: '/v1/clients/{applicationId}',
  waits: true,
  answers: { '200': { of: () => shapes.Client } },
});
export const getCredentialPolicy: Endpoint<Operations['getCredentialPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'getCredentialPolicy',
  kind: 'query',
  method: 'GET',
  path: '/v1/credential-policy',
  waits: true,
  answers: { '200': { of: () => shapes.KnownCredentialPolicy } },
});
export const getDelegation: Endpoint<Operations['getDelegation']> = /* @__PURE__ */ endpoint({
  operation: 'getDelegation',
  kind: 'query',
  method: 'GET',
  path: '/v1/delegations/{delegationId}',
  waits: true,
  answers: { '200': { of: () => shapes.Delegation } },
});
export const getDocument: Endpoint<Operations['getDocument']> = /* @__PURE__ */ endpoint({
  operation: 'getDocument',
  kind: 'query',
  method: 'GET',
  path: '/v1/documents/{documentId}',
  waits: true,
  answers: { '200': { of: () => shapes.Document } },
});
export const getDocumentSnapshot: Endpoint<Operations['getDocumentSnapshot']> = /* @__PURE__ */ endpoint({
  operation: 'getDocumentSnapshot',
  kind: 'query',
  method: 'GET',
  path: '/v1/documents/{documentId}/snapshot',
  waits: true,
  answers: { '200': { of: () => shapes.DocumentSnapshotShown } },
});
export const getEntity: Endpoint<Operations['getEntity']> = /* @__PURE__ */ endpoint({
  operation: 'getEntity',
  kind: 'query',
  method: 'GET',
  path: '/v1/entities/{entity_id}',
  waits: true,
  answers: { '200': { of: () => shapes.Entity } },
});
export const getFile: Endpoint<Operations['getFile']> = /* @__PURE__ */ endpoint({
  operation: 'getFile',
  kind: 'query',
  method: 'GET',
  path: '/v1/files/{fileId}',
  waits: true,
  answers: { '200': { of: () => shapes.FileItem } },
});
export const getFileAccess: Endpoint<Operations['getFileAccess']> = /* @__PURE__ */ endpoint({
  operation: 'getFileAccess',
  kind: 'query',
  method: 'GET',
  path: '/v1/files/{fileId}/access',
  waits: true,
  answers: { '200': { of: () => shapes.FileAccess } },
});
export const getFileChunk: Endpoint<Operations['getFileChunk']> = /* @__PURE__ */ endpoint({
  operation: 'getFileChunk',
  kind: 'query',
  method: 'GET',
  path: '/v1/files/{fileId}/chunks/{chunkId}',
  query: ['versionId'],
  answers: { '200': { of: () => shapes.FileChunk } },
});
export const getFileContent: Endpoint<Operations['getFileContent']> = /* @__PURE__ */ endpoint({
  operation: 'getFileContent',
  kind: 'query',
  method: 'GET',
  path: '/v1/files/{fileId}/content',
  query: ['versionId'],
  answers: { '200': { of: () => shapes.FileAddress } },
});
export const getFileDeletion: Endpoint<Operations['getFileDeletion']> = /* @__PURE__ */ endpoint({
  operation: 'getFileDeletion',
  kind: 'query',
  method: 'GET',
  path: '/v1/files/{fileId}/deletion',
  answers: { '200': { of: () => shapes.FileDeletion } },
});
export const getFileFolder: Endpoint<Operations['getFileFolder']> = /* @__PURE__ */ endpoint({
  operation: 'getFileFolder',
  kind: 'query',
  method: 'GET',
  path: '/v1/file-folders/{folderId}',
  waits: true,
  answers: { '200': { of: () => shapes.FileFolderWithPath } },
});
export const getFileFolderAccess: Endpoint<Operations['getFileFolderAccess']> = /* @__PURE__ */ endpoint({
  operation: 'getFileFolderAccess',
  kind: 'query',
  method: 'GET',
  path: '/v1/file-folders/{folderId}/access',
  waits: true,
  answers: { '200': { of: () => shapes.FileAccess } },
});
export const getFileGroup: Endpoint<Operations['getFileGroup']> = /* @__PURE__ */ endpoint({
  operation: 'getFileGroup',
  kind: 'query',
  method: 'GET',
  path: '/v1/file-groups/{groupId}',
  waits: true,
  answers: { '200': { of: () => shapes.FileGroupWithMembers } },
});
export const getFileStatus: Endpoint<Operations['getFileStatus']> = /* @__PURE__ */ endpoint({
  operation: 'getFileStatus',
  kind: 'query',
  method: 'GET',
  path: '/v1/files/{fileId}/status',
  query: ['versionId'],
  answers: { '200': { of: () => shapes.FileProcessing } },
});
export const getFileUsage: Endpoint<Operations['getFileUsage']> = /* @__PURE__ */ endpoint({
  operation: 'getFileUsage',
  kind: 'query',
  method: 'GET',
  path: '/v1/file-usage',
  answers: { '200': { of: () => shapes.FileUsage } },
});
export const getGrant: Endpoint<Operations['getGrant']> = /* @__PURE__ */ endpoint({
  operation: 'getGrant',
  kind: 'query',
  method: 'GET',
  path: '/v1/grants/{grantId}',
  waits: true,
  answers: { '200': { of: () => shapes.Grant } },
});
export const getIncident: Endpoint<Operations['getIncident']> = /* @__PURE__ */ endpoint({
  operation: 'getIncident',
  kind: 'query',
  method: 'GET',
  path: '/v1/security/incidents/{incidentId}',
  waits: true,
  answers: { '200': { of: () => shapes.Incident } },
});
export const getJob: Endpoint<Operations['getJob']> = /* @__PURE__ */ endpoint({
  operation: 'getJob',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/work/jobs/{jobId}',
  answers: { '200': { of: () => shapes.Job } },
});
export const getOpenidConfiguration: Endpoint<Operations['getOpenidConfiguration']> = /* @__PURE__ */ endpoint({
  operation: 'getOpenidConfiguration',
  kind: 'query',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  public: true,
  answers: { '200': { of: () => shapes.AuthorizationServerMetadata } },
});
export const getPlaceImport: Endpoint<Operations['getPlaceImport']> = /* @__PURE__ */ endpoint({
  operation: 'getPlaceImport',
  kind: 'query',
  method: 'GET',
  path: '/v1/places/imports/{importId}',
  waits: true,
  answers: { '200': { of: () => shapes.PlaceImport } },
});
export const getPlatformHealth: Endpoint<Operations['getPlatformHealth']> = /* @__PURE__ */ endpoint({
  operation: 'getPlatformHealth',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/health',
  answers: { '200': { of: () => shapes.PlatformHealth } },
});
export const getPlatformOverview: Endpoint<Operations['getPlatformOverview']> = /* @__PURE__ */ endpoint({
  operation: 'getPlatformOverview',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/overview',
  query: ['window'],
  answers: { '200': { of: () => shapes.PlatformOverview } },
});
export const getPlatformStreamEvent: Endpoint<Operations['getPlatformStreamEvent']> = /* @__PURE__ */ endpoint({
  operation: 'getPlatformStreamEvent',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/streams/{stream}/events/{revision}',
  answers: { '200': { of: () => shapes.PlatformEventWithState } },
});
export const getPrincipal: Endpoint<Operations['getPrincipal']> = /* @__PURE__ */ endpoint({
  operation: 'getPrincipal',
  kind: 'query',
  method: 'GET',
  path: '/v1/principals/{principalId}',
  waits: true,
  answers: { '200': { of: () => shapes.Principal } },
});
export const getPrincipalHistory: Endpoint<Operations['getPrincipalHistory']> = /* @__PURE__ */ endpoint({
  operation: 'getPrincipalHistory',
  kind: 'page',
  method: 'GET',
  path: '/v1/principals/{principalId}/history',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.GetPrincipalHistoryPage } },
});
export const getRefreshFamily: Endpoint<Operations['getRefreshFamily']> = /* @__PURE__ */ endpoint({
  operation: 'getRefreshFamily',
  kind: 'query',
  method: 'GET',
  path: '/v1/refresh-families/{familyId}',
  waits: true,
  answers: { '200': { of: () => shapes.RefreshFamily } },
});
export const getRegistrationPolicy: Endpoint<Operations['getRegistrationPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'getRegistrationPolicy',
  kind: 'query',
  method: 'GET',
  path: '/v1/registration-policy',
  waits: true,
  answers: { '200': { of: () => shapes.KnownRegistrationPolicy } },
});
export const getRepository: Endpoint<Operations['getRepository']> = /* @__PURE__ */ endpoint({
  operation: 'getRepository',
  kind: 'query',
  method: 'GET',
  path: '/v1/workflow/repositories/{repoId}',
  waits: true,
  answers: { '200': { of: () => shapes.WorkflowRepository } },
});
export const getSecurityState: Endpoint<Operations['getSecurityState']> = /* @__PURE__ */ endpoint({
  operation: 'getSecurityState',
  kind: 'query',
  method: 'GET',
  path: '/v1/security/state',
  answers: { '200': { of: () => shapes.SecurityState } },
});
export const getSession: Endpoint<Operations['getSession']> = /* @__PURE__ */ endpoint({
  operation: 'getSession',
  kind: 'query',
  method: 'GET',
  path: '/console/session',
  public: true,
  answers: { '200': { of: () => shapes.SignedInSession }, '204': 'nothing' },
});
export const getSharedVideoPlayback: Endpoint<Operations['getSharedVideoPlayback']> = /* @__PURE__ */ endpoint({
  operation: 'getSharedVideoPlayback',
  kind: 'query',
  method: 'GET',
  path: '/api/shared-videos/{tenantId}/{videoId}/playback',
  query: ['link', 'region', 'latencies', 'earlierProof'],
  public: true,
  answers: { '200': { of: () => shapes.SharedVideoPlayback } },
});
export const getSignInMethods: Endpoint<Operations['getSignInMethods']> = /* @__PURE__ */ endpoint({
  operation: 'getSignInMethods',
  kind: 'query',
  method: 'GET',
  path: '/v1/sign-in-policy/methods',
  waits: true,
  answers: { '200': { of: () => shapes.SignInMethods } },
});
export const getSignInPolicy: Endpoint<Operations['getSignInPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'getSignInPolicy',
  kind: 'query',
  method: 'GET',
  path: '/v1/sign-in-policy',
  waits: true,
  answers: { '200': { of: () => shapes.KnownSignInPolicy } },
});
export const getSigningKeys: Endpoint<Operations['getSigningKeys']> = /* @__PURE__ */ endpoint({
  operation: 'getSigningKeys',
  kind: 'query',
  method: 'GET',
  path: '/oauth/jwks',
  public: true,
  answers: { '200': { of: () => shapes.Jwks } },
});
export const getTenantDocument: Endpoint<Operations['getTenantDocument']> = /* @__PURE__ */ endpoint({
  operation: 'getTenantDocument',
  kind: 'query',
  method: 'GET',
  path: '/v1/tenant/documents/{documentId}',
  waits: true,
  answers: { '200': { of: () => shapes.TenantDocumentForCaller } },
});
export const getTrustRule: Endpoint<Operations['getTrustRule']> = /* @__PURE__ */ endpoint({
  operation: 'getTrustRule',
  kind: 'query',
  method: 'GET',
  path: '/v1/trust-rules/{ruleId}',
  waits: true,
  answers: { '200': { of: () => shapes.KnownTrustRule } },
});
export const getUserinfo: Endpoint<Operations['getUserinfo']> = /* @__PURE__ */ endpoint({
  operation: 'getUserinfo',
  kind: 'query',
  method: 'GET',
  path: '/oauth/userinfo',
  public: true,
  answers: { '200': { of: () => shapes.Userinfo } },
});
export const getVideo: Endpoint<Operations['getVideo']> = /* @__PURE__ */ endpoint({
  operation: 'getVideo',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/{videoId}',
  waits: true,
  answers: { '200': { of: () => shapes.Video } },
});
export const getVideoAccess: Endpoint<Operations['getVideoAccess']> = /* @__PURE__ */ endpoint({
  operation: 'getVideoAccess',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/{videoId}/access',
  query: ['viewerId'],
  answers: { '200': { of: () => shapes.VideoAccess } },
});
export const getVideoPlayback: Endpoint<Operations['getVideoPlayback']> = /* @__PURE__ */ endpoint({
  operation: 'getVideoPlayback',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/{videoId}/playback',
  query: ['link', 'region', 'latencies'],
  answers: { '200': { of: () => shapes.VideoPlayback } },
});
export const getVideoPoster: Endpoint<Operations['getVideoPoster']> = /* @__PURE__ */ endpoint({
  operation: 'getVideoPoster',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/{videoId}/poster',
  answers: { '200': { of: () => shapes.VideoPoster } },
});
export const getVideoProcessing: Endpoint<Operations['getVideoProcessing']> = /* @__PURE__ */ endpoint({
  operation: 'getVideoProcessing',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/{videoId}/processing',
  answers: { '200': { of: () => shapes.VideoProcessing } },
});
export const getVideoSource: Endpoint<Operations['getVideoSource']> = /* @__PURE__ */ endpoint({
  operation: 'getVideoSource',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/{videoId}/source',
  waits: true,
  answers: { '200': { of: () => shapes.VideoSource } },
});
export const getVideoStatistics: Endpoint<Operations['getVideoStatistics']> = /* @__PURE__ */ endpoint({
  operation: 'getVideoStatistics',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/{videoId}/statistics',
  query: ['by', 'from', 'to'],
  answers: { '200': { of: () => shapes.VideoStatistics } },
});
export const getVideoUploadStatus: Endpoint<Operations['getVideoUploadStatus']> = /* @__PURE__ */ endpoint({
  operation: 'getVideoUploadStatus',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/{videoId}/upload/status',
  answers: { '200': { of: () => shapes.VideoUploadStatus } },
});
export const getWebhookEndpoint: Endpoint<Operations['getWebhookEndpoint']> = /* @__PURE__ */ endpoint({
  operation: 'getWebhookEndpoint',
  kind: 'query',
  method: 'GET',
  path: '/v1/webhooks/endpoints/{endpointId}',
  waits: true,
  answers: { '200': { of: () => shapes.WebhookEndpoint } },
});
export const getWorkflowOrganization: Endpoint<Operations['getWorkflowOrganization']> = /* @__PURE__ */ endpoint({
  operation: 'getWorkflowOrganization',
  kind: 'query',
  method: 'GET',
  path: '/v1/workflow/organization',
  waits: true,
  answers: { '200': { of: () => shapes.WorkflowOrganization } },
});
export const getWorkflowRun: Endpoint<Operations['getWorkflowRun']> = /* @__PURE__ */ endpoint({
  operation: 'getWorkflowRun',
  kind: 'query',
  method: 'GET',
  path: '/actions/runs/{runId}',
  waits: true,
  answers: { '200': { of: () => shapes.WorkflowRun } },
});
export const getWorkloadIssuer: Endpoint<Operations['getWorkloadIssuer']> = /* @__PURE__ */ endpoint({
  operation: 'getWorkloadIssuer',
  kind: 'query',
  method: 'GET',
  path: '/v1/workload-issuers/{issuerId}',
  waits: true,
  answers: { '200': { of: () => shapes.KnownWorkloadIssuer } },
});
export const giveTokenBack: Endpoint<Operations['giveTokenBack']> = /* @__PURE__ */ endpoint({
  operation: 'giveTokenBack',
  kind: 'write',
  method: 'POST',
  path: '/oauth/revoke',
  body: 'form',
  public: true,
  answers: { '200': 'nothing' },
});
export const grantFile: Endpoint<Operations['grantFile']> = /* @__PURE__ */ endpoint({
  operation: 'grantFile',
  kind: 'command',
  method: 'POST',
  path: '/v1/files/{fileId}/grants',
  body: 'json',
  answers: { '201': { of: () => shapes.FileGrantAnswer } },
});
export const grantFileFolder: Endpoint<Operations['grantFileFolder']> = /* @__PURE__ */ endpoint({
  operation: 'grantFileFolder',
  kind: 'command',
  method: 'POST',
  path: '/v1/file-folders/{folderId}/grants',
  body: 'json',
  answers: { '201': { of: () => shapes.FileGrantAnswer } },
});
export const grantRoles: Endpoint<Operations['grantRoles']> = /* @__PURE__ */ endpoint({
  operation: 'grantRoles',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/roles/grant',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const grantScopes: Endpoint<Operations['grantScopes']> = /* @__PURE__ */ endpoint({
  operation: 'grantScopes',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/scopes/grant',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const grantVideoEntitlement: Endpoint<Operations['grantVideoEntitlement']> = /* @__PURE__ */ endpoint({
  operation: 'grantVideoEntitlement',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/{videoId}/entitlements',
  body: 'json',
  answers: { '201': { of: () => shapes.ChangedVideoEntitlement } },
});
export const handOverPlaces: Endpoint<Operations['handOverPlaces']> = /* @__PURE__ */ endpoint({
  operation: 'handOverPlaces',
  kind: 'write',
  method: 'POST',
  path: '/v1/places:handover',
  body: 'json',
  answers: { '200': { of: () => shapes.PlaceHandoverResults } },
});
export const holdFile: Endpoint<Operations['holdFile']> = /* @__PURE__ */ endpoint({
  operation: 'holdFile',
  kind: 'command',
  method: 'PUT',
  path: '/v1/files/{fileId}/hold',
  body: 'json',
  answers: { '200': { of: () => shapes.FileAnswer } },
});
export const initiateVideoUpload: Endpoint<Operations['initiateVideoUpload']> = /* @__PURE__ */ endpoint({
  operation: 'initiateVideoUpload',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/upload/init',
  body: 'json',
  answers: { '201': { of: () => shapes.InitiatedVideoUpload } },
});
export const introspectToken: Endpoint<Operations['introspectToken']> = /* @__PURE__ */ endpoint({
  operation: 'introspectToken',
  kind: 'write',
  method: 'POST',
  path: '/oauth/introspect',
  body: 'form',
  public: true,
  answers: { '200': { fields: { active: 'boolean' } } },
});
export const inviteToDocument: Endpoint<Operations['inviteToDocument']> = /* @__PURE__ */ endpoint({
  operation: 'inviteToDocument',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}/invitations',
  body: 'json',
  answers: { '201': { of: () => shapes.InvitationAnswer } },
});
export const issueCapability: Endpoint<Operations['issueCapability']> = /* @__PURE__ */ endpoint({
  operation: 'issueCapability',
  kind: 'command',
  method: 'POST',
  path: '/v1/approvals/{approvalId}/capability',
  answers: { '201': { of: () => shapes.CapabilityAnswer } },
});
export const issueClientId: Endpoint<Operations['issueClientId']> = /* @__PURE__ */ endpoint({
  operation: 'issueClientId',
  kind: 'write',
  method: 'POST',
  path: '/v1/documents/{documentId}/clients',
  answers: { '200': { of: () => shapes.IssuedClientId } },
});
export const issueClientSecret: Endpoint<Operations['issueClientSecret']> = /* @__PURE__ */ endpoint({
  operation: 'issueClientSecret',
  kind: 'command',
  method: 'POST',
  path: '/v1/clients/{applicationId}/secrets',
  body: 'json',
  answers: { '201': { of: () => shapes.ClientSecretAnswer } },
});
export const issueCredential: Endpoint<Operations['issueCredential']> = /* @__PURE__ */ endpoint({
  operation: 'issueCredential',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/credentials',
  body: 'json',
  answers: { '201': { of: () => shapes.CredentialAnswer } },
});
export const issueStreamTicket: Endpoint<Operations['issueStreamTicket']> = /* @__PURE__ */ endpoint({
  operation: 'issueStreamTicket',
  kind: 'write',
  method: 'POST',
  path: '/v1/streams/tickets',
  answers: { '201': { of: () => shapes.StreamTicket } },
});
export const issueToken: Endpoint<Operations['issueToken']> = /* @__PURE__ */ endpoint({
  operation: 'issueToken',
  kind: 'write',
  method: 'POST',
  path: '/oauth/token',
  body: 'form',
  public: true,
  answers: { '200': { of: () => shapes.TokenAnswer } },
});
export const labelPrincipal: Endpoint<Operations['labelPrincipal']> = /* @__PURE__ */ endpoint({
  operation: 'labelPrincipal',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/label',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const listAccessPolicyDifferences: Endpoint<Operations['listAccessPolicyDifferences']> =
  /* @__PURE__ */ endpoint({
    operation: 'listAccessPolicyDifferences',
    kind: 'query',
    method: 'GET',
    path: '/v1/policy/versions/{policyVersion}/differences',
    answers: { '200': { of: () => shapes.PolicyDifferences } },
  });
export const listAccessPolicyVersions: Endpoint<Operations['listAccessPolicyVersions']> = /* @__PURE__ */ endpoint({
  operation: 'listAccessPolicyVersions',
  kind: 'page',
  method: 'GET',
  path: '/v1/policy/versions',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListAccessPolicyVersionsPage } },
});
export const listAgentActions: Endpoint<Operations['listAgentActions']> = /* @__PURE__ */ endpoint({
  operation: 'listAgentActions',
  kind: 'page',
  method: 'GET',
  path: '/v1/agent-actions',
  query: ['agentId', 'agentIds', 'initiatorIds', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListAgentActionsPage } },
});
export const listAlerts: Endpoint<Operations['listAlerts']> = /* @__PURE__ */ endpoint({
  operation: 'listAlerts',
  kind: 'page',
  method: 'GET',
  path: '/v1/security/detection/alerts',
  query: ['rule', 'severity', 'principalId', 'from', 'to', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListAlertsPage } },
});
export const listAllCredentials: Endpoint<Operations['listAllCredentials']> = /* @__PURE__ */ endpoint({
  operation: 'listAllCredentials',
  kind: 'page',
  method: 'GET',
  path: '/v1/credentials',
  query: ['credentialId', 'credentialIds', 'principalIds', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListAllCredentialsPage } },
});
export const listApiTools: Endpoint<Operations['listApiTools']> = /* @__PURE__ */ endpoint({
  operation: 'listApiTools',
  kind: 'page',
  method: 'GET',
  path: '/v1/apis/{apiId}/tools',
  query: ['status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListApiToolsPage } },
});
export const listApis: Endpoint<Operations['listApis']> = /* @__PURE__ */ endpoint({
  operation: 'listApis',
  kind: 'page',
  method: 'GET',
  path: '/v1/apis',
  query: ['status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListApisPage } },
});
export const listApprovals: Endpoint<Operations['listApprovals']> = /* @__PURE__ */ endpoint({
  operation: 'listApprovals',
  kind: 'page',
  method: 'GET',
  path: '/v1/approvals',
  query: ['agentId', 'status', 'expiresAfter', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListApprovalsPage } },
});
export const listArtifactsForJob: Endpoint<Operations['listArtifactsForJob']> = /* @__PURE__ */ endpoint({
  operation: 'listArtifactsForJob',
  kind: 'query',
  method: 'GET',
  path: '/runner/jobs/{jobId}/artifacts',
  query: ['name'],
  public: true,
  answers: { '200': { of: () => shapes.ArtifactDownloads } },
});
export const listAuthEvents: Endpoint<Operations['listAuthEvents']> = /* @__PURE__ */ endpoint({
  operation: 'listAuthEvents',
  kind: 'page',
  method: 'GET',
  path: '/v1/security/auth-events',
  query: ['from', 'to', 'principalId', 'principalIds', 'result', 'reason', 'jti', 'about', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  answers: { '200': { of: () => shapes.ListAuthEventsPage } },
});
export const listAuthenticators: Endpoint<Operations['listAuthenticators']> = /* @__PURE__ */ endpoint({
  operation: 'listAuthenticators',
  kind: 'page',
  method: 'GET',
  path: '/v1/principals/{principalId}/authenticators',
  query: ['kind', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListAuthenticatorsPage } },
});
export const listAuthority: Endpoint<Operations['listAuthority']> = /* @__PURE__ */ endpoint({
  operation: 'listAuthority',
  kind: 'page',
  method: 'GET',
  path: '/v1/principals/{principalId}/authority',
  query: ['kind', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListAuthorityPage } },
});
export const listBlockedRecordings: Endpoint<Operations['listBlockedRecordings']> = /* @__PURE__ */ endpoint({
  operation: 'listBlockedRecordings',
  kind: 'query',
  method: 'GET',
  path: '/api/blocked-recordings',
  answers: { '200': { of: () => shapes.BlockedRecordings } },
});
export const listBuiltInClients: Endpoint<Operations['listBuiltInClients']> = /* @__PURE__ */ endpoint({
  operation: 'listBuiltInClients',
  kind: 'query',
  method: 'GET',
  path: '/v1/built-in-clients',
  answers: { '200': { of: () => shapes.BuiltInClients } },
});
export const listClientSecrets: Endpoint<Operations['listClientSecrets']> = /* @__PURE__ */ endpoint({
  operation: 'listClientSecrets',
  kind: 'page',
  method: 'GET',
  path: '/v1/clients/{applicationId}/secrets',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListClientSecretsPage } },
});
export const listClients: Endpoint<Operations['listClients']> = /* @__PURE__ */ endpoint({
  operation: 'listClients',
  kind: 'page',
  method: 'GET',
  path: '/v1/clients',
  query: ['status', 'applicationIds', 'search', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListClientsPage } },
});
export const listCredentials: Endpoint<Operations['listCredentials']> = /* @__PURE__ */ endpoint({
  operation: 'listCredentials',
  kind: 'page',
  method: 'GET',
  path: '/v1/principals/{principalId}/credentials',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListCredentialsPage } },
});
export const listDeadLetters: Endpoint<Operations['listDeadLetters']> = /* @__PURE__ */ endpoint({
  operation: 'listDeadLetters',
  kind: 'page',
  method: 'GET',
  path: '/v1/platform/work/dead-letters',
  query: ['cursor', 'limit'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  answers: { '200': { of: () => shapes.DeadLetters } },
});
export const listDelegations: Endpoint<Operations['listDelegations']> = /* @__PURE__ */ endpoint({
  operation: 'listDelegations',
  kind: 'page',
  method: 'GET',
  path: '/v1/delegations',
  query: ['delegatorId', 'agentId', 'status', 'expiresAfter', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListDelegationsPage } },
});
export const listDetectionRules: Endpoint<Operations['listDetectionRules']> = /* @__PURE__ */ endpoint({
  operation: 'listDetectionRules',
  kind: 'query',
  method: 'GET',
  path: '/v1/security/detection/rules',
  waits: true,
  answers: { '200': { of: () => shapes.DetectionRules } },
});
export const listDispatchableWorkflows: Endpoint<Operations['listDispatchableWorkflows']> = /* @__PURE__ */ endpoint({
  operation: 'listDispatchableWorkflows',
  kind: 'query',
  method: 'GET',
  path: '/repos/{repoId}/workflows',
  query: ['branch'],
  answers: { '200': { of: () => shapes.DispatchableWorkflows } },
});
export const listDocumentInvitations: Endpoint<Operations['listDocumentInvitations']> = /* @__PURE__ */ endpoint({
  operation: 'listDocumentInvitations',
  kind: 'page',
  method: 'GET',
  path: '/v1/documents/{documentId}/invitations',
  query: ['status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListDocumentInvitationsPage } },
});
export const listDocumentMembers: Endpoint<Operations['listDocumentMembers']> = /* @__PURE__ */ endpoint({
  operation: 'listDocumentMembers',
  kind: 'page',
  method: 'GET',
  path: '/v1/documents/{documentId}/members',
  query: ['role', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListDocumentMembersPage } },
});
export const listDocumentOperations: Endpoint<Operations['listDocumentOperations']> = /* @__PURE__ */ endpoint({
  operation: 'listDocumentOperations',
  kind: 'query',
  method: 'GET',
  path: '/v1/documents/{documentId}/operations',
  query: ['afterVersion', 'limit'],
  answers: { '200': { of: () => shapes.DocumentOperations } },
});
export const listDocumentPeople: Endpoint<Operations['listDocumentPeople']> = /* @__PURE__ */ endpoint({
  operation: 'listDocumentPeople',
  kind: 'query',
  method: 'GET',
  path: '/v1/document-people',
  query: ['principalIds'],
  answers: { '200': { of: () => shapes.DocumentPeople } },
});
export const listDocumentPresence: Endpoint<Operations['listDocumentPresence']> = /* @__PURE__ */ endpoint({
  operation: 'listDocumentPresence',
  kind: 'query',
  method: 'GET',
  path: '/v1/documents/{documentId}/presence',
  answers: { '200': { of: () => shapes.DocumentPresence } },
});
export const listDocumentVersions: Endpoint<Operations['listDocumentVersions']> = /* @__PURE__ */ endpoint({
  operation: 'listDocumentVersions',
  kind: 'page',
  method: 'GET',
  path: '/v1/documents/{documentId}/versions',
  query: ['kind', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListDocumentVersionsPage } },
});
export const listDocuments: Endpoint<Operations['listDocuments']> = /* @__PURE__ */ endpoint({
  operation: 'listDocuments',
  kind: 'page',
  method: 'GET',
  path: '/v1/documents',
  query: ['which', 'search', 'order', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.DocumentsPage } },
});
export const listDocumentsOfPrincipal: Endpoint<Operations['listDocumentsOfPrincipal']> = /* @__PURE__ */ endpoint({
  operation: 'listDocumentsOfPrincipal',
  kind: 'page',
  method: 'GET',
  path: '/v1/principals/{principalId}/documents',
  query: ['role', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListDocumentsOfPrincipalPage } },
});
export const listExpectedRuntimes: Endpoint<Operations['listExpectedRuntimes']> = /* @__PURE__ */ endpoint({
  operation: 'listExpectedRuntimes',
  kind: 'page',
  method: 'GET',
  path: '/v1/security/detection/runtimes',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListExpectedRuntimesPage } },
});
export const listFileChunks: Endpoint<Operations['listFileChunks']> = /* @__PURE__ */ endpoint({
  operation: 'listFileChunks',
  kind: 'query',
  method: 'GET',
  path: '/v1/files/{fileId}/chunks',
  query: ['around', 'versionId', 'limit', 'cursor'],
  answers: { '200': { of: () => shapes.ListFileChunksPage } },
});
export const listFileDeletions: Endpoint<Operations['listFileDeletions']> = /* @__PURE__ */ endpoint({
  operation: 'listFileDeletions',
  kind: 'page',
  method: 'GET',
  path: '/v1/file-deletions',
  query: ['status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListFileDeletionsPage } },
});
export const listFileFolders: Endpoint<Operations['listFileFolders']> = /* @__PURE__ */ endpoint({
  operation: 'listFileFolders',
  kind: 'page',
  method: 'GET',
  path: '/v1/file-folders',
  query: ['parentFolderId', 'top', 'trashed', 'withinFolderId', 'name', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListFileFoldersPage } },
});
export const listFileGroups: Endpoint<Operations['listFileGroups']> = /* @__PURE__ */ endpoint({
  operation: 'listFileGroups',
  kind: 'page',
  method: 'GET',
  path: '/v1/file-groups',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListFileGroupsPage } },
});
export const listFileOrphans: Endpoint<Operations['listFileOrphans']> = /* @__PURE__ */ endpoint({
  operation: 'listFileOrphans',
  kind: 'page',
  method: 'GET',
  path: '/v1/file-orphans',
  query: ['type', 'ownerId', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListFileOrphansPage } },
});
export const listFilePeople: Endpoint<Operations['listFilePeople']> = /* @__PURE__ */ endpoint({
  operation: 'listFilePeople',
  kind: 'query',
  method: 'GET',
  path: '/v1/file-people',
  query: ['q', 'principalIds'],
  answers: { '200': { of: () => shapes.TenantPeople } },
});
export const listFileVersions: Endpoint<Operations['listFileVersions']> = /* @__PURE__ */ endpoint({
  operation: 'listFileVersions',
  kind: 'page',
  method: 'GET',
  path: '/v1/files/{fileId}/versions',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListFileVersionsPage } },
});
export const listFiles: Endpoint<Operations['listFiles']> = /* @__PURE__ */ endpoint({
  operation: 'listFiles',
  kind: 'page',
  method: 'GET',
  path: '/v1/files',
  query: [
    'folderId',
    'top',
    'withinFolderId',
    'status',
    'ownership',
    'trashed',
    'name',
    'sort',
    'direction',
    'limit',
    'cursor',
  ],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListFilesPage } },
});
export const listGrants: Endpoint<Operations['listGrants']> = /* @__PURE__ */ endpoint({
  operation: 'listGrants',
  kind: 'page',
  method: 'GET',
  path: '/v1/grants',
  query: [
    'principalId',
    'clientId',
    'sessionId',
    'status',
    'principalIds',
    'clientIds',
    'expiresAfter',
    'expiresBefore',
    'limit',
    'cursor',
  ],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListGrantsPage } },
});
export const listIncidents: Endpoint<Operations['listIncidents']> = /* @__PURE__ */ endpoint({
  operation: 'listIncidents',
  kind: 'page',
  method: 'GET',
  path: '/v1/security/incidents',
  query: ['severity', 'status', 'principalId', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListIncidentsPage } },
});
export const listJobs: Endpoint<Operations['listJobs']> = /* @__PURE__ */ endpoint({
  operation: 'listJobs',
  kind: 'page',
  method: 'GET',
  path: '/v1/platform/work/jobs',
  query: ['cursor', 'limit', 'queue', 'kind', 'state'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  answers: { '200': { of: () => shapes.Jobs } },
});
export const listNodeActivity: Endpoint<Operations['listNodeActivity']> = /* @__PURE__ */ endpoint({
  operation: 'listNodeActivity',
  kind: 'page',
  method: 'GET',
  path: '/v1/documents/{documentId}/nodes/{nodeId}/activity',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListNodeActivityPage } },
});
export const listOwnDocumentInvitations: Endpoint<Operations['listOwnDocumentInvitations']> = /* @__PURE__ */ endpoint({
  operation: 'listOwnDocumentInvitations',
  kind: 'page',
  method: 'GET',
  path: '/v1/document-invitations',
  query: ['status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.OwnDocumentInvitationsPage } },
});
export const listOwnVideoEntitlements: Endpoint<Operations['listOwnVideoEntitlements']> = /* @__PURE__ */ endpoint({
  operation: 'listOwnVideoEntitlements',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/entitlements',
  answers: { '200': { of: () => shapes.OwnVideoEntitlements } },
});
export const listOwnVideoReports: Endpoint<Operations['listOwnVideoReports']> = /* @__PURE__ */ endpoint({
  operation: 'listOwnVideoReports',
  kind: 'page',
  method: 'GET',
  path: '/api/videos/reports/own',
  query: ['videoId', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListOwnVideoReportsPage } },
});
export const listPlaceImportRefusals: Endpoint<Operations['listPlaceImportRefusals']> = /* @__PURE__ */ endpoint({
  operation: 'listPlaceImportRefusals',
  kind: 'page',
  method: 'GET',
  path: '/v1/places/imports/{importId}/refusals',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListPlaceImportRefusalsPage } },
});
export const listPlaceImports: Endpoint<Operations['listPlaceImports']> = /* @__PURE__ */ endpoint({
  operation: 'listPlaceImports',
  kind: 'page',
  method: 'GET',
  path: '/v1/places/imports',
  query: ['status', 'importIds', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListPlaceImportsPage } },
});
export const listPlatformCauses: Endpoint<Operations['listPlatformCauses']> = /* @__PURE__ */ endpoint({
  operation: 'listPlatformCauses',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/causes/{correlationId}',
  query: ['limit'],
  waits: true,
  answers: { '200': { of: () => shapes.PlatformCauses } },
});
export const listPlatformEventTypes: Endpoint<Operations['listPlatformEventTypes']> = /* @__PURE__ */ endpoint({
  operation: 'listPlatformEventTypes',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/event-types',
  answers: { '200': { of: () => shapes.PlatformEventTypes } },
});
export const listPlatformLog: Endpoint<Operations['listPlatformLog']> = /* @__PURE__ */ endpoint({
  operation: 'listPlatformLog',
  kind: 'page',
  method: 'GET',
  path: '/v1/platform/all',
  query: ['from', 'direction', 'limit', 'context', 'type'],
  next: { parameter: 'from', field: 'next' },
  answers: { '200': { of: () => shapes.PlatformLog } },
});
export const listPlatformProcesses: Endpoint<Operations['listPlatformProcesses']> = /* @__PURE__ */ endpoint({
  operation: 'listPlatformProcesses',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/processes',
  answers: { '200': { of: () => shapes.PlatformProcesses } },
});
export const listPlatformQueues: Endpoint<Operations['listPlatformQueues']> = /* @__PURE__ */ endpoint({
  operation: 'listPlatformQueues',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/work',
  answers: { '200': { of: () => shapes.PlatformQueues } },
});
export const listPlatformStreamEvents: Endpoint<Operations['listPlatformStreamEvents']> = /* @__PURE__ */ endpoint({
  operation: 'listPlatformStreamEvents',
  kind: 'page',
  method: 'GET',
  path: '/v1/platform/streams/{stream}/events',
  query: ['from', 'direction', 'limit'],
  next: { parameter: 'from', field: 'next' },
  answers: { '200': { of: () => shapes.PlatformStreamEvents } },
});
export const listPlatformStreams: Endpoint<Operations['listPlatformStreams']> = /* @__PURE__ */ endpoint({
  operation: 'listPlatformStreams',
  kind: 'page',
  method: 'GET',
  path: '/v1/platform/streams',
  query: ['prefix', 'context', 'aggregate', 'search', 'principalIds', 'order', 'direction', 'cursor', 'limit'],
  next: { parameter: 'cursor', field: 'next' },
  waits: true,
  answers: { '200': { of: () => shapes.PlatformStreams } },
});
export const listPlatformTimers: Endpoint<Operations['listPlatformTimers']> = /* @__PURE__ */ endpoint({
  operation: 'listPlatformTimers',
  kind: 'page',
  method: 'GET',
  path: '/v1/platform/timers',
  query: ['process', 'cursor', 'limit'],
  next: { parameter: 'cursor', field: 'next' },
  answers: { '200': { of: () => shapes.PlatformTimers } },
});
export const listPlatformViews: Endpoint<Operations['listPlatformViews']> = /* @__PURE__ */ endpoint({
  operation: 'listPlatformViews',
  kind: 'query',
  method: 'GET',
  path: '/v1/platform/views',
  answers: { '200': { of: () => shapes.PlatformViews } },
});
export const listPrincipalGrants: Endpoint<Operations['listPrincipalGrants']> = /* @__PURE__ */ endpoint({
  operation: 'listPrincipalGrants',
  kind: 'page',
  method: 'GET',
  path: '/v1/principals/{principalId}/grants',
  query: ['clientId', 'status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListPrincipalGrantsPage } },
});
export const listPrincipalSessions: Endpoint<Operations['listPrincipalSessions']> = /* @__PURE__ */ endpoint({
  operation: 'listPrincipalSessions',
  kind: 'page',
  method: 'GET',
  path: '/v1/principals/{principalId}/sessions',
  query: ['status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListPrincipalSessionsPage } },
});
export const listPrincipals: Endpoint<Operations['listPrincipals']> = /* @__PURE__ */ endpoint({
  operation: 'listPrincipals',
  kind: 'page',
  method: 'GET',
  path: '/v1/principals',
  query: ['principalType', 'status', 'role', 'q', 'principalIds', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListPrincipalsPage } },
});
export const listRateLimitPolicies: Endpoint<Operations['listRateLimitPolicies']> = /* @__PURE__ */ endpoint({
  operation: 'listRateLimitPolicies',
  kind: 'query',
  method: 'GET',
  path: '/v1/ratelimit/policies',
  answers: { '200': { of: () => shapes.RateLimitPolicies } },
});
export const listRateLimitRefusals: Endpoint<Operations['listRateLimitRefusals']> = /* @__PURE__ */ endpoint({
  operation: 'listRateLimitRefusals',
  kind: 'page',
  method: 'GET',
  path: '/v1/ratelimit/refusals',
  query: ['principalId', 'cursor', 'limit', 'about'],
  next: { parameter: 'cursor', field: 'next' },
  answers: { '200': { of: () => shapes.RateLimitRefusalsPage } },
});
export const listRefreshFamilies: Endpoint<Operations['listRefreshFamilies']> = /* @__PURE__ */ endpoint({
  operation: 'listRefreshFamilies',
  kind: 'page',
  method: 'GET',
  path: '/v1/refresh-families',
  query: ['principalId', 'grantId', 'status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListRefreshFamiliesPage } },
});
export const listRefusedRequests: Endpoint<Operations['listRefusedRequests']> = /* @__PURE__ */ endpoint({
  operation: 'listRefusedRequests',
  kind: 'page',
  method: 'GET',
  path: '/v1/security/refused-requests',
  query: ['requestId', 'principalIds', 'clientIds', 'code', 'about', 'cursor', 'limit'],
  next: { parameter: 'cursor', field: 'next' },
  answers: { '200': { of: () => shapes.RefusedRequestsPage } },
});
export const listRepositories: Endpoint<Operations['listRepositories']> = /* @__PURE__ */ endpoint({
  operation: 'listRepositories',
  kind: 'page',
  method: 'GET',
  path: '/v1/workflow/repositories',
  query: ['repositoryIds', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListRepositoriesPage } },
});
export const listRunners: Endpoint<Operations['listRunners']> = /* @__PURE__ */ endpoint({
  operation: 'listRunners',
  kind: 'page',
  method: 'GET',
  path: '/v1/workflow/runners',
  query: ['type', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListRunnersPage } },
});
export const listScopes: Endpoint<Operations['listScopes']> = /* @__PURE__ */ endpoint({
  operation: 'listScopes',
  kind: 'query',
  method: 'GET',
  path: '/v1/scopes',
  answers: { '200': { of: () => shapes.KnownScopes } },
});
export const listSecurityEvents: Endpoint<Operations['listSecurityEvents']> = /* @__PURE__ */ endpoint({
  operation: 'listSecurityEvents',
  kind: 'page',
  method: 'GET',
  path: '/v1/security/events',
  query: [
    'principalId',
    'clientId',
    'actor',
    'principalIds',
    'clientIds',
    'actors',
    'type',
    'severity',
    'result',
    'jti',
    'from',
    'to',
    'about',
    'q',
    'limit',
    'cursor',
  ],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListSecurityEventsPage } },
});
export const listSessions: Endpoint<Operations['listSessions']> = /* @__PURE__ */ endpoint({
  operation: 'listSessions',
  kind: 'page',
  method: 'GET',
  path: '/v1/sessions',
  query: ['principalId', 'sessionId', 'status', 'principalIds', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListSessionsPage } },
});
export const listSigningKeys: Endpoint<Operations['listSigningKeys']> = /* @__PURE__ */ endpoint({
  operation: 'listSigningKeys',
  kind: 'page',
  method: 'GET',
  path: '/v1/signing-keys',
  query: ['state', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListSigningKeysPage } },
});
export const listTenantDocumentMembers: Endpoint<Operations['listTenantDocumentMembers']> = /* @__PURE__ */ endpoint({
  operation: 'listTenantDocumentMembers',
  kind: 'page',
  method: 'GET',
  path: '/v1/tenant/documents/{documentId}/members',
  query: ['role', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListTenantDocumentMembersPage } },
});
export const listTenantDocumentVersions: Endpoint<Operations['listTenantDocumentVersions']> = /* @__PURE__ */ endpoint({
  operation: 'listTenantDocumentVersions',
  kind: 'page',
  method: 'GET',
  path: '/v1/tenant/documents/{documentId}/versions',
  query: ['kind', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListTenantDocumentVersionsPage } },
});
export const listTenantDocuments: Endpoint<Operations['listTenantDocuments']> = /* @__PURE__ */ endpoint({
  operation: 'listTenantDocuments',
  kind: 'page',
  method: 'GET',
  path: '/v1/tenant/documents',
  query: ['search', 'status', 'documentIds', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListTenantDocumentsPage } },
});
export const listTrustRules: Endpoint<Operations['listTrustRules']> = /* @__PURE__ */ endpoint({
  operation: 'listTrustRules',
  kind: 'page',
  method: 'GET',
  path: '/v1/trust-rules',
  query: ['status', 'issuerId', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListTrustRulesPage } },
});
export const listUsage: Endpoint<Operations['listUsage']> = /* @__PURE__ */ endpoint({
  operation: 'listUsage',
  kind: 'page',
  method: 'GET',
  path: '/v1/ratelimit/usage',
  query: ['quotaId', 'startsAt', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListUsagePage } },
});
export const listVideoCaptions: Endpoint<Operations['listVideoCaptions']> = /* @__PURE__ */ endpoint({
  operation: 'listVideoCaptions',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/{videoId}/captions',
  answers: { '200': { of: () => shapes.VideoCaptions } },
});
export const listVideoPeople: Endpoint<Operations['listVideoPeople']> = /* @__PURE__ */ endpoint({
  operation: 'listVideoPeople',
  kind: 'query',
  method: 'GET',
  path: '/api/videos/people',
  query: ['q', 'principalIds'],
  answers: { '200': { of: () => shapes.TenantPeople } },
});
export const listVideoReports: Endpoint<Operations['listVideoReports']> = /* @__PURE__ */ endpoint({
  operation: 'listVideoReports',
  kind: 'page',
  method: 'GET',
  path: '/api/videos/reports',
  query: ['state', 'videoId', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListVideoReportsPage } },
});
export const listVideoSeries: Endpoint<Operations['listVideoSeries']> = /* @__PURE__ */ endpoint({
  operation: 'listVideoSeries',
  kind: 'page',
  method: 'GET',
  path: '/api/video-series',
  query: ['ownerId', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListVideoSeriesPage } },
});
export const listVideos: Endpoint<Operations['listVideos']> = /* @__PURE__ */ endpoint({
  operation: 'listVideos',
  kind: 'page',
  method: 'GET',
  path: '/api/videos',
  query: ['status', 'ownership', 'ownerId', 'all', 'title', 'sort', 'direction', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListVideosPage } },
});
export const listWaitingJobs: Endpoint<Operations['listWaitingJobs']> = /* @__PURE__ */ endpoint({
  operation: 'listWaitingJobs',
  kind: 'query',
  method: 'GET',
  path: '/actions/runs/{runId}/waiting',
  answers: { '200': { of: () => shapes.WaitingJobs } },
});
export const listWebhookAttempts: Endpoint<Operations['listWebhookAttempts']> = /* @__PURE__ */ endpoint({
  operation: 'listWebhookAttempts',
  kind: 'page',
  method: 'GET',
  path: '/v1/webhooks/endpoints/{endpointId}/deliveries/{deliveryId}/attempts',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListWebhookAttemptsPage } },
});
export const listWebhookDeliveries: Endpoint<Operations['listWebhookDeliveries']> = /* @__PURE__ */ endpoint({
  operation: 'listWebhookDeliveries',
  kind: 'page',
  method: 'GET',
  path: '/v1/webhooks/endpoints/{endpointId}/deliveries',
  query: ['status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListWebhookDeliveriesPage } },
});
export const listWebhookEndpoints: Endpoint<Operations['listWebhookEndpoints']> = /* @__PURE__ */ endpoint({
  operation: 'listWebhookEndpoints',
  kind: 'page',
  method: 'GET',
  path: '/v1/webhooks/endpoints',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListWebhookEndpointsPage } },
});
export const listWorkflowArtifacts: Endpoint<Operations['listWorkflowArtifacts']> = /* @__PURE__ */ endpoint({
  operation: 'listWorkflowArtifacts',
  kind: 'page',
  method: 'GET',
  path: '/actions/runs/{runId}/artifacts',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListWorkflowArtifactsPage } },
});
export const listWorkflowJobs: Endpoint<Operations['listWorkflowJobs']> = /* @__PURE__ */ endpoint({
  operation: 'listWorkflowJobs',
  kind: 'page',
  method: 'GET',
  path: '/actions/runs/{runId}/jobs',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListWorkflowJobsPage } },
});
export const listWorkflowRuns: Endpoint<Operations['listWorkflowRuns']> = /* @__PURE__ */ endpoint({
  operation: 'listWorkflowRuns',
  kind: 'page',
  method: 'GET',
  path: '/repos/{repoId}/actions/runs',
  query: ['branch', 'status', 'event', 'actor', 'actors', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListWorkflowRunsPage } },
});
export const listWorkloadIssuers: Endpoint<Operations['listWorkloadIssuers']> = /* @__PURE__ */ endpoint({
  operation: 'listWorkloadIssuers',
  kind: 'page',
  method: 'GET',
  path: '/v1/workload-issuers',
  query: ['status', 'limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers: { '200': { of: () => shapes.ListWorkloadIssuersPage } },
});
export const makeTrustRule: Endpoint<Operations['makeTrustRule']> = /* @__PURE__ */ endpoint({
  operation: 'makeTrustRule',
  kind: 'command',
  method: 'POST',
  path: '/v1/trust-rules',
  body: 'json',
  answers: { '201': { of: () => shapes.TrustRuleAnswer } },
});
export const markPrincipalCompromised: Endpoint<Operations['markPrincipalCompromised']> = /* @__PURE__ */ endpoint({
  operation: 'markPrincipalCompromised',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/compromise',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const moveFile: Endpoint<Operations['moveFile']> = /* @__PURE__ */ endpoint({
  operation: 'moveFile',
  kind: 'command',
  method: 'PUT',
  path: '/v1/files/{fileId}/folder',
  body: 'json',
  answers: { '200': { of: () => shapes.FileAnswer } },
});
export const moveFileFolder: Endpoint<Operations['moveFileFolder']> = /* @__PURE__ */ endpoint({
  operation: 'moveFileFolder',
  kind: 'command',
  method: 'PUT',
  path: '/v1/file-folders/{folderId}/parent',
  body: 'json',
  answers: { '200': { of: () => shapes.FolderAnswer } },
});
export const nameDocumentVersion: Endpoint<Operations['nameDocumentVersion']> = /* @__PURE__ */ endpoint({
  operation: 'nameDocumentVersion',
  kind: 'command',
  method: 'PUT',
  path: '/v1/documents/{documentId}/versions/{version}/name',
  body: 'json',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const openDocumentLink: Endpoint<Operations['openDocumentLink']> = /* @__PURE__ */ endpoint({
  operation: 'openDocumentLink',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}/link/open',
  body: 'json',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const openIncident: Endpoint<Operations['openIncident']> = /* @__PURE__ */ endpoint({
  operation: 'openIncident',
  kind: 'command',
  method: 'POST',
  path: '/v1/security/incidents',
  body: 'json',
  answers: { '201': { of: () => shapes.IncidentAnswer } },
});
export const openVersion: Endpoint<Operations['openVersion']> = /* @__PURE__ */ endpoint({
  operation: 'openVersion',
  kind: 'query',
  method: 'GET',
  path: '/v1/documents/{documentId}/versions/{version}',
  answers: { '200': { of: () => shapes.OpenedVersion } },
});
export const overrideVideoMatch: Endpoint<Operations['overrideVideoMatch']> = /* @__PURE__ */ endpoint({
  operation: 'overrideVideoMatch',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/{videoId}/match/override',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const peekRateLimit: Endpoint<Operations['peekRateLimit']> = /* @__PURE__ */ endpoint({
  operation: 'peekRateLimit',
  kind: 'write',
  method: 'POST',
  path: '/v1/ratelimit/peek',
  body: 'json',
  answers: { '200': { of: () => shapes.LimitDecision } },
});
export const peekRateLimits: Endpoint<Operations['peekRateLimits']> = /* @__PURE__ */ endpoint({
  operation: 'peekRateLimits',
  kind: 'write',
  method: 'POST',
  path: '/v1/ratelimit/peek/batch',
  body: 'json',
  answers: { '200': { of: () => shapes.LimitDecisions } },
});
export const pollJobs: Endpoint<Operations['pollJobs']> = /* @__PURE__ */ endpoint({
  operation: 'pollJobs',
  kind: 'write',
  method: 'POST',
  path: '/runner/poll',
  body: 'json',
  public: true,
  answers: { '200': { of: () => shapes.PolledMessages } },
});
export const postUserinfo: Endpoint<Operations['postUserinfo']> = /* @__PURE__ */ endpoint({
  operation: 'postUserinfo',
  kind: 'write',
  method: 'POST',
  path: '/oauth/userinfo',
  body: 'form',
  public: true,
  answers: { '200': { of: () => shapes.Userinfo } },
});
export const presignVideoParts: Endpoint<Operations['presignVideoParts']> = /* @__PURE__ */ endpoint({
  operation: 'presignVideoParts',
  kind: 'write',
  method: 'POST',
  path: '/api/videos/upload/presign',
  body: 'json',
  answers: { '200': { of: () => shapes.PresignedVideoParts } },
});
export const pushAuthorizationRequest: Endpoint<Operations['pushAuthorizationRequest']> = /* @__PURE__ */ endpoint({
  operation: 'pushAuthorizationRequest',
  kind: 'write',
  method: 'POST',
  path: '/oauth/par',
  body: 'form',
  public: true,
  answers: { '201': { of: () => shapes.PushedAuthorization } },
});
export const reactivatePrincipal: Endpoint<Operations['reactivatePrincipal']> = /* @__PURE__ */ endpoint({
  operation: 'reactivatePrincipal',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/reactivate',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const readJobLog: Endpoint<Operations['readJobLog']> = /* @__PURE__ */ endpoint({
  operation: 'readJobLog',
  kind: 'query',
  method: 'GET',
  path: '/actions/jobs/{jobId}/logs',
  query: ['fromOffset', 'attempt', 'beforeOffset', 'format'],
  answers: { '200': { of: () => shapes.JobLogPage } },
});
export const rebuildView: Endpoint<Operations['rebuildView']> = /* @__PURE__ */ endpoint({
  operation: 'rebuildView',
  kind: 'write',
  method: 'POST',
  path: '/v1/platform/views/{view}/rebuild',
  body: 'json',
  answers: { '202': { of: () => shapes.BegunRebuild } },
});
export const recallVideo: Endpoint<Operations['recallVideo']> = /* @__PURE__ */ endpoint({
  operation: 'recallVideo',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/{videoId}/recall',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const receiveRepositoryEvent: Endpoint<Operations['receiveRepositoryEvent']> = /* @__PURE__ */ endpoint({
  operation: 'receiveRepositoryEvent',
  kind: 'command',
  method: 'POST',
  path: '/repos/{repoId}/events',
  body: 'json',
  answers: { '202': { of: () => shapes.RepositoryEventAnswer } },
});
export const recognizeVideoSpeech: Endpoint<Operations['recognizeVideoSpeech']> = /* @__PURE__ */ endpoint({
  operation: 'recognizeVideoSpeech',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/{videoId}/captions/recognition',
  answers: { '200': { of: () => shapes.RequestedRecognition } },
});
export const recordHeartbeat: Endpoint<Operations['recordHeartbeat']> = /* @__PURE__ */ endpoint({
  operation: 'recordHeartbeat',
  kind: 'write',
  method: 'POST',
  path: '/api/videos/{videoId}/heartbeat',
  body: 'json',
  answers: { '202': { of: () => shapes.HeartbeatReceived } },
});
export const recordSharedHeartbeat: Endpoint<Operations['recordSharedHeartbeat']> = /* @__PURE__ */ endpoint({
  operation: 'recordSharedHeartbeat',
  kind: 'write',
  method: 'POST',
  path: '/api/shared-videos/{tenantId}/{videoId}/heartbeat',
  body: 'json',
  public: true,
  answers: { '202': { of: () => shapes.HeartbeatReceived } },
});
export const recordUsage: Endpoint<Operations['recordUsage']> = /* @__PURE__ */ endpoint({
  operation: 'recordUsage',
  kind: 'command',
  method: 'POST',
  path: '/v1/ratelimit/usage',
  body: 'json',
  answers: { '200': { of: () => shapes.UsageRecorded } },
});
export const recoverFromIncident: Endpoint<Operations['recoverFromIncident']> = /* @__PURE__ */ endpoint({
  operation: 'recoverFromIncident',
  kind: 'write',
  method: 'POST',
  path: '/v1/security/recover',
  body: 'json',
  public: true,
  answers: { '200': { of: () => shapes.SecurityRecoveryAnswer } },
});
export const recoverPrincipal: Endpoint<Operations['recoverPrincipal']> = /* @__PURE__ */ endpoint({
  operation: 'recoverPrincipal',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/recover',
  body: 'json',
  answers: { '201': { of: () => shapes.RecoveredCredential } },
});
export const redeliverWebhook: Endpoint<Operations['redeliverWebhook']> = /* @__PURE__ */ endpoint({
  operation: 'redeliverWebhook',
  kind: 'command',
  method: 'POST',
  path: '/v1/webhooks/endpoints/{endpointId}/deliveries/{deliveryId}/redeliver',
  answers: { '200': { of: () => shapes.WebhookDeliveryAnswer } },
});
export const registerApi: Endpoint<Operations['registerApi']> = /* @__PURE__ */ endpoint({
  operation: 'registerApi',
  kind: 'command',
  method: 'POST',
  path: '/v1/apis',
  body: 'json',
  answers: { '201': { of: () => shapes.ApiAnswer } },
});
export const registerClient: Endpoint<Operations['registerClient']> = /* @__PURE__ */ endpoint({
  operation: 'registerClient',
  kind: 'command',
  method: 'POST',
  path: '/v1/clients',
  body: 'json',
  answers: { '201': { of: () => shapes.ClientAnswer } },
});
export const registerPerson: Endpoint<Operations['registerPerson']> = /* @__PURE__ */ endpoint({
  operation: 'registerPerson',
  kind: 'command',
  method: 'POST',
  path: '/v1/people',
  body: 'json',
  answers: { '201': { of: () => shapes.EnrolledPerson } },
});
export const registerPrincipal: Endpoint<Operations['registerPrincipal']> = /* @__PURE__ */ endpoint({
  operation: 'registerPrincipal',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals',
  body: 'json',
  answers: { '201': { of: () => shapes.PrincipalAnswer } },
});
export const registerRunner: Endpoint<Operations['registerRunner']> = /* @__PURE__ */ endpoint({
  operation: 'registerRunner',
  kind: 'write',
  method: 'POST',
  path: '/runner/register',
  body: 'json',
  public: true,
  answers: { '201': { of: () => shapes.RegisteredRunner } },
});
export const registerTenant: Endpoint<Operations['registerTenant']> = /* @__PURE__ */ endpoint({
  operation: 'registerTenant',
  kind: 'command',
  method: 'POST',
  path: '/v1/tenants',
  body: 'json',
  answers: { '201': { of: () => shapes.RegisteredTenant } },
});
export const reindexFiles: Endpoint<Operations['reindexFiles']> = /* @__PURE__ */ endpoint({
  operation: 'reindexFiles',
  kind: 'write',
  method: 'POST',
  path: '/v1/files/reindex',
  body: 'json',
  answers: { '200': { of: () => shapes.RequestedFileReindexing } },
});
export const releaseFile: Endpoint<Operations['releaseFile']> = /* @__PURE__ */ endpoint({
  operation: 'releaseFile',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/files/{fileId}/hold',
  answers: { '200': { of: () => shapes.FileAnswer } },
});
export const removeApi: Endpoint<Operations['removeApi']> = /* @__PURE__ */ endpoint({
  operation: 'removeApi',
  kind: 'command',
  method: 'POST',
  path: '/v1/apis/{apiId}/remove',
  body: 'json',
  answers: { '200': { of: () => shapes.ApiAnswer } },
});
export const removeApiTool: Endpoint<Operations['removeApiTool']> = /* @__PURE__ */ endpoint({
  operation: 'removeApiTool',
  kind: 'command',
  method: 'POST',
  path: '/v1/apis/{apiId}/tools/{tool}/remove',
  body: 'json',
  answers: { '200': { of: () => shapes.ApiToolAnswer } },
});
export const removeDocumentMember: Endpoint<Operations['removeDocumentMember']> = /* @__PURE__ */ endpoint({
  operation: 'removeDocumentMember',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/documents/{documentId}/members/{principalId}',
  answers: { '200': { of: () => shapes.MemberAnswer } },
});
export const removeDocumentVersionName: Endpoint<Operations['removeDocumentVersionName']> = /* @__PURE__ */ endpoint({
  operation: 'removeDocumentVersionName',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/documents/{documentId}/versions/{version}/name',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const removeFileGroupMember: Endpoint<Operations['removeFileGroupMember']> = /* @__PURE__ */ endpoint({
  operation: 'removeFileGroupMember',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/file-groups/{groupId}/members/{principalId}',
  answers: { '200': { of: () => shapes.FileGroupAnswer } },
});
export const removePasskey: Endpoint<Operations['removePasskey']> = /* @__PURE__ */ endpoint({
  operation: 'removePasskey',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/passkeys/{passkeyId}/remove',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const removeRunner: Endpoint<Operations['removeRunner']> = /* @__PURE__ */ endpoint({
  operation: 'removeRunner',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/workflow/runners/{runnerId}',
  answers: { '200': { of: () => shapes.RunnerAnswer } },
});
export const removeTotp: Endpoint<Operations['removeTotp']> = /* @__PURE__ */ endpoint({
  operation: 'removeTotp',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/totp/remove',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const removeVideoCaptions: Endpoint<Operations['removeVideoCaptions']> = /* @__PURE__ */ endpoint({
  operation: 'removeVideoCaptions',
  kind: 'command',
  method: 'DELETE',
  path: '/api/videos/{videoId}/captions/{language}',
  answers: { '200': { of: () => shapes.ChangedVideoCaptions } },
});
export const removeWebhookEndpoint: Endpoint<Operations['removeWebhookEndpoint']> = /* @__PURE__ */ endpoint({
  operation: 'removeWebhookEndpoint',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/webhooks/endpoints/{endpointId}',
  answers: { '200': { of: () => shapes.WebhookEndpointAnswer } },
});
export const renameDocument: Endpoint<Operations['renameDocument']> = /* @__PURE__ */ endpoint({
  operation: 'renameDocument',
  kind: 'command',
  method: 'PUT',
  path: '/v1/documents/{documentId}/title',
  body: 'json',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const renameFile: Endpoint<Operations['renameFile']> = /* @__PURE__ */ endpoint({
  operation: 'renameFile',
  kind: 'command',
  method: 'PUT',
  path: '/v1/files/{fileId}/name',
  body: 'json',
  answers: { '200': { of: () => shapes.FileAnswer } },
});
export const renameFileFolder: Endpoint<Operations['renameFileFolder']> = /* @__PURE__ */ endpoint({
  operation: 'renameFileFolder',
  kind: 'command',
  method: 'PUT',
  path: '/v1/file-folders/{folderId}/name',
  body: 'json',
  answers: { '200': { of: () => shapes.FolderAnswer } },
});
export const renameFileGroup: Endpoint<Operations['renameFileGroup']> = /* @__PURE__ */ endpoint({
  operation: 'renameFileGroup',
  kind: 'command',
  method: 'PUT',
  path: '/v1/file-groups/{groupId}/name',
  body: 'json',
  answers: { '200': { of: () => shapes.FileGroupAnswer } },
});
export const renameVideoSeries: Endpoint<Operations['renameVideoSeries']> = /* @__PURE__ */ endpoint({
  operation: 'renameVideoSeries',
  kind: 'command',
  method: 'PUT',
  path: '/api/video-series/{seriesId}/title',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideoSeries } },
});
export const replayDeadLetter: Endpoint<Operations['replayDeadLetter']> = /* @__PURE__ */ endpoint({
  operation: 'replayDeadLetter',
  kind: 'write',
  method: 'POST',
  path: '/v1/platform/work/dead-letters/{jobId}/replay',
  answers: { '200': { of: () => shapes.ChangedJob } },
});
export const reportStep: Endpoint<Operations['reportStep']> = /* @__PURE__ */ endpoint({
  operation: 'reportStep',
  kind: 'write',
  method: 'POST',
  path: '/runner/jobs/{jobId}/steps',
  body: 'json',
  public: true,
  answers: { '204': 'nothing' },
});
export const reportVideo: Endpoint<Operations['reportVideo']> = /* @__PURE__ */ endpoint({
  operation: 'reportVideo',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/{videoId}/reports',
  body: 'json',
  answers: { '201': { of: () => shapes.VideoReportAnswer } },
});
export const requestApproval: Endpoint<Operations['requestApproval']> = /* @__PURE__ */ endpoint({
  operation: 'requestApproval',
  kind: 'command',
  method: 'POST',
  path: '/v1/approvals',
  body: 'json',
  answers: { '201': { of: () => shapes.ApprovalAnswer } },
});
export const requestSharedVideoLicense: Endpoint<Operations['requestSharedVideoLicense']> = /* @__PURE__ */ endpoint({
  operation: 'requestSharedVideoLicense',
  kind: 'write',
  method: 'POST',
  path: '/api/shared-videos/{tenantId}/{videoId}/license',
  query: ['playback'],
  body: 'json',
  public: true,
  answers: { '200': { of: () => shapes.ClearKeyLicense } },
});
export const requestVideoLicense: Endpoint<Operations['requestVideoLicense']> = /* @__PURE__ */ endpoint({
  operation: 'requestVideoLicense',
  kind: 'write',
  method: 'POST',
  path: '/api/videos/{videoId}/license',
  query: ['playback'],
  body: 'json',
  answers: { '200': { of: () => shapes.ClearKeyLicense } },
});
export const resetVideoPoster: Endpoint<Operations['resetVideoPoster']> = /* @__PURE__ */ endpoint({
  operation: 'resetVideoPoster',
  kind: 'command',
  method: 'DELETE',
  path: '/api/videos/{videoId}/poster',
  answers: { '200': { of: () => shapes.ResetVideoPoster } },
});
export const restoreDocument: Endpoint<Operations['restoreDocument']> = /* @__PURE__ */ endpoint({
  operation: 'restoreDocument',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}/restore',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const restoreFile: Endpoint<Operations['restoreFile']> = /* @__PURE__ */ endpoint({
  operation: 'restoreFile',
  kind: 'command',
  method: 'POST',
  path: '/v1/files/{fileId}/restore',
  answers: { '200': { of: () => shapes.FileAnswer } },
});
export const restoreFileFolder: Endpoint<Operations['restoreFileFolder']> = /* @__PURE__ */ endpoint({
  operation: 'restoreFileFolder',
  kind: 'command',
  method: 'POST',
  path: '/v1/file-folders/{folderId}/restore',
  answers: { '200': { of: () => shapes.FolderAnswer } },
});
export const restoreVersion: Endpoint<Operations['restoreVersion']> = /* @__PURE__ */ endpoint({
  operation: 'restoreVersion',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}/versions/{version}:restore',
  answers: { '200': { of: () => shapes.RestoredVersion } },
});
export const resumeFileUpload: Endpoint<Operations['resumeFileUpload']> = /* @__PURE__ */ endpoint({
  operation: 'resumeFileUpload',
  kind: 'write',
  method: 'POST',
  path: '/v1/files/{fileId}/versions/{versionId}/parts',
  answers: { '200': { of: () => shapes.FilePartUpload } },
});
export const resumePlaceImportUpload: Endpoint<Operations['resumePlaceImportUpload']> = /* @__PURE__ */ endpoint({
  operation: 'resumePlaceImportUpload',
  kind: 'write',
  method: 'POST',
  path: '/v1/places/imports/{importId}/parts',
  answers: { '200': { of: () => shapes.PlaceFileUpload } },
});
export const retainVideoSource: Endpoint<Operations['retainVideoSource']> = /* @__PURE__ */ endpoint({
  operation: 'retainVideoSource',
  kind: 'command',
  method: 'PUT',
  path: '/api/videos/{videoId}/source-retention',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const retireSigningKey: Endpoint<Operations['retireSigningKey']> = /* @__PURE__ */ endpoint({
  operation: 'retireSigningKey',
  kind: 'command',
  method: 'POST',
  path: '/v1/signing-keys/{kid}/retire',
  answers: { '200': { of: () => shapes.SigningKeyAnswer } },
});
export const retryFile: Endpoint<Operations['retryFile']> = /* @__PURE__ */ endpoint({
  operation: 'retryFile',
  kind: 'command',
  method: 'POST',
  path: '/v1/files/{fileId}/retry',
  body: 'json',
  answers: { '200': { of: () => shapes.RetriedFile } },
});
export const retryJob: Endpoint<Operations['retryJob']> = /* @__PURE__ */ endpoint({
  operation: 'retryJob',
  kind: 'write',
  method: 'POST',
  path: '/v1/platform/work/jobs/{jobId}/retry',
  answers: { '200': { of: () => shapes.RetriedJob } },
});
export const retryRun: Endpoint<Operations['retryRun']> = /* @__PURE__ */ endpoint({
  operation: 'retryRun',
  kind: 'command',
  method: 'POST',
  path: '/actions/runs/{runId}/retry',
  body: 'json',
  answers: { '200': { of: () => shapes.RunAnswer } },
});
export const retryVideo: Endpoint<Operations['retryVideo']> = /* @__PURE__ */ endpoint({
  operation: 'retryVideo',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/{videoId}/retry',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const revokeClientSecret: Endpoint<Operations['revokeClientSecret']> = /* @__PURE__ */ endpoint({
  operation: 'revokeClientSecret',
  kind: 'command',
  method: 'POST',
  path: '/v1/clients/{applicationId}/secrets/{credentialId}/revoke',
  body: 'json',
  answers: { '200': { of: () => shapes.RevokedClientSecret } },
});
export const revokeCredential: Endpoint<Operations['revokeCredential']> = /* @__PURE__ */ endpoint({
  operation: 'revokeCredential',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/credentials/{credentialId}/revoke',
  body: 'json',
  answers: { '200': { of: () => shapes.RevokedCredential } },
});
export const revokeDelegation: Endpoint<Operations['revokeDelegation']> = /* @__PURE__ */ endpoint({
  operation: 'revokeDelegation',
  kind: 'command',
  method: 'POST',
  path: '/v1/delegations/{delegationId}/revoke',
  body: 'json',
  answers: { '200': { of: () => shapes.RevokedDelegation } },
});
export const revokeFileFolderGrant: Endpoint<Operations['revokeFileFolderGrant']> = /* @__PURE__ */ endpoint({
  operation: 'revokeFileFolderGrant',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/file-folders/{folderId}/grants/{grantId}',
  answers: { '200': { of: () => shapes.FileGrantAnswer } },
});
export const revokeFileGrant: Endpoint<Operations['revokeFileGrant']> = /* @__PURE__ */ endpoint({
  operation: 'revokeFileGrant',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/files/{fileId}/grants/{grantId}',
  answers: { '200': { of: () => shapes.FileGrantAnswer } },
});
export const revokeGrant: Endpoint<Operations['revokeGrant']> = /* @__PURE__ */ endpoint({
  operation: 'revokeGrant',
  kind: 'command',
  method: 'POST',
  path: '/v1/grants/{grantId}/revoke',
  body: 'json',
  answers: { '200': { of: () => shapes.RevokedGrant } },
});
export const revokeRefreshFamily: Endpoint<Operations['revokeRefreshFamily']> = /* @__PURE__ */ endpoint({
  operation: 'revokeRefreshFamily',
  kind: 'command',
  method: 'POST',
  path: '/v1/refresh-families/{familyId}/revoke',
  body: 'json',
  answers: { '200': { of: () => shapes.RevokedFamily } },
});
export const revokeSigningKey: Endpoint<Operations['revokeSigningKey']> = /* @__PURE__ */ endpoint({
  operation: 'revokeSigningKey',
  kind: 'command',
  method: 'POST',
  path: '/v1/signing-keys/{kid}/revoke',
  body: 'json',
  answers: { '200': { of: () => shapes.SigningKeyAnswer } },
});
export const revokeTokens: Endpoint<Operations['revokeTokens']> = /* @__PURE__ */ endpoint({
  operation: 'revokeTokens',
  kind: 'command',
  method: 'POST',
  path: '/v1/tokens/revoke',
  body: 'json',
  answers: { '200': { of: () => shapes.TokensRevoked } },
});
export const revokeVideoEntitlement: Endpoint<Operations['revokeVideoEntitlement']> = /* @__PURE__ */ endpoint({
  operation: 'revokeVideoEntitlement',
  kind: 'command',
  method: 'DELETE',
  path: '/api/videos/{videoId}/entitlements/{entitlementId}',
  answers: { '200': { of: () => shapes.ChangedVideoEntitlement } },
});
export const rotateSigningKeys: Endpoint<Operations['rotateSigningKeys']> = /* @__PURE__ */ endpoint({
  operation: 'rotateSigningKeys',
  kind: 'command',
  method: 'POST',
  path: '/v1/signing-keys/rotate',
  body: 'json',
  answers: { '201': { of: () => shapes.SigningKeyAnswer } },
});
export const rotateWebhookSecret: Endpoint<Operations['rotateWebhookSecret']> = /* @__PURE__ */ endpoint({
  operation: 'rotateWebhookSecret',
  kind: 'command',
  method: 'POST',
  path: '/v1/webhooks/endpoints/{endpointId}/secret',
  body: 'json',
  answers: { '200': { of: () => shapes.WebhookSecretAnswer } },
});
export const searchFiles: Endpoint<Operations['searchFiles']> = /* @__PURE__ */ endpoint({
  operation: 'searchFiles',
  kind: 'write',
  method: 'POST',
  path: '/v1/retrieval/search',
  body: 'json',
  waits: true,
  answers: { '200': { of: () => shapes.RetrievalAnswer } },
});
export const searchPlaces: Endpoint<Operations['searchPlaces']> = /* @__PURE__ */ endpoint({
  operation: 'searchPlaces',
  kind: 'query',
  method: 'GET',
  path: '/v1/search',
  query: ['lat', 'lng', 'radius_m', 'bbox', 'query', 'category', 'open_now', 'sort', 'explain', 'cursor', 'limit'],
  waits: true,
  answers: { '200': { of: () => shapes.PlaceSearchAnswer } },
});
export const sendHeartbeat: Endpoint<Operations['sendHeartbeat']> = /* @__PURE__ */ endpoint({
  operation: 'sendHeartbeat',
  kind: 'write',
  method: 'POST',
  path: '/runner/heartbeat',
  body: 'json',
  public: true,
  answers: { '200': { of: () => shapes.HeartbeatAnswer } },
});
export const setApiTool: Endpoint<Operations['setApiTool']> = /* @__PURE__ */ endpoint({
  operation: 'setApiTool',
  kind: 'command',
  method: 'PUT',
  path: '/v1/apis/{apiId}/tools/{tool}',
  body: 'json',
  answers: { '200': { of: () => shapes.ApiToolAnswer } },
});
export const setCredentialPolicy: Endpoint<Operations['setCredentialPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'setCredentialPolicy',
  kind: 'command',
  method: 'PUT',
  path: '/v1/credential-policy',
  body: 'json',
  answers: { '200': { of: () => shapes.CredentialPolicyAnswer } },
});
export const setDetectionRule: Endpoint<Operations['setDetectionRule']> = /* @__PURE__ */ endpoint({
  operation: 'setDetectionRule',
  kind: 'command',
  method: 'PUT',
  path: '/v1/security/detection/rules/{rule}',
  body: 'json',
  answers: { '200': { of: () => shapes.DetectionRuleAnswer } },
});
export const setExpectedRuntime: Endpoint<Operations['setExpectedRuntime']> = /* @__PURE__ */ endpoint({
  operation: 'setExpectedRuntime',
  kind: 'command',
  method: 'PUT',
  path: '/v1/security/detection/runtimes/{principalId}',
  body: 'json',
  answers: { '200': { of: () => shapes.ExpectedRuntimeAnswer } },
});
export const setRegistrationPolicy: Endpoint<Operations['setRegistrationPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'setRegistrationPolicy',
  kind: 'command',
  method: 'PUT',
  path: '/v1/registration-policy',
  body: 'json',
  answers: { '200': { of: () => shapes.RegistrationPolicyAnswer } },
});
export const setSignInPolicy: Endpoint<Operations['setSignInPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'setSignInPolicy',
  kind: 'command',
  method: 'PUT',
  path: '/v1/sign-in-policy',
  body: 'json',
  answers: { '200': { of: () => shapes.SignInPolicyAnswer } },
});
export const setSourceWriters: Endpoint<Operations['setSourceWriters']> = /* @__PURE__ */ endpoint({
  operation: 'setSourceWriters',
  kind: 'command',
  method: 'PUT',
  path: '/v1/places/sources/{source}/writers',
  body: 'json',
  answers: { '200': { of: () => shapes.SourceReservationAnswer } },
});
export const settleRateLimit: Endpoint<Operations['settleRateLimit']> = /* @__PURE__ */ endpoint({
  operation: 'settleRateLimit',
  kind: 'write',
  method: 'POST',
  path: '/v1/ratelimit/settle',
  body: 'json',
  answers: { '200': { of: () => shapes.LimitSettled } },
});
export const settleRateLimits: Endpoint<Operations['settleRateLimits']> = /* @__PURE__ */ endpoint({
  operation: 'settleRateLimits',
  kind: 'write',
  method: 'POST',
  path: '/v1/ratelimit/settle/batch',
  body: 'json',
  answers: { '200': { of: () => shapes.LimitSettledEach } },
});
export const shadowAccessPolicy: Endpoint<Operations['shadowAccessPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'shadowAccessPolicy',
  kind: 'command',
  method: 'POST',
  path: '/v1/policy/versions/{policyVersion}/shadow',
  answers: { '200': { of: () => shapes.PolicyVersionAnswer } },
});
export const shareDocumentLink: Endpoint<Operations['shareDocumentLink']> = /* @__PURE__ */ endpoint({
  operation: 'shareDocumentLink',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}/link',
  body: 'json',
  answers: { '201': { of: () => shapes.LinkAnswer } },
});
export const shareVideo: Endpoint<Operations['shareVideo']> = /* @__PURE__ */ endpoint({
  operation: 'shareVideo',
  kind: 'command',
  method: 'PUT',
  path: '/api/videos/{videoId}/people/{principalId}',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const signFilePart: Endpoint<Operations['signFilePart']> = /* @__PURE__ */ endpoint({
  operation: 'signFilePart',
  kind: 'write',
  method: 'POST',
  path: '/v1/files/{fileId}/versions/{versionId}/parts/{part}',
  body: 'json',
  answers: { '200': { of: () => shapes.SignedUpload } },
});
export const signFileUpload: Endpoint<Operations['signFileUpload']> = /* @__PURE__ */ endpoint({
  operation: 'signFileUpload',
  kind: 'write',
  method: 'POST',
  path: '/v1/files/{fileId}/versions/{versionId}/upload',
  answers: { '200': { of: () => shapes.SignedUpload } },
});
export const signIn: Endpoint<Operations['signIn']> = /* @__PURE__ */ endpoint({
  operation: 'signIn',
  kind: 'write',
  method: 'POST',
  path: '/console/session',
  body: 'json',
  public: true,
  answers: { '201': { of: () => shapes.SignedInSession } },
});
export const signInFirstAdmin: Endpoint<Operations['signInFirstAdmin']> = /* @__PURE__ */ endpoint({
  operation: 'signInFirstAdmin',
  kind: 'command',
  method: 'POST',
  path: '/v1/bootstrap',
  body: 'json',
  public: true,
  answers: { '201': { of: () => shapes.FirstAdmin } },
});
export const signOut: Endpoint<Operations['signOut']> = /* @__PURE__ */ endpoint({
  operation: 'signOut',
  kind: 'write',
  method: 'DELETE',
  path: '/console/session',
  public: true,
  answers: { '204': 'nothing' },
});
export const signPlaceImportFile: Endpoint<Operations['signPlaceImportFile']> = /* @__PURE__ */ endpoint({
  operation: 'signPlaceImportFile',
  kind: 'write',
  method: 'POST',
  path: '/v1/places/imports/{importId}/upload',
  answers: { '200': { of: () => shapes.SignedUpload } },
});
export const signPlaceImportPart: Endpoint<Operations['signPlaceImportPart']> = /* @__PURE__ */ endpoint({
  operation: 'signPlaceImportPart',
  kind: 'write',
  method: 'POST',
  path: '/v1/places/imports/{importId}/parts/{part}',
  body: 'json',
  answers: { '200': { of: () => shapes.SignedUpload } },
});
export const startDrill: Endpoint<Operations['startDrill']> = /* @__PURE__ */ endpoint({
  operation: 'startDrill',
  kind: 'command',
  method: 'POST',
  path: '/v1/security/drills',
  answers: { '201': { of: () => shapes.DrillAnswer } },
});
export const startJob: Endpoint<Operations['startJob']> = /* @__PURE__ */ endpoint({
  operation: 'startJob',
  kind: 'write',
  method: 'POST',
  path: '/runner/jobs/{jobId}/start',
  body: 'json',
  public: true,
  answers: { '204': 'nothing' },
});
export const startPlaceImport: Endpoint<Operations['startPlaceImport']> = /* @__PURE__ */ endpoint({
  operation: 'startPlaceImport',
  kind: 'command',
  method: 'POST',
  path: '/v1/places/imports/{importId}/start',
  answers: { '200': { of: () => shapes.ImportAnswer } },
});
export const startVideoGeneration: Endpoint<Operations['startVideoGeneration']> = /* @__PURE__ */ endpoint({
  operation: 'startVideoGeneration',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/{videoId}/generations',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const suspendPrincipal: Endpoint<Operations['suspendPrincipal']> = /* @__PURE__ */ endpoint({
  operation: 'suspendPrincipal',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/suspend',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const takeDownVideo: Endpoint<Operations['takeDownVideo']> = /* @__PURE__ */ endpoint({
  operation: 'takeDownVideo',
  kind: 'command',
  method: 'POST',
  path: '/api/videos/{videoId}/takedown',
  body: 'json',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const testTrustRules: Endpoint<Operations['testTrustRules']> = /* @__PURE__ */ endpoint({
  operation: 'testTrustRules',
  kind: 'write',
  method: 'POST',
  path: '/v1/trust-rule-tests',
  body: 'json',
  answers: { '200': { of: () => shapes.TrustRuleTestAnswer } },
});
export const testWebhookEndpoint: Endpoint<Operations['testWebhookEndpoint']> = /* @__PURE__ */ endpoint({
  operation: 'testWebhookEndpoint',
  kind: 'command',
  method: 'POST',
  path: '/v1/webhooks/endpoints/{endpointId}/test',
  answers: { '201': { of: () => shapes.WebhookDeliveryAnswer } },
});
export const trashDocument: Endpoint<Operations['trashDocument']> = /* @__PURE__ */ endpoint({
  operation: 'trashDocument',
  kind: 'command',
  method: 'POST',
  path: '/v1/documents/{documentId}/trash',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const trashFile: Endpoint<Operations['trashFile']> = /* @__PURE__ */ endpoint({
  operation: 'trashFile',
  kind: 'command',
  method: 'POST',
  path: '/v1/files/{fileId}/trash',
  answers: { '200': { of: () => shapes.FileAnswer } },
});
export const trashFileFolder: Endpoint<Operations['trashFileFolder']> = /* @__PURE__ */ endpoint({
  operation: 'trashFileFolder',
  kind: 'command',
  method: 'POST',
  path: '/v1/file-folders/{folderId}/trash',
  answers: { '200': { of: () => shapes.FolderAnswer } },
});
export const trustWorkloadIssuer: Endpoint<Operations['trustWorkloadIssuer']> = /* @__PURE__ */ endpoint({
  operation: 'trustWorkloadIssuer',
  kind: 'command',
  method: 'POST',
  path: '/v1/workload-issuers',
  body: 'json',
  answers: { '201': { of: () => shapes.WorkloadIssuerAnswer } },
});
export const turnOffAccessPolicy: Endpoint<Operations['turnOffAccessPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'turnOffAccessPolicy',
  kind: 'command',
  method: 'POST',
  path: '/v1/policy/off',
  body: 'json',
  answers: { '200': { of: () => shapes.PolicyOffAnswer } },
});
export const unblockRecording: Endpoint<Operations['unblockRecording']> = /* @__PURE__ */ endpoint({
  operation: 'unblockRecording',
  kind: 'command',
  method: 'DELETE',
  path: '/api/blocked-recordings/{recordingId}',
  answers: { '200': { of: () => shapes.BlockedRecordingAnswer } },
});
export const unshareVideo: Endpoint<Operations['unshareVideo']> = /* @__PURE__ */ endpoint({
  operation: 'unshareVideo',
  kind: 'command',
  method: 'DELETE',
  path: '/api/videos/{videoId}/people/{principalId}',
  answers: { '200': { of: () => shapes.ChangedVideo } },
});
export const validateAccessPolicy: Endpoint<Operations['validateAccessPolicy']> = /* @__PURE__ */ endpoint({
  operation: 'validateAccessPolicy',
  kind: 'write',
  method: 'POST',
  path: '/v1/policy/validate',
  body: 'json',
  answers: { '200': { of: () => shapes.PolicyFaults } },
});
export const withdrawApproval: Endpoint<Operations['withdrawApproval']> = /* @__PURE__ */ endpoint({
  operation: 'withdrawApproval',
  kind: 'command',
  method: 'POST',
  path: '/v1/approvals/{approvalId}/withdraw',
  body: 'json',
  answers: { '200': { of: () => shapes.DecidedApproval } },
});
export const withdrawDocumentInvitation: Endpoint<Operations['withdrawDocumentInvitation']> = /* @__PURE__ */ endpoint({
  operation: 'withdrawDocumentInvitation',
  kind: 'command',
  method: 'DELETE',
  path: '/v1/documents/{documentId}/invitations/{invitationId}',
  answers: { '200': { of: () => shapes.DocumentAnswer } },
});
export const withdrawRoles: Endpoint<Operations['withdrawRoles']> = /* @__PURE__ */ endpoint({
  operation: 'withdrawRoles',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/roles/withdraw',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
export const withdrawScopes: Endpoint<Operations['withdrawScopes']> = /* @__PURE__ */ endpoint({
  operation: 'withdrawScopes',
  kind: 'command',
  method: 'POST',
  path: '/v1/principals/{principalId}/scopes/withdraw',
  body: 'json',
  answers: { '200': { of: () => shapes.PrincipalAnswer } },
});
