/** Races of each way to take a file away with searches, answers, chunks and lists of that file, many times, on real stores. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileAccessEvent } from '../../../domain/files/access/events';
import type { FileGrantId, FileId, FolderId, GroupId } from '../../../domain/files/ids';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore } from '../../../infra/ports/event-store';
import { chunkOf, versionOf } from '../../support/retrieval/file-history';
import { reader } from '../../support/retrieval/memory-stage';
import { openRetrievalStage, type RetrievalStage } from '../../support/retrieval/retrieval-stage';

/** Of each way, while views follow and again while they stand still: 1,000 in all. */
export const rounds = Number(process.env.RETRIEVAL_RACES ?? 500);
/** Files of each way that race at once, each by turns. */
const lanes = 2;
const ben = reader('ben');

type Change = readonly FileAccessEvent[];
interface Way {
  /** What ben has before each round, and what takes it away. */
  readonly grant: (file: RacedFile, round: number) => Change;
  readonly withdraw: (file: RacedFile, round: number) => Change;
  /** Where the file lies; left out, in `shared`. */
  readonly folderOf?: (lane: number, round: number) => FolderId | null;
  /** The file is never given again: each round has one of its own. */
  readonly isFinal?: true;
}
interface RacedFile {
  readonly fileId: FileId;
  readonly lane: number;
  readonly folderId: FolderId | null;
}

const shared = 'shared' as FolderId;
/** Each lane has a group with a folder of its own, and a folder that is trashed, so that a change takes away one file. */
const teamOf = (lane: number) => `team-${lane}` as GroupId;
const teamFolderOf = (lane: number) => `team-folder-${lane}` as FolderId;
const drawerOf = (lane: number) => `drawer-${lane}` as FolderId;
/** So few that one page lists all files of a folder. */
const batchSize = 20;
const batchOf = (round: number) => `batch-${Math.floor(round / batchSize)}` as FolderId;
const grantOf = ({ fileId }: RacedFile, round: number) => `${fileId}-${round}` as FileGrantId;
const hiding = (reason: 'trashed' | 'quarantined'): Way => ({
  grant: ({ fileId }) => [{ type: 'FileRevealed', data: { fileId, reason } }],
  withdraw: ({ fileId }) => [{ type: 'FileHidden', data: { fileId, reason } }],
});

const ways: { readonly [name: string]: Way } = {
  'a grant is revoked': {
    folderOf: () => null,
    grant: (file, round) => [
      {
        type: 'GrantAdded',
        data: {
          grantId: grantOf(file, round),
          ...{ resourceType: 'file', resourceId: file.fileId, principalType: 'user', principalId: 'ben' },
          ...{ role: 'viewer', grantedBy: 'ada' as PrincipalId },
        },
      },
    ],
    withdraw: (file, round) => [{ type: 'GrantRevoked', data: { grantId: grantOf(file, round) } }],
  },
  'a member leaves a group': {
    folderOf: teamFolderOf,
    grant: ({ lane }) => [
      { type: 'GroupMemberAdded', data: { groupId: teamOf(lane), principalId: 'ben' as PrincipalId } },
    ],
    withdraw: ({ lane }) => [
      { type: 'GroupMemberRemoved', data: { groupId: teamOf(lane), principalId: 'ben' as PrincipalId } },
    ],
  },
  'a file is moved': {
    folderOf: () => null,
    grant: ({ fileId }) => [{ type: 'FileMoved', data: { fileId, folderId: shared } }],
    withdraw: ({ fileId }) => [{ type: 'FileMoved', data: { fileId, folderId: null } }],
  },
  'its folder is trashed': {
    folderOf: drawerOf,
    grant: ({ lane }) => [{ type: 'FolderRestored', data: { folderId: drawerOf(lane) } }],
    withdraw: ({ lane }) => [{ type: 'FolderTrashed', data: { folderId: drawerOf(lane) } }],
  },
  'a file is trashed': hiding('trashed'),
  'a file is quarantined': hiding('quarantined'),
  'a file is deleted': {
    isFinal: true,
    folderOf: (_, round) => batchOf(round),
    grant: () => [],
    withdraw: ({ fileId }) => [{ type: 'FileHidden', data: { fileId, reason: 'deleted' } }],
  },
};
const entries = Object.entries(ways);
const eachLane = Array.from({ length: lanes }, (_, lane) => lane);

const passageOf = (fileId: string) => `The saffron passage of ${fileId} is confidential.`;

/** Reads take as long as those of a node that is elsewhere: each another time. */
const withLatency = (store: EventStore): EventStore => ({
  ...store,
  read: async (...request) => {
    await sleep(Math.random() * 2);
    const events = await store.read(...request);
    await sleep(Math.random() * 2);
    return events;
  },
});

/** For the file of tests that calls it. */
export const useRaces = () => {
  let stage: RetrievalStage;

  const folder = (folderId: string): FileAccessEvent => ({
    type: 'FolderCreated',
    data: { folderId: folderId as FolderId, name: folderId, parentFolderId: null, ownerId: 'ada' as PrincipalId },
  });
  const granted = (folderId: string, principalType: 'user' | 'group', principalId: string): FileAccessEvent => ({
    type: 'GrantAdded',
    data: {
      grantId: `g-${folderId}` as FileGrantId,
      ...{ resourceType: 'folder', resourceId: folderId, principalType, principalId, role: 'viewer' },
      grantedBy: 'ada' as PrincipalId,
    },
  });

  before(async () => {
    stage = await openRetrievalStage(undefined, { plain: withLatency(openMemoryEventStore()) });
    await stage.access(folder(shared), granted(shared, 'user', 'ben'));
    for (const lane of eachLane)
      await stage.access(
        ...[folder(drawerOf(lane)), folder(teamFolderOf(lane))],
        { type: 'GroupCreated', data: { groupId: teamOf(lane), name: 'Team', createdBy: 'ada' as PrincipalId } },
        granted(drawerOf(lane), 'user', 'ben'),
        granted(teamFolderOf(lane), 'group', teamOf(lane)),
      );
    for (let round = 0; round < rounds; round += batchSize)
      await stage.access(folder(batchOf(round)), granted(batchOf(round), 'user', 'ben'));
  });
  after(() => stage.close());

  const scoped = (fileId: string, mode: string) =>
    stage.call(ben, '/v1/retrieval/search', { query: 'saffron passage', mode, scope: { fileIds: [fileId] } });
  const chunkIdOf = (fileId: string) => chunkOf(versionOf(fileId), { content: passageOf(fileId) }, 0).chunkId;
  const requests = ({ fileId, folderId }: RacedFile): readonly (() => Promise<{ status: number; body: unknown }>)[] => [
    () => scoped(fileId, 'keyword'),
    () => scoped(fileId, 'semantic'),
    () => stage.call(ben, '/v1/retrieval/search', { query: `passage of ${fileId}`, mode: 'hybrid', topK: 20 }),
    () => stage.call(ben, `/v1/files/${fileId}/chunks/${chunkIdOf(fileId)}`),
    () => stage.call(ben, `/v1/files/${fileId}/status`),
    () => stage.call(ben, `/v1/files/${fileId}/chunks`),
    () => stage.call(ben, '/v1/retrieval/answer', { question: `Which passage of ${fileId} is confidential?` }),
    // A file that no folder leads to is among the newest.
    () => stage.call(ben, folderId === null ? '/v1/files?limit=50' : `/v1/files?limit=50&folderId=${folderId}`),
  ];
  const sees = ({ body }: { readonly body: unknown }, fileId: string): boolean => {
    const text = JSON.stringify(body);
    return text.includes(passageOf(fileId)) || text.includes(`"fileId":"${fileId}"`);
  };

  /** The file of a round: one for each lane, or one for each round. */
  const racedFile = (prefix: string, way: number, round: number): RacedFile => {
    const [, { isFinal, folderOf = () => shared }] = entries[way] as (typeof entries)[number];
    const lane = round % lanes;
    const fileId = `${prefix}-${way}-${isFinal === true ? round : lane}` as FileId;
    return { fileId, lane, folderId: folderOf(lane, round) };
  };

  /** Of a machine that is busy: nothing is shown, and nothing is proven. */
  const isOutage = ({ status, body }: { readonly status: number; readonly body: unknown }): boolean =>
    status === 503 && (body as { readonly code: string }).code === 'view-store-unavailable';
  let outages = 0;

  /** The request that saw the file before, by its place in `requests`. */
  const race = async (way: number, round: number, prefix: string): Promise<number | undefined> => {
    const [name, { grant, withdraw }] = entries[way] as (typeof entries)[number];
    const file = racedFile(prefix, way, round);
    const all = requests(file);
    /** Each lane sends each of them, before and after. */
    const indexOf = (number: number) => (Math.floor(round / lanes) + number) % all.length;
    const send = (number: number) => (all[indexOf(number)] as (typeof all)[number])();
    const change = grant(file, round);
    if (change.length > 0) await stage.access(...change);
    const racing = send(0);
    // Half of the rounds first see the file, in the others it is withdrawn in the middle of reads.
    const isVisible = Math.floor(round / lanes / all.length) % 2 === 0 && sees(await racing, file.fileId);
    await stage.access(...withdraw(file, round));
    for (const answer of await Promise.all([send(1), send(3)])) {
      if (isOutage(answer)) outages += 1;
      else assert.ok(answer.status === 200 || answer.status === 404, `${answer.status} ${JSON.stringify(answer.body)}`);
      assert.ok(!sees(answer, file.fileId), `${name}, round ${round}: ${JSON.stringify(answer.body)}`);
    }
    await racing;
    return isVisible ? indexOf(0) : undefined;
  };

  const raceAll = async (prefix: string): Promise<void> => {
    const sights = entries.map(() => new Set<number>());
    const raceLane = async (way: number, lane: number): Promise<void> => {
      for (let round = lane; round < rounds; round += lanes) {
        const saw = await race(way, round, prefix);
        if (saw !== undefined) sights[way]?.add(saw);
      }
    };
    await Promise.all(entries.flatMap((_, way) => eachLane.map((lane) => raceLane(way, lane))));
    assert.ok(outages < rounds / 10, `${outages} answers were outages`);
    // What a request had not shown before, it could not have shown after.
    const each = requests(racedFile(prefix, 0, 0)).map((_, index) => index);
    for (const [way, [name]] of entries.entries())
      assert.deepEqual([...(sights[way] ?? [])].toSorted(), each, `${name}: requests that saw the file before`);
  };

  const prepare = async (prefix: string): Promise<void> => {
    const files = entries.flatMap(([, { isFinal }], way) =>
      Array.from({ length: isFinal === true ? rounds : lanes }, (_, round) => racedFile(prefix, way, round)),
    );
    // Those of the last way first, so that the others are the newest.
    for (let from = files.length; from > 0; from -= batchSize)
      await Promise.all(
        files
          .slice(Math.max(0, from - batchSize), from)
          .map(({ fileId, folderId }) => stage.addFile(fileId, [passageOf(fileId)], { folderId })),
      );
    await stage.untilVisible(300_000);
  };

  /** As workers do it that have nothing else to do: more often would only wait for the index. */
  const indexUntil = async (prefix: string, ending: AbortSignal): Promise<void> => {
    while (!ending.aborted)
      for (const [way, [, { isFinal }]] of entries.entries()) {
        const { fileId } = racedFile(prefix, way, Math.floor(Math.random() * lanes));
        if (isFinal !== true) await stage.indexChunks(fileId, { chunks: [passageOf(fileId)] });
        await sleep(50);
      }
  };

  return {
    prepare,
    raceAll,
    indexUntil,
    stopProjector: () => stage.stopProjector(),
    logLines: () => JSON.stringify(stage.log.lines),
  };
};
