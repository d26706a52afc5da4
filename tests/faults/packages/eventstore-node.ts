/** `@septet/eventstore-node` where it is installed: as a library of both kinds, and as a program, for the official client. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import { nodeTypesOptions, typeErrors } from '../../support/runner/type-errors';
import type { Installation } from './install';

/** Serves, appends and reads, copies, serves the copy. */
const use = `
const { data, copy, backup } = JSON.parse(process.env.DIRECTORIES);
const progress = () => undefined;
const rightOf = (either) => { if (either._tag === 'Left') throw new Error(either.left); return either.right; };
const serve = async (directory) => rightOf(await startNode({
  data: directory, certs: undefined, insecureAnywhere: false, host: '127.0.0.1', port: 0, report: console.error,
}));
const clientOf = ({ port }) => EventStoreDBClient.connectionString('esdb://127.0.0.1:' + port + '?tls=false');
const main = async () => {
  const node = await serve(data);
  const client = clientOf(node);
  await client.appendToStream('things-1', jsonEvent({ type: 'Made', data: { of: 'wood' } }), { expectedRevision: NO_STREAM });
  rightOf(await takeBackup({ data, out: backup, progress }));
  await client.dispose();
  await node.close();
  rightOf(await restoreBackup({ from: backup, data: copy, progress }));
  const again = await serve(copy);
  const reader = clientOf(again);
  for await (const { event } of reader.readStream('things-1')) console.log(JSON.stringify([event.type, event.data]));
  await reader.dispose();
  await again.close();
};
main().then(() => process.exit(0));
`;
const files = {
  'use.mjs': `import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { startNode } from '@septet/eventstore-node';
import { restoreBackup, takeBackup } from '@septet/eventstore-node/backup';
${use}`,
  'use.cjs': `const { EventStoreDBClient, jsonEvent, NO_STREAM } = require('@eventstore/db-client');
const { startNode } = require('@septet/eventstore-node');
const { restoreBackup, takeBackup } = require('@septet/eventstore-node/backup');
${use}`,
  'good.mts': `import { type RunningNode, startNode } from '@septet/eventstore-node';
import { appendToDirectory, hasLog } from '@septet/eventstore-node/directory';
const options = { certs: undefined, insecureAnywhere: false, host: '127.0.0.1', port: 0, report: () => undefined };
const started = await startNode({ data: 'log', ...options });
export const node: RunningNode | undefined = started._tag === 'Left' ? undefined : started.right;
export const kind: 'appended' | 'refused' = (await appendToDirectory('log', 's', [])).kind;
export const isThere: boolean = hasLog('log');\n`,
  'bad.mts': `import { startNode } from '@septet/eventstore-node';
await startNode({ data: 'log' });\n`,
};

export const describeEventStoreNode = (installed: () => Installation): Mocha.Suite =>
  describe('the event store’s node', () => {
    let directory: string;
    const children: ChildProcess[] = [];
    before(() => {
      directory = installed().directoryFor('eventstore-node', files);
    });
    after(() => {
      for (const child of children) child.kill('SIGKILL');
    });

    for (const file of ['use.mjs', 'use.cjs'])
      it(`is used by ${file}`, () => {
        const home = installed().dataFor(`eventstore-${file}`);
        const directories = { data: join(home, 'data'), copy: join(home, 'copy'), backup: join(home, 'backup') };
        const env = { ...process.env, DIRECTORIES: JSON.stringify(directories) };
        const out = execFileSync(process.execPath, [file], { cwd: directory, env, encoding: 'utf8' });
        assert.equal(out, '["Made",{"of":"wood"}]\n');
      });

    it('is a program, whose verbs find all that they need', async () => {
      const [data, program] = [
        join(installed().dataFor('eventstore-program'), 'data'),
        installed().program('eventstore-node'),
      ];
      const child = spawn(program, ['serve', '--data', data, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const { listening } = JSON.parse(line.toString()) as { readonly listening: string };
      const client = EventStoreDBClient.connectionString(`esdb://${listening}?tls=false`);
      const made = jsonEvent({ type: 'Made', data: {} });
      await client.appendToStream('things-1', made, { expectedRevision: NO_STREAM });
      const types: unknown[] = [];
      for await (const { event } of client.readStream('things-1', { fromRevision: START })) types.push(event?.type);
      assert.deepEqual(types, ['Made']);
      await client.dispose();
      const run = (...args: readonly string[]): string =>
        execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
      const { verified, events } = JSON.parse(run('verify', '--data', data));
      assert.deepEqual({ verified, events }, { verified: data, events: 2 });
      const exported = run('export', '--url', `esdb://${listening}?tls=false`, '--out', '-').trim().split('\n');
      assert.equal(exported.length, 3);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    });

    it('has types, which require how it is to be served', () => {
      const options = ['--skipLibCheck', '--target', 'es2022', ...nodeTypesOptions()];
      const [first = '', ...more] = typeErrors(directory, ['good.mts', 'bad.mts'], options);
      assert.match(first, /^bad\.mts\(2,\d+\): error TS2739: .* is missing the following properties .*: certs, /);
      assert.deepEqual(more, []);
    });
  });
