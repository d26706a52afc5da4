/** Sends commands with idempotency keys: the same command sent again has one effect. */
import { useRef } from 'preact/hooks';
import type { CommandRequest } from '../../../packages/client/src/operations';
import { type Answer, keyOf, send, septet } from './api-client';

/** Without an answer the outcome is unknown, so the key stays the same until a command succeeds or differs. */
export const useCommand = (): (<Content>(command: CommandRequest<Content>) => Promise<Answer<Content>>) => {
  const last = useRef({ fingerprint: '', key: '' });
  return async (command) => {
    const fingerprint = keyOf(command);
    if (last.current.fingerprint !== fingerprint) last.current = { fingerprint, key: septet.platform.uuid() };
    const answer = await send(command, last.current.key);
    if (answer.ok) last.current = { fingerprint: '', key: '' };
    return answer;
  };
};
