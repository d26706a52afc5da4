/** What is taken away is gone with the answer of the request that takes it, through the gateway: searches, answers, lists and downloads of another principal race it. */
import assert from 'node:assert/strict';
import { uploadFile } from '../support/files/upload-file';
import {
  type ClientCredential,
  contentOf,
  issueTokenTo,
  openTenant,
  renewMilliseconds,
  type Tenant,
} from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

/** Of each way; of deletions as many as there are files. */
const rounds = 100;
const deletions = 40;
/** Files of each way that race at once, each by turns. */
const lanes = 4;

interface RacedFile {
  readonly fileId: string;
  /** In its passage, and in no other. */
  readonly word: string;
}

/** Grants the reader access to the file, and returns what takes it away. */
type GrantAccess = (file: RacedFile, lane: number) => Promise<() => Promise<void>>;

const letters = 'bdfgklmnprstvz';
const wordOf = (number: number): string =>
  `quoz${[...String(number)].map((digit) => `${letters[Number(digit)]}${'aeiou'[number % 5]}`).join('')}x`;

describe('what is taken away through the gateway while it is searched', function () {
  this.timeout(1_200_000);
  let system: System;
  let tenant: Tenant;
  let readerId: string;
  let readerCredential: ClientCredential;
  let readerToken: string;
  const ways: { [name: string]: GrantAccess } = {};

  const act = async <Content>(method: string, path: string, body: object = {}): Promise<Content> =>
    contentOf<Content>(tenant.send(method, path, body, await tenant.freshToken()));

  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    ({ principalId: readerId } = await act<{ principalId: string }>('POST', '/v1/principals', {
      principalType: 'PIPELINE',
    }));
    readerCredential = await act('POST', `/v1/principals/${readerId}/credentials`, { scopes: ['files:read'] });
    const folderFor = async (principalType: string, principalId: string): Promise<string> => {
      const { folderId } = await act<{ folderId: string }>('POST', '/v1/file-folders', { name: principalId });
      await act('POST', `/v1/file-folders/${folderId}/grants`, { principalType, principalId, role: 'viewer' });
      return folderId;
    };
    const shared = await folderFor('user', readerId);
    const groups: { readonly groupId: string; readonly folderId: string }[] = [];
    for (let lane = 0; lane < lanes; lane += 1) {
      const { groupId } = await act<{ groupId: string }>('POST', '/v1/file-groups', { name: `Team ${lane}` });
      groups.push({ groupId, folderId: await folderFor('group', groupId) });
    }
    const place = ({ fileId }: RacedFile, folderId: string | null) =>
      act<void>('PUT', `/v1/files/${fileId}/folder`, { folderId });
    Object.assign(ways, {
      'a grant is revoked': async ({ fileId }) => {
        const grant = { principalType: 'user', principalId: readerId, role: 'viewer' };
        const { grantId } = await act<{ grantId: string }>('POST', `/v1/files/${fileId}/grants`, grant);
        return () => act('DELETE', `/v1/files/${fileId}/grants/${grantId}`);
      },
      'a member leaves a group': async (file, lane) => {
        const { groupId, folderId } = groups[lane] as (typeof groups)[number];
        await place(file, folderId);
        const member = `/v1/file-groups/${groupId}/members/${readerId}`;
        await act('PUT', member);
        return () => act('DELETE', member);
      },
      'a file is moved': async (file) => {
        await place(file, shared);
        return () => place(file, null);
      },
      'a file is deleted': async (file) => {
        await place(file, shared);
        return () => act('DELETE', `/v1/files/${file.fileId}`);
      },
    } satisfies { [name: string]: GrantAccess });
  });
  after(() => system.close());

  let uploaded = 0;
  const upload = async (): Promise<RacedFile> => {
    uploaded += 1;
    const word = wordOf(uploaded);
    const content = Buffer.from(`The ${word} of the garden is confidential.\n`);
    const { fileId } = await uploadFile(
      { send: async (method, path, body) => tenant.send(method, path, body, await tenant.freshToken()) },
      { filename: `garden-${uploaded}.txt`, mimeType: 'text/plain', content },
    );
    return { fileId, word };
  };
  const uploadAll = async (count: number): Promise<readonly RacedFile[]> => {
    const files: RacedFile[] = [];
    while (files.length < count) files.push(await upload());
    for (const { fileId } of files)
      await eventually(async () => {
        const status = tenant.read(`/v1/files/${fileId}/status`, { token: await tenant.freshToken() });
        assert.equal((await contentOf<{ status: string }>(status)).status, 'READY');
      });
    return files;
  };

  const post = (path: string, body: object) => () => tenant.send('POST', path, body, readerToken);
  const get = (path: string) => () => tenant.read(path, { token: readerToken });
  const requests = ({ fileId, word }: RacedFile): readonly (() => Promise<Response>)[] => [
    post('/v1/retrieval/search', { query: word, mode: 'keyword', scope: { fileIds: [fileId] } }),
    post('/v1/retrieval/search', { query: `the ${word} of the garden`, mode: 'hybrid' }),
    post('/v1/retrieval/answer', { question: `What of the garden is ${word}?`, scope: { fileIds: [fileId] } }),
    get('/v1/files?limit=100'),
    get(`/v1/files/${fileId}`),
    get(`/v1/files/${fileId}/status`),
    get(`/v1/files/${fileId}/chunks`),
    get(`/v1/files/${fileId}/content`),
  ];
  const answersOf = (file: RacedFile) =>
    Promise.all(
      requests(file).map(async (send) => {
        const answer = await send();
        return { status: answer.status, text: await answer.text() };
      }),
    );
  const sees = ({ fileId, word }: RacedFile, { text }: { readonly text: string }): boolean =>
    text.includes(word) || text.includes(`"fileId":"${fileId}"`);

  /** The requests that saw the file before. */
  const race = async (file: RacedFile, take: () => Promise<void>, waits: boolean): Promise<readonly number[]> => {
    const before = answersOf(file);
    // In half of the rounds it is taken away in the middle of reads.
    if (waits) await before;
    await take();
    for (const [at, answer] of (await answersOf(file)).entries()) {
      assert.ok(answer.status === 200 || answer.status === 404, `${at}: ${answer.status} ${answer.text}`);
      assert.ok(!sees(file, answer), `${at}: ${answer.text}`);
    }
    return (await before).flatMap((answer, at) => (sees(file, answer) ? [at] : []));
  };

  let issuedAt = Number.NEGATIVE_INFINITY;
  const renewToken = async (): Promise<void> => {
    if (performance.now() - issuedAt < renewMilliseconds) return;
    issuedAt = performance.now();
    readerToken = await issueTokenTo(system, readerCredential);
  };

  for (const name of ['a grant is revoked', 'a member leaves a group', 'a file is moved', 'a file is deleted'])
    it(`is in no answer to a request that is sent after it: ${name}`, async () => {
      const isFinal = name === 'a file is deleted';
      const files = await uploadAll(isFinal ? deletions : lanes);
      const sights = new Set<number>();
      const raceLane = async (lane: number): Promise<void> => {
        for (let round = lane; round < (isFinal ? deletions : rounds); round += lanes) {
          const file = files[isFinal ? round : lane] as RacedFile;
          await renewToken();
          const take = await (ways[name] as GrantAccess)(file, lane);
          for (const at of await race(file, take, Math.floor(round / lanes) % 2 === 0)) sights.add(at);
        }
      };
      await Promise.all(Array.from({ length: lanes }, (_, lane) => raceLane(lane)));
      assert.deepEqual([...sights].toSorted(), [0, 1, 2, 3, 4, 5, 6, 7], 'requests that saw a file before');
    });

  it('leaves an address of a download that was given out before for five minutes at most, and no bytes of what is deleted', async () => {
    const [file] = (await uploadAll(1)) as [RacedFile];
    await renewToken();
    await (ways['a file is deleted'] as GrantAccess)(file, 0);
    const { url, expiresAt } = await contentOf<{ url: string; expiresAt: string }>(
      tenant.read(`/v1/files/${file.fileId}/content`, { token: readerToken }),
    );
    assert.ok(Date.parse(expiresAt) - Date.now() <= 300_000, expiresAt);
    assert.ok((await (await fetch(url)).text()).includes(file.word));
    await act('DELETE', `/v1/files/${file.fileId}`);
    await eventually(async () => assert.ok((await fetch(url)).status >= 400));
  });
});
