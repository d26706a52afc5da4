/** Something is to be changed: sent again, it counts once, for as long as it says the same. */
import { useRef } from 'preact/hooks';
import type { CommandRequest } from '../../../packages/client/src/operations';
import { type Answer, keyOf, send, septet } from './api-client';

/** The outcome of one that got no answer is not known: its key is kept until one came. */
export const useCommand = (): (<Content>(command: CommandRequest<Content>) => Promise<Answer<Content>>) => {
  const last = useRef({ said: '', key: '' });
  return async (command) => {
    const said = keyOf(command);
    if (last.current.said !== said) last.current = { said, key: septet.platform.uuid() };
    const answer = await send(command, last.current.key);
    if (answer.ok) last.current = { said: '', key: '' };
    return answer;
  };
};
