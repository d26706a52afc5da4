/** The tools take the commands that the documents show. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft } from 'fp-ts/Either';
import {
  type CommandSet,
  type Program,
  parseCommandSet,
  parseTool,
  type Refusal,
} from '../../../packages/command-line/src/index';
import { documentedCommands, expandUsage } from '../../support/documents/documented-commands';
import { entryOf, packageScripts } from '../../support/processes/package-scripts';

const root = join(__dirname, '..', '..', '..');
const documents = [
  'README.md',
  'docker-compose.yml',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [join('docs', name)] : [])),
  ...readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'README.md')),
];

/** Undefined: a script of other people's programs. */
const programOf = (script: string): Program | undefined => {
  const entry = entryOf(script);
  return entry === undefined ? undefined : (require(join(root, entry)) as { readonly program?: Program }).program;
};

const isSet = (program: Program): program is CommandSet => 'commands' in program;

const parse = (program: Program, args: readonly string[]): Either<Refusal, unknown> =>
  isSet(program) ? parseCommandSet(program, args) : parseTool(program, args);

/** Names a command of a tool without its arguments. */
const isReference = (program: Program, usage: string): boolean => {
  if (!isSet(program)) return false;
  const [command = '', ...more] = usage.split(' ');
  if (command === '<command>') return true;
  return Object.hasOwn(program.commands, command) && (more.length === 0 || more.at(-1) === '…');
};

describe('commands in the documents', function () {
  this.timeout(120_000);
  const commands = documents.flatMap((path) =>
    documentedCommands(readFileSync(join(root, path), 'utf8')).map((command) => ({ path, ...command })),
  );

  it('are found, of every tool', () => {
    const named = new Set(commands.map(({ script }) => script));
    for (const script of Object.keys(packageScripts))
      if (!script.startsWith('check:')) assert.ok(named.has(script), `no document names npm run ${script}`);
  });

  it('are scripts of package.json', () => {
    for (const { path, script } of commands)
      assert.ok(script in packageScripts, `${path}: there is no script ${script}`);
  });

  it('are taken by their tools, with every choice and without what may be left out', () => {
    let taken = 0;
    for (const { path, script, usage } of commands) {
      const program = programOf(script);
      if (program === undefined || usage === undefined) continue;
      if (isReference(program, usage)) continue;
      for (const args of expandUsage(usage)) {
        const parsed = parse(program, args);
        if (isLeft(parsed) && parsed.left.code !== 0)
          assert.fail(`${path}: npm run ${script} -- ${usage}\n${parsed.left.text}`);
        taken += 1;
      }
    }
    assert.ok(taken > 60, `only ${taken}`);
  });
});
