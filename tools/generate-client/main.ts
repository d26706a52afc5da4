/** `npm run generate:client` writes what is made of routes and aggregates, for the client, the console, the gateway and approvals; `--check` fails if it is outdated. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayProblems } from '../../infra/gateway/problems';
import { readArguments } from '../../infra/server/runtime/command-line';
import { type Parsed, tool } from '../../packages/command-line/src/index';
import { aggregateIdsFile } from './aggregate-ids';
import { approvableOperationsFile } from './approvable-operations';
import { filesOf } from './render-files';
import { routedPathsFile } from './routed-paths';
import { routesByService, servedRoutes } from './served-document';

const root = join(__dirname, '..', '..');
const directory = join(root, 'packages', 'client', 'src', 'generated');
const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

/** Formats the files, so that the format check passes. */
const formatted = (path: string, content: string): string => {
  const options = ['format', `--stdin-file-path=${path}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, ...options], { input: content });
  if (status !== 0) throw new Error(`biome cannot format ${path}: ${stderr}`);
  return stdout.toString();
};

const current = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

export const program = tool({
  name: 'npm run generate:client --',
  about: 'Writes what is made of routes and aggregates, for the client, the console and the gateway.',
  options: { check: { type: 'boolean', about: 'writes nothing, and fails if it is outdated' } },
});

const main = ({ check: isCheck }: Parsed<typeof program>['options']): void => {
  const served = servedRoutes();
  const ofClient = Object.entries(filesOf(served, Object.keys(gatewayProblems)));
  const files = [
    ...ofClient.map(([name, content]) => ({ path: join(directory, name), content })),
    { path: join(root, 'read-api', 'web', 'references', 'aggregate-ids.ts'), content: aggregateIdsFile() },
    { path: join(root, 'infra', 'gateway', 'routing', 'routed-paths.ts'), content: routedPathsFile(routesByService()) },
    {
      path: join(root, 'commands', 'identity', 'approvals', 'approvable-operations.ts'),
      content: approvableOperationsFile(served),
    },
  ].map(({ path, content }) => ({ path, content: formatted(path, content) }));
  const stale = files.filter(({ path, content }) => current(path) !== content);

  if (!isCheck) for (const { path, content } of stale) writeFileSync(path, content);
  else if (stale.length > 0) {
    process.stderr.write('What is generated is not of these routes and aggregates: run `npm run generate:client`.\n');
    process.exitCode = 1;
  }
};

if (require.main === module) main(readArguments(program).options);
