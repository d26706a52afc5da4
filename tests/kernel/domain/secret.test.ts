import assert from 'node:assert/strict';
import { isLeft, left, right } from 'fp-ts/Either';
import type { Props } from 'io-ts';
import { decode, nullable, text } from '../../../domain/kernel/codec';
import { family } from '../../../domain/kernel/family';
import { forgotten, isForgotten, isSecret, secret } from '../../../domain/kernel/secret';
import { survivesJson } from '../../support/domain/arbitrary';
import { survivesForgetting } from '../../support/domain/erasure-property';
import { type MemberEvent, members, nameOf } from '../../support/domain/personal-context';

const Name = text('Name', { minLength: 2, maxLength: 8 });
const Mail = secret(Name, 'userId');

describe('secret', () => {
  it('marks the field it is said of and no other that shares its codec', () => {
    assert.equal(isSecret(Mail), true);
    assert.equal(isSecret(Name), false);
    assert.equal(Mail.secretOf, 'userId');
  });

  it('decodes as what it hides, or as forgotten', () => {
    assert.deepEqual(decode(Mail, 'ada'), right('ada'));
    assert.deepEqual(decode(Mail, { forgotten: true, more: 1 }), right(forgotten));
    assert.deepEqual(decode(Mail, 'a'), left([{ pointer: '', expected: 'Name|Forgotten' }]));
    for (const sealed of [{ key: 'k', sealed: 'text' }, { forgotten: false }, {}, null, 7])
      assert.ok(isLeft(decode(Mail, sealed)), JSON.stringify(sealed));
  });
});

describe('a family with secrets', () => {
  it('survives JSON', () => survivesJson(members));

  it('knows which fields are personal', () =>
    assert.deepEqual(members.secrets, { MemberJoined: ['name', 'mail'], MemberRenamed: ['name'], MemberLeft: [] }));

  it('says what is to be sealed, and under whose key, and nothing of what is null or forgotten', () => {
    const joined = (name: string | typeof forgotten, mail: string | null | typeof forgotten): MemberEvent => ({
      type: 'MemberJoined',
      data: { memberId: 'm-1', invitedBy: 'm-0', name, mail },
    });
    assert.deepEqual(members.encode(joined('ada', 'ada@septet.example')).secrets, { name: 'm-1', mail: 'm-0' });
    assert.deepEqual(members.encode(joined('ada', null)).secrets, { name: 'm-1' });
    assert.equal('secrets' in members.encode(joined(forgotten, forgotten)), false);
    assert.equal('secrets' in members.encode({ type: 'MemberLeft', data: { memberId: 'm-1' } }), false);
  });

  it('stays decodable and foldable whatever is forgotten of it', () => survivesForgetting(members, nameOf, null));

  it('does not load when a secret has no plain subject', () => {
    const lost: readonly Props[] = [{ name: Mail }, { name: Mail, userId: secret(Name, 'name') }];
    for (const data of lost) assert.throws(() => family('sample', { Lost: { v: 1, data } }), /has no plain field/);
  });

  it('is not forgotten by accident', () => {
    for (const value of [undefined, null, 'forgotten', { forgotten: 'true' }]) assert.equal(isForgotten(value), false);
    assert.ok(isLeft(decode(nullable(Name), forgotten)));
  });
});
