/** What a paragraph is by its style: Word's built-in names are English in every language, ids of styles are not. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ElementKind } from '../../../../domain/files/content/element';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { childAt, readTrees, type XmlTree } from '../xml/read-trees';

export interface ParagraphRole {
  readonly kind: Extract<ElementKind, 'title' | 'heading' | 'paragraph' | 'list_item' | 'caption'>;
  /** Of a heading; null for all others. */
  readonly level: number | null;
}

export interface Styles {
  readonly roleOf: (properties: XmlTree | undefined) => ParagraphRole;
}

interface Style {
  readonly name: string;
  readonly basedOn: string | undefined;
  /** 0 is the highest, 9 is text; undefined where the style has none. */
  readonly outlineLevel: number | undefined;
  /** `0` takes numbers away; undefined where the style has none. */
  readonly numbering: string | undefined;
}

/** Styles may be based on each other in a circle. */
const maxAncestors = 20;
const textLevel = 9;

const settingOf = (tree: XmlTree | undefined, ...path: readonly string[]): string | undefined =>
  childAt(tree, ...path)?.attributes.getPrefixed('val');

const outlineLevelOf = (properties: XmlTree | undefined): number | undefined => {
  const value = settingOf(properties, 'outlineLvl');
  return value !== undefined && /^\d$/.test(value) ? Number(value) : undefined;
};

const headingName = /^heading ?([1-9])$/i;

/** Programs other than Word leave the outline level out of styles with the built-in names. */
const outlineLevelOfName = (name: string): number | undefined => {
  const [, level] = headingName.exec(name) ?? [];
  return level === undefined ? undefined : Number(level) - 1;
};

const styleOf = (tree: XmlTree, id: string): Style => {
  const name = settingOf(tree, 'name') ?? id;
  const properties = childAt(tree, 'pPr');
  return {
    name,
    basedOn: settingOf(tree, 'basedOn'),
    outlineLevel: outlineLevelOf(properties) ?? outlineLevelOfName(name),
    numbering: settingOf(properties, 'numPr', 'numId'),
  };
};

const stylesOf = (table: ReadonlyMap<string, Style>, defaultId: string | undefined): Styles => {
  const ancestry = (id: string | undefined): readonly Style[] => {
    const found: Style[] = [];
    for (let next = id; next !== undefined && found.length < maxAncestors; ) {
      // A style that the document does not have is known by its id alone.
      const style: Style = table.get(next) ?? {
        name: next,
        basedOn: undefined,
        outlineLevel: outlineLevelOfName(next),
        numbering: undefined,
      };
      found.push(style);
      next = style.basedOn;
    }
    return found;
  };
  return {
    roleOf: (properties) => {
      const styles = ancestry(settingOf(properties, 'pStyle') ?? defaultId);
      const name = styles[0]?.name.toLowerCase();
      if (name === 'title') return { kind: 'title', level: null };
      if (name === 'caption') return { kind: 'caption', level: null };
      const level =
        outlineLevelOf(properties) ?? styles.find(({ outlineLevel }) => outlineLevel !== undefined)?.outlineLevel;
      if (level !== undefined && level < textLevel) return { kind: 'heading', level: level + 1 };
      const numbering =
        settingOf(properties, 'numPr', 'numId') ?? styles.find((style) => style.numbering !== undefined)?.numbering;
      return { kind: numbering === undefined || numbering === '0' ? 'paragraph' : 'list_item', level: null };
    },
  };
};

/** `part`: undefined where the document has no styles. */
export const readStyles = async (archive: Archive, part: string | undefined): Promise<Either<ReadFailure, Styles>> => {
  const table = new Map<string, Style>();
  let defaultId: string | undefined;
  if (part === undefined) return right(stylesOf(table, defaultId));
  const reading = readTrees(archive, part, (name) => name === 'style');
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    if (step.value.kind !== 'tree') continue;
    const { attributes } = step.value.tree;
    const id = attributes.getPrefixed('styleId');
    if (id === undefined || (attributes.getPrefixed('type') ?? 'paragraph') !== 'paragraph') continue;
    table.set(id, styleOf(step.value.tree, id));
    if (['1', 'true', 'on'].includes(attributes.getPrefixed('default') ?? '0')) defaultId = id;
  }
  return isLeft(step.value) ? step.value : right(stylesOf(table, defaultId));
};
