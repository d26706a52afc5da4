/** Files on real stores: their rows, search by words and vectors, scopes of tokens, and another tenant that sees nothing. */
import assert from 'node:assert/strict';
import type { FileGrantId, FileId, FolderId, GroupId } from '../../../domain/files/ids';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { describedOnly } from '../../../infra/server/http/routing/route';
import { fileRoutes } from '../../../read-api/files/routes';
import { chunkOf, versionOf } from '../../support/retrieval/file-history';
import { reader } from '../../support/retrieval/memory-stage';
import { openRetrievalStage, type RetrievalStage } from '../../support/retrieval/retrieval-stage';

interface Found {
  readonly results: readonly {
    readonly fileId: string;
    readonly filename: string;
    readonly snippet: string;
    readonly citation: { readonly pageNumber?: number };
  }[];
  readonly degraded: readonly string[];
}

const ada = reader('ada');
const ben = reader('ben');
const stranger = reader('ada', 'other');

describe('retrieval on real stores', function () {
  this.timeout(120_000);
  let stage: RetrievalStage;
  const notice = { content: 'The notice period is three months.', headings: ['Termination'] };

  before(async () => {
    stage = await openRetrievalStage();
    await stage.access(
      {
        type: 'FolderCreated',
        data: {
          folderId: 'contracts' as FolderId,
          name: 'Contracts',
          parentFolderId: null,
          ownerId: 'ada' as PrincipalId,
        },
      },
      {
        type: 'GrantAdded',
        data: {
          grantId: 'g1' as FileGrantId,
          resourceType: 'folder',
          resourceId: 'contracts',
          principalType: 'user',
          principalId: 'ben',
          role: 'viewer',
          grantedBy: 'ada' as PrincipalId,
        },
      },
      {
        type: 'GroupCreated',
        data: { groupId: 'legal' as GroupId, name: 'Legal', createdBy: 'ada' as PrincipalId },
      },
    );
    await stage.register('ben');
    await stage.addFile('lease', ['Rent is due monthly.', notice], { folderId: 'contracts' });
    await stage.addFile('garage', ['An automobile stands in the garage.'], { name: 'Garage plan.pdf' });
    await stage.createFile('note', { name: 'Insurance.txt' });
    await stage.completeUpload('note');
    await stage.ingest('note', { chunks: ['Insurances are paid yearly.'], model: null });
    const coders = stage.historyOf('coders');
    await coders.addFile('code', ['def exponential_backoff(attempt): return base.delay'], { name: 'retry.py' });
    await coders.addFile('budget', ['The desks cost 12,750 euros.'], { name: 'Budget.csv' });
    const other = stage.historyOf('other');
    await other.addFile('theirs', ['The notice period of another tenant.']);
    await stage.untilVisible();
  });
  after(() => stage.close());

  const find = async (body: object, identity = ada): Promise<Found> => {
    const answer = await stage.call(identity, '/v1/retrieval/search', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const filesOf = ({ results }: Found) => results.map(({ fileId }) => fileId);

  it('finds by stems of words, by headings, and by names of files', async () => {
    const [first] = (await find({ query: 'noticed months', mode: 'keyword' })).results;
    assert.deepEqual(
      [first?.fileId, first?.filename, first?.snippet, first?.citation.pageNumber],
      ['lease', 'Lease 2026.pdf', notice.content, 2],
    );
    assert.deepEqual(filesOf(await find({ query: 'terminate', mode: 'keyword' })), ['lease']);
    assert.deepEqual(filesOf(await find({ query: 'plans', mode: 'keyword' })), ['garage']);
  });

  it('finds parts of names in code and of files, and numbers as they are written', async () => {
    const words = (query: string) => find({ query, mode: 'keyword' }, reader('ada', 'coders')).then(filesOf);
    assert.deepEqual(await words('backoff'), ['code']);
    assert.deepEqual(await words('exponential_backoff'), ['code']);
    assert.deepEqual(await words('retry.py'), ['code']);
    assert.deepEqual(await words('12,750'), ['budget']);
    assert.deepEqual(await words('12'), []);
  });

  it('finds phrases in quotes as they stand, and leaves out what is excluded', async () => {
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      const files = (query: string) => find({ query, mode }).then(filesOf);
      assert.deepEqual(await files('"notice period is" months'), ['lease'], mode);
      assert.deepEqual(await files('"notice periods"'), [], mode);
      assert.deepEqual(await files('"period notice"'), [], mode);
      assert.deepEqual(await files('"the garage"'), ['garage'], mode);
      assert.deepEqual(await files('"the garage" -automobiles'), [], mode);
    }
    const coders = await find({ query: '"exponential backoff"', mode: 'keyword' }, reader('ada', 'coders'));
    assert.deepEqual(filesOf(coders), ['code']);
  });

  it('finds by vectors, with the filter inside, and says what has none', async () => {
    const semantic = await find({ query: 'car', mode: 'semantic' });
    assert.deepEqual([semantic.results[0]?.fileId, semantic.degraded], ['garage', []]);
    assert.deepEqual(filesOf(await find({ query: 'car', mode: 'semantic', topK: 1 }, ben)), ['lease']);
    const hybrid = await find({ query: 'insurance', topK: 1 });
    assert.deepEqual([filesOf(hybrid), hybrid.degraded], [['note'], ['semantic']]);
  });

  it('takes the words of a query as words, and refuses what is none', async () => {
    const long = 'notice '.repeat(571).trim();
    assert.equal(filesOf(await find({ query: long, mode: 'keyword' }))[0], 'lease');
    assert.deepEqual(filesOf(await find({ query: '"*:* OR', mode: 'keyword' })), []);
    for (const body of [
      {},
      { query: '' },
      { query: 'x'.repeat(4_001) },
      { query: 'x', topK: 0 },
      { query: 'x', topK: 101 },
      { query: 'x', mode: 'magic' },
      { query: 'x', scope: { fileIds: 'lease' } },
    ])
      assert.equal((await stage.call(ada, '/v1/retrieval/search', body)).status, 400, JSON.stringify(body));
  });

  it('lists what is shared, with names that are sealed at rest', async () => {
    const list = async (identity = ada, query = '') => {
      const { status, body } = await stage.call(identity, `/v1/files${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return (body as { readonly items: readonly { fileId: string; filename: string; status: string }[] }).items;
    };
    assert.deepEqual(
      (await list()).map(({ fileId, filename, status }) => [fileId, filename, status]),
      [
        ['note', 'Insurance.txt', 'PARTIALLY_READY'],
        ['garage', 'Garage plan.pdf', 'READY'],
        ['lease', 'Lease 2026.pdf', 'READY'],
      ],
    );
    assert.deepEqual(
      (await list(ben)).map(({ fileId }) => fileId),
      ['lease'],
    );
    assert.deepEqual(
      (await list(ada, '?status=PARTIALLY_READY')).map(({ fileId }) => fileId),
      ['note'],
    );
    assert.deepEqual(
      (await list(ada, '?top=true')).map(({ fileId }) => fileId),
      ['note', 'garage'],
    );
  });

  const { chunkId } = chunkOf(versionOf('lease'), notice, 1);
  const targets = {
    getFile: '/v1/files/lease',
    getFileStatus: '/v1/files/lease/status',
    listFileVersions: '/v1/files/lease/versions',
    getFileContent: '/v1/files/lease/content',
    getFileChunk: `/v1/files/lease/chunks/${chunkId}`,
    getFileAccess: '/v1/files/lease/access',
    listFileChunks: `/v1/files/lease/chunks?around=${chunkId}`,
  };
  const folderTargets = {
    getFileFolder: '/v1/file-folders/contracts',
    getFileFolderAccess: '/v1/file-folders/contracts/access',
  };
  const lists = { listFiles: '/v1/files', listFileFolders: '/v1/file-folders', listFileGroups: '/v1/file-groups' };

  it('serves each route of a file to who may see it, and to others as what never was', async () => {
    for (const [operation, target] of Object.entries(targets)) {
      for (const identity of [ada, ben]) {
        const answer = await stage.call(identity, target);
        assert.equal(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`);
      }
      const never = await stage.call(ada, target.replace('/lease', '/never'));
      assert.equal(never.status, 404, operation);
      for (const identity of [stranger, reader('cem')]) assert.deepEqual(await stage.call(identity, target), never);
    }
  });

  it('serves each route of a folder to who may see it, and to others as what never was', async () => {
    for (const [operation, target] of Object.entries(folderTargets)) {
      for (const identity of [ada, ben]) {
        const answer = await stage.call(identity, target);
        assert.equal(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`);
      }
      const never = await stage.call(ada, target.replace('/contracts', '/never'));
      assert.equal(never.status, 404, operation);
      for (const identity of [stranger, reader('cem')]) assert.deepEqual(await stage.call(identity, target), never);
    }
  });

  it('names folders and groups, which are sealed at rest', async () => {
    const items = async (target: string, identity = ada) =>
      ((await stage.call(identity, target)).body as { readonly items: readonly { readonly name: string }[] }).items;
    const names = async (target: string, identity = ada) => (await items(target, identity)).map(({ name }) => name);
    assert.deepEqual(await names(lists.listFileFolders), ['Contracts']);
    assert.deepEqual(await names(`${lists.listFileFolders}?top=true`, ben), ['Contracts']);
    assert.deepEqual(await names(lists.listFileGroups, ben), ['Legal']);
    assert.deepEqual(await names(`${lists.listFileFolders}?trashed=true`), []);
    const group = await stage.call(ada, '/v1/file-groups/legal');
    assert.deepEqual(group.status, 200);
    const never = await stage.call(ada, '/v1/file-groups/never');
    assert.equal(never.status, 404);
    assert.deepEqual(await stage.call(stranger, '/v1/file-groups/legal'), never);
    for (const target of [lists.listFileFolders, lists.listFileGroups])
      assert.deepEqual(await names(target, stranger), [], target);
  });

  it('shows another tenant nothing, by any route', async () => {
    const everything = { query: 'notice period', scope: { fileIds: ['lease', 'garage'], folderIds: ['contracts'] } };
    assert.deepEqual((await find(everything, stranger)).results, []);
    assert.deepEqual(filesOf(await find({ query: 'notice period' }, stranger)), ['theirs']);
    const answered = await stage.call(stranger, '/v1/retrieval/answer', {
      question: 'How long is the notice period?',
      scope: everything.scope,
    });
    assert.equal((answered.body as { readonly answer: string | null }).answer, null);
    const { body } = await stage.call(stranger, '/v1/files');
    assert.deepEqual(
      (body as { readonly items: readonly { fileId: string }[] }).items.map(({ fileId }) => fileId),
      ['theirs'],
    );
    for (const target of ['/v1/file-people?principalIds=ben', '/v1/file-people?q=ben', '/v1/file-deletions'])
      assert.deepEqual(((await stage.call(stranger, target)).body as { readonly items: unknown }).items, [], target);
    assert.equal((await stage.call(stranger, '/v1/files/lease/deletion')).status, 404);
    const administrator = { ...stranger, scopes: ['files:admin'] };
    for (const type of ['file', 'folder']) {
      const orphans = (await stage.call(administrator, `/v1/file-orphans?type=${type}`)).body;
      assert.deepEqual((orphans as { readonly items: unknown }).items, []);
    }
    const deletions = ['getFileDeletion', 'listFileDeletions'];
    const others = [
      'answerQuestion',
      'explainFileAccess',
      'getFileGroup',
      'getFileUsage',
      'listFileOrphans',
      'listFilePeople',
      'searchFiles',
      ...deletions,
    ];
    const tested = [...Object.keys({ ...targets, ...folderTargets, ...lists }), ...others];
    assert.deepEqual(
      fileRoutes(describedOnly)
        .map(({ operation }) => operation)
        .toSorted(),
      tested.toSorted(),
    );
  });

  it('needs the scope of the token, for each route', async () => {
    const without = { ...ada, scopes: ['files:write'] };
    for (const target of Object.values({
      ...targets,
      ...folderTargets,
      ...lists,
      getFileGroup: '/v1/file-groups/legal',
    }))
      assert.equal((await stage.call(without, target)).status, 403, target);
    assert.equal((await stage.call(without, '/v1/retrieval/search', { query: 'notice' })).status, 403);
  });

  it('explains to administrators of the tenant alone, without names and content', async () => {
    const administrator = { ...reader('root'), scopes: ['files:admin'] };
    const target = '/v1/files/lease/explain?principalId=ben';
    const { status, body } = await stage.call(administrator, target);
    assert.equal(status, 200, JSON.stringify(body));
    const { isVisible, reason, role } = body as { isVisible: boolean; reason: string; role: string };
    assert.deepEqual([isVisible, reason, role], [true, 'granted', 'viewer']);
    const unknown = await stage.call(administrator, '/v1/files/lease/explain?principalId=never');
    assert.equal((unknown.body as { reason: string }).reason, 'principal_unknown');
    for (const text of ['notice', 'Lease', 'Contracts']) assert.ok(!JSON.stringify(body).includes(text), text);
    assert.equal((await stage.call(ada, target)).status, 403);
    const elsewhere = { ...reader('root', 'other'), scopes: ['files:admin'] };
    const never = await stage.call(administrator, '/v1/files/never/explain?principalId=ben');
    assert.deepEqual([(await stage.call(elsewhere, target)).body, never.status], [never.body, 404]);
  });

  it('forgets what was revoked, moved and withdrawn', async () => {
    const query = { query: 'notice period', mode: 'keyword' };
    assert.deepEqual(filesOf(await find(query, ben)), ['lease']);
    await stage.access({ type: 'FileMoved', data: { fileId: 'lease' as FileId, folderId: null } });
    assert.deepEqual((await find(query, ben)).results, []);
    await stage.access({ type: 'FileMoved', data: { fileId: 'lease' as FileId, folderId: 'contracts' as FolderId } });
    assert.deepEqual(filesOf(await find(query, ben)), ['lease']);
    await stage.access({ type: 'GrantRevoked', data: { grantId: 'g1' as FileGrantId } });
    assert.deepEqual((await find(query, ben)).results, []);
  });
});
