/** HTML templates that escape every interpolated value, and show invisible characters in it as U+FFFD: names stored before were not checked for them. */
import { withVisibleCharacters } from '../../../domain/kernel/readable-text';

export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

const htmlEntities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  withVisibleCharacters(text).replaceAll(/[&<>"']/g, (character) => htmlEntities[character] as string);

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(render).join('');
};

/** Attributes must be in double quotes. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: texts.reduce((done, text, index) => `${done}${render(parts[index - 1])}${text}`),
});
