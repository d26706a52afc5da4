/** Either, compatible with fp-ts but without the dependency. */
export interface Left<E> {
  readonly _tag: 'Left';
  readonly left: E;
}
export interface Right<A> {
  readonly _tag: 'Right';
  readonly right: A;
}
export type Either<E, A> = Left<E> | Right<A>;

export const left = <E>(reason: E): Left<E> => ({ _tag: 'Left', left: reason });
export const right = <A>(value: A): Right<A> => ({ _tag: 'Right', right: value });
export const isLeft = <E, A>(either: Either<E, A>): either is Left<E> => either._tag === 'Left';
