/** Principals that callers who share files find by name, without a scope for principals. */
import assert from 'node:assert/strict';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { principalRow } from '../identity/read-api/fixture';
import { type MemoryStage, openMemoryStage, reader } from '../support/retrieval/memory-stage';

interface Answer {
  readonly items: readonly {
    readonly principalId: string;
    readonly name: string | null;
    readonly isActive: boolean;
    readonly mayRead: boolean;
  }[];
  readonly isCut: boolean;
}

const person = (principalId: string, name: string, changes: Parameters<typeof principalRow>[0] = {}) =>
  principalRow({
    tenantId: 'acme' as TenantId,
    principalId: principalId as PrincipalId,
    name: name as never,
    terms: name.toLowerCase().split(' ') as never,
    ...changes,
  });

describe('people to share files with', () => {
  let stage: MemoryStage;
  const find = async (query: object, identity = reader('ada')): Promise<Answer> => {
    const { status, body } = await stage.call('listFilePeople', identity, { query });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const ids = async (query: object, identity = reader('ada')) =>
    (await find(query, identity)).items.map(({ principalId }) => principalId).toSorted();

  beforeEach(async () => {
    stage = openMemoryStage();
    await stage.setPrincipals(
      person('b', 'Ben Miller'),
      person('g', 'Gil Miller'),
      person('s', 'Sue Miller', { status: 'SUSPENDED' }),
      person('e', 'Eve Miller', { tenantId: 'other' as TenantId }),
    );
  });

  it('are the active ones of the tenant whose name has all the words', async () => {
    assert.deepEqual(await ids({ q: 'miller' }), ['b', 'g']);
    assert.deepEqual(await ids({ q: 'Gil MILLER' }), ['g']);
    assert.deepEqual(await ids({ q: 'nobody' }), []);
    assert.deepEqual(await ids({ q: '–' }), []);
    assert.deepEqual(await ids({ q: 'miller' }, reader('ada', 'other')), ['e']);
  });

  it('are named by their ids, also where they are not active; of others nothing is said', async () => {
    const { items } = await find({ principalIds: 's,e,nobody,b' });
    assert.deepEqual(
      items.map(({ principalId, name, isActive }) => [principalId, name, isActive]),
      [
        ['s', 'Sue Miller', false],
        ['b', 'Ben Miller', true],
      ],
    );
    assert.deepEqual(Object.keys(items[0] ?? {}).toSorted(), [
      'isActive',
      'mayRead',
      'name',
      'principalId',
      'principalType',
    ]);
  });

  it('may read what is shared by a scope of their own, or by a role that has it', async () => {
    const grant = (principalId: string, kind: 'role' | 'scope', name: string) => ({
      ...{ tenantId: 'acme' as TenantId, principalId: principalId as PrincipalId, kind, name },
      ...{ grantedAt: '2026-01-31T12:00:00.000Z' as Instant, revision: 1 },
    });
    await stage.setAuthorities(
      grant('b', 'scope', 'files:read'),
      grant('g', 'scope', 'files:write'),
      grant('s', 'role', 'auditor'),
    );
    const { items } = await find({ principalIds: 'b,g,s' });
    assert.deepEqual(
      items.map(({ principalId, mayRead }) => [principalId, mayRead]),
      [
        ['b', true],
        ['g', false],
        ['s', true],
      ],
    );
  });

  it('are cut where more match than can be chosen from', async () => {
    await stage.setPrincipals(...Array.from({ length: 19 }, (_, index) => person(`m${index}`, `M${index} Miller`)));
    const { items, isCut } = await find({ q: 'miller' });
    assert.deepEqual([items.length, isCut, (await find({ q: 'gil' })).isCut], [20, true, false]);
  });

  it('are found by a name or by ids, not by both or nothing', async () => {
    for (const query of [{}, { q: 'ben', principalIds: 'b' }])
      assert.equal((await stage.call('listFilePeople', reader('ada'), { query })).status, 400);
  });
});
