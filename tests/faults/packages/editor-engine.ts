/** `@septet/editor` where it is installed, with an owner that knows no rules. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { nodeTypesOptions, typeErrors } from '../../support/runner/type-errors';
import type { Installation } from './install';

/** A document owner that commits every operation unchanged. Offline, edits wait. */
const owner = `
let version = 0;
const transport = (isUp) => ({
  fetch: async () => new Uint8Array(),
  open: (documentId, { onOpen, onMessage, onClose }) => {
    setTimeout(() => (isUp ? onOpen() : onClose({ code: 0, reason: '' })), 5);
    const reply = (message) => setTimeout(() => onMessage(JSON.stringify(message)), 1);
    const receive = ({ type, operations, clientSeq }) => {
      if (type === 'join') return reply({ type: 'joined', documentId, clientId: 'c000000001', connectionId: 'n', role: 'editor',
        title: '', committedVersion: version, lastClientSeq: 0, schemaVersion: 1 });
      if (type !== 'operations') return;
      const fromVersion = version + 1;
      version += operations.length;
      reply({ type: 'operations', fromVersion, toVersion: version, operations });
      reply({ type: 'ack', clientSeq, committedVersion: version, opIds: operations.map(({ opId }) => opId), results: [] });
    };
    return { send: (text) => receive(JSON.parse(text)), close: () => undefined };
  },
});
const saved = (engine) => new Promise((resolve) => {
  const look = () => (engine.state().kind === 'saved' ? resolve() : undefined);
  engine.on(look);
  look();
});
const document = { documentId: 'd-1', userId: 'ann', platform: defaultPlatform() };
const main = async () => {
  const store = await openFileStore(process.env.DIRECTORY);
  const engine = await openEngine({ ...document, transport: transport(process.env.IS_UP === '1'), store });
  if (process.env.IS_UP === '1') {
    await saved(engine);
    const { ids } = engine.create([{ type: 'text', text: 'abc' }]);
    engine.type(ids[0], (text) => text.insert(3, 'd'));
    await saved(engine);
  } else engine.set(engine.children(null), { set: { fill: 'red' } });
  await engine.whenStored();
  const [id] = engine.children(null);
  console.log(JSON.stringify([engine.state().kind, engine.state().version, engine.state().pending, engine.text(id), engine.node(id).properties]));
  await engine.close();
  process.exit(0);
};
main();
`;
const names = '{ openEngine, defaultPlatform }';
const files = {
  'use.mjs': `import ${names} from '@septet/editor';\nimport { openFileStore } from '@septet/editor/node';\n${owner}`,
  'use.cjs': `const ${names} = require('@septet/editor');\nconst { openFileStore } = require('@septet/editor/node');\n${owner}`,
  'good.mts': `import type { Engine, EngineState } from '@septet/editor';
import { openEditor } from '@septet/editor/node';
const editor: Engine = await openEditor({ baseUrl: '', documentId: 'd', userId: 'u', token: () => undefined });
export const state: EngineState['kind'] = editor.state().kind;
const [id] = editor.create([{ type: 'rect', properties: { fill: 'red' } }]).ids;
if (id !== undefined) editor.transform({ [id]: [1, 0, 0, 1, 0, 0] });\n`,
  'bad.mts': `import { openEditor } from '@septet/editor/node';
await openEditor({ baseUrl: '', documentId: 'd' });\n`,
};

export const describeEditor = (installed: () => Installation): Mocha.Suite =>
  describe('the editor', () => {
    let directory: string;
    before(() => {
      directory = installed().directoryFor('editor', files);
    });

    for (const file of ['use.mjs', 'use.cjs'])
      it(`is used by ${file}, and keeps what was edited without a connection`, () => {
        const data = installed().dataFor(`editor-${file}`);
        const run = (isUp: string): unknown => {
          const env = { ...process.env, DIRECTORY: data, IS_UP: isUp };
          return JSON.parse(execFileSync(process.execPath, [file], { cwd: directory, env, encoding: 'utf8' }));
        };
        assert.deepEqual(run('1'), ['saved', 2, 0, 'abcd', {}]);
        assert.deepEqual(run('0'), ['offline', 2, 1, 'abcd', { fill: 'red' }]);
      });

    it('has types, which require whose edits they are', () => {
      const [first = '', ...more] = typeErrors(
        directory,
        ['good.mts', 'bad.mts'],
        ['--skipLibCheck', '--target', 'es2023', ...nodeTypesOptions()],
      );
      assert.match(first, /^bad\.mts\(2,\d+\): error TS2739: .* is missing the following .*: token, userId/);
      assert.deepEqual(more, []);
    });
  });
