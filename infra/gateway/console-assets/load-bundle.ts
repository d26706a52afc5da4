/** Loads the console from our bundle, or bundles the sources in a checkout. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import { ownBundle } from '../../server/bundle/entry-path';
import type * as WebBundle from './bundle';

type Bundle = WebBundle.Bundle;

const entryFilesName = 'begin.json';

export const writeBundle = ({ begin, assets }: Bundle, directory: string): void => {
  mkdirSync(directory, { recursive: true });
  for (const { name, content } of assets) writeFileSync(join(directory, name), content);
  writeFileSync(join(directory, entryFilesName), `${JSON.stringify(begin)}\n`);
};

const readBundle = (directory: string): Bundle => {
  const names = readdirSync(directory).filter((name) => name !== entryFilesName);
  const begin = JSON.parse(readFileSync(join(directory, entryFilesName), 'utf8')) as Bundle['begin'];
  return { begin, assets: names.map((name) => ({ name, content: readFileSync(join(directory, name)) })) };
};

const root = join(__dirname, '..', '..', '..');

/** Left: why the console is unavailable; the gateway works without it. */
export const loadBundle = (): Either<string, Bundle> => {
  try {
    if (ownBundle !== undefined) return right(readBundle(join(ownBundle, 'read-api', 'web', 'assets')));
    // Loaded lazily: a bundle needs no esbuild.
    const { bundleConsole, consoleSourcesIn } = require('./bundle') as typeof WebBundle;
    return right(bundleConsole(consoleSourcesIn(root)));
  } catch (error) {
    return left(error instanceof Error ? error.message : String(error));
  }
};
