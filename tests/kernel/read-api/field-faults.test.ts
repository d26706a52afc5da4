/** Refused forms of the console: which faults are shown at fields, and which problems as a whole. */
import assert from 'node:assert/strict';
import { faultIn, fieldFaultsOf } from '../../../read-api/web/kernel/field-faults';
import { peekFaultsOf } from '../../../read-api/web/ratelimit/peek-faults';

const fields = {
  texts: { '/body/email': 'Must be an e-mail address.', '/body/name': '' },
  codes: { 'identifier-taken': { pointer: '/body/login', text: 'Another person has this login.' } },
};
const problem = (code: string, ...pointers: readonly string[]) => ({
  ...{ status: 400, code, title: 'Invalid input', detail: 'See errors.', requestId: undefined },
  errors: pointers.map((pointer) => ({ pointer, expected: 'text' })),
});

describe('faults at fields', () => {
  it('are in the words of the form, or in what the server expects', () => {
    const faultAt = faultIn(fieldFaultsOf(problem('invalid-input', '/body/email', '/body/name'), fields));
    assert.deepEqual(['/body/email', '/body/name', '/body/login'].map(faultAt), [
      'Must be an e-mail address.',
      'Must be text.',
      undefined,
    ]);
  });

  it('are those of a problem that is of one field by its code', () =>
    assert.deepEqual(fieldFaultsOf(problem('identifier-taken'), fields), [fields.codes['identifier-taken']]));

  it('are none where the problem is of something else too, so that the whole is shown', () => {
    for (const other of [problem('invalid-input', '/body/email', '/body/roles'), problem('forbidden'), undefined])
      assert.deepEqual(fieldFaultsOf(other, fields), []);
  });

  it('of a check of limits: an address that is none, and requests that are no number', () => {
    const wrong = (ip: string | undefined, requests: string) =>
      peekFaultsOf(ip, requests).map(({ pointer }) => pointer);
    for (const ip of [undefined, '192.0.2.1', '2001:db8::1', '::1']) assert.deepEqual(wrong(ip, '1'), []);
    for (const ip of ['nonsense', '192.0.2', '192.0.2.256', '1:2', '::1]/x['])
      assert.deepEqual(wrong(ip, '1'), ['/body/dimensions/ip']);
    for (const requests of ['-3', '', 'x', '1.5'])
      assert.deepEqual(wrong(undefined, requests), ['/body/weight/requests']);
  });
});
