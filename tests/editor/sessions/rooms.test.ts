import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { SessionDeps } from '../../../commands/editor/sessions/deps';
import { openRooms, type Seat } from '../../../commands/editor/sessions/rooms';
import { limits } from '../../../domain/editor/limits';
import { openMemoryPresence } from '../../../infra/redis/memory-presence-board';
import { noon } from '../documents/examples';
import { client, opened, stage } from '../owner/stage';

const seat = (principalId: string, number: number): Seat => ({
  ...{
    clientId: client(`c${number}`),
    connectionId: `tab-${number}`,
    principalId,
    readsMoves: false,
    changed: () => undefined,
    ended: () => undefined,
  },
  feed: { hear: () => undefined, answer: () => undefined, glimpse: () => undefined, version: () => 0, owes: () => 0 },
});

describe('the room of a document', () => {
  it('holds so many, and so many of one principal', async () => {
    const now = stage();
    const { signal } = new AbortController();
    const deps = { access: now.access, board: openMemoryPresence(), clock: { now: () => noon }, signal };
    const rooms = openRooms(deps as unknown as SessionDeps);
    const document = await opened(now.owner());
    assert.ok(isRight(rooms.hasRoom(document, 'ada')));
    const room = rooms.of(document);
    const seats = Array.from({ length: limits.sessions.ofOnePrincipal }, (_, index) => seat('ada', index));
    for (const one of seats) rooms.sit(room, one);
    assert.ok(isLeft(rooms.hasRoom(document, 'ada')));
    assert.ok(isRight(rooms.hasRoom(document, 'bob')));
    const others = Array.from({ length: limits.sessions.inAll - seats.length }, (_, index) => seat(`p${index}`, index));
    for (const one of others) rooms.sit(room, one);
    assert.ok(isLeft(rooms.hasRoom(document, 'bob')));
    for (const one of [...seats, ...others]) rooms.leave(room, one);
    assert.notEqual(rooms.of(document), room);
    await now.close();
  });
});
