import assert from 'node:assert/strict';
import { type Either, isLeft } from 'fp-ts/Either';

export const expectRight = <A>(either: Either<unknown, A>): A => {
  if (isLeft(either)) assert.fail(JSON.stringify(either.left));
  return either.right;
};
