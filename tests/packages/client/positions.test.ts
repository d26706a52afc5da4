import assert from 'node:assert/strict';
import { servedRoutes } from '../../../tools/generate-client/served-document';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}

/** They leave no event that a view shows: what they did is read where they did it, or nowhere. */
const without = new Set([
  'checkRateLimit',
  'checkRateLimits',
  'peekRateLimit',
  'peekRateLimits',
  'settleRateLimit',
  'settleRateLimits',
  'issueStreamTicket',
  'cancelJob',
  'retryJob',
  'dropDeadLetter',
  // They change nothing of what views show; the store takes the file.
  'signPlaceImportFile',
  'signPlaceImportPart',
  'resumePlaceImportUpload',
  'resumeFileUpload',
  'signFilePart',
  'signFileUpload',
  // It requests that many files are indexed again, each of which shows it in its status.
  'reindexFiles',
  // Its view reports its own progress.
  'rebuildView',
  'replayDeadLetter',
  // Editors follow a document by its versions, which these answer.
  'commitOperations',
  'restoreVersion',
  // The token and the client id are signed, not recorded.
  'createRunnerToken',
  'issueClientId',
  // Trust rules are tried out, and nothing is recorded; the token of an exchange is for another program, which looks at its grant later.
  'testTrustRules',
  'exchangeToken',
  'recoverFromIncident',
  // They answer what would be decided or found.
  'backTestDetectionRule',
  'explainAccessPolicy',
  'validateAccessPolicy',
]);

describe('the answers of commands', () => {
  it('say from which position on views show what was done, or a page would show what was before', () => {
    const silent: string[] = [];
    for (const [path, operations] of Object.entries(servedRoutes().paths))
      for (const [method, operation] of Object.entries(operations as Readonly<Record<string, Operation>>)) {
        if (!path.startsWith('/v1/') || method === 'get') continue;
        const headers = Object.entries(operation.responses)
          .filter(([status]) => status.startsWith('2'))
          .flatMap(([, answer]) => Object.keys(answer.headers ?? {}));
        if (!headers.includes('Position')) silent.push(operation.operationId);
      }
    assert.deepEqual(silent.sort(), [...without].sort());
  });
});
