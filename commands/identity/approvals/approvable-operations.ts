// Made by `npm run generate:client` of the routes; never edited by hand.

/** Method, path, kind of body, name, scopes and summary. */
export const approvableOperations = `
GET /actions/artifacts/{artifactId}/download json downloadArtifact workflows:read Download an artifact
DELETE /actions/artifacts/{artifactId} json deleteArtifact workflows:write Delete an artifact
GET /actions/jobs/{jobId}/logs/events bytes followJobLog workflows:read Follow the log of a job
GET /actions/jobs/{jobId}/logs json readJobLog workflows:read Read a page of the log of a job
GET /actions/runs/{runId}/artifacts json listWorkflowArtifacts workflows:read List the artifacts of a run by name
POST /actions/runs/{runId}/cancel json cancelRun workflows:write Cancel a run
GET /actions/runs/{runId}/jobs json listWorkflowJobs workflows:read List the jobs of a run, with every attempt and its steps
POST /actions/runs/{runId}/retry json retryRun workflows:write Run an ended run again
GET /actions/runs/{runId}/waiting json listWaitingJobs workflows:read See why jobs of a run wait
GET /actions/runs/{runId} json getWorkflowRun workflows:read Get a run with its jobs
DELETE /api/blocked-recordings/{recordingId} json unblockRecording videos:admin Unblock a recording
POST /api/blocked-recordings json blockRecording videos:admin Block the sound of a video
GET /api/blocked-recordings json listBlockedRecordings videos:admin List blocked recordings
PUT /api/video-series/{seriesId}/episodes json changeVideoSeriesEpisodes videos:write Say which videos a series has, in which order
PUT /api/video-series/{seriesId}/title json renameVideoSeries videos:write Rename a series
DELETE /api/video-series/{seriesId} json deleteVideoSeries videos:write Delete a series
POST /api/video-series json createVideoSeries videos:write Create a series of videos
GET /api/video-series json listVideoSeries videos:read List series of videos
GET /api/videos/entitlements json listOwnVideoEntitlements videos:read List what the caller is entitled to play
GET /api/videos/people json listVideoPeople videos:read Find principals of the tenant to share videos with, and get their names
GET /api/videos/reports/own json listOwnVideoReports videos:read List the caller’s own reports of videos
GET /api/videos/reports json listVideoReports videos:admin List reports of videos
POST /api/videos/upload/complete json completeVideoUpload videos:write Complete the upload of a video
POST /api/videos/upload/init json initiateVideoUpload videos:write Initiate the upload of a video
POST /api/videos/upload/presign json presignVideoParts videos:write Sign requests that upload parts of a video
GET /api/videos/upload/status json findVideoUploadStatus videos:read Get how far one upload of a video is
GET /api/videos/{videoId}/access json getVideoAccess videos:read Get who may play a video
POST /api/videos/{videoId}/captions/recognition json recognizeVideoSpeech videos:write Recognize the speech of a video as captions
PUT /api/videos/{videoId}/captions/{language} json addVideoCaptions videos:write Add captions of a language, or replace them
DELETE /api/videos/{videoId}/captions/{language} json removeVideoCaptions videos:write Remove the captions of a language
GET /api/videos/{videoId}/captions json listVideoCaptions videos:read List the captions of a video
PUT /api/videos/{videoId}/details json describeVideo videos:write Change the title and the description of a video
DELETE /api/videos/{videoId}/entitlements/{entitlementId} json revokeVideoEntitlement videos:write Revoke an entitlement
POST /api/videos/{videoId}/entitlements json grantVideoEntitlement videos:write Grant a viewer an entitlement
POST /api/videos/{videoId}/generations json startVideoGeneration videos:write Encode a video again, also with another codec
POST /api/videos/{videoId}/heartbeat json recordHeartbeat videos:read Report what was watched
GET /api/videos/{videoId}/license bytes getVideoKey videos:read Get the AES-128 key of a protected video
POST /api/videos/{videoId}/license json requestVideoLicense videos:read Get the ClearKey licence of a protected video
POST /api/videos/{videoId}/match/override json overrideVideoMatch videos:admin Let a video through whose sound matches a protected work
PUT /api/videos/{videoId}/people/{principalId} json shareVideo videos:write Share a video with a person
DELETE /api/videos/{videoId}/people/{principalId} json unshareVideo videos:write Stop sharing a video with a person
GET /api/videos/{videoId}/playback json getVideoPlayback videos:read Get what a player needs to play a video
PUT /api/videos/{videoId}/poster json chooseVideoPoster videos:write Choose the poster of a video
DELETE /api/videos/{videoId}/poster json resetVideoPoster videos:write Show the poster that was found in the film again
GET /api/videos/{videoId}/poster json getVideoPoster videos:read Get the poster of a video
GET /api/videos/{videoId}/processing json getVideoProcessing videos:read Get how far the processing of a video is
PUT /api/videos/{videoId}/protection json changeVideoProtection videos:write Have a video encrypted, or not
POST /api/videos/{videoId}/recall json recallVideo videos:write Destroy the keys of a protected video
POST /api/videos/{videoId}/reports/dismiss json dismissVideoReports videos:admin Dismiss the open reports of a video
POST /api/videos/{videoId}/reports json reportVideo videos:read Report a video to the administrators
PUT /api/videos/{videoId}/requirement json changeVideoRequirement videos:write Say which entitlements play a video
POST /api/videos/{videoId}/retry json retryVideo videos:write Process a failed video again
PUT /api/videos/{videoId}/source-retention json retainVideoSource videos:write Keep the source of a video, or no longer
GET /api/videos/{videoId}/source json getVideoSource videos:read Get until when the source of a video is stored
GET /api/videos/{videoId}/statistics json getVideoStatistics videos:read Get what was watched of a video
POST /api/videos/{videoId}/takedown json takeDownVideo videos:admin Take a video down
GET /api/videos/{videoId}/upload/status json getVideoUploadStatus videos:read Get how far the upload of a video is
DELETE /api/videos/{videoId}/upload json abortVideoUpload videos:write Abort the upload of a video
PUT /api/videos/{videoId}/visibility json changeVideoVisibility videos:write Say who sees a video
DELETE /api/videos/{videoId} json deleteVideo videos:write Delete a video
GET /api/videos/{videoId} json getVideo videos:read Get a video
GET /api/videos json listVideos videos:read List videos
GET /repos/{repoId}/actions/runs json listWorkflowRuns workflows:read List the runs of a repository, newest first
POST /repos/{repoId}/events json receiveRepositoryEvent workflows:write Report an event of a repository, which starts the workflows that it triggers
GET /repos/{repoId}/workflows json listDispatchableWorkflows workflows:read List the workflows of a branch that can be started by hand
POST /runs/{runId}/cancel json cancelRunByShortPath workflows:write Cancel a run
GET /v1/agent-actions/{approvalId} json getAgentAction security:read Get the audit record of an approved action that was done
GET /v1/agent-actions json listAgentActions security:read List what agents did with the approval of a person, newest request first
POST /v1/apis/{apiId}/remove json removeApi apis:write Remove an API with its tools: no more tokens are issued for it
POST /v1/apis/{apiId}/tools/{tool}/remove json removeApiTool apis:write Remove a tool of an API
PUT /v1/apis/{apiId}/tools/{tool} json setApiTool apis:write Set a tool of an API, and what agents may use through it
GET /v1/apis/{apiId}/tools json listApiTools apis:read List the tools of an API, by name
PUT /v1/apis/{apiId} json changeApi apis:write Replace the name and scopes of an API
GET /v1/apis/{apiId} json getApi apis:read Get an API that tokens are issued for
POST /v1/apis json registerApi apis:write Register an API that tokens are issued for
GET /v1/apis json listApis apis:read List the APIs that tokens are issued for, newest first
POST /v1/approvals/{approvalId}/approve json approveAction approvals:decide Approve one action of an agent
POST /v1/approvals/{approvalId}/capability json issueCapability - Get the capability for an approved action
POST /v1/approvals/{approvalId}/deny json denyAction approvals:decide Deny an action of an agent, also one that was approved and not done yet
POST /v1/approvals/{approvalId}/withdraw json withdrawApproval - Withdraw a request for approval
GET /v1/approvals/{approvalId} json getApproval - Get a request for approval, or wait until it is decided
POST /v1/approvals json requestApproval - Ask a person to approve one action of an agent
GET /v1/approvals json listApprovals - List requests of agents for approval, newest first
GET /v1/built-in-clients json listBuiltInClients clients:read List the clients that every tenant has without a registration
POST /v1/clients/{applicationId}/disable json disableClient clients:write Disable a client: it gets no tokens, and its existing ones are refused
POST /v1/clients/{applicationId}/enable json enableClient clients:write Enable a client again
POST /v1/clients/{applicationId}/secrets/{credentialId}/revoke json revokeClientSecret clients:write Revoke a client secret
POST /v1/clients/{applicationId}/secrets json issueClientSecret clients:write Issue a client secret
GET /v1/clients/{applicationId}/secrets json listClientSecrets clients:read List the secrets of a client, newest first, with revoked ones
PUT /v1/clients/{applicationId} json changeClient clients:write Replace the metadata of a client
GET /v1/clients/{applicationId} json getClient clients:read Get a client
POST /v1/clients json registerClient clients:write Register a client (application)
GET /v1/clients json listClients clients:read List clients, newest first
PUT /v1/credential-policy json setCredentialPolicy security:write Set the credential policy of the tenant
GET /v1/credential-policy json getCredentialPolicy security:read Get the credential policy of the tenant
GET /v1/credentials json listAllCredentials principals:read List the credentials of all principals, newest first, with revoked ones
POST /v1/delegations/{delegationId}/revoke json revokeDelegation - Revoke a delegation: the agent gets no more tokens, and those that it has are refused at once
GET /v1/delegations/{delegationId} json getDelegation - Get a delegation
POST /v1/delegations json createDelegation delegations:create Let an agent act for the caller in a task
GET /v1/delegations json listDelegations - List delegations, newest first
GET /v1/document-invitations json listOwnDocumentInvitations documents:read List invitations of the caller to documents, newest first
GET /v1/document-people json listDocumentPeople documents:read Get the names of people that the caller shares documents with
POST /v1/documents/{documentId}/clients json issueClientId documents:write Get a client id, under which the caller commits operations in this document
GET /v1/documents/{documentId}/diff json compareVersions documents:read Compare two versions of a document
POST /v1/documents/{documentId}/invitations/{invitationId}/accept json acceptDocumentInvitation documents:read Accept an invitation to a document
POST /v1/documents/{documentId}/invitations/{invitationId}/decline json declineDocumentInvitation documents:read Decline an invitation to a document
DELETE /v1/documents/{documentId}/invitations/{invitationId} json withdrawDocumentInvitation documents:write Withdraw an invitation to a document. Owners only
POST /v1/documents/{documentId}/invitations json inviteToDocument documents:write Invite a person to a document
GET /v1/documents/{documentId}/invitations json listDocumentInvitations documents:read List invitations to a document, newest first. Owners only
POST /v1/documents/{documentId}/link/open json openDocumentLink documents:read Join a document by its link
POST /v1/documents/{documentId}/link json shareDocumentLink documents:write Create a link to a document for everyone in the tenant
PUT /v1/documents/{documentId}/link json changeDocumentLinkRole documents:write Change the role that the link to a document grants, also for members who joined by it. Owners only
DELETE /v1/documents/{documentId}/link json closeDocumentLink documents:write Remove the link to a document, and the access of all who joined by it. Owners only
PUT /v1/documents/{documentId}/members/{principalId} json changeDocumentRole documents:write Change the role of a member in a document
DELETE /v1/documents/{documentId}/members/{principalId} json removeDocumentMember documents:read Remove a member from a document, or leave it
GET /v1/documents/{documentId}/members json listDocumentMembers documents:read List the members of a document, earliest first
GET /v1/documents/{documentId}/nodes/{nodeId}/activity json listNodeActivity documents:read List changes of a node of a document, latest first
POST /v1/documents/{documentId}/operations:batch json commitOperations documents:write Commit a batch of operations: answered when they are in the log
GET /v1/documents/{documentId}/operations json listDocumentOperations documents:read List operations committed to a document after a version
POST /v1/documents/{documentId}/owners json appointDocumentOwner documents:admin Appoint a new owner of a document whose owners are all inactive
GET /v1/documents/{documentId}/presence json listDocumentPresence documents:read List who has a document open now, as a member or an administrator of the tenant
POST /v1/documents/{documentId}/restore json restoreDocument documents:write Restore a document from the trash
GET /v1/documents/{documentId}/snapshot json getDocumentSnapshot documents:read Get the newest snapshot of a document: its version and the URLs of its content
PUT /v1/documents/{documentId}/title json renameDocument documents:write Rename a document
POST /v1/documents/{documentId}/trash json trashDocument documents:write Move a document to the trash: it becomes read-only, and only owners see it
PUT /v1/documents/{documentId}/versions/{version}/name json nameDocumentVersion documents:write Name or rename a version of a document
DELETE /v1/documents/{documentId}/versions/{version}/name json removeDocumentVersionName documents:write Remove the name of a version of a document
POST /v1/documents/{documentId}/versions/{version}:restore json restoreVersion documents:write Restore an earlier version: later versions stay in the history
GET /v1/documents/{documentId}/versions/{version} json openVersion documents:read Get a document as it was at a version
GET /v1/documents/{documentId}/versions json listDocumentVersions documents:read List the versions of a document, newest first
POST /v1/documents/{documentId}:duplicate json duplicateDocument documents:write Create a document with the content of another one: the caller is its owner
DELETE /v1/documents/{documentId} json deleteDocument documents:write Delete a document in the trash permanently: all access ends
GET /v1/documents/{documentId} json getDocument documents:read Get a document
POST /v1/documents json createDocument documents:write Create a document: the caller is its owner
GET /v1/documents json listDocuments documents:read List documents that the caller has a role in
GET /v1/entities/{entity_id} json getEntity places:read Get a place
GET /v1/file-deletions json listFileDeletions files:read List deletions of files, the newest first
GET /v1/file-folders/{folderId}/access json getFileFolderAccess files:read Get who sees a folder, and why
DELETE /v1/file-folders/{folderId}/grants/{grantId} json revokeFileFolderGrant files:write Revoke a grant of a folder
POST /v1/file-folders/{folderId}/grants json grantFileFolder files:write Share a folder with everything in it
PUT /v1/file-folders/{folderId}/name json renameFileFolder files:write Rename a folder
PUT /v1/file-folders/{folderId}/owner json changeFileFolderOwner files:write Hand a folder over to another owner
PUT /v1/file-folders/{folderId}/parent json moveFileFolder files:write Move a folder with everything in it
POST /v1/file-folders/{folderId}/restore json restoreFileFolder files:write Restore a folder from the trash
POST /v1/file-folders/{folderId}/trash json trashFileFolder files:write Move a folder to the trash
DELETE /v1/file-folders/{folderId} json deleteFileFolder files:write Delete a folder for ever, with everything in it
GET /v1/file-folders/{folderId} json getFileFolder files:read Get a folder with the folders above it
POST /v1/file-folders json createFileFolder files:write Create a folder
GET /v1/file-folders json listFileFolders files:read List folders that the caller may read, by name
PUT /v1/file-groups/{groupId}/members/{principalId} json addFileGroupMember files:write Add a principal to a group
DELETE /v1/file-groups/{groupId}/members/{principalId} json removeFileGroupMember files:write Remove a principal from a group, or leave it
PUT /v1/file-groups/{groupId}/name json renameFileGroup files:write Rename a group
DELETE /v1/file-groups/{groupId} json deleteFileGroup files:write Delete a group
GET /v1/file-groups/{groupId} json getFileGroup files:read Get a group with its members
POST /v1/file-groups json createFileGroup files:write Create a group of principals to share files with
GET /v1/file-groups json listFileGroups files:read List the groups that files are shared with, by name
GET /v1/file-orphans json listFileOrphans files:admin List files and folders whose owner is gone
GET /v1/file-people json listFilePeople files:read Find principals of the tenant to share files with, and get their names
GET /v1/file-usage json getFileUsage files:read Get how much storage the files of the tenant use
POST /v1/files/reindex json reindexFiles files:admin Process files again that an older pipeline or another embedding model processed
POST /v1/files/upload-sessions json createFileUploadSession files:write Begin to upload a file
GET /v1/files/{fileId}/access json getFileAccess files:read Get who sees a file, and why
GET /v1/files/{fileId}/chunks/{chunkId} json getFileChunk files:read Get a chunk of a file with the places of its words
GET /v1/files/{fileId}/chunks json listFileChunks files:read List the passages of a file, in its order
GET /v1/files/{fileId}/content json getFileContent files:read Get a signed address of the bytes of a file
GET /v1/files/{fileId}/deletion json getFileDeletion files:read Get how far the deletion of a file is
GET /v1/files/{fileId}/explain json explainFileAccess files:admin Explain why a principal sees a file, or not
PUT /v1/files/{fileId}/folder json moveFile files:write Move a file to another folder
DELETE /v1/files/{fileId}/grants/{grantId} json revokeFileGrant files:write Revoke a grant of a file
POST /v1/files/{fileId}/grants json grantFile files:write Share a file
PUT /v1/files/{fileId}/hold json holdFile files:admin Put a file under a legal hold
DELETE /v1/files/{fileId}/hold json releaseFile files:admin Lift the legal hold of a file
PUT /v1/files/{fileId}/name json renameFile files:write Rename a file
PUT /v1/files/{fileId}/owner json changeFileOwner files:write Hand a file over to another owner
POST /v1/files/{fileId}/restore json restoreFile files:write Restore a file from the trash
POST /v1/files/{fileId}/retry json retryFile files:write Try the processing of a file again, now
GET /v1/files/{fileId}/status json getFileStatus files:read Get the processing of a file, stage by stage
POST /v1/files/{fileId}/trash json trashFile files:write Move a file to the trash
POST /v1/files/{fileId}/versions/{versionId}/complete json completeFileVersion files:write Complete an upload
POST /v1/files/{fileId}/versions/{versionId}/parts/{part} json signFilePart files:write Sign a request that uploads a part of a version
POST /v1/files/{fileId}/versions/{versionId}/parts json resumeFileUpload files:write Start or resume uploading a version in parts
POST /v1/files/{fileId}/versions/{versionId}/upload json signFileUpload files:write Sign another request that uploads a version whole
POST /v1/files/{fileId}/versions json createFileVersionSession files:write Begin to upload a new version of a file
GET /v1/files/{fileId}/versions json listFileVersions files:read List the versions of a file, the newest first
DELETE /v1/files/{fileId} json deleteFile files:write Delete a file for ever
GET /v1/files/{fileId} json getFile files:read Get a file
GET /v1/files json listFiles files:read List files that the caller may see
POST /v1/grants/{grantId}/revoke json revokeGrant - Revoke a grant with its refresh and access tokens
GET /v1/grants/{grantId} json getGrant - Get a grant
GET /v1/grants json listGrants grants:read List grants, newest first
POST /v1/people json registerPerson principals:write Register a person who will sign in
POST /v1/places/imports/{importId}/cancel json cancelPlaceImport places:write Cancel an import
POST /v1/places/imports/{importId}/parts/{part} json signPlaceImportPart places:write Sign a request that uploads a part of the file of an import
POST /v1/places/imports/{importId}/parts json resumePlaceImportUpload places:write Start or resume uploading the file of an import in parts
GET /v1/places/imports/{importId}/refusals json listPlaceImportRefusals places:write List the lines of an import that were refused: the first thousand
POST /v1/places/imports/{importId}/start json startPlaceImport places:write Start an import whose file is uploaded
POST /v1/places/imports/{importId}/upload json signPlaceImportFile places:write Sign a request that uploads the whole file of an import
GET /v1/places/imports/{importId} json getPlaceImport places:write Get an import of places, and how far it is
POST /v1/places/imports json createPlaceImport places:write Create an import of a file of places
GET /v1/places/imports json listPlaceImports places:write List imports of places, newest first
PUT /v1/places/sources/{source}/writers json setSourceWriters sources:write Reserve a source of places for some principals, or open it
POST /v1/places:batch json applyPlaceChanges places:write Create, update and remove places, as a feed
POST /v1/places:handover json handOverPlaces sources:write Hand places of one source over to another
GET /v1/platform/all/live bytes followPlatformLog platform:read Follow the log as it is written: the tenant’s events, or all for operators of the platform
GET /v1/platform/all json listPlatformLog platform:read List the log, from its beginning on or from its end back: the tenant’s events, or all for operators
GET /v1/platform/causes/{correlationId} json listPlatformCauses platform:read List the events of a correlation id, as a tree of causes and effects
GET /v1/platform/event-types json listPlatformEventTypes platform:read List the stored types of events, in alphabetical order
GET /v1/platform/events/{eventId} json findPlatformEvent platform:read Find an event by its id
GET /v1/platform/health json getPlatformHealth platform:read Get the health of every process and its dependencies, checked now
GET /v1/platform/overview json getPlatformOverview platform:read Get the state of views, processes and queues, and metrics of the last hour or day
GET /v1/platform/processes json listPlatformProcesses platform:read List processes: position in the log, owner, timers
GET /v1/platform/streams/{stream}/events/{revision} json getPlatformStreamEvent platform:read Get an event, with the state of its aggregate before and after it
GET /v1/platform/streams/{stream}/events json listPlatformStreamEvents platform:read List the events of a stream, from a revision on or from its end back
GET /v1/platform/streams json listPlatformStreams platform:read List streams by name: those of the tenant, or all for operators of the platform
GET /v1/platform/timers json listPlatformTimers platform:read List timers that have not fired, earliest first: those of the tenant, or all for operators
POST /v1/platform/views/{view}/rebuild json rebuildView platform:write Rebuild a view from the log, beside the live one
GET /v1/platform/views json listPlatformViews platform:read List read models: position, lag, last rebuild
POST /v1/platform/work/dead-letters/{jobId}/drop json dropDeadLetter platform:write Drop a dead letter permanently
POST /v1/platform/work/dead-letters/{jobId}/replay json replayDeadLetter platform:write Replay a dead letter, with a full number of attempts
GET /v1/platform/work/dead-letters json listDeadLetters platform:read List dead letters: jobs that failed for the last time, newest first
POST /v1/platform/work/jobs/{jobId}/cancel json cancelJob platform:write Cancel a job. A running one gets a signal, and is killed if it does not end
POST /v1/platform/work/jobs/{jobId}/retry json retryJob platform:write Retry a dead or canceled job, with a full number of attempts and without its deadline
GET /v1/platform/work/jobs/{jobId} json getJob platform:read Get a job: state, place in the queue, progress, worker
GET /v1/platform/work/jobs json listJobs platform:read List jobs of work queues, newest first: the tenant’s, or all for operators of the platform
GET /v1/platform/work json listPlatformQueues platform:read List work queues with their jobs by state. Dead jobs are listed under 'dead-letters'
POST /v1/policy/explain json explainAccessPolicy security:read Explain what a version of the access policy decides about a request
POST /v1/policy/off json turnOffAccessPolicy tenant:write Turn the access policy off
POST /v1/policy/shadow/end json endAccessPolicyShadow security:write Stop evaluating the version in shadow
POST /v1/policy/validate json validateAccessPolicy security:read Name the faults of a policy document
GET /v1/policy/versions/{policyVersion}/differences json listAccessPolicyDifferences security:read List where a version in shadow would have decided otherwise
POST /v1/policy/versions/{policyVersion}/enforce json enforceAccessPolicy tenant:write Enforce a version of the access policy
POST /v1/policy/versions/{policyVersion}/shadow json shadowAccessPolicy security:write Evaluate a version on live requests, without enforcing it
PUT /v1/policy/versions/{policyVersion} json draftAccessPolicy security:write Add a version of the access policy
GET /v1/policy/versions/{policyVersion} json getAccessPolicyVersion security:read Get the document of a version of the access policy
GET /v1/policy/versions json listAccessPolicyVersions security:read List the versions of the access policy, newest first
GET /v1/principals/{principalId}/authenticators json listAuthenticators principals:read List the authenticators of a person, oldest first
GET /v1/principals/{principalId}/authority json listAuthority principals:read Get the roles of a principal, and its scopes beyond them
POST /v1/principals/{principalId}/compromise json markPrincipalCompromised principals:write Mark a principal as compromised: all of its tokens and credentials are refused at once
POST /v1/principals/{principalId}/credentials/{credentialId}/revoke json revokeCredential credentials:write Revoke a credential
POST /v1/principals/{principalId}/credentials json issueCredential credentials:write Issue a credential to a principal
GET /v1/principals/{principalId}/credentials json listCredentials principals:read List the credentials of a principal, newest first, with revoked ones
GET /v1/principals/{principalId}/documents json listDocumentsOfPrincipal documents:admin List documents that a principal has a role in, latest first
POST /v1/principals/{principalId}/enrolments json enrolPerson principals:write Send a person through enrolment again: a new link
POST /v1/principals/{principalId}/epoch/bump json bumpSecurityEpoch tokens:revoke End all tokens, credentials, grants and sessions of a principal
GET /v1/principals/{principalId}/grants json listPrincipalGrants - List the grants of a principal, newest first
GET /v1/principals/{principalId}/history json getPrincipalHistory principals:read List the history of a principal, newest first; empty if the principal is unknown
POST /v1/principals/{principalId}/label json labelPrincipal principals:write Label a pipeline or an agent
POST /v1/principals/{principalId}/passkeys/{passkeyId}/remove json removePasskey principals:write Remove a passkey of a person
POST /v1/principals/{principalId}/reactivate json reactivatePrincipal principals:write Reactivate a suspended principal; its earlier credentials stay revoked
POST /v1/principals/{principalId}/recover json recoverPrincipal principals:write,credentials:write Recover a pipeline or agent from an incident, and issue its new secret
POST /v1/principals/{principalId}/roles/grant json grantRoles principals:write Grant roles to a person
POST /v1/principals/{principalId}/roles/withdraw json withdrawRoles principals:write Withdraw roles from a person
POST /v1/principals/{principalId}/scopes/grant json grantScopes principals:write Grant scopes to a principal, beyond those of its roles
POST /v1/principals/{principalId}/scopes/withdraw json withdrawScopes principals:write Withdraw scopes from a principal
POST /v1/principals/{principalId}/sessions/end json endSessions - End all of a person's sessions
GET /v1/principals/{principalId}/sessions json listPrincipalSessions - List the sessions of a principal, newest first
POST /v1/principals/{principalId}/suspend json suspendPrincipal principals:write Suspend a principal: all of its tokens and credentials are refused at once
POST /v1/principals/{principalId}/totp/remove json removeTotp principals:write Remove a person's authenticator app
GET /v1/principals/{principalId} json getPrincipal principals:read Get a principal
POST /v1/principals json registerPrincipal principals:write Register a principal
GET /v1/principals json listPrincipals principals:read List principals, newest first
POST /v1/privacy/forget json forgetSubject privacy:write Erase the personal data of a person
POST /v1/ratelimit/check/batch json checkRateLimits ratelimit:check Check up to 100 requests, each by itself
POST /v1/ratelimit/check json checkRateLimit ratelimit:check Check a request: charges its weight, or reserves it for a later settlement
POST /v1/ratelimit/peek/batch json peekRateLimits ratelimit:check Peek at the decisions that up to 100 requests would get: charges nothing
POST /v1/ratelimit/peek json peekRateLimit ratelimit:check Peek at the decision that a request would get: charges nothing
GET /v1/ratelimit/policies json listRateLimitPolicies ratelimit:read List the limits that apply to the tenant: at the gateway, and by this API
GET /v1/ratelimit/refusals json listRateLimitRefusals ratelimit:read List refusals of the last day, newest first, with identical ones within a second combined
POST /v1/ratelimit/settle/batch json settleRateLimits ratelimit:check Settle up to 100 reservations, each by itself
POST /v1/ratelimit/settle json settleRateLimit ratelimit:check Settle a reservation: refunds what was not used, charges what exceeded it. May be repeated
POST /v1/ratelimit/usage json recordUsage ratelimit:record Record usage of quotas
GET /v1/ratelimit/usage json listUsage ratelimit:read List usage of quotas by the hour, newest first. Sum the hours of a period for its total
POST /v1/refresh-families/{familyId}/revoke json revokeRefreshFamily - Revoke the refresh tokens of one sign-in
GET /v1/refresh-families/{familyId} json getRefreshFamily - Get a refresh token family
GET /v1/refresh-families json listRefreshFamilies grants:read List refresh token families, newest first
PUT /v1/registration-policy json setRegistrationPolicy security:write Set what applications that register themselves may do
GET /v1/registration-policy json getRegistrationPolicy security:read Get what applications that register themselves may do
POST /v1/retrieval/answer json answerQuestion files:read Answer a question from files
POST /v1/retrieval/search json searchFiles files:read Search in files by words and by meaning
GET /v1/scopes json listScopes - List the scopes of all contexts and of registered APIs, with what each allows
GET /v1/search json searchPlaces places:read Search places in a circle or a box, the best first
GET /v1/security/auth-events json listAuthEvents security:read List authorization decisions of gateways, newest first
GET /v1/security/detection/alerts/{alertId} json getAlert security:read Get an alert of detection
GET /v1/security/detection/alerts json listAlerts security:read List alerts of detection, newest first
POST /v1/security/detection/back-test json backTestDetectionRule security:read Test a rule of detection against stored decisions
PUT /v1/security/detection/rules/{rule} json setDetectionRule security:write Set when a rule of detection is an alert
GET /v1/security/detection/rules json listDetectionRules security:read List the rules of detection with their settings
PUT /v1/security/detection/runtimes/{principalId} json setExpectedRuntime security:write Set where a pipeline or an agent is expected to run
GET /v1/security/detection/runtimes json listExpectedRuntimes security:read List where principals are expected to run
POST /v1/security/drills json startDrill tokens:revoke Rehearse the response to an incident with a test principal
GET /v1/security/events/stream bytes followSecurityEvents security:read Follow security events as they are recorded
GET /v1/security/events json listSecurityEvents security:read List security events, newest first
POST /v1/security/incidents/{incidentId}/close json closeIncident tokens:revoke Close an incident without a replacement
GET /v1/security/incidents/{incidentId} json getIncident security:read Get an incident with the nine steps of its response
POST /v1/security/incidents json openIncident tokens:revoke Open an incident, which ends what is suspected to be in wrong hands
GET /v1/security/incidents json listIncidents security:read List incidents, newest first
GET /v1/security/refused-requests json listRefusedRequests security:read List requests that were refused in the last day, newest first
GET /v1/security/state/stream json followSecurityState security:state Follow revocations as they are recorded
GET /v1/security/state json getSecurityState security:state Get all revocations that still matter
POST /v1/sessions/{sessionId}/end json endSession - End a session: tokens that follow from it end with it
GET /v1/sessions json listSessions sessions:read List sessions, newest first
GET /v1/sign-in-policy/methods json getSignInMethods security:read Count the people of the tenant by their sign-in methods
PUT /v1/sign-in-policy json setSignInPolicy security:write Set the sign-in policy of the tenant
GET /v1/sign-in-policy json getSignInPolicy security:read Get the sign-in policy of the tenant, without secrets of providers
POST /v1/signing-keys/rotate json rotateSigningKeys keys:write Begin a rotation of the signing keys
POST /v1/signing-keys/{kid}/retire json retireSigningKey keys:write Retire a signing key
POST /v1/signing-keys/{kid}/revoke json revokeSigningKey keys:write Revoke a signing key
GET /v1/signing-keys json listSigningKeys keys:read List signing keys, newest first; for operators of the platform
POST /v1/streams/tickets json issueStreamTicket - Exchange the access token of this request for a WebSocket ticket
GET /v1/tenant/documents/{documentId}/members json listTenantDocumentMembers documents:admin List the members of a document of the tenant, earliest first, as an administrator
GET /v1/tenant/documents/{documentId}/versions json listTenantDocumentVersions documents:admin List the versions of a document of the tenant, newest first, as an administrator
GET /v1/tenant/documents/{documentId} json getTenantDocument documents:admin Get a document of the tenant, as an administrator
GET /v1/tenant/documents json listTenantDocuments documents:admin List the documents of the tenant that are not deleted, latest changed first
POST /v1/tenants json registerTenant platform:write Register a tenant, with a code for its first administrator
POST /v1/tokens/revoke json revokeTokens tokens:revoke Revoke tokens before they expire
POST /v1/trust-rule-tests json testTrustRules security:read Test which trust rule answers a credential, and why the others do not
POST /v1/trust-rules/{ruleId}/end json endTrustRule credentials:write End a trust rule
PUT /v1/trust-rules/{ruleId} json changeTrustRule credentials:write Replace a trust rule
GET /v1/trust-rules/{ruleId} json getTrustRule security:read Get a trust rule
POST /v1/trust-rules json makeTrustRule credentials:write Let workloads act as a principal
GET /v1/trust-rules json listTrustRules security:read List trust rules, newest first
GET /v1/webhooks/endpoints/{endpointId}/deliveries/{deliveryId}/attempts json listWebhookAttempts webhooks:read List the attempts of a delivery, newest first
POST /v1/webhooks/endpoints/{endpointId}/deliveries/{deliveryId}/redeliver json redeliverWebhook webhooks:write Deliver an event again
GET /v1/webhooks/endpoints/{endpointId}/deliveries json listWebhookDeliveries webhooks:read List deliveries to a webhook endpoint, newest first
POST /v1/webhooks/endpoints/{endpointId}/disable json disableWebhookEndpoint webhooks:write Disable a webhook endpoint
POST /v1/webhooks/endpoints/{endpointId}/enable json enableWebhookEndpoint webhooks:write Enable a webhook endpoint
POST /v1/webhooks/endpoints/{endpointId}/secret json rotateWebhookSecret webhooks:write Rotate the secret of a webhook endpoint
POST /v1/webhooks/endpoints/{endpointId}/test json testWebhookEndpoint webhooks:write Send a test event
PUT /v1/webhooks/endpoints/{endpointId} json changeWebhookEndpoint webhooks:write Change the address, event types and description of a webhook endpoint
DELETE /v1/webhooks/endpoints/{endpointId} json removeWebhookEndpoint webhooks:write Remove a webhook endpoint
GET /v1/webhooks/endpoints/{endpointId} json getWebhookEndpoint webhooks:read Get a webhook endpoint
POST /v1/webhooks/endpoints json addWebhookEndpoint webhooks:write Add a webhook endpoint
GET /v1/webhooks/endpoints json listWebhookEndpoints webhooks:read List webhook endpoints, newest first
GET /v1/workflow/organization json getWorkflowOrganization workflows:read Get the plan, limits and isolation policy of the caller's organization
PUT /v1/workflow/organization json configureWorkflowOrganization workflows:admin Set the plan, limits and isolation policy of the caller's organization
GET /v1/workflow/repositories/{repoId} json getRepository workflows:read Get a repository
PUT /v1/workflow/repositories/{repoId} json changeDefaultBranch workflows:admin Change the default branch of a repository
DELETE /v1/workflow/repositories/{repoId} json deleteRepository workflows:admin Delete a repository with its commits
GET /v1/workflow/repositories json listRepositories workflows:read List repositories by name
POST /v1/workflow/repositories json createRepository workflows:admin Create a Git repository: an empty one, or a copy of a remote one
POST /v1/workflow/runner-tokens json createRunnerToken workflows:admin Create a token to register a runner with
POST /v1/workflow/runners/{runnerId}/drain json drainRunner workflows:admin Drain a runner: it gets no further jobs
DELETE /v1/workflow/runners/{runnerId} json removeRunner workflows:admin Remove a runner
GET /v1/workflow/runners json listRunners workflows:read List the runners of the organization or of the installation, newest first
POST /v1/workload-issuers/{issuerId}/end json endWorkloadIssuer security:write End the trust in an issuer, and its rules
PUT /v1/workload-issuers/{issuerId} json changeWorkloadIssuer security:write Replace name, keys and claims of an issuer
GET /v1/workload-issuers/{issuerId} json getWorkloadIssuer security:read Get an issuer of workloads' credentials
POST /v1/workload-issuers json trustWorkloadIssuer security:write Trust an issuer of workloads' credentials
GET /v1/workload-issuers json listWorkloadIssuers security:read List the trusted issuers of workloads' credentials, newest first
`;
