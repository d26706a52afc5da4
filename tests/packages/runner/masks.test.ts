/** Secrets in texts: however programs encode them, wherever pieces of the text end, and in time that grows with the text. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildAutomaton } from '../../../packages/runner/src/masks/automaton';
import { type Masker, openMasker } from '../../../packages/runner/src/masks/masker';
import { encodings } from './encodings';

const maskerOf = (...secrets: readonly string[]): Masker => {
  const masker = openMasker();
  for (const secret of secrets) assert.equal(masker.add(secret).kind, 'masked');
  return masker;
};

const character = fc.oneof(
  fc.constantFrom(...'aAzZ09/+%&<>"\'\\ =:;,{}[]()$#@!?*`~^|-_.'),
  fc.constantFrom('é', 'ß', '€', '漢', '😀', '\t'),
);
const secretText = fc
  .string({ unit: character, minLength: 8, maxLength: 30 })
  .filter((text) => text.trim() === text && text.length >= 8 && !text.includes('***') && new Set(text).size > 4);
const cutAt = (text: string, cuts: readonly number[]): readonly string[] => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other);
  return [...places, text.length].map((place, index) => text.slice(places[index - 1] ?? 0, place));
};

describe('masks', () => {
  for (const [program, encode] of Object.entries(encodings))
    it(`hide what is printed by: ${program}`, () => {
      fc.assert(
        fc.property(secretText, fc.stringMatching(/^[ -~]{0,10}$/), (secret, around) => {
          const printed = encode(secret);
          const hidden = maskerOf(secret).mask(`${around} ${printed} ${around}`);
          assert.ok(hidden.includes('***'), hidden);
          // Base64 shares its first and last letters with what is around the value.
          if (printed.length >= secret.length && !/base64|76/.test(program))
            assert.ok(!hidden.includes(printed), hidden);
          else assert.ok(!hidden.replaceAll('\n', '').includes(printed.replaceAll('\n', '').slice(4, -6)), hidden);
        }),
        { numRuns: 60 },
      );
    });

  /** Whole, in pieces that are cut anywhere, and byte by byte where pieces are small. */
  const assertHidden = (secret: string, text: string, hidden: string): void => {
    const masker = maskerOf(secret);
    assert.equal(masker.mask(text), hidden);
    for (const size of [1, 2, 3, 7, 20]) {
      const stream = masker.openStream();
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        stream.push(text.slice(index * size, (index + 1) * size)),
      );
      assert.equal([...pieces, stream.end()].join(''), hidden, `pieces of ${size}`);
    }
  };

  it('hide quotes that one way of doubling leaves as another has them', () => {
    assert.equal(maskerOf(`a'""aaa!A`).mask(`'a'\\''""aaa!A'`), "'***'");
    assert.equal(maskerOf("\\'aaaé€").mask("'\\''aaaé€'"), "'***'");
    const stream = maskerOf("hunter's-two").openStream();
    assert.equal(["hunter'\\", "''s-two"].map(stream.push).join('') + stream.end(), '***');
    assert.equal(maskerOf(`b''c"d"e`).mask(`"b''c""d""e"`), '"***"');
  });

  it('hide values with escape sequences of terminals in them, of colors, links, titles and character sets', () => {
    const secret = 'hunter2-secret/1';
    const middle = (sequence: string): string => [...secret].join(sequence);
    for (const sequence of [
      '\x1b[0m',
      '\x1b[01;31m\x1b[K',
      '\x1b[m',
      '\x1b]8;;http://a/b\x1b\\',
      '\x1b]0;title\x07',
      '\x1b(B\x1b[m',
      '\x1b7',
      '\x1b[38:2::1:2:3m',
    ])
      assertHidden(secret, `a ${middle(sequence)} b`, 'a *** b');
    assertHidden(secret, `a \x1b[1m${secret}\x1b[0m b`, 'a \x1b[1m***\x1b[0m b');
    assertHidden(secret, `\x1b[${secret} \x1b]${secret}\x07`, '\x1b[*** \x1b]***\x07');
    const [base64, hex] = [Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')];
    assert.ok(!maskerOf(secret).mask(base64.replace(/.{5}/g, '$&\x1b[0m')).includes(base64.slice(6, 10)));
    assertHidden(secret, `a ${hex.replace(/.{3}/g, '$&\x1b[0m')} b`, 'a *** b');
    assertHidden(secret, `a ${encodeURIComponent(secret).replace('%', '%\x1b[0m')} b`, 'a *** b');
    assertHidden(secret, 'a \x1b[32mgreen\x1b[0m \x1b', 'a \x1b[32mgreen\x1b[0m \x1b');
  });

  it('hide the value of the report, with the slash kept', () => {
    assert.equal(maskerOf('a/b+c').mask('x a/b%2Bc y a%2fb%2Bc a\\/b+c'), 'x *** y *** ***');
  });

  it('hide hexadecimal with separators, prefixes and line ends between bytes', () => {
    const secret = 'hunter2-secret/1';
    const bytes = [...Buffer.from(secret)].map((byte) => byte.toString(16));
    for (const separator of [' ', ':', '-', ', ', ' 0x', ', 0x', ',\n      0x', '\\x', '", "', '\n', '\r\n', '  '])
      assertHidden(secret, `a <${bytes.join(separator)}> b`, 'a <***> b');
    assertHidden(secret, `a ${bytes.join('').replace(/.{10}/g, '$&\n')} b`, 'a *** b');
    assertHidden(secret, ` ${bytes.slice(0, 3).join(' ')}\n ${bytes.slice(3).join(' ')}\n`, ' ***\n');
    assertHidden('abc', '61 62 63 61:62:63', '61 62 63 61:62:63');
  });

  it('hide dumps with offsets and characters', () => {
    const secret = 'hunter2-secret/1-that-has-many-bytes';
    const text = `some text before ${secret} after`;
    const lines = Array.from({ length: Math.ceil(text.length / 16) }, (_, index) =>
      text.slice(index * 16, index * 16 + 16),
    );
    const hex = (line: string): readonly string[] => [...Buffer.from(line)].map((byte) => byte.toString(16));
    const offset = (index: number): string => (index * 16).toString(16).padStart(8, '0');
    const dumps: { readonly [program: string]: (line: string, index: number) => string } = {
      xxd: (line, index) => `${offset(index)}: ${hex(line).join('').replace(/.{4}/g, '$& ').padEnd(40)} ${line}`,
      'xxd -g1': (line, index) => `${offset(index)}: ${hex(line).join(' ').padEnd(48)} ${line}`,
      'hexdump -C': (line, index) =>
        `${offset(index)}  ${[hex(line).slice(0, 8), hex(line).slice(8)]
          .map((half) => half.join(' '))
          .join('  ')
          .padEnd(49)} |${line}|`,
      'od -tx1': (line, index) => `${(index * 16).toString(8).padStart(7, '0')} ${hex(line).join(' ')}`,
    };
    for (const [program, dump] of Object.entries(dumps)) {
      const printed = `Dump:\n${lines.map(dump).join('\n')}\nEnd of the dump\n`;
      const hidden = maskerOf(secret).mask(printed);
      assert.match(hidden, /^Dump:\n0+:? .*\n.*\*\*\*\nEnd of the dump\n$/, program);
      for (const part of ['hunter2', 'cret/1', 'many', 'ytes', '6879', '68 75', '2d6d', '2d 6d'])
        assert.ok(!hidden.includes(part), `${program}: ${hidden}`);
      assertHidden(secret, printed, hidden);
    }
  });

  it('hide hexadecimal of long values', () => {
    const secret = Array.from({ length: 2_000 }, (_, index) => `${index * 7919} `)
      .join('')
      .trim();
    assert.equal(maskerOf(secret).mask(`a ${Buffer.from(secret).toString('hex')} b`), 'a *** b');
  });

  it('hide base64 that is broken into lines, wherever the value begins in one', () => {
    const secret = 'hunter2-secret/1';
    for (const width of [1, 4, 8, 60, 76])
      for (const before of [0, 3, 48, 51, 54, 57])
        for (const [newline, indent] of [
          ['\n', ''],
          ['\r\n', ''],
          ['\n', '    '],
        ]) {
          const encoded = Buffer.from(`${'#'.repeat(before)}${secret}##`).toString('base64');
          const printed = `${indent}${encoded.replace(new RegExp(`.{${width}}`, 'g'), `$&${newline}${indent}`)}`;
          const hidden = maskerOf(secret).mask(printed);
          const masked = hidden.replace(/\s/g, '');
          assert.equal(
            masked.replace('***', ''),
            `${encoded.slice(0, (before * 4) / 3)}${encoded.slice(-3)}`,
            `${width} ${before}`,
          );
          assertHidden(secret, printed, hidden);
        }
  });

  it('show lines that end with letters of a value in base64 at once', () => {
    const stream = maskerOf('hunter2-secret/1').openStream();
    for (const line of ['the word a\n', 'it is aH\n', 'it took 6\n']) assert.equal(stream.push(line), line);
  });

  it('hide values in one encoding within another', () => {
    const secret = `a"b\\c'd e%f/g&h<é`;
    const json = (text: string): string => JSON.stringify(text).slice(1, -1);
    const xml = encodings.XML as (text: string) => string;
    const twice: { readonly [program: string]: string } = {
      'JSON in JSON': json(json(secret)),
      'percents twice': encodeURIComponent(encodeURIComponent(secret)),
      'a form, then percents': encodeURIComponent(new URLSearchParams({ a: secret }).toString()).slice(4),
      'JSON in quotes of shells': json(secret).replaceAll("'", "'\\''"),
      'JSON in shlex.quote': json(secret).replaceAll("'", `'"'"'`),
      'JSON in CSV': json(secret).replaceAll('"', '""'),
      'JSON in XML': xml(json(secret)),
      'percents in XML': xml(encodeURIComponent(secret)),
      'XML twice': xml(xml(secret)),
      'XML in JSON': json(xml(secret)),
      'JSON in percents': encodeURIComponent(json(secret)),
    };
    for (const [program, printed] of Object.entries(twice)) {
      assert.equal(maskerOf(secret).mask(`( ${printed} )`), '( *** )', program);
      assertHidden(secret, `( ${printed} )`, '( *** )');
    }
    const lines = (
      Buffer.from(secret.repeat(9))
        .toString('base64')
        .match(/.{1,76}/g) ?? []
    ).join('\n');
    assert.equal(
      maskerOf(secret.repeat(9))
        .mask(json(lines))
        .replace(/\*\*\*.{0,4}$/, ''),
      '',
    );
    assert.match(maskerOf(secret).mask(encodeURIComponent(Buffer.from(secret).toString('base64'))), /^\*\*\*.{0,8}$/);
    for (const before of ['', 'x', 'xy'])
      assert.match(
        maskerOf(secret).mask(Buffer.from(`${before}${json(secret)}`).toString('base64')),
        /^.{0,4}\*\*\*.{0,4}$/,
      );
  });

  it('hide entities with zeros before their number, and without their semicolon', () => {
    const secret = 'hunter2-secret<é/1';
    const references = (write: (code: number) => string): string =>
      [...secret].map((each) => write(each.codePointAt(0) as number)).join('');
    assertHidden(secret, `a ${references((code) => `&#${String(code).padStart(7, '0')};`)} b`, 'a *** b');
    assertHidden(secret, `a ${references((code) => `&#x${code.toString(16).padStart(12, '0')};`)} b`, 'a *** b');
    assertHidden(secret, `a ${references((code) => `&#${code}`)} b`, 'a *** b');
    assertHidden(secret, 'a hunter2-secret&ltamp;é&sol;1 b', 'a hunter2-secret&ltamp;é&sol;1 b');
    assertHidden(secret, 'a hunter2-secret&lté&sol;1 b', 'a *** b');
  });

  it('leave every text without a secret as it is', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
        const masker = maskerOf('a-secret-that-is-nowhere', 'another\nof several lines\n{');
        const stream = masker.openStream();
        const whole = text.toWellFormed();
        const pieces = cutAt(whole, cuts).map((piece) => piece.toWellFormed());
        assert.equal([...pieces.map(stream.push), stream.end()].join(''), pieces.join(''));
        assert.equal(masker.mask(whole), whole);
      }),
    ));

  it('are the same wherever pieces of the text end', () =>
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[ab%1\\\n]{3,8}$/), { minLength: 1, maxLength: 4 }),
        fc.stringMatching(/^[ab%1\\\n]{0,60}$/),
        fc.array(fc.nat(), { maxLength: 10 }),
        (secrets, text, cuts) => {
          const masker = openMasker();
          for (const secret of secrets) masker.add(secret);
          const stream = masker.openStream();
          const masked = [...cutAt(text, cuts).map(stream.push), stream.end()].join('');
          assert.equal(masked, masker.mask(text));
          for (const secret of secrets) if (secret.trim().length >= 3) assert.ok(!masked.includes(secret.trim()));
        },
      ),
      { numRuns: 500 },
    ));

  it('hide a value of several lines as a whole, and each of its lines that is no word', () => {
    const masker = maskerOf('{\r\n  "password": "hunter2hunter2",\n  "x": 1\n}');
    assert.equal(masker.mask('"password": "hunter2hunter2",'), '***');
    assert.equal(masker.mask('{ }'), '{ }');
    assert.equal(masker.mask('a {\n  "password": "hunter2hunter2",\n  "x": 1\n} b'), 'a *** b');
    assert.equal(masker.mask(JSON.stringify({ v: '"password": "hunter2hunter2",' })), '{"v":"***"}');
    const stream = masker.openStream();
    assert.deepEqual(
      [
        stream.push('a {\n'),
        stream.push('  "password": "hunter2hunter2",\n  "x"'),
        stream.push(': 1\n} b'),
        stream.end(),
      ].join(''),
      'a *** b',
    );
  });

  it('show what has begun like a secret once it goes on in another way', () => {
    const stream = maskerOf('secret-value').openStream();
    assert.equal(stream.push('a secret-'), 'a ');
    assert.equal(stream.push('santa'), 'secret-santa');
    assert.equal(stream.push('100%'), '100');
    assert.equal(stream.push('\nsecret-v'), '%\n');
    assert.equal(stream.end(), 'secret-v');
  });

  it('hide what is added while a part of it is held', () => {
    const masker = maskerOf('hunter2-one');
    const stream = masker.openStream();
    assert.equal(stream.push('see hunter2-'), 'see ');
    masker.add('hunter2-two');
    assert.equal(`${stream.push('two')}${stream.end()}`, '***');
  });

  it('take time that grows with the text, whatever the values', () => {
    const [long, text] = ['a'.repeat(60_000), 'a'.repeat(1_000_000)];
    const began = performance.now();
    const masker = maskerOf(
      `${long}b`,
      `b${long}`,
      ...Array.from({ length: 300 }, (_, index) => `${'a'.repeat(index + 3)}c`),
    );
    assert.equal(masker.mask(text), text);
    const stream = masker.openStream();
    let printedLength = 0;
    for (let index = 0; index < 20_000; index += 1) printedLength += stream.push('aaaaa').length;
    assert.equal(printedLength + stream.end().length, 100_000);
    assert.ok(performance.now() - began < 15_000, `${performance.now() - began} ms`);
  });

  it('that cannot be found in texts mask everything from then on', () => {
    const tooLong = openMasker();
    const stream = tooLong.openStream();
    assert.equal(stream.push('before'), 'before');
    assert.equal(tooLong.add('x'.repeat(65_537)).kind, 'refused');
    assert.equal(tooLong.mask('a line\n\nand another'), '***\n\n***');
    assert.equal(stream.push('a line\n'), '***\n');
    const tooMany = openMasker();
    const kinds = Array.from({ length: 1_100 }, (_, index) => tooMany.add(`secret-${index}`).kind);
    assert.equal(kinds.indexOf('refused'), 1_000);
    const tooLarge = openMasker();
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    const added = [...letters].map((letter) => tooLarge.add(letter.repeat(50_000)).kind);
    assert.ok(added.includes('refused'));
  });

  it('that are beyond the bound of all are refused before anything is computed of them', () => {
    const masker = openMasker();
    const secretOf = (index: number): string =>
      Array.from({ length: 2_500 }, (_, line) => `line ${index} "${line * 7919}"`).join('\n');
    for (let index = 0; masker.add(secretOf(index)).kind !== 'refused'; index += 1) assert.ok(index < 100);
    const began = process.cpuUsage().user;
    for (let index = 0; index < 40; index += 1) assert.equal(masker.add(secretOf(1_000 + index)).kind, 'refused');
    assert.ok(process.cpuUsage().user - began < 2_000_000, `${process.cpuUsage().user - began} µs`);
    assert.equal(masker.add(secretOf(0)).kind, 'masked');
  });

  it('of less than three characters are refused, and mask nothing', () => {
    const masker = openMasker();
    assert.equal(masker.add('ab').kind, 'ignored');
    assert.equal(masker.add(' \n').kind, 'ignored');
    assert.equal(masker.mask('cabs'), 'cabs');
  });
});

describe('an automaton', () => {
  it('finds the longest pattern that ends at each byte, and how much of one has begun', () =>
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[abc]{1,6}$/), { minLength: 1, maxLength: 8 }),
        fc.stringMatching(/^[abc]{0,40}$/),
        (patterns, text) => {
          const { next, depth, matched } = buildAutomaton(patterns.map((pattern) => Buffer.from(pattern)));
          let state = 0;
          for (let end = 1; end <= text.length; end += 1) {
            state = next(state, text.charCodeAt(end - 1));
            const before = text.slice(0, end);
            const lengths = (fits: (pattern: string) => number) => Math.max(0, ...patterns.map(fits));
            const begun = (pattern: string): number =>
              Math.max(
                0,
                ...Array.from({ length: pattern.length }, (_, index) =>
                  before.endsWith(pattern.slice(0, index + 1)) ? index + 1 : 0,
                ),
              );
            assert.equal(
              matched[state],
              lengths((pattern) => (before.endsWith(pattern) ? pattern.length : 0)),
            );
            assert.equal(depth[state], lengths(begun));
          }
        },
      ),
    ));
});
