/** Reads a part of an Office document as small trees, so that a long one is never in memory as a whole. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { fail } from '../reader';
import { type XmlAttributes, xmlParser } from './parse-xml';
import { damagedPart } from './read-part';

/** Text of blanks alone is left out, but in elements named `t`. */
export interface XmlTree {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: readonly (XmlTree | string)[];
}

interface OpenTree extends XmlTree {
  readonly children: (XmlTree | string)[];
}

/** `open`, `close`: elements around trees. */
export type PartEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: XmlAttributes }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'tree'; readonly tree: XmlTree };

/** Of one tree: about 200 MB. */
const maxNodes = 500_000;

/**
 * Which branches of `AlternateContent` are read: the first choice; the fallback where there is none (ECMA-376 part 3, 7.5). Both hold the same text.
 * The elements themselves are left out, so that their content stands where they stand.
 */
const branches = () => {
  const hasChoice: boolean[] = [];
  let skipped = 0;
  return {
    /** False: the element is not reported. */
    open: (name: string): boolean => {
      if (skipped > 0) skipped += 1;
      else if (name === 'AlternateContent') hasChoice.push(false);
      else if ((name === 'Choice' || name === 'Fallback') && hasChoice.length > 0) {
        if (hasChoice.at(-1) === true) skipped = 1;
        else hasChoice[hasChoice.length - 1] = true;
      } else return true;
      return false;
    },
    close: (name: string): boolean => {
      if (skipped > 0) skipped -= 1;
      else if (name === 'AlternateContent') hasChoice.pop();
      else if ((name !== 'Choice' && name !== 'Fallback') || hasChoice.length === 0) return true;
      return false;
    },
    isSkipping: (): boolean => skipped > 0,
  };
};

interface TreeBuilder {
  readonly takeEvents: () => readonly PartEvent[];
  readonly isTooLarge: () => boolean;
  readonly write: (bytes: Uint8Array) => boolean;
  readonly end: () => boolean;
}

const treeBuilder = (isTree: (name: string) => boolean): TreeBuilder => {
  const branch = branches();
  const stack: OpenTree[] = [];
  let events: PartEvent[] = [];
  let nodes = 0;
  const parser = xmlParser({
    open: (name, attributes) => {
      if (!branch.open(name) || nodes > maxNodes) return;
      nodes += 1;
      if (stack.length > 0 || isTree(name)) stack.push({ name, attributes, children: [] });
      else events.push({ kind: 'open', name, attributes });
    },
    close: (name) => {
      if (!branch.close(name) || nodes > maxNodes) return;
      const tree = stack.pop();
      const parent = stack.at(-1);
      if (tree === undefined) events.push({ kind: 'close', name });
      else if (parent !== undefined) parent.children.push(tree);
      else events.push({ kind: 'tree', tree });
      if (stack.length === 0) nodes = 0;
    },
    text: (text) => {
      const tree = stack.at(-1);
      if (tree !== undefined && !branch.isSkipping() && (tree.name === 't' || text.trim() !== ''))
        tree.children.push(text);
    },
  });
  return {
    takeEvents: () => {
      const taken = events;
      events = [];
      return taken;
    },
    isTooLarge: () => nodes > maxNodes,
    write: parser.write,
    end: parser.end,
  };
};

/** Elements that `isTree` names are read whole, with all in them; those around them are reported as they open and close. */
export async function* readTrees(
  archive: Archive,
  part: string,
  isTree: (name: string) => boolean,
): AsyncGenerator<PartEvent, Either<ReadFailure, undefined>> {
  const builder = treeBuilder(isTree);
  const chunks = archive.stream(part);
  try {
    let step = await chunks.next();
    for (; step.done !== true; step = await chunks.next()) {
      if (!builder.write(step.value)) return damagedPart;
      if (builder.isTooLarge())
        return fail('TOO_LARGE', 'The document has a paragraph, table row or slide that is too large to be read.');
      yield* builder.takeEvents();
    }
    if (isLeft(step.value)) return step.value;
    if (!builder.end()) return damagedPart;
    yield* builder.takeEvents();
    return right(undefined);
  } finally {
    await chunks.return(damagedPart);
  }
}

/** A small part, whole. */
export const readTree = async (archive: Archive, part: string): Promise<Either<ReadFailure, XmlTree>> => {
  const reading = readTrees(archive, part, () => true);
  let root: XmlTree | undefined;
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) if (step.value.kind === 'tree') root ??= step.value.tree;
  if (isLeft(step.value)) return step.value;
  return root === undefined ? damagedPart : right(root);
};

export const childrenOf = (tree: XmlTree | undefined): readonly XmlTree[] =>
  (tree?.children ?? []).filter((child) => typeof child !== 'string');

/** The first child with the first name, its first child with the second, and so on. */
export const childAt = (tree: XmlTree | undefined, ...path: readonly string[]): XmlTree | undefined =>
  path.reduce((found, name) => childrenOf(found).find((child) => child.name === name), tree);

/** Every element of the name, in order; none within another of them. */
export function* outermost(tree: XmlTree, name: string): Generator<XmlTree> {
  for (const child of childrenOf(tree))
    if (child.name === name) yield child;
    else yield* outermost(child, name);
}

/** The text directly in an element. */
export const textOf = (tree: XmlTree | undefined): string =>
  (tree?.children ?? []).filter((child) => typeof child === 'string').join('');

/** Of elements that mean yes by being there (`ST_OnOff`): `<w:b/>`, `<w:b w:val="0"/>`. */
export const isOn = (tree: XmlTree | undefined): boolean => {
  const value = tree?.attributes.getPrefixed('val') ?? tree?.attributes.get('val') ?? 'true';
  return tree !== undefined && !['0', 'false', 'off'].includes(value);
};
