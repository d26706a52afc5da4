/** What a server of EventStoreDB's protocol does, observed on a real one. EVENTSTORE_URL names another to hold to it. */

import { batchAppendContract } from './append/batch-append';
import { batchAppendErrorsContract } from './append/batch-append-errors';
import { appendFieldsContract } from './append/event-fields';
import { appendExpectedContract } from './append/expected-revision';
import { idempotenceContract } from './append/idempotence';
import { givenUrl, type Server, serverForTests } from './harness/server-under-test';
import { clientContract } from './official-client';
import { persistentAccessContract } from './persistent-subscriptions/access';
import { persistentContract } from './persistent-subscriptions/suite';
import { discoveryContract } from './server-features/discovery';
import { halfClosedContract } from './server-features/half-closed';
import { monitoringAccessContract, monitoringContract } from './server-features/monitoring';
import { operationsAccessContract, operationsContract } from './server-features/operations';
import { servicesContract } from './server-features/services';
import { linksContract } from './streams/links';
import { metadataContract } from './streams/metadata';
import { readAllContract } from './streams/read-all';
import { filteredReadContract } from './streams/read-filtered';
import { readStreamContract } from './streams/read-stream';
import { softDeleteContract } from './streams/soft-delete';
import { subscribeAllContract } from './streams/subscribe-all';
import { filteredSubscriptionContract } from './streams/subscribe-filtered';
import { subscribeStreamContract } from './streams/subscribe-stream';
import { tombstoneContract } from './streams/tombstone';
import { accessContract } from './users/access';
import { accessListsContract } from './users/access-lists';
import { usersContract } from './users/user-management';
import { userRightsContract } from './users/user-rights';

/** What depends on how messages travel: in both directions at once, without end, in parts. */
const transportContract = (server: Server): void => {
  describe('batch append', () => batchAppendContract(server));
  describe('read of $all', () => readAllContract(server));
  describe('subscription to a stream', () => subscribeStreamContract(server));
  describe('official client', () => clientContract(server));
  describe('services and bounds', () => servicesContract(server));
  describe('half-closed calls', () => halfClosedContract(server));
  describe('discovery', () => discoveryContract(server));
};

const protocolContract = (server: Server): void => {
  transportContract(server);
  describe('append', () => appendExpectedContract(server));
  describe('appended events', () => appendFieldsContract(server));
  describe('repeated appends', () => idempotenceContract(server));
  describe('refused batch appends', () => batchAppendErrorsContract(server));
  describe('read of a stream', () => readStreamContract(server));
  describe('filtered read', () => filteredReadContract(server));
  describe('soft delete', () => softDeleteContract(server));
  describe('tombstone', () => tombstoneContract(server));
  describe('metadata', () => metadataContract(server));
  describe('links', () => linksContract(server));
  describe('subscription to $all', () => subscribeAllContract(server));
  describe('filtered subscription', () => filteredSubscriptionContract(server));
  describe('monitoring', () => monitoringContract(server));
  describe('operations', () => operationsContract(server));
  describe('persistent subscriptions', () => persistentContract(server));
};

describe('event store protocol', () => {
  transportContract(serverForTests());
});

/** EVENTSTORE_URL names a secure server where it has a login. */
const isSecure = givenUrl === undefined || /^[^/]+:\/\/[^/]+@/.test(givenUrl);

(isSecure ? describe : describe.skip)('event store protocol with TLS and credentials', () => {
  const server = serverForTests({ secure: true });
  protocolContract(server);
  describe('credentials', () => accessContract(server));
  describe('access lists', () => accessListsContract(server));
  describe('users', () => usersContract(server));
  describe('who may manage users', () => userRightsContract(server));
  describe('who may monitor', () => monitoringAccessContract(server));
  describe('rights to operations', () => operationsAccessContract(server));
  describe('rights to persistent subscriptions', () => persistentAccessContract(server));
});
