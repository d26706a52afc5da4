/** A reference model of refresh families, which decisions are compared with. */
import { graceSeconds } from '../../../../domain/identity/refresh-family/decider';
import type { Name } from './family-steps';
import { idleSeconds, type Line, lifeSeconds, type Use, type World } from './family-world';

/** What the rules expect of one family, in words and numbers of their own. */
export interface Expected {
  current: number;
  usedAt: number;
  readonly endsAt: number;
  over: boolean;
  reused: boolean;
  grantOver: boolean;
  /** The highest that an access token of it was issued under. */
  epoch: number;
  /** Opened before the person was suspended, compromised, or all of theirs was ended. */
  worthless: boolean;
}

export interface Run {
  readonly world: World;
  readonly expected: { [name in Name]: Expected };
  readonly successors: Map<string, number>;
}

export const seconds = (world: World): number => Date.parse(world.now()) / 1000;

/** What a use of a token comes to by the rules: the number of the token that it is answered with, or nothing. */
export const expectedByRules = ({ world, expected }: Run, line: Line, use: Use): number | undefined => {
  const family = expected[line.name as Name];
  if (use.forged === true || use.number < 0 || use.number > family.current || family.over) return undefined;
  // Who does not hold it ends nothing.
  if (line.name === 'bound' && use.key !== 'key') return undefined;
  const now = seconds(world);
  if (use.number < family.current) {
    const retry = line.name === 'bound' && use.number === family.current - 1;
    if (!retry || now > family.usedAt + graceSeconds) {
      family.over = true;
      family.reused = true;
      return undefined;
    }
  } else if (now >= family.usedAt + idleSeconds || now >= family.endsAt) return undefined;
  if (world.personState().status !== 'ACTIVE' || family.worthless || family.grantOver) return undefined;
  if (use.number === family.current) Object.assign(family, { current: use.number + 1, usedAt: now });
  family.epoch = world.personState().securityEpoch;
  return use.number + 1;
};

export const freshFamily = (usedAt: number, epoch = 1): Expected => ({
  current: 0,
  usedAt,
  endsAt: usedAt + lifeSeconds,
  epoch,
  over: false,
  reused: false,
  grantOver: false,
  worthless: false,
});
