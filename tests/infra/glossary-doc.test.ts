/** The glossary: each notion once, with a term, a meaning and a name that the code declares. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchesIn } from '../support/documents/project-files';

const root = join(__dirname, '..', '..');
const sides = ['domain', 'commands', 'projections', 'read-api', 'infra', 'packages'];

/** The table of texts has words of its own; `npm run check:words` reads it. */
const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .replace(/^## Texts that people read\n[\s\S]*?(?=^## )/m, '')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Term '))
  .map((line) => line.split('|').map((cell) => cell.trim()));

const declaration = '(const|function|interface|type|class) [A-Za-z]+';

describe('the glossary', () => {
  it('has four columns, of which only the source may be empty', () => {
    const incomplete = rows.filter((cells) => cells.length !== 6 || [cells[1], cells[2], cells[4]].includes(''));
    assert.deepEqual(incomplete, []);
    assert.ok(rows.length > 80);
  });

  it('explains each term once', () => {
    const terms = rows.flatMap(([, term = '']) => term.split(', '));
    assert.deepEqual(
      terms.filter((term, index) => terms.indexOf(term) !== index),
      [],
    );
  });

  it('names what the code declares', async () => {
    const declared = new Set((await matchesIn(declaration, sides)).map((line) => line.replace(/^\w+ /, '')));
    const names = rows.map(([, , , , name = '']) => name.replaceAll('`', ''));
    assert.deepEqual(
      names.filter((name) => !declared.has(name)),
      [],
    );
  });
});
