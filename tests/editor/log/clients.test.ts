import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ClientId, NodeId, OperationId } from '../../../domain/editor/ids';
import { limits } from '../../../domain/editor/limits';
import type { Operation } from '../../../domain/editor/operation';
import { evictClients } from '../../../domain/editor/operation-log/client-eviction';
import {
  checkInverse,
  checkOperationId,
  decodeClientTable,
  emptyClientTable,
  encodeClientTable,
  recordCommitted,
} from '../../../domain/editor/operation-log/client-table';
import { ClientTableRecord } from '../../../domain/editor/operation-log/client-table-codec';
import { fingerprintOf, idsPerRun, parseRun, serializeRun } from '../../../domain/editor/operation-log/custom-ids';
import { writer } from '../document-owner/fixture';

/** The table takes any id: its owner checked whose it is. */
const client = (name: string): ClientId => name.padEnd(10, '0') as ClientId;

const by = (actorId: string, operation: Operation): Operation => ({ ...operation, actorId });

const committed = (operations: readonly Operation[], fromVersion: number) => {
  const last = operations.at(-1);
  const clientId = (last?.opId.slice(0, 10) ?? '') as ReturnType<typeof client>;
  return { clientId, lastClientSeq: last?.clientSeq ?? 1, fromVersion, operations };
};

const deletion = (one: ReturnType<typeof writer>, deleted: readonly NodeId[]): Operation =>
  one.operation('deleteNode', { deleted }, { targetIds: [...deleted] });

describe('the table of clients', () => {
  it('is the same after a snapshot, for any commits', () => {
    const batches = fc.array(fc.tuple(fc.constantFrom('ada', 'bob', 'cem'), fc.integer({ min: 1, max: 5 })));
    fc.assert(
      fc.property(batches, (plan) => {
        const clients = emptyClientTable();
        const writers = new Map(['ada', 'bob', 'cem'].map((name) => [name, writer(client(name))]));
        let version = 1;
        for (const [name, count] of plan) {
          const one = writers.get(name) ?? writer(client(name));
          const operations = [
            ...Array.from({ length: count }, (_, index) => by(name, one.create(index + 1))),
            by(name, deletion(one, [one.idOf(count)])),
          ];
          recordCommitted(clients, committed(operations, version));
          version += operations.length;
        }
        const record = encodeClientTable(clients);
        assert.ok(ClientTableRecord.is(record));
        assert.deepEqual(decodeClientTable(JSON.parse(JSON.stringify(record)) as ClientTableRecord), clients);
      }),
    );
  });

  it('has the newest operations only, and every client permanently', () => {
    const clients = emptyClientTable();
    const ada = writer(client('ada'));
    const bob = writer(client('bob'));
    recordCommitted(clients, committed([by('ada', ada.create(1))], 1));
    const many = Array.from({ length: 5_000 }, (_, index) => by('bob', bob.create(index + 1)));
    recordCommitted(clients, committed(many, 2));
    assert.equal(clients.recent.size, 4_096);
    assert.deepEqual(clients.known.get(ada.clientId), { principalId: 'ada', lastClientSeq: 1 });
    assert.equal(clients.recent.has('ada0000000-1' as OperationId), false);
    // The id of the operation that is undone names its author.
    const undo = (actor: string) =>
      ada.set(ada.idOf(1), 'a', 1, { actorId: actor, inverseOf: 'ada0000000-1' as OperationId });
    assert.equal(checkInverse(clients, undo('ada'), 'ada'), undefined);
    assert.equal(checkInverse(clients, undo('bob'), 'bob'), 'inverse-foreign');
    const unheard = ada.set(ada.idOf(1), 'a', 1, { inverseOf: 'whatever' as OperationId });
    assert.equal(checkInverse(clients, unheard, 'ada'), 'inverse-foreign');
  });

  it('has the latest deletions, up to a bound of nodes', () => {
    const clients = emptyClientTable();
    const ada = writer(client('ada'));
    const many = (from: number) => Array.from({ length: 20_000 }, (_, index) => ada.idOf(from + index));
    const deletions = [deletion(ada, [ada.idOf(1)]), deletion(ada, many(2)), deletion(ada, many(20_002))];
    recordCommitted(clients, committed(deletions, 1));
    assert.deepEqual(clients.restorable.get(deletions[0]?.opId as OperationId), [ada.idOf(1)]);
    recordCommitted(clients, committed([deletion(ada, many(40_002))], 4));
    const [, second, third] = deletions;
    assert.deepEqual([...clients.restorable.keys()], [third?.opId, 'ada0000000-4']);
    assert.equal(clients.restorable.get(second?.opId as OperationId), undefined);
  });

  it('recognises every id that a client chose itself, from any sender, and no other', () => {
    const clients = emptyClientTable();
    const ada = writer(client('ada'));
    const job = (number: number): OperationId => `job-${number}` as OperationId;
    const jobs = Array.from({ length: 20_000 }, (_, index) =>
      by('ada', ada.create(index + 1, null, { opId: job(index) })),
    );
    recordCommitted(clients, { clientId: ada.clientId, lastClientSeq: 20_000, fromVersion: 1, operations: jobs });
    const later = decodeClientTable(encodeClientTable(clients));
    const another = writer(client('other'));
    const sent = (number: number) => another.create(1, null, { opId: job(number), clientSeq: 1 });
    const identities = (principalId: string, numbers: readonly number[]) =>
      new Set(
        numbers.map(
          (number) => checkOperationId(later, sent(number), { clientId: another.clientId, principalId }).kind,
        ),
      );
    const numbers = jobs.map((_, index) => index);
    assert.deepEqual([...identities('ada', numbers)], ['duplicate']);
    assert.deepEqual([...identities('bob', numbers)], ['refused']);
    assert.deepEqual(
      [
        ...identities(
          'ada',
          numbers.map((number) => number + 20_000),
        ),
      ],
      ['new'],
    );
    const undo = ada.set(ada.idOf(1), 'a', 1, { inverseOf: job(0) });
    assert.equal(checkInverse(later, undo, 'ada'), undefined);
    assert.equal(checkInverse(later, undo, 'bob'), 'inverse-foreign');
  });

  it('bounds ids that clients choose, and accepts numbered ones afterwards', () => {
    const clients = emptyClientTable();
    const none = { high: new Uint32Array(), low: new Uint32Array(), actors: new Uint32Array() };
    clients.chosen.runs.push(...Array.from({ length: Math.ceil(limits.chosenIds / idsPerRun) }, () => none));
    const ada = writer(client('ada'));
    const who = { clientId: ada.clientId, principalId: 'ada' };
    const chosen = ada.create(1, null, { opId: 'job-1' as OperationId });
    assert.deepEqual(checkOperationId(clients, chosen, who), { kind: 'refused', reason: 'too-many-ids' });
    assert.deepEqual(checkOperationId(clients, ada.create(2), who), { kind: 'new' });
  });

  it('compares ids by their 64-bit FNV-1a hash, as stored runs do', () => {
    const hexOf = (text: string): string => {
      const { high, low } = fingerprintOf(text);
      return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
    };
    assert.deepEqual(['', 'a', 'foobar'].map(hexOf), ['cbf29ce484222325', 'af63dc4c8601ec8c', '85944171f73967e8']);
    const run = { high: Uint32Array.of(1, 2 ** 32 - 1), low: Uint32Array.of(3, 4), actors: Uint32Array.of(5, 6) };
    assert.equal(serializeRun(run), 'AQAAAP////8DAAAABAAAAAUAAAAGAAAA');
    assert.deepEqual(parseRun(serializeRun(run)), run);
    assert.deepEqual([parseRun('AAAA'), parseRun('?')], [undefined, undefined]);
  });

  it('accepts a numbered id only from its own client at its own sequence', () => {
    const ada = writer(client('ada'));
    const who = { clientId: ada.clientId, principalId: 'ada' };
    const mine = ada.create(1);
    assert.deepEqual(checkOperationId(emptyClientTable(), mine, who), { kind: 'new' });
    const elsewhere = { ...mine, clientSeq: 2 };
    assert.deepEqual(checkOperationId(emptyClientTable(), elsewhere, who), { kind: 'refused', reason: 'id-foreign' });
  });

  it('is bounded: the principal with the most clients loses the one that committed nothing for the longest time', () => {
    const clients = emptyClientTable();
    const commit = (actorId: string, name: string): void =>
      recordCommitted(clients, committed([by(actorId, writer(client(name)).create(1))], 1));
    for (const name of ['a1', 'b1', 'a2', 'b2', 'b3', 'b4']) commit(name.startsWith('a') ? 'ada' : 'bot', name);
    commit('bot', 'b1');
    const days = new Map([[client('b2'), 7]]);
    evictClients(clients, {
      maxClients: 4,
      issuedOn: (_, id) => days.get(id),
      isProtected: (_, id) => id === client('b3'),
    });
    assert.deepEqual([...clients.known.keys()], ['a1', 'a2', 'b3', 'b1'].map(client));
    assert.deepEqual([...clients.forgotten], [['bot', 7]]);
    assert.deepEqual(
      decodeClientTable(JSON.parse(JSON.stringify(encodeClientTable(clients))) as ClientTableRecord),
      clients,
    );
  });
});
