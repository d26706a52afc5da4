/** Under arbitrary commands at arbitrary times tokens can be signed, and are accepted for as long as they live. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, right } from 'fp-ts/Either';
import type { KeyId } from '../../../domain/identity/ids';
import { type SigningKeyCommand, signingKey } from '../../../domain/identity/signing-keys/decider';
import type { SigningKeyEvent } from '../../../domain/identity/signing-keys/events';
import { acceptedAt, destroyableKeysAt } from '../../../domain/identity/signing-keys/lifetimes';
import {
  activeKeyOf,
  type KeyUse,
  keysOfUse,
  keyUseOf,
  keyUses,
  type SigningKeys,
} from '../../../domain/identity/signing-keys/state';
import { twiceIsOnce } from '../../support/domain/arbitrary';
import { kidOf, later, newIdTokenKey, newKey } from './examples';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const name = fc.constantFrom(...names);
/** Three of each use. */
const idTokenNames = names.slice(3);
const key = name.map((one) => (idTokenNames.includes(one) ? newIdTokenKey(one) : newKey(one)));
const useOf = (one: KeyId): KeyUse =>
  idTokenNames.some((known) => kidOf(known) === one) ? 'id-token' : 'access-token';
const kid = name.map(kidOf);
const at = fc.constant(later(0));
const of = <const Type extends string>(type: Type) => fc.constant(type);

const commands: fc.Arbitrary<SigningKeyCommand> = fc.oneof(
  fc.record({ type: of('AdoptKeys'), active: key, earlier: fc.array(key, { maxLength: 2 }), at }),
  fc.record({
    type: of('PublishKeys'),
    keys: fc.uniqueArray(key, { minLength: 1, maxLength: 2, selector: keyUseOf }),
    at,
  }),
  fc.record({ type: fc.constantFrom('ActivateKey', 'RetireKey'), kid, at }),
  fc.record({ type: of('RevokeKey'), kid, reason: of('Leaked.'), replacement: fc.option(key), at }),
  fc.record({ type: of('ReplaceKey'), kid, replacement: key, at }),
);

/** At the edges of every life there is. */
const pause = fc.constantFrom(0, 1, 60, 299, 300, 301, 3_599, 3_660, 86_400);
const traces = fc.array(fc.tuple(pause, commands), { maxLength: 30 });

const tokenSeconds = 3_600;
interface World {
  keys: SigningKeys;
  seconds: number;
  /** When the last token of each key was signed. */
  readonly signed: Map<KeyId, number>;
  readonly publishedAt: Map<KeyId, number>;
  readonly ended: Set<KeyId>;
}

const actives = (keys: SigningKeys, use: KeyUse): number =>
  keysOfUse(keys, use).filter(({ status }) => status === 'active').length;

/** A model of its own: what the world may see of one more fact. */
const follow = (world: World, event: SigningKeyEvent, command: SigningKeyCommand['type']): void => {
  const use = useOf(event.data.kid);
  const before = activeKeyOf(world.keys, use);
  world.keys = signingKey.evolve(world.keys, event);
  assert.ok(actives(world.keys, use) <= 1, 'two keys sign');
  const { kid: about } = event.data;
  if (event.type === 'KeyPublished') world.publishedAt.set(about, world.seconds);
  if (event.type === 'KeyRetired' || event.type === 'KeyRevoked') world.ended.add(about);
  if (event.type !== 'KeyActivated') return;
  assert.equal(world.ended.has(about), false, 'a key signs again');
  assert.equal(before, undefined, 'a key signs beside another');
  const isFirst = ![...world.signed.keys()].some((one) => useOf(one) === use);
  const isHurried = isFirst || ['RevokeKey', 'ReplaceKey'].includes(command);
  const known = world.seconds - (world.publishedAt.get(about) ?? Number.POSITIVE_INFINITY);
  assert.ok(isHurried ? known >= 0 : known >= 300, 'a key signs that caches cannot know');
};

const look = ({ keys, seconds, signed }: World): void => {
  const now = later(seconds);
  const accepted = new Set(acceptedAt(keys, now).map((one) => one.kid));
  for (const { kid: one, status } of keys.values())
    if (status === 'revoked') assert.equal(accepted.has(one), false, 'a revoked key counts');
  for (const [one, signedAt] of signed)
    if (signedAt + tokenSeconds > seconds && keys.get(one)?.status !== 'revoked')
      assert.ok(accepted.has(one), 'a living token is refused');
  for (const { kid: one } of destroyableKeysAt(keys, now))
    assert.equal(accepted.has(one), false, 'a key that counts is destroyed');
};

const step = (world: World, [seconds, asked]: readonly [number, SigningKeyCommand]): void => {
  world.seconds += seconds;
  look(world);
  const signing = keyUses.filter((use) => actives(world.keys, use) === 1);
  const command = { ...asked, at: later(world.seconds) };
  const decision = signingKey.decide(command, world.keys);
  if (isLeft(decision)) return;
  for (const event of decision.right) follow(world, event, command.type);
  assert.deepEqual(signingKey.decide(command, world.keys), right([]), 'said twice, it is done twice');
  for (const use of signing) assert.equal(actives(world.keys, use), 1, 'no key signs');
  for (const active of keyUses.flatMap((use) => activeKeyOf(world.keys, use) ?? []))
    world.signed.set(active.kid, world.seconds);
  look(world);
};

describe('signing keys, whatever happens', () => {
  it('leave no moment without a key, never two, and no living token refused', () =>
    fc.assert(
      fc.property(traces, (trace) => {
        const world: World = {
          keys: signingKey.initial,
          seconds: 0,
          signed: new Map(),
          publishedAt: new Map(),
          ended: new Set(),
        };
        for (const one of trace) step(world, one);
      }),
      { numRuns: 3_000 },
    ));

  it('do nothing the second time', () => twiceIsOnce(signingKey, commands));
});
