/** Reads a part of an Office document whole, element by element. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import type { Archive } from '../archive/open-archive';
import { fail } from '../reader';
import { type XmlHandler, xmlParser } from './parse-xml';

export const damagedPart: Either<ReadFailure, never> = fail(
  'CORRUPT',
  'The document is damaged: a part of it cannot be read. Save it again in its program and upload it once more.',
);

export const readPart = async (
  archive: Archive,
  name: string,
  handler: XmlHandler,
): Promise<Either<ReadFailure, undefined>> => {
  const parser = xmlParser(handler);
  const chunks = archive.stream(name);
  let step = await chunks.next();
  for (; step.done !== true; step = await chunks.next())
    if (!parser.write(step.value)) {
      await chunks.return(damagedPart);
      return damagedPart;
    }
  if (isLeft(step.value)) return step.value;
  return parser.end() ? right(undefined) : damagedPart;
};

export interface Relationship {
  readonly id: string;
  /** The last part of its type's address: `worksheet`, `officeDocument`. */
  readonly type: string;
  /** The name of an entry. */
  readonly target: string;
}

/** `..` and a leading `/` of targets, resolved; a target cannot leave the archive. */
const resolveTarget = (part: string, target: string): string =>
  new URL(target, `zip:/${part}`).pathname
    .split('/')
    .filter((step) => step !== '')
    .map(decoded)
    .join('/');
const decoded = (step: string): string => {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
};

const relationshipsName = (part: string): string => {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
};

const maxRelationships = 100_000;

/** What a part refers to within the archive; `''` is the document itself. Links to other files and addresses are left out. */
export const relationshipsOf = async (
  archive: Archive,
  part: string,
): Promise<Either<ReadFailure, readonly Relationship[]>> => {
  const name = relationshipsName(part);
  const found: Relationship[] = [];
  if (!archive.sizes.has(name)) return right(found);
  const read = await readPart(archive, name, {
    open: (element, attributes) => {
      const target = attributes.get('Target');
      if (element !== 'Relationship' || target === undefined || attributes.get('TargetMode') === 'External') return;
      if (found.length >= maxRelationships || !URL.canParse(target, `zip:/${part}`)) return;
      const type = attributes.get('Type') ?? '';
      found.push({
        id: attributes.get('Id') ?? '',
        type: type.slice(type.lastIndexOf('/') + 1),
        target: resolveTarget(part, target),
      });
    },
  });
  return isLeft(read) ? read : right(found);
};
