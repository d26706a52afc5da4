/** Concurrency groups in Postgres, and the twin in memory that tests use. */
import assert from 'node:assert/strict';
import { type Either, isRight } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { TenantId } from '../../../domain/kernel/ids';
import type { JobId, RepositoryId, RunId } from '../../../domain/workflow/ids';
import { groupRules } from '../../../domain/workflow/run/concurrency-group';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresConcurrencyGroups } from '../../../infra/adapters/postgres/workflow/concurrency-groups';
import type { ConcurrencyGroups, GroupEntry } from '../../../infra/ports/workflow/concurrency-groups';
import { freshDatabase } from '../../support/servers/shared-servers';
import { createMemoryConcurrencyGroups } from '../../support/workflow/memory-concurrency-groups';

const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer));
  return answer.right;
};

const acme = 'acme' as TenantId;
const entry = (
  runId: string,
  since: number,
  more: Partial<GroupEntry> & { readonly jobId?: string } = {},
): GroupEntry => {
  const { jobId, ...rest } = more;
  return {
    tenantId: acme,
    repoId: 'site' as RepositoryId,
    name: 'deploy',
    endsHolder: false,
    member: { runId: runId as RunId, jobId: jobId === undefined ? null : (jobId as JobId), attempt: 1, since },
    ...rest,
  };
};
const run = (runId: string) => ({ runId: runId as RunId, jobId: null });

const holdToTheRules = (open: () => ConcurrencyGroups): void => {
  let groups: ConcurrencyGroups;
  beforeEach(() => {
    groups = open();
  });
  const enter = async (one: GroupEntry) => value(await groups.enter(one));
  const standing = async (one: GroupEntry) => (await enter(one)).standing;

  it('answer which member may run, and for which other runs that has changed', async () => {
    assert.deepEqual(await enter(entry('a', 1)), { standing: 'holder', changed: [] });
    assert.deepEqual(await enter(entry('b', 2)), { standing: 'pending', changed: [] });
    const third = await enter(entry('c', 3, { name: 'DEPLOY', endsHolder: true }));
    assert.equal(third.standing, 'pending');
    assert.deepEqual(third.changed.map(({ runId }) => runId).toSorted(), ['a', 'b']);
    assert.equal(await standing(entry('a', 1)), 'ending');
    assert.equal(await standing(entry('b', 2)), 'superseded');
    assert.deepEqual(value(await groups.leave(acme, run('a'))), [{ tenantId: acme, runId: 'c' }]);
    assert.deepEqual(value(await groups.leave(acme, run('a'))), []);
    assert.equal(await standing(entry('c', 3)), 'holder');
    assert.deepEqual(value(await groups.of(acme, 'b' as RunId)), [
      { jobId: null, name: 'deploy', standing: 'superseded' },
    ]);
  });

  it('are apart by name, repository and tenant', async () => {
    const others = [{}, { name: 'test' }, { repoId: 'other' as RepositoryId }, { tenantId: 'globex' as TenantId }];
    for (const [index, other] of others.entries()) assert.equal(await standing(entry(`r${index}`, 1, other)), 'holder');
    assert.deepEqual(value(await groups.leave('globex' as TenantId, run('r0'))), []);
    assert.equal(await standing(entry('later', 2)), 'pending');
  });

  it('hold jobs of one run apart', async () => {
    assert.equal(await standing(entry('a', 1, { jobId: 'x' })), 'holder');
    assert.equal(await standing(entry('a', 1, { jobId: 'y' })), 'pending');
    const listed = value(await groups.of(acme, 'a' as RunId)).map(({ jobId, standing: of }) => `${jobId} ${of}`);
    assert.deepEqual(listed.toSorted(), ['x holder', 'y pending']);
    value(await groups.leave(acme, { runId: 'a' as RunId, jobId: 'x' as JobId }));
    assert.equal(await standing(entry('a', 1, { jobId: 'y' })), 'holder');
  });

  it('have one holder and one that waits however many enter at once', async () => {
    const entries = Array.from({ length: 12 }, (_, index) => entry(`r${String(index).padStart(2, '0')}`, index));
    await Promise.all(entries.map(enter));
    const standings = await Promise.all(entries.map(standing));
    assert.equal(standings.filter((one) => one === 'holder').length, 1);
    assert.equal(standings.filter((one) => one === 'pending').length, 1);
    assert.equal(standings.filter((one) => one === 'superseded').length, 10);
    if (standings[11] !== 'holder') assert.equal(standings[11], 'pending');
  });
};

describe('concurrency groups in memory', () => holdToTheRules(createMemoryConcurrencyGroups));

describe('concurrency groups in Postgres', () => {
  let pool: Pool;
  before(async () => {
    const url = await freshDatabase();
    assert.ok(isRight(await migrate({ url, readerPassword: 'reads' })));
    pool = openDurablePool({ url });
  });
  beforeEach(() => pool.query('truncate septet.workflow_concurrency'));
  after(() => pool.end());
  holdToTheRules(() => createPostgresConcurrencyGroups(pool, groupRules));
});
