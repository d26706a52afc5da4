/** How elements become chunks: what is combined, where the next chunk begins, and where it stands. */
import assert from 'node:assert/strict';
import type { Anchor } from '../../../domain/files/content/anchor';
import { Chunk } from '../../../domain/files/content/chunk';
import { maxChunks } from '../../../domain/files/content/chunker';
import { hardSize, softSize } from '../../../domain/files/content/chunking/open-chunk';
import {
  anchorsOf,
  boxedWords,
  chunked,
  contentsOf,
  cue,
  element,
  heading,
  lines,
  onPage,
  pagesFacts,
  row,
  sha256,
  slide,
  versionId,
} from './sample-elements';

/** A paragraph of whole sentences, about that long. */
const paragraph = (length: number): string =>
  Array.from({ length: Math.ceil(length / 42) }, (_, at) => `Both of the parties keep copy ${1_000 + at} of it.`).join(
    ' ',
  );

describe('passages under the same headings', () => {
  it('are combined, with what is above them beside', () => {
    const { chunks } = chunked([
      heading('Lease', 1, { anchor: lines(1) }),
      element('Between two parties.', { anchor: lines(3) }),
      heading('Rent', 2, { anchor: lines(5) }),
      element('Paid monthly.', { anchor: lines(7, 8) }),
      element('In advance.', { kind: 'list_item', anchor: lines(9) }),
      heading('End', 2, { anchor: lines(11) }),
      element('After a year.', { anchor: lines(13) }),
    ]);
    assert.deepEqual(
      chunks.map(({ content, headings, anchor }) => [content, headings, anchor]),
      [
        ['Lease\nBetween two parties.', [], lines(1, 3)],
        ['Rent\nPaid monthly.\nIn advance.', ['Lease'], lines(5, 9)],
        ['End\nAfter a year.', ['Lease'], lines(11, 13)],
      ],
    );
    assert.deepEqual(
      chunks.map(({ ordinal }) => ordinal),
      [0, 1, 2],
    );
  });

  it('begin anew above the soft size, below all of their headings', () => {
    const text = paragraph(600);
    const { chunks } = chunked([heading('Lease', 1), ...[1, 2, 3].map((at) => element(`${at} ${text}`))]);
    assert.deepEqual(
      chunks.map(({ content, headings }) => [content, headings]),
      [
        [`Lease\n1 ${text}`, []],
        [`2 ${text}`, ['Lease']],
        [`3 ${text}`, ['Lease']],
      ],
    );
  });

  it('stay whole up to the hard size', () => {
    const text = paragraph(1_900);
    assert.deepEqual(contentsOf(element('Before.'), element(text), element('Behind.')), ['Before.', text, 'Behind.']);
  });

  it('are not combined over parts of a document, kinds of content or sections', () => {
    const at = (part: 'body' | 'footnote', number: number, sectionNumber = 1): Anchor => ({
      ...{ type: 'paragraph', part, section: 'Rent', sectionNumber },
      ...{ paragraphStart: number, paragraphEnd: number },
    });
    assert.deepEqual(
      anchorsOf(
        element('One.', { anchor: at('body', 1) }),
        element('Two.', { anchor: at('body', 2) }),
        element('A picture.', { anchor: at('body', 3), modality: 'image' }),
        element('Four.', { anchor: at('body', 4) }),
        element('Five.', { anchor: at('body', 5, 2) }),
        element('A note.', { kind: 'note', anchor: at('footnote', 1) }),
      ),
      [{ ...at('body', 1), paragraphEnd: 2 }, at('body', 3), at('body', 4), at('body', 5, 2), at('footnote', 1)],
    );
  });
});

describe('headings', () => {
  it('wait for their text, several of them together', () =>
    assert.deepEqual(contentsOf(heading('Lease', 1), heading('Rent', 2), element('Paid monthly.')), [
      'Lease\nRent\nPaid monthly.',
    ]));

  it('go with the first part of a text that is too long for one chunk', () => {
    const [first = '', second = ''] = contentsOf(heading('Lease', 1), element(paragraph(2_500)));
    assert.ok(first.startsWith('Lease\nBoth of') && first.length <= hardSize);
    assert.ok(second.startsWith('Both of'));
  });

  it('are a chunk of their own where nothing follows', () => {
    assert.deepEqual(contentsOf(element('Text.'), heading('Appendix', 1)), ['Text.', 'Appendix']);
    assert.deepEqual(contentsOf(), []);
  });

  it('of the same level or below end with the next one', () => {
    const { chunks } = chunked([
      element('The lease of Main Street', { kind: 'title' }),
      element('One.'),
      heading('A', 1),
      heading('A 1', 3),
      element('Two.'),
      heading('B', 2),
      element('Three.'),
      element(paragraph(990)),
    ]);
    assert.deepEqual(chunks.at(-1)?.headings, ['The lease of Main Street', 'A', 'B']);
  });

  it('that are as long as a paragraph are one', () => {
    const { chunks } = chunked([heading(paragraph(700), 1), element('Text.')]);
    assert.deepEqual(
      chunks.map(({ headings }) => headings),
      [[]],
    );
  });
});

describe('a passage above the hard size', () => {
  it('is split behind sentences', () => {
    const contents = contentsOf(element(paragraph(5_000)));
    assert.ok(contents.length >= 5);
    for (const content of contents) {
      assert.ok(content.length <= softSize && content.length > softSize / 3);
      assert.ok(content.startsWith('Both') && content.endsWith('of it.'));
    }
    assert.equal(contents.join(' '), paragraph(5_000));
  });

  it('is split behind clauses, then words, then characters', () => {
    const clauses = contentsOf(element(Array.from({ length: 200 }, (_, at) => `if rent ${at} is late, `).join('')));
    assert.ok(clauses.every((content) => content.endsWith('late,')));
    const words = contentsOf(element(Array.from({ length: 600 }, (_, at) => `word${at} `).join('')));
    assert.ok(words.every((content) => /^word\d+( word\d+)*$/.test(content)));
    const faces = Array.from({ length: 1_500 }, (_, at) => String.fromCodePoint(0x1f600 + (at % 79))).join('');
    const letters = contentsOf(element(faces));
    assert.ok(letters.length > 2 && letters.every((content) => content.isWellFormed()));
    assert.equal(letters.join(''), faces);
  });

  it('is not split at abbreviations', () => {
    const contents = contentsOf(
      element(
        Array.from({ length: 60 }, (_, at) => `He met Dr. Smith at no. ${at} by the river and went on`).join(' '),
      ),
    );
    assert.ok(contents.every((content) => !/(?:Dr|no)\.$/.test(content)));
  });

  it('has the words of each part, by their new offsets, and their lines', () => {
    const text = Array.from({ length: 24 }, (_, line) => `line${line} ${'word '.repeat(18)}end${line}.`).join('\n');
    const { chunks } = chunked([onPage(text, 2, { top: 0.001 })], { pages: pagesFacts(2) });
    assert.ok(chunks.length > 2);
    assert.deepEqual(chunks.flatMap(boxedWords), text.split(/\s+/));
    for (const chunk of chunks) {
      assert.ok(chunk.anchor.type === 'page');
      const onLines = new Set(chunk.words.map(({ box }) => box.y)).size;
      assert.equal(chunk.anchor.boxes.length, onLines);
    }
  });

  it('has the lines of each part', () => {
    const text = Array.from({ length: 100 }, (_, index) => `Entry ${index + 1} of the log says nothing new.`).join(
      '\n',
    );
    const { chunks } = chunked([element(text, { anchor: lines(11, 110) })]);
    for (const { content, anchor } of chunks) {
      const numbers = [...content.matchAll(/Entry (\d+)/g)].map(([, number]) => Number(number) + 10);
      assert.deepEqual(anchor, lines(numbers[0] ?? 0, numbers.at(-1)));
    }
  });
});

describe('tables', () => {
  const header = element('Item | Price', { kind: 'header', modality: 'table', anchor: row(1) });
  const priced = (number: number, text = `Item ${number} of the list | ${number}`) =>
    element(text, { kind: 'row', modality: 'table', anchor: row(number) });

  it('are grouped by rows, each group below the row that names the columns', () => {
    const rows = Array.from({ length: 120 }, (_, index) => priced(index + 2));
    const { chunks } = chunked([header, ...rows]);
    assert.ok(chunks.length > 1);
    let next = 2;
    for (const { content, anchor, modality } of chunks) {
      assert.ok(content.startsWith('Item | Price\nItem ') && content.length <= softSize);
      const end = next + content.split('\n').length - 2;
      assert.deepEqual(anchor, { ...row(next), rowEnd: end });
      assert.equal(modality, 'table');
      next = end + 1;
    }
    assert.equal(next, 122);
  });

  it('are by themselves, and by sheet', () => {
    const other = element('Ada', { kind: 'row', modality: 'table', anchor: row(1, 'People') });
    assert.deepEqual(contentsOf(header, priced(2, 'Tea | 3'), other), ['Item | Price\nTea | 3', 'Ada']);
    assert.deepEqual(
      contentsOf(
        element('Before.'),
        element('Name', { kind: 'header', modality: 'table' }),
        element('Ada', { kind: 'row', modality: 'table' }),
        element('Behind.'),
        element('Bob', { kind: 'row', modality: 'table' }),
      ),
      ['Before.', 'Name\nAda', 'Behind.', 'Bob'],
    );
  });

  it('without rows are their header', () => {
    const { chunks } = chunked([header]);
    assert.deepEqual(
      chunks.map(({ content, anchor }) => [content, anchor]),
      [['Item | Price', row(1)]],
    );
  });

  it('may name their columns in several rows', () => {
    const second = element('Name | in euros', { kind: 'header', modality: 'table', anchor: row(2) });
    assert.deepEqual(contentsOf(header, second, priced(3, 'Tea | 3')), ['Item | Price\nName | in euros\nTea | 3']);
  });

  it('repeat the beginning of a long header, and have all of it once', () => {
    const long = element('column name '.repeat(80), { kind: 'header', modality: 'table', anchor: row(1) });
    const [whole = '', first = ''] = contentsOf(long, priced(2, 'Tea | 3'));
    assert.equal(whole, 'column name '.repeat(80).trim());
    assert.ok(first.startsWith('column name') && first.endsWith('\nTea | 3') && first.length <= 520);
  });

  it('split a row that is too long, each part below the header', () => {
    const contents = contentsOf(header, priced(2, paragraph(4_000)));
    assert.ok(contents.length > 3);
    assert.ok(contents.every((content) => content.startsWith('Item | Price\nBoth')));
  });
});

describe('code', () => {
  const functionOf = (name: string) => [
    `export const ${name} = () => {`,
    ...Array.from({ length: 12 }, (_, at) => `  step(${at}, '${name}');`),
    '};',
  ];
  const source = Array.from({ length: 20 }, (_, at) => [...functionOf(`part${at}`), '']).flat();

  it('is split before blocks, with the lines of each', () => {
    const whole = element(source.join('\n'), { kind: 'code', modality: 'code', anchor: lines(1, source.length) });
    const { chunks } = chunked([whole]);
    assert.ok(chunks.length > 2);
    for (const { content, anchor } of chunks) {
      assert.ok(content.startsWith('export const ') && content.endsWith('};'));
      assert.ok(anchor.type === 'line_range');
      assert.equal(content, source.slice(anchor.lineStart - 1, anchor.lineEnd).join('\n'));
    }
  });

  it('keeps its indent', () => {
    const text = '\n    indented\n\tby a tab  \n';
    const [{ content, anchor } = { content: '', anchor: lines(1) }] = chunked([
      element(text, { kind: 'code', modality: 'code', anchor: lines(5, 8) }),
    ]).chunks;
    assert.deepEqual([content, anchor], ['    indented\n\tby a tab', lines(6, 7)]);
  });
});

describe('subtitles', () => {
  it('are combined for half a minute', () => {
    const spoken = Array.from({ length: 20 }, (_, at) => cue(at * 5_000, at * 5_000 + 4_000, `Part ${at},`));
    const { chunks } = chunked(spoken);
    assert.deepEqual(
      chunks.map(({ anchor }) => anchor.type === 'timestamp' && [anchor.timestampStartMs, anchor.timestampEndMs]),
      [
        [0, 29_000],
        [30_000, 59_000],
        [60_000, 89_000],
        [90_000, 99_000],
      ],
    );
    assert.equal(chunks.at(-1)?.content, 'Part 18, Part 19,');
    assert.deepEqual(chunks.at(-1)?.segments, [
      { start: 0, length: 8, timestampStartMs: 90_000, timestampEndMs: 94_000 },
      { start: 9, length: 8, timestampStartMs: 95_000, timestampEndMs: 99_000 },
    ]);
  });

  it('that last longer are a chunk of their own', () =>
    assert.deepEqual(contentsOf(cue(0, 90_000, 'Music'), cue(90_000, 91_000, 'Hello.')), ['Music', 'Hello.']));
});

describe('slides', () => {
  const [upper, lower] = [
    { x: 0.1, y: 0.1, w: 0.2, h: 0.1 },
    { x: 0.2, y: 0.5, w: 0.3, h: 0.2 },
  ];

  it('are chunks of their own, and so are their notes', () => {
    const { chunks } = chunked([
      heading('Plan', 1, { anchor: slide(1, upper) }),
      element('Grow.', { anchor: slide(1, lower) }),
      element('Say hello first.', { kind: 'note', anchor: slide(1, null, 'notes') }),
      heading('Only a title', 1, { anchor: slide(2, upper) }),
      element('No title.', { anchor: slide(3, null) }),
    ]);
    assert.deepEqual(
      chunks.map(({ content, headings }) => [content, headings]),
      [
        ['Plan\nGrow.', []],
        ['Say hello first.', ['Plan']],
        ['Only a title', []],
        ['No title.', []],
      ],
    );
    assert.deepEqual(chunks[0]?.anchor, slide(1, { x: 0.1, y: 0.1, w: 0.4, h: 0.6 }));
    assert.deepEqual(
      chunks.map(({ segments }) => segments),
      [
        [
          { start: 0, length: 4, region: upper },
          { start: 5, length: 5, region: lower },
        ],
        undefined,
        [{ start: 0, length: 12, region: upper }],
        undefined,
      ],
    );
  });
});

describe('pages', () => {
  it('begin a chunk, but for headings, which take their text with them', () => {
    assert.deepEqual(contentsOf(onPage('End of one.', 1), onPage('Two begins.', 2)), ['End of one.', 'Two begins.']);
    const { chunks } = chunked([onPage('Rent', 1, { kind: 'heading', level: 1 }), onPage('Paid monthly.', 2)], {
      pages: pagesFacts(2, ['iv', null]),
    });
    assert.equal(chunks.length, 1);
    assert.ok(chunks[0]?.anchor.type === 'page');
    assert.deepEqual(
      chunks[0].anchor.boxes.map(({ pageNumber }) => pageNumber),
      [1, 2],
    );
  });

  it('continue within a sentence, also within a word', () => {
    const { chunks } = chunked([onPage('the rent is paid in ad-', 1), onPage('vance every month.', 2)], {
      pages: pagesFacts(2),
    });
    assert.deepEqual(
      chunks.map(({ content }) => content),
      ['the rent is paid in advance every month.'],
    );
    assert.deepEqual(chunks.flatMap(boxedWords), ['the', 'rent', 'is', 'paid', 'in', 'ad', 'vance', 'every', 'month.']);
    assert.equal(chunks[0]?.anchor.type === 'page' && chunks[0].anchor.pageNumber, 1);
    assert.deepEqual(contentsOf(onPage('the rent is paid', 1), onPage('monthly.', 2)), ['the rent is paid monthly.']);
  });

  it('have a box for each line', () => {
    const [{ anchor } = { anchor: lines(1) }] = chunked([onPage('two words\nand a line', 1)], {
      pages: pagesFacts(1),
    }).chunks;
    assert.deepEqual(anchor, {
      type: 'page',
      pageNumber: 1,
      pageLabel: null,
      boxes: [
        { pageNumber: 1, box: { x: 0.1, y: 0.1, w: 0.045, h: 0.02 } },
        { pageNumber: 1, box: { x: 0.1, y: 0.14, w: 0.05, h: 0.02 } },
      ],
    });
  });

  it('are labelled as the page on which a part begins', () => {
    const texts = [paragraph(1_990), paragraph(1_990)];
    const words = texts.flatMap((text, index) =>
      onPage(text, index + 1, { top: 0.001 }).words.map((word) => ({
        ...word,
        start: word.start + index * (texts[0]?.length ?? 0) + index,
        box: { x: 0.1, y: 0.1, w: 0.1, h: 0.1 },
      })),
    );
    const whole = element(texts.join(' '), {
      anchor: { type: 'page', pageNumber: 1, pageLabel: 'i', boxes: [] },
      words,
    });
    const { chunks } = chunked([whole], { pages: pagesFacts(2, ['i', 'ii']) });
    const labels = chunks.map(({ anchor }) => anchor.type === 'page' && anchor.pageLabel);
    assert.deepEqual([labels[0], labels.at(-1)], ['i', 'ii']);
  });
});

describe('places', () => {
  const box = { x: 0.5, y: 0.9, w: 0.2, h: 0.05 };

  it('that are not in the file are left out, and said to be', () => {
    const { chunks, result } = chunked(
      [
        onPage('Good.', 1),
        onPage('There is no page four.', 4),
        element('Upside down.', { anchor: lines(9, 3) }),
        element('Backwards.', { anchor: { ...row(4), rowEnd: 3 } as Anchor }),
      ],
      { pages: pagesFacts(3) },
    );
    assert.deepEqual(
      chunks.map(({ content }) => content),
      ['Good.'],
    );
    assert.deepEqual(result, {
      chunks: 1,
      notice: '3 passages without a valid place in the file were left out.',
    });
  });

  it('are cut to the page', () => {
    const at = (outside: typeof box, pageNumber = 1) => ({ pageNumber, box: outside });
    const anchor: Anchor = {
      ...{ type: 'page', pageNumber: 1, pageLabel: null },
      boxes: [at({ ...box, x: 0.9 }), at({ ...box, w: 0 }), at({ ...box, y: -0.5 }), at(box, 7)],
    };
    const word = { start: 0, length: 5, pageNumber: 1, box: { ...box, h: 0 } };
    const [chunk] = chunked([element('Title', { anchor, words: [word] })], { pages: pagesFacts(1) }).chunks;
    assert.deepEqual(chunk?.anchor.type === 'page' && chunk.anchor.boxes, [at({ ...box, x: 0.9, w: 0.1 })]);
    assert.deepEqual(chunk?.words, []);
  });

  it('of pictures are the lines of their words', () => {
    const text = 'Exit only\nno entry';
    const words = onPage(text, 1).words.map((word) => ({ ...word, pageNumber: null }));
    const picture = element(text, { modality: 'image', anchor: { type: 'image_region', boxes: [box] }, words });
    const [chunk] = chunked([picture]).chunks;
    assert.equal(chunk?.anchor.type === 'image_region' && chunk.anchor.boxes.length, 2);
    assert.deepEqual(
      chunk?.words.map(({ pageNumber }) => pageNumber),
      [null, null, null, null],
    );
  });
});

describe('chunks', () => {
  it('are known by version, content and place', () => {
    const [chunk] = chunked([element('Text.', { anchor: lines(3) })]).chunks;
    const anchor = '{"lineEnd":3,"lineStart":3,"type":"line_range"}';
    assert.ok(Chunk.is(chunk));
    assert.equal(chunk.chunkHash, sha256(`["${versionId}","Text.",${anchor}]`));
    assert.equal(chunk.chunkId, chunk.chunkHash.slice(0, 32));
  });

  it('are one where content and place are the same', () => {
    const picture = element('Exit', { modality: 'image', anchor: { type: 'image_region', boxes: [] } });
    const other = element('Between.');
    assert.deepEqual(contentsOf(picture, other, picture), ['Exit', 'Between.']);
  });

  it('have no empty content', () => assert.deepEqual(contentsOf(element(' \u00AD\n ')), []));

  it('are bounded, and read no more than that', () => {
    let read = 0;
    function* many() {
      for (;;) {
        read += 1;
        yield element(`slide ${read}`, { anchor: slide(read) });
      }
    }
    let last = 0;
    const hash = (): string => {
      last += 1;
      return last.toString(16).padStart(64, '0');
    };
    const { chunks, result } = chunked(many(), { hash });
    assert.equal(chunks.length, maxChunks);
    assert.deepEqual(result, {
      chunks: maxChunks,
      notice: 'Only the first 50000 passages of the file are found by searches.',
    });
    assert.ok(read <= maxChunks + 3);
  });
});
