import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import { backoff } from '../../../../packages/editor-engine/src/sync/backoff';
import { createTestNode, type Opened, openStage } from '../simulation/fixture';

const kinds = (sent: readonly ClientMessage[], type: ClientMessage['type']) => sent.filter((one) => one.type === type);

describe('the connection to a document’s owner', () => {
  it('reconnects within two seconds while the page is visible, and rarely otherwise', () => {
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, chance) => {
        const random = () => chance;
        const seen = backoff({ failures, isVisible: true, random });
        const hidden = backoff({ failures, isVisible: false, random });
        assert.ok(seen >= 250 && seen <= 2_000 && hidden >= 500 && hidden <= 300_000);
      }),
    );
    assert.ok(backoff({ failures: 12, isVisible: false, random: () => 0 }) >= 150_000);
  });

  it('is replaced when the server falls silent', async () => {
    const { time, owner, network, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    owner.refuse = ({ type }) => (type === 'ping' ? { type: 'presence', members: [] } : undefined);
    await time.pass(20_000);
    assert.equal(kinds(network.sent, 'join').length, 1);
    const { sessions } = owner;
    for (const session of [...sessions]) Object.assign(session, { send: () => undefined });
    await time.pass(4_000);
    assert.equal(kinds(network.sent, 'join').length, 1);
    await time.pass(11_000);
    assert.ok(kinds(network.sent, 'join').length > 1);
    assert.equal(ann.state().isConnected, true);
  });

  it('is replaced when opening it takes too long', async () => {
    const { time, network, open } = openStage();
    const real = network.transport('ann');
    let tries = 0;
    const silent = { send: () => undefined, close: () => undefined };
    const hanging: typeof real.open = (...args) => {
      tries += 1;
      return tries === 1 ? silent : real.open(...args);
    };
    const ann = await open('ann', { transport: { ...real, open: hanging } });
    await time.pass(14_000);
    assert.deepEqual([tries, ann.state().kind], [1, 'opening']);
    await time.pass(3_000);
    assert.deepEqual([tries, ann.state().kind], [2, 'saved']);
    await time.pass(60_000);
    assert.equal(tries, 2);
  });

  it('is retried with backoff, which a successful connection resets', async () => {
    const { time, owner, network, open } = openStage();
    const bob = await open('bob');
    await time.pass(100);
    createTestNode(bob);
    await time.pass(100);
    owner.oldestTail = owner.version + 1;
    let isReadable = false;
    const ann = await open('ann', {
      loadSnapshot: async () => {
        if (!isReadable) throw new Error('Object storage is away.');
      },
    });
    await time.pass(60_000);
    const joins = kinds(network.sent, 'join').length - 1;
    assert.ok(joins >= 30 && joins <= 65, String(joins));
    isReadable = true;
    await time.pass(15_000);
    assert.equal(ann.state().kind, 'saved');
    network.cut('ann');
    await time.pass(600);
    assert.equal(ann.state().isConnected, true);
  });

  it('reconnects at once when the page becomes visible', async () => {
    const { time, network, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    time.visible = false;
    network.isUp = false;
    network.cut();
    await time.pass(600_000);
    network.isUp = true;
    assert.equal(ann.state().kind, 'offline');
    time.visible = true;
    time.wake();
    await time.pass(100);
    assert.equal(ann.state().kind, 'saved');
  });

  it('stays closed after a refusal, until reconnect is called', async () => {
    const { time, owner, network, open } = openStage();
    owner.refuse = ({ type }) =>
      type === 'join' ? { type: 'error', code: 'trashed', detail: 'In the trash.' } : undefined;
    const ann = await open('ann');
    await time.pass(60_000);
    assert.deepEqual([ann.state().kind, ann.state().reason], ['refused', 'trashed']);
    assert.equal(kinds(network.sent, 'join').length, 1);
    owner.refuse = () => undefined;
    ann.reconnect();
    await time.pass(100);
    assert.equal(ann.state().kind, 'saved');
  });

  it('leaves no timers behind when it is closed', async () => {
    const { time, owner, network, open } = openStage();
    const bob = await open('bob');
    await time.pass(100);
    createTestNode(bob);
    await bob.close();
    network.cut();
    await time.pass(30_000);
    assert.equal(time.waiting(), 0);
    const doings: readonly ((ann: Opened) => void)[] = [
      () => undefined,
      (ann) => ann.setPresence({ cursor: { x: 1, y: 1 } }),
      (ann) => void createTestNode(ann),
      () => network.cut(),
      () => {
        owner.refuse = ({ type }) =>
          type === 'operations' ? { type: 'rateLimited', retryAfterMs: 60_000 } : undefined;
      },
      (ann) => void createTestNode(ann),
      () => {
        owner.oldestTail = owner.version;
        network.cut();
      },
    ];
    for (let count = 0; count <= doings.length; count += 1) {
      const ann = await open('ann');
      await time.pass(count * 7);
      for (const doing of doings.slice(0, count)) {
        doing(ann);
        await time.pass(700);
      }
      const eventCount = ann.events.length;
      await ann.close();
      // What is on its way arrives after the client is closed.
      network.cut();
      await time.pass(1_000);
      assert.deepEqual(
        [time.waiting(), ann.state().kind, ann.events.length - eventCount <= 2],
        [0, 'closed', true],
        String(count),
      );
    }
  });

  it('renews its ticket before it expires, also if only the owner knows when', async () => {
    const { time, owner, network, open } = openStage();
    let ticketCount = 0;
    const ticket = async () => {
      ticketCount += 1;
      return { ticket: `t${ticketCount}`, expiresAt: undefined };
    };
    owner.tokenLasts = 300_000;
    owner.now = time.now;
    const ann = await open('ann', { transport: { ...network.transport('ann'), ticket } });
    await time.pass(600_000);
    const tickets = kinds(network.sent, 'authenticate').map((message) => 'ticket' in message && message.ticket);
    assert.deepEqual([tickets, ann.state().kind], [['t1', 't2'], 'saved']);
    assert.equal(kinds(network.sent, 'join').length, 1);
  });
});
