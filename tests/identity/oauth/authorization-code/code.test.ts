import { code } from '../../../../domain/identity/authorization-code/decider';
import type { CodeEvent } from '../../../../domain/identity/authorization-code/events';
import type { ClientId } from '../../../../domain/identity/ids';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { given } from '../../../kernel/domain/given-when-then';
import { noon, principalId } from '../../examples';
import { challenge, codeId, grantId, issueCode, key, redeemCode } from '../authorization/examples';

const { type: _, ...data } = issueCode();
const issued: CodeEvent = { type: 'CodeIssued', data };
const redeemed: CodeEvent = {
  type: 'CodeRedeemed',
  data: { codeId, principalId, grantId, redeemedAt: plusSeconds(noon, 1) },
};
const replayedAt = plusSeconds(noon, 2);
const replayed: CodeEvent = { type: 'CodeReplayed', data: { codeId, principalId, grantId, replayedAt } };
const recordReplay = { type: 'RecordCodeReplay', codeId, at: replayedAt } as const;

describe('issuing a code', () => {
  it('issues it', () => given(code).when(issueCode()).then(issued));
  it('does nothing the second time, so that a reloaded page gets the same', () =>
    given(code, issued)
      .when(issueCode({ issuedAt: plusSeconds(noon, 5) }))
      .thenNothing());
  it('refuses another person with the same request', () =>
    given(code, issued)
      .when(issueCode({ principalId: 'p-2' as PrincipalId }))
      .rejects('code-differs'));
  it('refuses once it was redeemed', () => given(code, issued, redeemed).when(issueCode()).rejects('code-differs'));
  it('refuses once it has expired', () =>
    given(code, issued)
      .when(issueCode({ issuedAt: plusSeconds(noon, 60) }))
      .rejects('code-differs'));
});

describe('redeeming a code', () => {
  const refused = (changes: Parameters<typeof redeemCode>[0]) => given(code, issued).when(redeemCode(changes));
  it('redeems it', () => given(code, issued).when(redeemCode()).then(redeemed));
  it('refuses it the second time, and tells two uses at once from one that comes later', () => {
    for (const [seconds, rejection] of [
      [0, 'code-used-just-now'],
      [4, 'code-used-just-now'],
      [5, 'code-used'],
    ] as const)
      given(code, issued, redeemed)
        .when(redeemCode({ at: plusSeconds(noon, seconds) }))
        .rejects(rejection);
  });
  it('refuses an unknown one', () => given(code).when(redeemCode()).rejects('code-unknown'));
  it('refuses an expired one', () => refused({ at: plusSeconds(noon, 60) }).rejects('code-expired'));
  it('refuses another client', () => refused({ clientId: 'acme~app-2' as ClientId }).rejects('code-of-another-client'));
  it('tells another client not even that it was used', () =>
    given(code, issued, redeemed)
      .when(redeemCode({ clientId: 'acme~app-2' }))
      .rejects('code-of-another-client'));
  it('refuses another redirect_uri', () =>
    refused({ redirectUri: 'https://app.example/callback/' }).rejects('redirect-uri-differs'));
  it('refuses another verifier', () => refused({ challenge: key }).rejects('verifier-differs'));
  it('refuses a code that was requested with a challenge without a verifier', () =>
    refused({ challenge: null }).rejects('verifier-differs'));
  it('takes a code without a challenge only without a verifier', () => {
    const plain: CodeEvent = { type: 'CodeIssued', data: { ...data, challenge: null } };
    given(code, plain).when(redeemCode()).rejects('verifier-differs');
    given(code, plain)
      .when(redeemCode({ challenge: null }))
      .then(redeemed);
  });
  it('refuses a challenge that only begins like it', () =>
    refused({ challenge: challenge.slice(0, 42) }).rejects('verifier-differs'));
  it('asks for the DPoP key that it is bound to', () => {
    const bound: CodeEvent = { type: 'CodeIssued', data: { ...data, jkt: key } };
    given(code, bound).when(redeemCode()).rejects('key-differs');
    given(code, bound)
      .when(redeemCode({ jkt: data.challenge }))
      .rejects('key-differs');
    given(code, bound)
      .when(redeemCode({ jkt: key }))
      .then(redeemed);
  });
});

describe('telling that a code came again', () => {
  it('records it', () => given(code, issued, redeemed).when(recordReplay).then(replayed));
  it('does nothing the second time', () => given(code, issued, redeemed, replayed).when(recordReplay).thenNothing());
  it('refuses where it was never used', () => given(code, issued).when(recordReplay).rejects('code-unknown'));
});
