/** Command lines: parsing, help and messages, which are made of one declaration. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import {
  commandSet,
  describeUnknown,
  helpOf,
  parseCommandSet,
  parseTool,
  type Refusal,
  tool,
} from '../../../../packages/command-line/src/index';

const keys = commandSet({
  name: 'keys',
  about: 'Administers keys.',
  commands: {
    status: { about: 'Lists the keys.' },
    revoke: {
      about: 'Revokes a key.',
      arguments: [{ name: 'kid', about: 'the id of the key' }],
      options: {
        reason: { type: 'string', value: 'TEXT', required: true, about: 'why' },
        new: { type: 'boolean', about: 'makes another' },
      },
    },
  },
});
const copy = tool({
  name: 'copy',
  about: 'Copies files.',
  arguments: [
    { name: 'target', about: 'where to' },
    { name: 'file', about: 'what', many: true, optional: true },
  ],
  options: {
    port: { type: 'string', value: 'N', default: '80', about: 'the port' },
    host: { type: 'string', value: 'NAME', multiple: true, about: 'a host' },
    check: { type: 'boolean', about: 'checks' },
  },
});

const parsedKeys = (...args: readonly string[]) => {
  const parsed = parseCommandSet(keys, args);
  if (isLeft(parsed)) assert.fail(parsed.left.text);
  return parsed.right;
};
const parsedCopy = (...args: readonly string[]) => {
  const parsed = parseTool(copy, args);
  if (isLeft(parsed)) assert.fail(parsed.left.text);
  return parsed.right;
};
const refusalOf = (...args: readonly string[]): Refusal => {
  const parsed = parseTool(copy, args);
  return isLeft(parsed) ? parsed.left : assert.fail('it was taken');
};
const refusalOfKeys = (...args: readonly string[]): Refusal => {
  const parsed = parseCommandSet(keys, args);
  return isLeft(parsed) ? parsed.left : assert.fail('it was taken');
};

describe('arguments of a command line', () => {
  it('become values by name, with defaults', () => {
    assert.deepEqual(parsedCopy('out', 'a', 'b', '--host', 'x', '--host=y', '--check'), {
      options: { port: '80', host: ['x', 'y'], check: true },
      arguments: { target: 'out', file: ['a', 'b'] },
    });
    assert.deepEqual(parsedCopy('out').options, { port: '80', host: [], check: false });
  });

  it('take a key id that begins with a dash, also after a switch', () => {
    for (const args of [
      ['revoke', '-6abc', '--reason', 'It leaked.', '--new'],
      ['revoke', '--reason=It leaked.', '--new', '-6abc'],
    ])
      assert.deepEqual(parsedKeys(...args), {
        command: 'revoke',
        options: { reason: 'It leaked.', new: true },
        arguments: { kid: '-6abc' },
      });
  });

  it('take what stands behind -- as it is', () =>
    assert.deepEqual(parsedCopy('--check', '--', '-x', '--check').arguments, { target: '-x', file: ['--check'] }));

  it('are refused with a name that is close, and with how the tool is used', () => {
    const { text, code } = refusalOf('out', '--chek');
    assert.equal(code, 2);
    assert.equal(
      text,
      [
        'There is no option --chek. Did you mean --check?',
        'Usage: copy <target> [<file>...] [--port N] [--host NAME]... [--check]',
        'copy --help explains each option.',
      ].join('\n'),
    );
    assert.match(refusalOfKeys('stauts').text, /^There is no command stauts\. Did you mean status\?\n/);
    assert.match(refusalOfKeys('constructor').text, /^There is no command constructor\./);
  });

  it('are refused where a value or an argument is missing or too many', () => {
    assert.match(refusalOf().text, /^<target> is missing\.\n/);
    assert.match(refusalOf('out', '--port').text, /^--port needs a value: --port N\.\n/);
    assert.match(refusalOf('out', '--port', '--check').text, /^--port needs a value: /);
    assert.match(refusalOf('out', '--check=yes').text, /^--check takes no value\.\n/);
    assert.match(refusalOfKeys('revoke', 'k').text, /^--reason is missing\.\n/);
    assert.match(refusalOfKeys('status', 'k').text, /^Unexpected argument k\.\n/);
    assert.deepEqual(refusalOfKeys(), { text: helpOf(keys), code: 2 });
  });
});

describe('help', () => {
  it('has every argument and option with its sentence, and is no failure', () => {
    const { text, code } = refusalOf('--help');
    assert.equal(code, 0);
    assert.equal(
      text,
      [
        'Usage: copy <target> [<file>...] [--port N] [--host NAME]... [--check]',
        '',
        'Copies files.',
        '',
        '  <target>     where to',
        '  <file>...    what',
        '  --port N     the port (default: 80)',
        '  --host NAME  a host',
        '  --check      checks',
        '  --help       prints this text',
      ].join('\n'),
    );
  });

  it('is of all commands, or of one, wherever it stands', () => {
    const all = refusalOfKeys('--help');
    assert.equal(all.code, 0);
    for (const part of ['status', 'revoke <kid> --reason TEXT [--new]', 'Lists the keys.', 'makes another'])
      assert.ok(all.text.includes(part), part);
    const one = refusalOfKeys('revoke', '--help');
    assert.equal(one.code, 0);
    assert.match(one.text, /^Usage: keys revoke <kid> --reason TEXT \[--new\]\n/);
    assert.ok(!one.text.includes('Lists the keys.'));
    assert.equal(refusalOf('out', '-h').code, 0);
    assert.deepEqual(parsedCopy('--', '--help').arguments.target, '--help');
  });
});

describe('an unknown name', () => {
  const views = ['identity_principals', 'identity_clients', 'geo_places'];

  it('is said to be unknown, with those that are close, or with all', () => {
    assert.equal(
      describeUnknown('view', 'identity_principal', views),
      'There is no view identity_principal. Did you mean identity_principals?',
    );
    assert.equal(describeUnknown('view', 'Places', views), 'There is no view Places. Did you mean geo_places?');
    assert.equal(
      describeUnknown('view', 'zzz', views),
      'There is no view zzz. There are: identity_principals, identity_clients, geo_places.',
    );
    assert.equal(describeUnknown('queue', 'x', []), 'There is no queue x.');
  });
});
