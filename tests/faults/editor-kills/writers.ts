/** Clients that edit without a pause through the gateway, with the engine for programs, and record their acknowledgements. */
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import type { DocumentId } from '../../../domain/editor/ids';
import type { ServerMessage } from '../../../domain/editor/protocol/server-messages';
import { childIds, countNodes } from '../../../domain/editor/scene/scene';
import type { WebSocketConstructor } from '../../../packages/client/src/platform';
import { defaultPlatform } from '../../../packages/editor-engine/src/browser/platform';
import { createTicketClient } from '../../../packages/editor-engine/src/browser/ticket-client';
import { webSocketTransport } from '../../../packages/editor-engine/src/browser/web-socket-transport';
import { type Engine, openEngine } from '../../../packages/editor-engine/src/engine/engine';
import { openFileStore } from '../../../packages/editor-engine/src/node';
import { makeAnyEdit } from '../../packages/editor-engine/simulation/any-edit';
import { openTime } from '../../packages/editor-engine/simulation/controlled-time';
import type { Copies } from './editor-copies';

export interface WriterRecord {
  readonly opId: string;
  readonly status: string;
  readonly version: number | undefined;
}

export interface Writer {
  readonly name: string;
  readonly engine: Engine;
  readonly results: readonly WriterRecord[];
  /** When the socket was opened by which something was acknowledged last, or 0. */
  readonly acknowledgedOn: () => number;
  /** Called with each acknowledgement, until it answers true. */
  readonly onAcknowledged: (look: () => boolean) => void;
  /** Edits once more; false when too much is on its way. */
  readonly edit: (chance: () => number) => boolean;
  readonly close: () => Promise<void>;
}

interface AckRecording {
  readonly results: WriterRecord[];
  readonly lookers: Set<() => boolean>;
  acknowledgedOn: number;
}

const receive = (recording: AckRecording, openedAt: number, text: string): void => {
  const message = JSON.parse(text) as ServerMessage;
  if (message.type !== 'ack') return;
  for (const { opId, status, version } of message.results ?? []) recording.results.push({ opId, status, version });
  recording.acknowledgedOn = openedAt;
  for (const look of [...recording.lookers]) if (look()) recording.lookers.delete(look);
};

/** A WebSocket that also records acknowledgements. */
const recordingSocket = (recording: AckRecording): WebSocketConstructor => {
  function RecordingSocket(url: string, protocols: string[]) {
    const openedAt = performance.now();
    const socket = new WebSocket(url, protocols);
    socket.on('message', (bytes: Buffer) => receive(recording, openedAt, bytes.toString()));
    return socket;
  }
  return RecordingSocket as unknown as WebSocketConstructor;
};

/** So that it is not more and more that is looked at. */
const mostNodes = 300;

const makeRoom = (engine: Engine): void => {
  const [first] = childIds(engine.scene(), null);
  if (first !== undefined && countNodes(engine.scene()) > mostNodes) engine.remove([first]);
};

const mostPending = 20;

export interface Writing {
  readonly copies: Copies;
  readonly documentId: string;
  readonly userId: string;
  /** Where edits are kept. */
  readonly directory: string;
}

export const openWriter = async ({ copies, documentId, userId, directory }: Writing): Promise<Writer> => {
  const recording: AckRecording = { results: [], lookers: new Set(), acknowledgedOn: 0 };
  const ticket = createTicketClient({ baseUrl: copies.url, token: () => copies.tokenOf(userId) });
  const engine = await openEngine({
    documentId: documentId as DocumentId,
    userId,
    platform: defaultPlatform(),
    transport: webSocketTransport({ baseUrl: copies.url, ticket, WebSocket: recordingSocket(recording) }),
    store: await openFileStore(directory),
  });
  return {
    name: directory,
    engine,
    results: recording.results,
    acknowledgedOn: () => recording.acknowledgedOn,
    onAcknowledged: (look) => void recording.lookers.add(look),
    edit: (chance) => {
      if (engine.state().kind === 'opening' || engine.state().pending >= mostPending) return false;
      makeRoom(engine);
      makeAnyEdit(engine, chance);
      return true;
    },
    close: engine.close,
  };
};

/** About twenty-five edits a second of each, which is what one may do for ever. */
const pace = { shortest: 10, longest: 70 };

export const keepEditing = async (writers: readonly Writer[], seed: number, over: AbortSignal): Promise<void> => {
  const keep = async (writer: Writer, chance: () => number): Promise<void> => {
    while (!over.aborted) {
      writer.edit(chance);
      await sleep(pace.shortest + chance() * (pace.longest - pace.shortest));
    }
  };
  await Promise.all(writers.map((writer, index) => keep(writer, openTime(seed + index + 1).random)));
};
