/** Placeholders take their position from the slide's layout, and that from its master (ECMA-376 part 1, 19.3.1.36). */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { existingRelationshipsOf } from '../xml/office-document';
import { childAt, childrenOf, readTrees, type XmlTree } from '../xml/read-trees';
import { type Placement, placementOf } from './geometry';

export interface Placeholder {
  /** `title`, `body`, `sldNum`, …; `obj` where the file names none. */
  readonly type: string;
  readonly index: string;
}

/** What a slide's placeholder gets from its layout and master. */
export interface InheritedForm {
  readonly placement: Placement | undefined;
  readonly hasBullets: boolean;
}

export interface Placeholders {
  readonly inheritedForm: (placeholder: Placeholder) => InheritedForm;
}

interface PlacedPlaceholder extends Placeholder {
  readonly placement: Placement | undefined;
  /** Undefined where it has no such marks. */
  readonly hasBullets: boolean | undefined;
}

/** Properties stand in `p:nvSpPr`, `p:nvPicPr`, `p:nvGraphicFramePr`. */
export const nonVisualProperties = (shape: XmlTree): XmlTree | undefined =>
  childrenOf(shape).find(({ name }) => name.startsWith('nv'));

export const placeholderOf = (shape: XmlTree): Placeholder | undefined => {
  const placeholder = childAt(nonVisualProperties(shape), 'nvPr', 'ph');
  if (placeholder === undefined) return undefined;
  return { type: placeholder.attributes.get('type') ?? 'obj', index: placeholder.attributes.get('idx') ?? '0' };
};

const families: Readonly<Record<string, string>> = {
  title: 'title',
  ctrTitle: 'title',
  dt: 'dt',
  ftr: 'ftr',
  hdr: 'hdr',
  sldNum: 'sldNum',
};
/** A layout's kind of body is one body in its master. */
const familyOf = (type: string): string => families[type] ?? 'body';

export const isTitle = ({ type }: Placeholder): boolean => familyOf(type) === 'title';
export const isBody = ({ type }: Placeholder): boolean => type === 'obj' || type === 'body';

const hasBulletsByStyle = (shape: XmlTree): boolean | undefined => {
  const level = childAt(shape, 'txBody', 'lstStyle', 'lvl1pPr');
  if (childAt(level, 'buNone') !== undefined) return false;
  return childAt(level, 'buChar') !== undefined || childAt(level, 'buAutoNum') !== undefined ? true : undefined;
};

const readPlaceholders = async (
  archive: Archive,
  part: string,
): Promise<Either<ReadFailure, readonly PlacedPlaceholder[]>> => {
  const found: PlacedPlaceholder[] = [];
  const reading = readTrees(archive, part, (name) => name === 'sp');
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    const shape = step.value.kind === 'tree' ? step.value.tree : undefined;
    const placeholder = shape === undefined ? undefined : placeholderOf(shape);
    if (shape === undefined || placeholder === undefined) continue;
    const placement = placementOf(childAt(shape, 'spPr', 'xfrm'));
    found.push({ ...placeholder, placement, hasBullets: hasBulletsByStyle(shape) });
  }
  return isLeft(step.value) ? step.value : right(found);
};

const inLayout = (layout: readonly PlacedPlaceholder[], wanted: Placeholder): PlacedPlaceholder | undefined => {
  const family = familyOf(wanted.type);
  if (family !== 'body') return layout.find(({ type }) => familyOf(type) === family);
  const bodies = layout.filter(({ type }) => familyOf(type) === 'body');
  return bodies.find(({ index }) => index === wanted.index) ?? bodies.find(({ type }) => type === wanted.type);
};

const relatedPart = async (
  archive: Archive,
  part: string,
  relation: string,
): Promise<Either<ReadFailure, string | undefined>> => {
  const relationships = await existingRelationshipsOf(archive, part);
  if (isLeft(relationships)) return relationships;
  return right(relationships.right.find(({ type }) => type === relation)?.target);
};

/** `part`: of the layout; undefined where the slide has none. */
export const readLayout = async (
  archive: Archive,
  part: string | undefined,
): Promise<Either<ReadFailure, Placeholders>> => {
  const layout = part === undefined ? right([]) : await readPlaceholders(archive, part);
  if (isLeft(layout)) return layout;
  const masterPart = part === undefined ? right(undefined) : await relatedPart(archive, part, 'slideMaster');
  if (isLeft(masterPart)) return masterPart;
  const master = masterPart.right === undefined ? right([]) : await readPlaceholders(archive, masterPart.right);
  if (isLeft(master)) return master;
  return right({
    inheritedForm: (placeholder) => {
      const ofLayout = inLayout(layout.right, placeholder);
      const family = familyOf((ofLayout ?? placeholder).type);
      const ofMaster = master.right.find(({ type }) => familyOf(type) === family);
      return {
        placement: ofLayout?.placement ?? ofMaster?.placement,
        hasBullets: ofLayout?.hasBullets ?? isBody(ofLayout ?? placeholder),
      };
    },
  });
};
