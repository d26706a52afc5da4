/** Our packages as others get them: packed, and installed together into an empty project that has nothing else of ours. */
import { needs } from '../../support/runner/prerequisites';
import { describeClient } from './client';
import { describeDocuments } from './documented';
import { describeEditor } from './editor-engine';
import { describeEventStoreNode } from './eventstore-node';
import { type Installation, install } from './install';
import { describeLimiter } from './ratelimit';
import { describeResourceServer } from './resource-server';
import { describeRunner } from './runner';

describe('an installed package', function () {
  this.timeout(240_000);
  let installation: Installation;
  const installed = (): Installation => installation;
  needs('npm');
  before(() => {
    installation = install(['express', '@eventstore/db-client', 'ioredis', 'openai']);
  });
  after(() => installation.remove());

  describeClient(installed);
  describeEventStoreNode(installed);
  describeLimiter(installed);
  describeResourceServer(installed);
  describeEditor(installed);
  describeRunner(installed);
  describeDocuments(installed);
});
