import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { left, right } from 'fp-ts/Either';
import { SignJWT } from 'jose';
import { isJobToken, issueJobToken, type JobTokenClaims, verifyJobToken } from '../../commands/workflow/job-token';

describe('the token of a job', () => {
  const jobKey = Buffer.alloc(32, 7);
  const now = new Date('2026-11-28T12:00:00.000Z');
  const seconds = now.getTime() / 1000;
  const times = { issuedAt: seconds - 10, expiresAt: seconds + 10 };
  const claims = {
    tenantId: 'acme',
    repoId: 'repository-1',
    runId: 'run-1',
    jobId: 'job-1',
    attempt: 2,
    epoch: 5,
  } as JobTokenClaims;

  it('says which attempt it is of', async () => {
    const token = await issueJobToken({ jobKey }, claims, times);
    assert.ok(isJobToken(token));
    assert.deepEqual(await verifyJobToken({ jobKey }, token, now), right(claims));
  });

  it('ends with its time, and is of one key', async () => {
    const token = await issueJobToken({ jobKey }, claims, times);
    const later = new Date(now.getTime() + 11_000);
    assert.deepEqual(await verifyJobToken({ jobKey }, token, later), left('expired'));
    assert.deepEqual(await verifyJobToken({ jobKey: Buffer.alloc(32, 8) }, token, now), left('invalid'));
  });

  it('is not another JWT under the same key', async () => {
    const other = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt(times.issuedAt)
      .setExpirationTime(times.expiresAt)
      .sign(jobKey);
    assert.ok(!isJobToken(other));
    assert.deepEqual(await verifyJobToken({ jobKey }, other, now), left('invalid'));
  });

  it('is never any text', () =>
    fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        assert.deepEqual(await verifyJobToken({ jobKey }, text, now), left('invalid'));
      }),
    ));
});
