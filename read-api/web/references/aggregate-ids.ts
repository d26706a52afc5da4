// Made by `npm run generate:client` of the aggregates; never edited by hand.

/** By category of their streams. */
export const aggregateIds = {
  'identity.principal': 'principalId',
  'identity.session': 'sessionId',
  'identity.grant': 'grantId',
  'identity.client': 'applicationId',
  'identity.code': 'codeId',
  'identity.pushed': 'pushedRequestId',
  'identity.device': 'deviceRequestId',
  'identity.consent': 'principalId',
  'identity.authenticators': 'principalId',
  'identity.incident': 'incidentId',
  'identity.refreshFamily': 'familyId',
  'editor.document': 'documentId',
  'editor.log': 'documentId',
  'geo.place': 'entityId',
  'geo.import': 'importId',
  'workflow.repository': 'repositoryId',
  'workflow.trigger': 'triggerEventId',
  'workflow.run': 'runId',
  'workflow.runner': 'runnerId',
  'workflow.artifact': 'artifactId',
} as const;
