/** What a server of EventStoreDB's protocol does, observed on a real one. EVENTSTORE_URL names another to hold to it. */
import { accessContract } from './event-store-protocol/access';
import { accessListsContract } from './event-store-protocol/access-lists';
import { appendExpectedContract } from './event-store-protocol/append-expected';
import { appendFieldsContract } from './event-store-protocol/append-fields';
import { batchAppendContract } from './event-store-protocol/batch-append';
import { batchAppendErrorsContract } from './event-store-protocol/batch-append-errors';
import { clientContract } from './event-store-protocol/client';
import { discoveryContract } from './event-store-protocol/discovery';
import { idempotenceContract } from './event-store-protocol/idempotence';
import { linksContract } from './event-store-protocol/links';
import { metadataContract } from './event-store-protocol/metadata';
import { monitoringAccessContract, monitoringContract } from './event-store-protocol/monitoring';
import { operationsAccessContract, operationsContract } from './event-store-protocol/operations';
import { persistentContract } from './event-store-protocol/persistent';
import { persistentAccessContract } from './event-store-protocol/persistent-access';
import { readAllContract } from './event-store-protocol/read-all';
import { filteredReadContract } from './event-store-protocol/read-filtered';
import { readStreamContract } from './event-store-protocol/read-stream';
import { givenUrl, type Server, serverForTests } from './event-store-protocol/server';
import { servicesContract } from './event-store-protocol/services';
import { softDeleteContract } from './event-store-protocol/soft-delete';
import { subscribeAllContract } from './event-store-protocol/subscribe-all';
import { filteredSubscriptionContract } from './event-store-protocol/subscribe-filtered';
import { subscribeStreamContract } from './event-store-protocol/subscribe-stream';
import { tombstoneContract } from './event-store-protocol/tombstone';
import { userRightsContract } from './event-store-protocol/user-rights';
import { usersContract } from './event-store-protocol/users';

const protocolContract = (server: Server): void => {
  describe('append', () => appendExpectedContract(server));
  describe('appended events', () => appendFieldsContract(server));
  describe('repeated appends', () => idempotenceContract(server));
  describe('batch append', () => batchAppendContract(server));
  describe('refused batch appends', () => batchAppendErrorsContract(server));
  describe('read of a stream', () => readStreamContract(server));
  describe('read of $all', () => readAllContract(server));
  describe('filtered read', () => filteredReadContract(server));
  describe('soft delete', () => softDeleteContract(server));
  describe('tombstone', () => tombstoneContract(server));
  describe('metadata', () => metadataContract(server));
  describe('links', () => linksContract(server));
  describe('subscription to a stream', () => subscribeStreamContract(server));
  describe('subscription to $all', () => subscribeAllContract(server));
  describe('filtered subscription', () => filteredSubscriptionContract(server));
  describe('official client', () => clientContract(server));
  describe('services and bounds', () => servicesContract(server));
  describe('discovery', () => discoveryContract(server));
  describe('monitoring', () => monitoringContract(server));
  describe('operations', () => operationsContract(server));
  describe('persistent subscriptions', () => persistentContract(server));
};

describe('event store protocol', () => {
  protocolContract(serverForTests());
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
