import { deepEqual } from 'node:assert/strict';
import { isInstalled } from '../../tools/separate-packages/install';

type FindWords = (path: string, source: string) => readonly { readonly line: number; readonly word: string }[];

interface FindTexts {
  readonly phrasesOf: (glossary: string) => readonly object[];
  readonly findTexts: (path: string, source: string, phrases: readonly object[]) => ReturnType<FindWords>;
}

/** Loaded late: it needs the parser of TypeScript, which `npm run check` or `npm run install:all` installs. */
const wordsIn = (source: string): readonly string[] => {
  const { findWords } = require('../../tools/checks/plain-words/find-words') as { readonly findWords: FindWords };
  return findWords('example.ts', source).map(({ line, word }) => `${line} ${word}`);
};

describe('words that hide a term', () => {
  before(function () {
    if (!isInstalled('checks')) this.skip();
  });

  it('are found in names of declarations, in any spelling', () => {
    deepEqual(
      wordsIn('const toldTwice = 1;\nconst isPatience = (asked: number) => asked;\ninterface Nobody { see: string }'),
      ['1 told', '2 patience', '2 asked', '3 nobody', '3 see'],
    );
  });
  it('are found in comments of each kind', () => {
    deepEqual(wordsIn('/** Nobody may.\n * It says so. */\nconst one = 1; // Told later.\n'), [
      '1 nobody',
      '2 says',
      '3 told',
    ]);
  });
  it('are not looked for in texts, in what a comment quotes, or inside of other words', () => {
    deepEqual(
      wordsIn('const text = "told";\n/** The `told` of the protocol, and its "patience". */\nconst masked = untold;'),
      [],
    );
  });
  it('are not found where a name is only used', () => {
    deepEqual(wordsIn('import { told } from "elsewhere";\ntold();\n'), []);
  });
});

describe('texts that people read', () => {
  before(function () {
    if (!isInstalled('checks')) this.skip();
  });

  const glossary =
    '## Texts that people read\n\n| Instead of | Write |\n|---|---|\n| go on, is no | continue |\n\n## Other\n\n| told | x |\n';
  const phrasesIn = (source: string): readonly string[] => {
    const { findTexts, phrasesOf } = require('../../tools/checks/plain-words/find-texts') as FindTexts;
    return findTexts('example.tsx', source, phrasesOf(glossary)).map(({ line, word }) => `${line} ${word}`);
  };

  it('are held to the table of the glossary, in strings, templates and markup', () => {
    deepEqual(
      phrasesIn('const a = "Go on.";\nconst b = `It is no file: ${a}, go on`;\nconst c = <p>\n  Then go on\n</p>;'),
      ['1 go on', '2 is no', '2 go on', '5 go on'],
    );
  });
  it('may say that there is no such thing, and what an import or a key is called', () => {
    deepEqual(
      phrasesIn('import "go on";\nconst a = "There is no file, and it is no longer listed.";\nconst key = "cargo on";'),
      [],
    );
  });
});
