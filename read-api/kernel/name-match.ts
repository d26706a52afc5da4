/** Whether a name has a text in it. Names are sealed in their views, so they are compared here, in any case and without accents. */
import { text } from '../../domain/kernel/codec';

export const NamePart = text('NamePart', { maxLength: 100, examples: ['lease'] });

const foldedName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLocaleLowerCase('en')
    .replaceAll('ß', 'ss');

/** Without a text every name has it; what has no name has none. */
export const hasNamePart =
  (wanted: string | undefined) =>
  (name: string | null): boolean =>
    wanted === undefined || (name !== null && foldedName(name).includes(foldedName(wanted)));
