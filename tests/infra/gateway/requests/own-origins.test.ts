import assert from 'node:assert/strict';
import { ownOrigins } from '../../../../infra/server/http/identity/own-origins';

describe('origins of our own pages', () => {
  it('are the public one alone', () => {
    assert.deepEqual(ownOrigins('https://septet.example/base'), ['https://septet.example']);
  });
  it('are all names of the loopback where that is the public one', () => {
    assert.deepEqual(ownOrigins('http://localhost:8080'), [
      'http://localhost:8080',
      'http://127.0.0.1:8080',
      'http://[::1]:8080',
    ]);
  });
});
