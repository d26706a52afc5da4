/** The nodes that a committed operation changed, as far as it names them. */
import type { LogEvent } from '../../../domain/editor/log/events';

export type CommittedOperation = Extract<LogEvent, { type: 'OperationsCommitted' }>['data']['operations'][number];

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const idsIn = (list: unknown): readonly string[] =>
  Array.isArray(list)
    ? list.flatMap((one: unknown) => {
        const id = typeof one === 'string' ? one : fieldOf(one, 'id');
        return typeof id === 'string' ? [id] : [];
      })
    : [];

const keysOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

const named = ({ type, payload }: CommittedOperation): readonly string[] => {
  switch (type) {
    case 'createNode':
      return idsIn(fieldOf(payload, 'nodes'));
    case 'deleteNode':
      return [...idsIn(fieldOf(payload, 'deleted')), ...idsIn(fieldOf(payload, 'moves'))];
    case 'setProperties':
      return keysOf(fieldOf(payload, 'nodes'));
    case 'transformNodes':
      return keysOf(fieldOf(payload, 'transforms'));
    case 'moveChild':
      return idsIn(fieldOf(payload, 'moves'));
    case 'textOperation':
    case 'restoreVersion':
      return [];
  }
};

/** Whatever stands there is a fact already: what cannot be read in it is passed over. */
export const touchedBy = (operation: CommittedOperation): ReadonlySet<string> =>
  new Set([...operation.targetIds, ...named(operation)].filter((id) => id.length > 0 && id.length <= 64));
