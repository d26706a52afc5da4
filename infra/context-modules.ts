/** What each context brings to one side of the system, found by its place: `<side>/<context>/<file>`. */
import { extname, join } from 'node:path';
import { contexts } from '../domain/contexts';

const root = join(__dirname, '..');

/** The same extension as this file: TypeScript in a checkout, JavaScript in a build. */
const extension = extname(__filename);

/**
 * The export named `context` of each `<side>/<context>/<file>`, in the order of the contexts. A context that brings nothing to that side
 * exports an empty one: a missing file throws, so that no part can be forgotten. A test loads them all.
 */
export const contextModules = <Module>(
  side: 'domain' | 'commands' | 'projections' | 'read-api',
  file: 'aggregates' | 'context' | 'processes' | 'references',
): readonly Module[] =>
  contexts.map(({ name }) => {
    const path = join(root, side, name, `${file}${extension}`);
    const { context } = require(path) as { readonly context?: Module };
    if (context === undefined) throw new Error(`${side}/${name}/${file} exports no context`);
    return context;
  });
