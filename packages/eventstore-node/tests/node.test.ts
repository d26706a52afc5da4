import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import { isLeft } from 'fp-ts/Either';
import { restoreBackup, takeBackup } from '../src/backup/index';
import { appendToDirectory, hasLog, readDirectory } from '../src/directory';
import { type RunningNode, startNode } from '../src/index';
import { exportLog, openServer, toFile } from '../src/transfer/index';

const report = (error: unknown): void => assert.fail(String(error));
const progress = (): void => undefined;

describe('the node, as a library', () => {
  const home = mkdtempSync(join(tmpdir(), 'eventstore-node-'));
  const data = join(home, 'data');
  const serve = async (directory: string): Promise<RunningNode> => {
    const options = { data: directory, certs: undefined, insecureAnywhere: false, host: '127.0.0.1', port: 0, report };
    const node = await startNode(options);
    if (isLeft(node)) throw new Error(node.left);
    return node.right;
  };
  const urlOf = ({ port }: RunningNode): string => `esdb://127.0.0.1:${port}?tls=false`;
  const typesIn = async (node: RunningNode, stream: string): Promise<readonly (string | undefined)[]> => {
    const client = EventStoreDBClient.connectionString(urlOf(node));
    const types: (string | undefined)[] = [];
    for await (const { event } of client.readStream(stream, { fromRevision: START })) types.push(event?.type);
    await client.dispose();
    return types;
  };
  after(() => rmSync(home, { recursive: true, force: true }));

  it('serves the official client, is backed up and exported meanwhile, and refuses a second server', async () => {
    assert.equal(hasLog(data), false);
    const node = await serve(data);
    const client = EventStoreDBClient.connectionString(urlOf(node));
    await client.appendToStream('things-1', [jsonEvent({ type: 'Made', data: {} })], { expectedRevision: NO_STREAM });
    await client.dispose();
    await assert.rejects(() => serve(data), /already serves/);
    const backup = await takeBackup({ data, out: join(home, 'backup'), progress });
    assert.equal(isLeft(backup), false);
    const server = openServer(urlOf(node));
    const file = join(home, 'log.jsonl');
    const wanted = { from: undefined, system: false, progress };
    assert.equal((await toFile(file, (sink) => exportLog(server, sink, wanted))).events, 1);
    await server.close();
    await node.close();
  });

  it('serves a restored backup, with what was appended to its directory', async () => {
    const restored = join(home, 'restored');
    assert.equal(isLeft(await restoreBackup({ from: join(home, 'backup'), data: restored, progress })), false);
    assert.equal(hasLog(restored), true);
    const event = { id: '5e2f9ad6-6a3e-4c0c-9a0b-0d6e0fbb8a11', type: 'Kept', data: {}, metadata: {} };
    assert.equal((await appendToDirectory(restored, 'things-1', [event])).kind, 'appended');
    const node = await serve(restored);
    assert.deepEqual(await typesIn(node, 'things-1'), ['Made', 'Kept']);
    const read: (readonly [type: string, position: number])[] = [];
    await readDirectory(restored, undefined, ({ type, position }) => void read.push([type, position]));
    assert.deepEqual(
      read.map(([type]) => type),
      ['Made', 'Kept'],
    );
    const later: string[] = [];
    await readDirectory(restored, read[0]?.[1], ({ type, stream }) => void later.push(`${stream} ${type}`));
    assert.deepEqual(later, ['things-1 Kept']);
    await node.close();
  });
});
