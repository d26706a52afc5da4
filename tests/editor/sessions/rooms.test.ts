import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { SessionDeps } from '../../../commands/editor/sessions/dependencies';
import { openRooms, type RoomSession } from '../../../commands/editor/sessions/rooms';
import { limits } from '../../../domain/editor/limits';
import { openMemoryPresenceStore } from '../../../infra/adapters/redis/editor/memory-presence-store';
import { client, opened, stage } from '../document-owner/fixture';
import { noon } from '../documents/examples';

const session = (principalId: string, number: number): RoomSession => ({
  clientId: client(`c${number}`),
  connectionId: `tab-${number}`,
  principalId,
  supportsCursorMoves: false,
  onAccessChange: () => undefined,
  onClosed: () => undefined,
  stream: {
    sendFrame: () => undefined,
    acknowledge: () => undefined,
    sendPresence: () => undefined,
    version: () => 0,
    pendingAcks: () => 0,
  },
});

describe('the room of a document', () => {
  it('is bounded in all and per principal', async () => {
    const now = stage();
    const { signal } = new AbortController();
    const deps = { access: now.access, presenceStore: openMemoryPresenceStore(), clock: { now: () => noon }, signal };
    const rooms = openRooms(deps as unknown as SessionDeps);
    const document = await opened(now.owner());
    assert.ok(isRight(rooms.checkCapacity(document, 'ada')));
    const room = rooms.of(document);
    const sessions = Array.from({ length: limits.sessions.ofOnePrincipal }, (_, index) => session('ada', index));
    for (const one of sessions) rooms.join(room, one);
    assert.ok(isLeft(rooms.checkCapacity(document, 'ada')));
    assert.ok(isRight(rooms.checkCapacity(document, 'bob')));
    const others = Array.from({ length: limits.sessions.inAll - sessions.length }, (_, index) =>
      session(`p${index}`, index),
    );
    for (const one of others) rooms.join(room, one);
    assert.ok(isLeft(rooms.checkCapacity(document, 'bob')));
    for (const one of [...sessions, ...others]) rooms.leave(room, one);
    assert.notEqual(rooms.of(document), room);
    await now.close();
  });
});
