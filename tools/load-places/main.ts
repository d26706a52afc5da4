/** `npm run places:load`: imports the world's towns, and made-up places around them, into a tenant of a running system. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../infra/server/runtime/command-line';
import { type Parsed, tool } from '../../packages/command-line/src/index';
import { importFile, writeLines } from './import-file';
import { attribution, type PlaceLine, realPlaces } from './real-places';
import { syntheticPlaces } from './synthetic-places';

export const program = tool({
  name: 'npm run places:load --',
  about: "Imports the world's towns, and made-up places around them, into a tenant of a running system.",
  options: {
    url: { type: 'string', value: 'URL', required: true, about: 'the address of the system, as http://localhost:7070' },
    towns: {
      type: 'string',
      value: 'N',
      default: '1000000',
      about: "how many of the world's 171,075 towns, from the first one on; 0: none",
    },
    synthetic: { type: 'string', value: 'N', default: '0', about: 'how many made-up places, drawn by population' },
    seed: { type: 'string', value: 'N', default: '1', about: 'the same seed makes the same places' },
    version: {
      type: 'string',
      value: 'N',
      about: 'the version of all places (default: this moment, so that everything is recorded again)',
    },
  },
  notes: ['Set CLIENT_ID and CLIENT_SECRET to those of a pipeline with the scope places:write.'],
});

type Options = Parsed<typeof program>['options'];

const exitWith = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

const wholeNumber = (name: string, value: string): number => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : exitWith(`--${name} must be a whole number.`);
};

/** A token is requested again before it expires. */
const openTokens = (url: string): (() => Promise<string>) => {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
  if (clientId === undefined || clientSecret === undefined)
    return exitWith('CLIENT_ID and CLIENT_SECRET are missing: set those of a pipeline with the scope places:write.');
  let known = { token: '', until: 0 };
  return async () => {
    if (known.until > Date.now()) return known.token;
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        scope: 'places:write',
      }),
    });
    if (!answer.ok) return exitWith(`No token was given: ${answer.status} ${await answer.text()}`);
    const { access_token: token, expires_in: seconds } = (await answer.json()) as {
      readonly access_token: string;
      readonly expires_in: number;
    };
    known = { token, until: Date.now() + seconds * 500 };
    return token;
  };
};

const load = async (values: Options): Promise<void> => {
  const url = values.url.replace(/\/$/, '');
  const [count, synthetic, seed] = [
    wholeNumber('towns', values.towns),
    wholeNumber('synthetic', values.synthetic),
    wholeNumber('seed', values.seed),
  ];
  const version = values.version === undefined ? Date.now() : wholeNumber('version', values.version);
  const api = { url, token: openTokens(url) };
  const directory = await mkdtemp(join(tmpdir(), 'places-'));
  const send = async (source: string, lines: Iterable<PlaceLine>) => {
    const path = join(directory, `${source}.jsonl`);
    const written = await writeLines(path, lines);
    const began = performance.now();
    const onProgress = ({ permille }: { readonly permille: number }) =>
      process.stdout.write(`\r${source}: ${Math.floor(permille / 10)}% of ${written} places`);
    const { status, recorded, unchanged, refused, reason } = await importFile(api, path, {
      source,
      version,
      onProgress,
    });
    const seconds = (performance.now() - began) / 1_000;
    process.stdout.write(
      `\n${source}: ${status} in ${seconds.toFixed(1)} s: ${recorded} recorded, ${unchanged} unchanged, ${refused} refused\n`,
    );
    if (status !== 'completed') exitWith(reason ?? 'The import did not complete.');
  };
  try {
    const towns = realPlaces();
    if (count > 0)
      await send(
        'geonames',
        towns.slice(0, count).map(({ line }) => line),
      );
    if (synthetic > 0) await send('synthetic', syntheticPlaces(towns, { count: synthetic, seed }));
    process.stdout.write(`Towns: ${attribution}.\n`);
  } finally {
    await rm(directory, { recursive: true });
  }
};

if (require.main === module) void load(readArguments(program).options);
