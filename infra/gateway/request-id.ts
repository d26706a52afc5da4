/** What a request is called in logs and answers: as the client calls it, or anew. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const idShape = /^[A-Za-z0-9._:-]{1,128}$/;

export const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && idShape.test(given) ? given : randomUUID();
};
