/** Requests socket tickets with a token, or with the page's session. */
import type { Ticket } from '../ports/transport';

export interface TicketOptions {
  /** URL of the gateway. */
  readonly baseUrl: string;
  /** Undefined: signed out. If omitted, the page's own session is used, which requires the gateway's origin. */
  readonly token?: () => Promise<string | undefined> | string | undefined;
}

interface TicketAnswer {
  readonly ticket: string;
}

/** Reads the expiry from the token without verifying it; the server verifies. */
const expiryOf = (token: string): number | undefined => {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { exp } = JSON.parse(atob(payload)) as { exp?: number };
    return typeof exp === 'number' ? exp * 1_000 : undefined;
  } catch {
    return undefined;
  }
};

/** A header that forms and other sites cannot send. */
const pageHeaders = { 'septet-console': '1' };

export const createTicketClient =
  ({ baseUrl, token }: TicketOptions) =>
  async (): Promise<Ticket | undefined> => {
    const sent = await token?.();
    if (token !== undefined && sent === undefined) return undefined;
    const answer = await fetch(`${baseUrl.replace(/\/$/, '')}/v1/streams/tickets`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...(sent === undefined ? pageHeaders : { authorization: `Bearer ${sent}` }),
      },
    });
    if (answer.status === 401) return undefined;
    if (!answer.ok) throw new Error(`A ticket was refused with ${answer.status}.`);
    return {
      ticket: ((await answer.json()) as TicketAnswer).ticket,
      expiresAt: sent === undefined ? undefined : expiryOf(sent),
    };
  };
