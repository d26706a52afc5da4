/** Text of shared and of inline strings: runs are joined; how it is pronounced (18.4.6) is left out. */
export interface RichText {
  readonly open: (name: string) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
  /** What was collected, which is forgotten. */
  readonly take: () => string;
}

/** What Excel cannot write in XML, such as a tab: `_x0009_` (22.9.2.19). */
const escapedCharacter = /_x([\da-f]{4})_/gi;

export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(escapedCharacter, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

export const richText = (): RichText => {
  let collected = '';
  let isText = false;
  let isPhonetic = false;
  return {
    open: (name) => {
      if (name === 't') isText = true;
      if (name === 'rPh') isPhonetic = true;
    },
    close: (name) => {
      if (name === 't') isText = false;
      if (name === 'rPh') isPhonetic = false;
    },
    text: (text) => {
      if (isText && !isPhonetic) collected += text;
    },
    take: () => {
      const taken = unescapeText(collected);
      collected = '';
      return taken;
    },
  };
};
