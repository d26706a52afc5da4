/** Something is to be changed: sent again, it counts once, for as long as it says the same. */
import { useRef } from 'preact/hooks';
import { type Answer, ask } from './api';

export interface Command {
  readonly method?: 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
}

const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The outcome of one that got no answer is not known: its key is kept until one came. */
export const useCommand = (): (<Content>(command: Command) => Promise<Answer<Content>>) => {
  const last = useRef({ said: '', key: '' });
  return async <Content>({ method = 'POST', path, body = {} }: Command) => {
    const said = JSON.stringify([method, path, body]);
    if (last.current.said !== said) last.current = { said, key: newKey() };
    const answer = await ask<Content>(path, { method, body, headers: { 'Idempotency-Key': last.current.key } });
    if (answer.ok) last.current = { said: '', key: '' };
    return answer;
  };
};
