import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AuthEvent, hasPersonal, withoutPersonal } from '../../domain/identity/protocol/auth-event';
import { decodeEntry, encodeEntry } from '../../infra/adapters/redis/auth-events/stored-auth-event';
import { valuesOf } from '../support/domain/arbitrary';

describe('an authorization decision', () => {
  it('comes out of its stream as it went in', () =>
    fc.assert(fc.property(valuesOf(AuthEvent), (event) => assert.deepEqual(decodeEntry(encodeEntry(event)), event))));
  it('loses what is personal with the person, and nothing else', () =>
    fc.assert(
      fc.property(valuesOf(AuthEvent), (event) => {
        const { sourceIp, deviceId, ...rest } = event;
        assert.deepEqual(withoutPersonal(event), rest);
        assert.equal(hasPersonal(event), sourceIp !== undefined || deviceId !== undefined);
      }),
    ));
  it('is not made of anything else', () =>
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => assert.equal(decodeEntry(text), undefined))));
  it('carries no field that is not its own', () =>
    fc.assert(
      fc.property(valuesOf(AuthEvent), fc.string({ minLength: 1 }), (event, token) => {
        const stored = encodeEntry({ ...event, token } as AuthEvent);
        assert.deepEqual(JSON.parse(stored), JSON.parse(JSON.stringify(event)));
      }),
    ));
});
