/** Moves as strangers send them. */
import { NodeId, OrderKey } from '../../ids';
import { limits } from '../../limits';
import { type Move, Transform } from '../../operation';
import { isRecord, type ValueFault } from '../values';

const readMove = (value: unknown): Move | undefined => {
  if (!isRecord(value)) return undefined;
  const { id, parentId, orderKey, transform } = value;
  if (!NodeId.is(id) || !(parentId === null || NodeId.is(parentId)) || !OrderKey.is(orderKey)) return undefined;
  if (transform === undefined) return { id, parentId, orderKey };
  return Transform.is(transform) ? { id, parentId, orderKey, transform } : undefined;
};

export const readMoves = (payload: unknown): readonly Move[] | ValueFault => {
  if (!isRecord(payload) || !Array.isArray(payload.moves)) return 'malformed';
  if (payload.moves.length > limits.targets) return 'too-large';
  const moves = payload.moves.map(readMove).filter((move) => move !== undefined);
  const isWhole = moves.length === payload.moves.length && new Set(moves.map(({ id }) => id)).size === moves.length;
  return isWhole ? moves : 'malformed';
};
