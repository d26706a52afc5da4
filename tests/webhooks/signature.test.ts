/** Signatures of webhooks, by the example of the Standard Webhooks specification. */
import assert from 'node:assert/strict';
import { formatWebhookSecret, webhookHeaders } from '../../commands/webhooks/signature';

const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

describe('the signature of a webhook', () => {
  it('is that of the specification', () =>
    assert.deepEqual(webhookHeaders(message, [key]), {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
    }));

  it('is one for each secret', () => {
    const both = webhookHeaders(message, [Buffer.alloc(32), key])['webhook-signature'].split(' ');
    assert.equal(both.length, 2);
    assert.equal(both[1], signature);
    assert.notEqual(both[0], signature);
  });

  it('is made of a secret that receivers know in base64', () =>
    assert.equal(formatWebhookSecret(key), 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'));
});
