import assert from 'node:assert/strict';
import { ownerSettings, settingsFor } from '../../../../commands/editor/document-owner/settings';

describe('what an owner holds at once', () => {
  it('is what its heap takes, and no more than anybody is to lose with it', () => {
    assert.equal(settingsFor(900_000_000).maxNodes, 600_000);
    assert.equal(settingsFor(64 * 1024 ** 3).maxNodes, ownerSettings.maxNodes);
  });
});
