/**
 * The keys that addresses and playbacks are signed with, as their file has them: secrets with white space between, each with an id before a
 * colon or known by its digest. The first signs, all are accepted.
 */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ConfigOf, optional, textThat } from '../runtime/config';
import { type FileText, rereadFile } from '../runtime/reread-file';
import type { DeliveryKey, DeliveryKeys } from './signed-text';

const idLength = 11;
const shape = /^(?:([\w-]{1,64}):)?([\x21-\x39\x3b-\x7e]{32,})$/;

const keyOf = (text: string): DeliveryKey | undefined => {
  const [, id, secret] = shape.exec(text) ?? [];
  if (secret === undefined) return undefined;
  const digest = (): string => createHash('sha256').update(`septet-delivery-key\n${secret}`).digest('base64url');
  return { id: id ?? digest().slice(0, idLength), secret };
};

/** Left: the fault, without the content. */
const parseDeliveryKeys = (text: string): Either<string, DeliveryKeys> => {
  const keys = text.trim().split(/\s+/).map(keyOf);
  const [first, ...others] = keys.filter((key) => key !== undefined);
  if (first === undefined || others.length + 1 !== keys.length)
    return left('The delivery keys are not secrets of at least 32 printable characters with white space between.');
  const ids = new Set([first, ...others].map(({ id }) => id));
  return ids.size === keys.length ? right([first, ...others]) : left('Two delivery keys have one id.');
};

const deliveryKeyText = textThat(
  'secrets of at least 32 printable characters with white space between, each after its id and a colon or alone',
  (text) => !isLeft(parseDeliveryKeys(text)),
);

export const deliveryKeyVariables = {
  /** Left out, nothing is played. */
  VIDEO_DELIVERY_KEYS: optional(deliveryKeyText),
};

/** Undefined: there are none. They stay as they are until the process starts again. */
export const readDeliveryKeys = (values: ConfigOf<typeof deliveryKeyVariables>): DeliveryKeys | undefined => {
  const keys = parseDeliveryKeys(values.VIDEO_DELIVERY_KEYS ?? '');
  return isLeft(keys) ? undefined : keys.right;
};

/** Read again when their file changes. */
export const openDeliveryKeys = (file: FileText): (() => DeliveryKeys) => rereadFile(file, parseDeliveryKeys);
