import assert from 'node:assert/strict';
import { parseArguments } from '../../../../infra/server/runtime/command-line';

const options = { reason: { type: 'string' }, new: { type: 'boolean' } } as const;

describe('arguments of a command line', () => {
  it('take a key id that begins with a dash as a positional', () => {
    const { positionals, values } = parseArguments(options, 'usage', ['revoke', '-6abc', '--reason', 'It leaked.']);
    assert.deepEqual({ positionals, ...values }, { positionals: ['revoke', '-6abc'], reason: 'It leaked.' });
  });

  it('take what stands behind -- as it is', () => {
    const { positionals, values } = parseArguments(options, 'usage', ['--new', '--', '-x', '--new']);
    assert.deepEqual({ positionals, ...values }, { positionals: ['-x', '--new'], new: true });
  });
});
