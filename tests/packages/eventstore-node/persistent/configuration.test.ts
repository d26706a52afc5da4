/** The configuration of groups as it is kept, here and by EventStoreDB. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  decodeConfiguration,
  encodeConfiguration,
  type GroupDefinition,
} from '../../../../packages/eventstore-node/src/persistent-subscriptions/group-configuration';
import {
  type GroupSettings,
  settingsProblem,
  strategies,
} from '../../../../packages/eventstore-node/src/persistent-subscriptions/settings';
import { settings } from './world';

const count = fc.nat(1_000_000);

const settingsOf: fc.Arbitrary<GroupSettings> = fc.record({
  resolveLinks: fc.boolean(),
  extraStatistics: fc.boolean(),
  startFrom: fc.oneof(fc.constantFrom('start' as const, 'end' as const), fc.integer({ min: 1 })),
  messageTimeout: count,
  maxRetryCount: count,
  minCheckpointCount: count,
  maxCheckpointCount: count,
  checkpointAfter: count,
  maxSubscriberCount: count,
  liveBufferSize: count,
  historyBufferSize: count,
  readBatchSize: count,
  strategy: fc.constantFrom(...strategies),
});

const filterOf = fc.oneof(
  fc.record({
    on: fc.constantFrom('stream' as const, 'type' as const),
    regex: fc.constant(''),
    prefixes: fc.array(fc.string()),
  }),
  fc.record({
    on: fc.constantFrom('stream' as const, 'type' as const),
    regex: fc.string({ minLength: 1 }),
    prefixes: fc.constant([]),
  }),
);

const definition: fc.Arbitrary<GroupDefinition> = fc
  .tuple(fc.boolean(), fc.string({ minLength: 1 }), fc.string(), settingsOf, fc.option(filterOf, { nil: undefined }))
  .map(([all, stream, group, settings, filter]) => ({
    stream: all ? '$all' : stream,
    group,
    // Records of arbitraries have no prototype.
    settings: { ...settings },
    filter: all && filter ? { ...filter } : undefined,
    startedAfter: settings.startFrom === 'end' ? 12 : undefined,
  }));

const storedConfiguration = (definitions: readonly GroupDefinition[]): unknown =>
  JSON.parse(JSON.stringify(encodeConfiguration(definitions, { by: 'admin', at: 0 })));

describe('configuration of groups', () => {
  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.array(definition), (definitions) => {
        assert.deepEqual(decodeConfiguration(storedConfiguration(definitions)), definitions);
      }),
    );
  });

  it('reads what EventStoreDB writes', () => {
    const entry = {
      stream: '$all',
      group: 'g',
      filter: { context: 'streamid', type: 'prefix', data: 'orders-,carts-', isAllStream: true },
      resolveLinkTos: true,
      messageTimeout: 30_000,
      startFrom: -9_223_372_036_854_776_000,
      startPosition: 'C:-1/P:-1',
      historyBufferSize: 500,
      readBatchSize: 20,
      namedConsumerStrategy: 'RoundRobin',
    };
    const [read] = decodeConfiguration({ version: '2', updated: '', updatedBy: 'admin', entries: [entry] });
    assert.ok(read !== undefined);
    assert.deepEqual([read.stream, read.group, read.settings.startFrom], ['$all', 'g', 'end']);
    assert.deepEqual(read.filter, { on: 'stream', regex: '', prefixes: ['orders-', 'carts-'] });
    assert.equal(read.settings.resolveLinks, true);
  });

  it('leaves out what is no group, and takes no configuration at all', () => {
    fc.assert(
      fc.property(fc.anything(), (entry) => {
        assert.ok(decodeConfiguration(entry).length === 0);
        assert.ok(decodeConfiguration({ entries: [entry] }).every(({ stream }) => stream !== ''));
      }),
    );
    assert.deepEqual(
      decodeConfiguration({ entries: [{ stream: 's', group: 'g', namedConsumerStrategy: 'Random' }] }),
      [],
    );
  });

  it('finds what no group can work with', () => {
    assert.equal(settingsProblem(settings), undefined);
    for (const flawed of [
      { readBatchSize: 0 },
      { readBatchSize: 10, historyBufferSize: 10 },
      { messageTimeout: -1 },
      { maxRetryCount: -1 },
      { liveBufferSize: -1 },
    ])
      assert.notEqual(settingsProblem({ ...settings, ...flawed }), undefined, JSON.stringify(flawed));
  });
});
