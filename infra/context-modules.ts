/** What each context brings to one side of the system, found by its place: `<side>/<context>/<file>`. */
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { contexts } from '../domain/contexts';

const root = join(__dirname, '..');

/** The same extension as this file: TypeScript in a checkout, JavaScript in a build. */
const extension = extname(__filename);

/**
 * The export named `context` of each `<side>/<context>/<file>`, in the order of the contexts. A context that brings nothing to that side
 * has no such file. Each file declares its type itself, and a test loads them all.
 */
export const contextModules = <Module>(
  side: 'domain' | 'commands' | 'projections' | 'read-api',
  file: 'aggregates' | 'context' | 'processes' | 'references',
): readonly Module[] =>
  contexts.flatMap(({ name }) => {
    const path = join(root, side, name, `${file}${extension}`);
    if (!existsSync(path)) return [];
    const { context } = require(path) as { readonly context?: Module };
    if (context === undefined) throw new Error(`${side}/${name}/${file} exports no context`);
    return [context];
  });
