import { deepEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  contextServices,
  macKeyVariable,
  portVariable,
  systemServices,
  urlVariable,
} from '../../infra/server/services';

const root = join(__dirname, '..', '..');
const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'src'));
const sources = ['infra', 'commands', 'projections', 'read-api', ...packages].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8')),
);
const document = readFileSync(join(root, 'docs/operations.md'), 'utf8');

/** Read by what starts us, not by us. */
const foreign = new Set(['PATH']);

/** `variables.X`, `process.env.X`, `env.X`, and `X: codec` in the value that a main decodes its environment with. */
const readBy = (source: string): readonly string[] => {
  const named = [...source.matchAll(/\b(?:variables|env)\.([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name);
  const decoded = [...source.matchAll(/^\s+([A-Z][A-Z0-9_]+): (?:optional|orElse|variables|anyText|\w+Text)\b/gm)];
  return [...named, ...decoded.map(([, name = '']) => name)];
};

/** Their names follow from the services. */
const derived = [
  ...systemServices.filter(({ name }) => name !== 'gateway').map(({ name }) => portVariable(name)),
  ...systemServices.filter(({ hasMacKey }) => hasMacKey).map(({ name }) => macKeyVariable(name)),
  ...contextServices.flatMap(({ name, secrets }) => [urlVariable(name), ...secrets.map(({ variable }) => variable)]),
];

const variablesOf = (table: string): ReadonlySet<string> =>
  new Set([...table.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name));

describe('the page for operators', () => {
  const read = new Set([...sources.flatMap(readBy), ...derived]);
  const [, environment = ''] = /## Environment\n([\s\S]*?)\n## /.exec(document) ?? [];

  it('names every variable that a process or a tool reads', () => {
    const known = variablesOf(environment);
    deepEqual(
      [...read].filter((name) => !known.has(name) && !foreign.has(name)),
      [],
    );
  });

  it('documents no unused variables', () => {
    const all = sources.join('\n');
    deepEqual(
      [...variablesOf(environment)].filter(
        (name) => !all.includes(name) && !derived.includes(name.replace(/_FILE$/, '')),
      ),
      [],
    );
  });
});
