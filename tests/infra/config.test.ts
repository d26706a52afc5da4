import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import {
  list,
  loadConfig,
  oneOfWords,
  optional,
  variables,
  wholeNumber,
  withDefault,
} from '../../infra/server/runtime/config';
import { useTemporaryDirectory } from '../support/files/temporary-directory';

const key = 'k'.repeat(43);

const faultsOf = (props: Parameters<typeof loadConfig>[0], env: Record<string, string>) => {
  const loaded = loadConfig(props, env);
  assert.equal(loaded._tag, 'Left');
  return loaded.left;
};

describe('configuration', () => {
  const directory = useTemporaryDirectory('config');
  const file = (name: string, content: string): string => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };

  it('decodes texts into values, with fallbacks', () => {
    const { PORT, HOST, LOG_LEVEL } = variables;
    const props = { PORT, HOST, LOG_LEVEL, WORKERS: withDefault(wholeNumber(1, 8), 2), ORIGINS: withDefault(list, []) };
    const loaded = loadConfig(props, { PORT: '7070', ORIGINS: 'https://a.example, https://b.example,' });
    assert.ok(isRight(loaded));
    assert.deepEqual(loaded.right, {
      PORT: 7070,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      WORKERS: 2,
      ORIGINS: ['https://a.example', 'https://b.example'],
    });
  });

  it('lists every fault by variable and expectation', () => {
    const { PORT, EVENTSTORE_URL, REDIS_URL, CURSOR_KEY } = variables;
    const props = { PORT, EVENTSTORE_URL, REDIS_URL: optional(REDIS_URL), CURSOR_KEY, MODE: oneOfWords('a', 'b') };
    const faults = faultsOf(props, {
      PORT: '70000',
      REDIS_URL: 'http://hunter2@x',
      CURSOR_KEY: 'hunter2',
      MODE: 'c',
    });
    assert.deepEqual(faults, [
      { variable: 'PORT', expected: 'a whole number from 0 to 65535' },
      { variable: 'EVENTSTORE_URL', expected: 'an esdb:// or kurrentdb:// connection string' },
      {
        variable: 'REDIS_URL',
        expected: 'a redis:// or rediss:// URL, or a cluster as redis+cluster:// or several URLs with commas between',
      },
      { variable: 'CURSOR_KEY', expected: 'a secret of at least 32 printable characters' },
      { variable: 'MODE', expected: 'one of a, b' },
    ]);
    assert.doesNotMatch(JSON.stringify(faults), /hunter2/);
  });

  it('takes an empty variable for an absent one', () => {
    const loaded = loadConfig({ REDIS_URL: optional(variables.REDIS_URL) }, { REDIS_URL: '' });
    assert.ok(isRight(loaded));
    assert.equal(loaded.right.REDIS_URL, undefined);
  });

  it('reads keys from the lines of a file, the one in use first, and none that is too short', () => {
    const { EDITOR_CLIENT_KEY } = variables;
    const next = 'n'.repeat(43);
    const read = (text: string) => loadConfig({ EDITOR_CLIENT_KEY }, { EDITOR_CLIENT_KEY_FILE: file('keys', text) });
    for (const [text, keys] of [
      [`${key}\n`, [key]],
      [`${next}\n${key}\n`, [next, key]],
    ] as const) {
      const loaded = read(text);
      assert.ok(isRight(loaded));
      assert.deepEqual(loaded.right.EDITOR_CLIENT_KEY, keys);
    }
    for (const text of [`${key}\nshort`, `${key}\n\n${next}`, `${key} ${next}`]) assert.ok(!isRight(read(text)));
  });

  it('reads a secret from a file, without the final line end', () => {
    const loaded = loadConfig({ CURSOR_KEY: variables.CURSOR_KEY }, { CURSOR_KEY_FILE: file('key', `${key}\n`) });
    assert.ok(isRight(loaded));
    assert.equal(loaded.right.CURSOR_KEY, key);
  });

  it('names the file variable when the file cannot be read, once', () => {
    const faults = faultsOf({ CURSOR_KEY: variables.CURSOR_KEY }, { CURSOR_KEY_FILE: join(directory, 'missing') });
    assert.deepEqual(faults, [{ variable: 'CURSOR_KEY_FILE', expected: 'the path of a readable file' }]);
  });

  it('refuses a variable that is given twice', () => {
    const faults = faultsOf(
      { CURSOR_KEY: variables.CURSOR_KEY },
      { CURSOR_KEY: key, CURSOR_KEY_FILE: file('other', key) },
    );
    assert.deepEqual(faults, [{ variable: 'CURSOR_KEY', expected: 'either CURSOR_KEY or CURSOR_KEY_FILE, not both' }]);
  });
});
