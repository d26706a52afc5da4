import { deepEqual } from 'node:assert/strict';
import { isInstalled } from '../../tools/separate-packages/install';

type FindWords = (path: string, source: string) => readonly { readonly line: number; readonly word: string }[];

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
